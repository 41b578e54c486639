/**
 * Messages: stored once per (conversation, `echo_id`), answered to whoever sent them as stored, announced after the
 * commit. The conversation's row is locked first, so that within it a larger `id` was committed later: catching up by
 * `id` misses nothing.
 */
import { type Change, type Core, commit, commitHeld, commitNow, conversationLane } from '../core.js';
import { notFound, Refusal, unprocessable } from '../errors.js';
import { first, one, type Queries } from '../store/database.js';
import type { AgentRow, ConversationRow, InboxRow, MessageRow } from '../store/rows.js';
import { announceConversation, announceMessage } from './announce.js';
import { viewConversation } from './conversations-view.js';
import { type Effect, effectOf, moved } from './message-effect.js';
import { insertMessage, isOwn, type NewMessage } from './message-rows.js';
import { createTogether } from './messages-together.js';
import { type MessageView, viewMessages } from './messages-view.js';
import { redactDeliveries } from './redact-deliveries.js';
import { measureAnswer } from './reporting.js';
import type { MessageContext } from './shapes-account.js';
import { afterMove, changeStatus } from './status.js';
import { answerAutomatically } from './templates.js';

export interface Created {
  view: MessageView;
  /** False when the conversation already had the `echo_id`: this is what was stored then. */
  isNew: boolean;
  /** What it tells about its conversation, where that is known already. */
  context?: MessageContext;
}

async function refuseFlood(change: Change, conversationId: number): Promise<void> {
  const limit = change.core.limits.messagesPerConversation;
  const oldest = await first<{ age: number }>(
    change.tx,
    `select extract(epoch from clock_timestamp() - created_at)::float8 as age
     from messages where conversation_id = $1 order by id desc offset $2 limit 1`,
    [conversationId, limit - 1],
  );
  if (!oldest || oldest.age >= 60) return;
  const message = 'Too many messages';
  throw new Refusal(422, message, [{ field: 'base', message, code: 'too_many_messages' }], {
    'Retry-After': String(Math.max(1, Math.ceil(60 - oldest.age))),
  });
}

async function insertFiles(tx: Queries, message: MessageRow, files: NewMessage['files']): Promise<void> {
  for (const file of files) {
    await tx.query(
      `insert into attachments
         (account_id, message_id, key, file_name, file_type, content_type, extension, file_size, width, height)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [
        message.account_id,
        message.id,
        file.key,
        file.fileName,
        file.fileType,
        file.contentType,
        file.extension,
        file.size,
        file.width,
        file.height,
      ],
    );
  }
}

async function touchConversation(
  change: Change,
  conversation: ConversationRow,
  row: MessageRow,
  message: NewMessage,
): Promise<Effect & { inbox: InboxRow }> {
  const inbox = await one<InboxRow & { blocked: boolean }>(
    change.tx,
    'select i.*, c.blocked from inboxes i cross join contacts c where i.id = $1 and c.id = $2',
    [conversation.inbox_id, conversation.contact_id],
  );
  const effect = effectOf(message, conversation, inbox.blocked);
  await change.tx.query(`update conversations c set ${moved('$2', '$3', '$4')} where id = $1`, [
    conversation.id,
    row.created_at,
    effect.waits,
    effect.replies,
  ]);
  if (message.type === 0) {
    await change.tx.query('update contacts set last_activity_at = $2 where id = $1', [
      conversation.contact_id,
      row.created_at,
    ]);
  }
  if (effect.replies) await measureAnswer(change, conversation, row);
  return { ...effect, inbox };
}

const viewOne = async (
  db: Queries,
  message: MessageRow,
  conversation: ConversationRow,
): Promise<MessageView> => {
  const [view] = await viewMessages(db, [message], new Map([[conversation.id, conversation.display_id]]));
  if (!view) throw new Error('a message that was just read is not there');
  return view;
};

async function createAlone(change: Change, conversationId: number, message: NewMessage): Promise<Created> {
  const { core, tx } = change;
  const conversation = await one<ConversationRow>(
    tx,
    'select * from conversations where id = $1 for update',
    [conversationId],
  );
  if (message.echoId !== undefined && !core.forgetEchoId) {
    const stored = await first<MessageRow>(
      tx,
      'select * from messages where conversation_id = $1 and echo_id = $2',
      [conversationId, message.echoId],
    );
    // What another has written may not be for whoever names it.
    if (stored && !isOwn(conversation, message.sender, stored)) {
      throw unprocessable('echo_id', 'has already been taken in this conversation', 'taken');
    }
    if (stored) return { view: await viewOne(tx, stored, conversation), isNew: false };
  }
  await refuseFlood(change, conversationId);
  const row = await insertMessage(change, conversation, message);
  await insertFiles(tx, row, message.files);
  const { inbox, heard, reopens, answers } = await touchConversation(change, conversation, row, message);
  const agent = message.sender === 'contact' ? undefined : message.sender;
  const by = { kind: 'message' } as const;
  const opened = reopens ? await changeStatus(change, conversation, { status: 'open' }, by) : undefined;
  const view = await announceMessage(change, 'message.created', row, { echoId: message.echoId, agent });
  if (opened) await afterMove(change, conversation, opened, by);
  if (answers) {
    const about = { agent, before: conversation };
    await announceConversation(change, ['conversation.updated'], conversationId, about);
  }
  if (heard) await answerAutomatically(change, conversation, inbox);
  // Now: whoever cannot be answered after the commit, and is told to come again, would say it again.
  return { view, isNew: true, context: await viewConversation(tx, conversationId) };
}

/** Who quotes what is not in the conversation quotes nothing. Messages stay where they are. */
async function withQuote(db: Queries, conversationId: number, message: NewMessage): Promise<NewMessage> {
  const attributes = { ...message.contentAttributes };
  if (Object.hasOwn(attributes, 'in_reply_to')) {
    const id = /^\d{1,15}$/.test(String(attributes.in_reply_to)) ? Number(attributes.in_reply_to) : 0;
    const sql = 'select id from messages where conversation_id = $1 and id = $2';
    attributes.in_reply_to = (await first<{ id: number }>(db, sql, [conversationId, id]))?.id ?? null;
  }
  // Here no message has an id from outside.
  if (Object.hasOwn(attributes, 'in_reply_to_external_id')) attributes.in_reply_to_external_id = null;
  return { ...message, contentAttributes: attributes };
}

/**
 * @throws Refusal 422 `too_many_messages` with `Retry-After`, but never for an `echo_id` of the sender's that is stored;
 *   422 `taken` for one that is somebody else's
 */
export function createMessage(core: Core, conversationId: number, message: NewMessage): Promise<Created> {
  return core.lanes.inLane(conversationLane(conversationId), async () => {
    const quoting = await withQuote(core.db, conversationId, message);
    const { written, isHeld } = await createTogether(core, { conversationId, message: quoting });
    if (written) return { ...written, isNew: true };
    const alone = (change: Change) => createAlone(change, conversationId, quoting);
    return isHeld ? commitHeld(core, alone) : commitNow(core, alone);
  });
}

/** As they are before this change, whatever was read before others had their turn. */
const heldAttributes = async (tx: Queries, id: number) => {
  const sql = 'select content_attributes from messages where id = $1 for update';
  return (await one<Pick<MessageRow, 'content_attributes'>>(tx, sql, [id])).content_attributes;
};

/** The words and files go, a notice stays. */
export function deleteMessage(
  core: Core,
  message: MessageRow,
  agent: AgentRow,
): Promise<{ view: MessageView; keys: string[] }> {
  return commit(core, conversationLane(message.conversation_id), async (change) => {
    const before = await heldAttributes(change.tx, message.id);
    const files = await change.tx.query<{ key: string }>(
      'delete from attachments where message_id = $1 returning key',
      [message.id],
    );
    const row = await one<MessageRow>(
      change.tx,
      `update messages set content = 'This message was deleted', content_type = 'text',
         deleted_content_type = coalesce(deleted_content_type, content_type),
         content_attributes = '{"deleted": true}', updated_at = clock_timestamp() where id = $1 returning *`,
      [message.id],
    );
    await redactDeliveries(change.tx, row);
    const previous = () => ({ content_attributes: [before, row.content_attributes] as const });
    const view = await announceMessage(change, 'message.updated', row, { previous, agent });
    return { view, keys: files.map((file) => file.key) };
  });
}

/**
 * Writes the answer to an interactive message; other attributes stay.
 * @param gone what is told of one that was deleted, also in this moment
 */
export function submitValues(
  core: Core,
  message: MessageRow,
  values: unknown,
  gone: () => Refusal = () => notFound('message_id'),
): Promise<MessageView> {
  return commit(core, conversationLane(message.conversation_id), async (change) => {
    const before = await heldAttributes(change.tx, message.id);
    if (before.deleted) throw gone();
    const row = await one<MessageRow>(
      change.tx,
      `update messages set content_attributes = content_attributes || $2::jsonb, updated_at = clock_timestamp()
       where id = $1 returning *`,
      [message.id, JSON.stringify({ submitted_values: values })],
    );
    const previous = () => ({ content_attributes: [before, row.content_attributes] as const });
    return announceMessage(change, 'message.updated', row, { previous });
  });
}
