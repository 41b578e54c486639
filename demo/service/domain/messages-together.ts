/**
 * Messages of many conversations in one transaction: what arrives while one group is being written makes the next, so
 * the price of a commit is shared, and each is answered after it. Only plain messages go together: one that wakes its
 * conversation, carries files, is very long, was stored before, comes too fast or has its conversation held by somebody
 * is left to `messages.ts`, alone. So are all of a group that the database refused, for one of them is to blame and the others
 * must not suffer.
 */
import { type Change, type Core, commitAmongFew } from '../core.js';
import { pairTopic } from '../events.js';
import { gathered } from '../gather.js';
import { isRefusal, NoConnection } from '../store/database.js';
import type { ContactFace, ConversationRow, InboxRow, Json, MessageRow } from '../store/rows.js';
import { announceView, messageEvent } from './announce.js';
import { viewConversations } from './conversations-view.js';
import { isHooked } from './delivery-queue.js';
import { type Effect, effectOf, moved } from './message-effect.js';
import { messageColumns, type NewMessage } from './message-rows.js';
import type { MessageView, Sender } from './messages-view.js';
import { measureAnswer } from './reporting.js';
import { queueForRules } from './rule-queue.js';
import type { MessageContext } from './shapes-account.js';
import { answerAutomatically } from './templates.js';
import { hookMessage } from './webhook-events.js';

export interface Asked {
  conversationId: number;
  message: NewMessage;
}

export interface Written {
  view: MessageView;
  context: MessageContext;
}

interface Answer {
  /** Nothing: to be written alone. */
  written?: Written | undefined;
  /** Somebody else has its rows, and may have them for long. */
  isHeld?: boolean;
}

const most = 100;
const groups = 2;
/** Longer ones would make their neighbours wait. */
const longestContent = 20_000;

interface Facts extends Omit<ContactFace, 'id' | 'additional_attributes' | 'custom_attributes'> {
  conversation_id: number;
  place: Json;
  own: Json;
  source_id: string;
  pairs: number[];
  is_stored: boolean;
  is_flood: boolean;
  unread: number;
}

/**
 * After the rows are locked: what another process has just written is seen. A contact whom somebody holds, as while two
 * are made one, is passed over like a conversation.
 */
const factsSql = `
  select c.id as conversation_id, k.name, k.email, k.phone_number, k.identifier, k.blocked, k.avatar_url,
    k.additional_attributes as place, k.custom_attributes as own, p.source_id,
    (select json_agg(v.id order by v.id) from contact_inboxes v
      where v.contact_id = p.contact_id and (v.hmac_verified or v.id = p.id)) as pairs,
    g.echo_id is not null and exists (
      select 1 from messages m where m.conversation_id = c.id and m.echo_id = g.echo_id) as is_stored,
    coalesce((select m.created_at > clock_timestamp() - interval '60 seconds'
      from messages m where m.conversation_id = c.id order by m.id desc offset $2 limit 1), false) as is_flood,
    (select count(*) from (
      select 1 from messages m where m.conversation_id = c.id and m.message_type = 0
        and (c.agent_last_seen_at is null or m.created_at > c.agent_last_seen_at)
      limit 10) as unseen) as unread
  from json_to_recordset($1::json) as g (id bigint, echo_id text)
  join conversations c on c.id = g.id
  join contacts k on k.id = c.contact_id
  join contact_inboxes p on p.id = c.contact_inbox_id
  for no key update of k skip locked`;

const writeSql = `
  with given as materialized (
    select * from json_to_recordset($1::json) as g (n integer, account_id bigint, inbox_id bigint,
      conversation_id bigint, contact_id bigint, content text, message_type smallint, content_type text,
      content_attributes jsonb, private boolean, echo_id text, sender_type text, sender_id bigint,
      waits boolean, replies boolean)),
  written as (
    insert into messages (${messageColumns}) select ${messageColumns}
    from given order by n returning *),
  moved as (
    update conversations c set ${moved('w.created_at', 'g.waits', 'g.replies')}
    from written w join given g using (conversation_id) where c.id = w.conversation_id),
  heard as (
    update contacts k set last_activity_at = latest.at from (
      select g.contact_id, max(w.created_at) as at from written w join given g using (conversation_id)
      where w.message_type = 0 group by 1) as latest
    where k.id = latest.contact_id)
  select * from written`;

interface Member {
  asked: Asked;
  conversation: ConversationRow;
  facts: Facts;
  inbox: InboxRow;
  effect: Effect;
}

/** Whoever waited for a row here would have all the others of the group wait, and those of the next. */
async function membersOf(
  { core, tx }: Change,
  all: readonly Asked[],
): Promise<{ members: Member[]; held: ReadonlySet<Asked> }> {
  const ids = all.map(({ conversationId }) => conversationId);
  const rows = await tx.query<ConversationRow>(
    'select * from conversations where id = any($1::bigint[]) order by id for update skip locked',
    [ids],
  );
  const named = all.map(({ conversationId: id, message }) => ({
    id,
    echo_id: core.forgetEchoId ? undefined : message.echoId,
  }));
  const facts = await tx.query<Facts>(factsSql, [
    JSON.stringify(named),
    core.limits.messagesPerConversation - 1,
  ]);
  const inboxes = await tx.query<InboxRow>('select * from inboxes where id = any($1::bigint[])', [
    [...new Set(rows.map((row) => row.inbox_id))],
  ]);
  const conversationOf = new Map(rows.map((row) => [row.id, row]));
  const factsOf = new Map(facts.map((row) => [row.conversation_id, row]));
  const inboxOf = new Map(inboxes.map((row) => [row.id, row]));
  const held = new Set<Asked>();
  const members = all.flatMap((asked) => {
    const conversation = conversationOf.get(asked.conversationId);
    const known = factsOf.get(asked.conversationId);
    const inbox = inboxOf.get(conversation?.inbox_id ?? 0);
    if (!conversation || !known) held.add(asked);
    if (!conversation || !known || !inbox || known.is_stored || known.is_flood) return [];
    const effect = effectOf(asked.message, conversation, known.blocked);
    // Whoever else would have to be asked is, when it is alone.
    return effect.reopens ? [] : [{ asked, conversation, facts: known, inbox, effect }];
  });
  return { members, held };
}

function rowOf({ forgetEchoId }: Core, { asked: { message }, conversation, effect }: Member, n: number) {
  const { sender } = message;
  return {
    n,
    account_id: conversation.account_id,
    inbox_id: conversation.inbox_id,
    conversation_id: conversation.id,
    contact_id: conversation.contact_id,
    content: message.content,
    message_type: message.type,
    content_type: message.contentType ?? 'text',
    content_attributes: message.contentAttributes ?? {},
    private: message.private ?? false,
    echo_id: forgetEchoId ? null : (message.echoId ?? null),
    sender_type: sender === 'contact' ? 'Contact' : 'User',
    sender_id: sender === 'contact' ? conversation.contact_id : sender.id,
    waits: effect.waits,
    replies: effect.replies,
  };
}

function senderOf({ asked: { message }, conversation, facts }: Member): Sender {
  if (message.sender !== 'contact') return { type: 'user', user: message.sender };
  const { place, own, name, email, phone_number, identifier, blocked, avatar_url } = facts;
  const face = { name, email, phone_number, identifier, blocked, avatar_url };
  const maps = { additional_attributes: place, custom_attributes: own };
  return { type: 'contact', contact: { id: conversation.contact_id, ...face, ...maps } };
}

const unreadAfter = ({ asked: { message }, facts }: Member) =>
  message.type === 0 ? Math.min(10, facts.unread + 1) : facts.unread;

const event = 'message_created' as const;

const agentOf = ({ asked: { message } }: Member) =>
  message.sender === 'contact' ? undefined : message.sender;

/** Webhooks are told all of a conversation, and everybody when somebody who waited was answered. */
async function tellAll(change: Change, written: ReadonlyMap<Member, Written>): Promise<void> {
  const whole: Member[] = [];
  for (const member of written.keys()) {
    const { account_id: accountId, inbox_id: inboxId } = member.conversation;
    if (member.effect.answers || (await isHooked(change, { accountId, inboxId, event }))) whole.push(member);
  }
  if (whole.length === 0) return;
  const rows = await change.tx.query<ConversationRow>(
    'select * from conversations where id = any($1::bigint[])',
    [whole.map(({ conversation }) => conversation.id)],
  );
  const scenes = new Map(
    (await viewConversations(change.tx, rows)).map((scene) => [scene.conversation.id, scene]),
  );
  for (const member of whole) {
    const scene = scenes.get(member.conversation.id);
    const view = written.get(member)?.view;
    if (!scene || !view) throw new Error('a conversation of the group is not there');
    await hookMessage(change, event, view, scene);
    if (!member.effect.answers) continue;
    const about = { agent: agentOf(member), before: member.conversation };
    await announceView(change, ['conversation.updated'], scene, about);
    await measureAnswer(change, member.conversation, view.message);
  }
}

async function write(change: Change, all: readonly Asked[]): Promise<Answer[]> {
  const { members, held } = await membersOf(change, all);
  if (members.length === 0) return all.map((asked) => ({ isHeld: held.has(asked) }));
  const written = new Map<Member, Written>();
  const rows = members.map((member, n) => rowOf(change.core, member, n));
  const messages = await change.tx.query<MessageRow>(writeSql, [JSON.stringify(rows)]);
  const messageOf = new Map(messages.map((message) => [message.conversation_id, message]));
  for (const member of members) {
    const { asked, conversation, facts } = member;
    const message = messageOf.get(conversation.id);
    if (!message) throw new Error('a message of the group was not written');
    const view = { message, displayId: conversation.display_id, sender: senderOf(member), attachments: [] };
    const context = {
      conversation: { assignee_id: conversation.assignee_id, last_activity_at: message.created_at },
      pair: { source_id: facts.source_id },
      unread: unreadAfter(member),
    };
    written.set(member, { view, context });
    const topics = facts.pairs.map(pairTopic);
    const about = { echoId: asked.message.echoId, agent: agentOf(member) };
    change.emit(messageEvent(change.core, 'message.created', view, context, topics, about));
    await queueForRules(change, event, conversation, { messageId: message.id });
  }
  await tellAll(change, written);
  for (const { conversation, inbox, effect } of members) {
    if (effect.heard) await answerAutomatically(change, conversation, inbox);
  }
  const of = new Map([...written].map(([{ asked }, one]) => [asked, one]));
  return all.map((asked) => ({ written: of.get(asked), isHeld: held.has(asked) }));
}

async function group(core: Core, all: readonly Asked[]): Promise<Answer[]> {
  let isDone = false;
  try {
    return await commitAmongFew(core, async (change) => {
      const answers = await write(change, all);
      change.atEnd(async () => {
        isDone = true;
      });
      return answers;
    });
  } catch (error) {
    if (error instanceof NoConnection || (isDone && !isRefusal(error))) throw error;
    return all.map(() => ({}));
  }
}

const gatherings = new WeakMap<Core, (asked: Asked) => Promise<Answer>>();

/** Whoever calls is in the conversation's lane. */
export async function createTogether(core: Core, asked: Asked): Promise<Answer> {
  const { files, content } = asked.message;
  if (files.length > 0 || (content?.length ?? 0) > longestContent) return {};
  const gather = gatherings.get(core) ?? gathered({ most, groups }, (all) => group(core, all));
  gatherings.set(core, gather);
  return gather(asked);
}
