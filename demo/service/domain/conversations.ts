/** Conversations: opened by a contact, moved between states, seen. Messages have their own file. */
import { type Change, type Core, commit, conversationLane } from '../core.js';
import { first, one } from '../store/database.js';
import type {
  AgentRow,
  ContactRow,
  ConversationRow,
  ConversationStatus,
  InboxRow,
  Json,
  MessageRow,
} from '../store/rows.js';
import type { Actor } from './actor.js';
import { stays } from './agents.js';
import { announceConversation, announceMessages, announceRead, announceTyping } from './announce.js';
import { checkAttributes } from './attribute-check.js';
import type { Holder } from './contacts.js';
import { lockConversation, moveTo } from './status.js';

/** @returns one that is not new where the inbox is locked to one */
export function createConversation(
  core: Core,
  inbox: InboxRow,
  { pair }: Holder,
  customAttributes: Json,
): Promise<{ conversation: ConversationRow; isNew: boolean }> {
  return commit(core, `pair:${pair.id}`, async (change) => {
    const { tx } = change;
    // Two of one pair, one after the other, whichever process they came to; and whose it is by now.
    const own = 'select contact_id from contact_inboxes where id = $1 for update';
    const { contact_id: contactId } = await one<{ contact_id: number }>(tx, own, [pair.id]);
    const contact = await one<ContactRow>(tx, 'select * from contacts where id = $1', [contactId]);
    if (inbox.lock_to_single_conversation) {
      const sql = 'select * from conversations where contact_inbox_id = $1 order by id desc limit 1';
      const single = await first<ConversationRow>(tx, sql, [pair.id]);
      if (single) return { conversation: single, isNew: false };
    }
    await checkAttributes(change, inbox.account_id, 'conversation_attribute', customAttributes);
    const { last_display_id: displayId } = await one<{ last_display_id: number }>(
      tx,
      'update accounts set last_display_id = last_display_id + 1 where id = $1 returning last_display_id',
      [inbox.account_id],
    );
    const conversation = await one<ConversationRow>(
      tx,
      `insert into conversations
         (account_id, display_id, inbox_id, contact_id, contact_inbox_id, status, custom_attributes)
       values ($1, $2, $3, $4, $5, $6, $7::jsonb) returning *`,
      [
        inbox.account_id,
        displayId,
        inbox.id,
        contact.id,
        pair.id,
        contact.blocked ? 'resolved' : 'open',
        JSON.stringify(customAttributes),
      ],
    );
    await announceConversation(change, ['conversation.created'], conversation.id);
    return { conversation, isNew: true };
  });
}

/** One way only: a resolved conversation is left alone. */
export function resolveByContact(core: Core, id: number, contact: ContactRow): Promise<ConversationRow> {
  return commit(core, conversationLane(id), async (change) => {
    const before = await lockConversation(change, id);
    if (before.status === 'resolved') return before;
    return moveTo(change, before, { status: 'resolved' }, { kind: 'contact', contact });
  });
}

/** Without `status` it toggles. An agent who opens a conversation has it from then on; an administrator has not. */
export function setStatusByAgent(
  core: Core,
  id: number,
  agent: AgentRow,
  wish: { status?: ConversationStatus | undefined; snoozedUntil?: Date | undefined },
): Promise<ConversationRow> {
  return commit(core, conversationLane(id), async (change) => {
    const before = await lockConversation(change, id);
    const status = wish.status ?? (before.status === 'open' ? 'resolved' : 'open');
    const takes = status === 'open' && agent.role === 'agent';
    // Who is let go in this moment takes nothing along.
    const assigneeId = takes && (await stays(change.tx, agent.account_id, agent.id)) ? agent.id : undefined;
    return moveTo(change, before, { ...wish, status, assigneeId }, { kind: 'agent', agent });
  });
}

/** The agents' messages up to now become `read`; each is announced, and the agents hear that it was seen. */
export function seenByContact(core: Core, id: number): Promise<void> {
  return commit(core, conversationLane(id), async (change) => {
    await lockConversation(change, id);
    await change.tx.query(
      'update conversations set contact_last_seen_at = clock_timestamp(), updated_at = now() where id = $1',
      [id],
    );
    const unread = await change.tx.query<{ id: number; status: string }>(
      `select id, status from messages where conversation_id = $1 and message_type in (1, 3) and not private
         and status in ('sent', 'delivered')`,
      [id],
    );
    await announceRead(change, id);
    if (unread.length === 0) return;
    const statusOf = new Map(unread.map((message) => [message.id, message.status]));
    const read = await change.tx.query<MessageRow>(
      `update messages set status = 'read', updated_at = clock_timestamp()
       where id = any($1::bigint[]) returning *`,
      [[...statusOf.keys()]],
    );
    await announceMessages(
      change,
      'message.updated',
      read.sort((a, b) => a.id - b.id),
      { previous: (message) => ({ status: [statusOf.get(message.id), 'read'] }) },
    );
  });
}

/** Agents' reading makes no event: whoever asks for the conversation next is told. */
export function seenByAgent(core: Core, id: number, agent: AgentRow): Promise<ConversationRow> {
  return commit(core, conversationLane(id), (change) =>
    one<ConversationRow>(
      change.tx,
      `update conversations set agent_last_seen_at = clock_timestamp(),
         assignee_last_seen_at = case when assignee_id = $2 then clock_timestamp() else assignee_last_seen_at end
       where id = $1 returning *`,
      [id, agent.id],
    ),
  );
}

export function typing(
  core: Core,
  id: number,
  status: 'on' | 'off',
  typist: Parameters<typeof announceTyping>[3],
): Promise<void> {
  return commit(core, conversationLane(id), (change) => announceTyping(change, status, id, typist));
}

/** Any of the changes of `conversation-changes.ts`, by an agent, alone in its transaction. */
export function changeByAgent<T>(
  core: Core,
  id: number,
  agent: AgentRow,
  work: (change: Change, before: ConversationRow, by: Actor) => Promise<T>,
): Promise<T> {
  return commit(core, conversationLane(id), async (change) =>
    work(change, await lockConversation(change, id), { kind: 'agent', agent }),
  );
}
