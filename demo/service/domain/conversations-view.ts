/**
 * A conversation with everything its shapes show: contact, pair, inbox, assignee, unread count, last messages.
 * Reads in batches, so that a page of 25 costs as many statements as one.
 */
import { byId, one, type Queries } from '../store/database.js';
import type {
  ContactRow,
  ConversationRow,
  InboxRow,
  MemberRow,
  MessageRow,
  PairRow,
  TeamRow,
} from '../store/rows.js';
import { agentsOf } from './agent-rows.js';
import { type MessageView, viewMessages } from './messages-view.js';

export interface ConversationView {
  conversation: ConversationRow;
  contact: ContactRow;
  pair: PairRow;
  inbox: InboxRow;
  assignee: MemberRow | undefined;
  team: TeamRow | undefined;
  /** The contact's messages that no agent has seen; stops at 10. */
  unread: number;
  /** The newest message that is no activity, private notes included. */
  last: MessageView | undefined;
  /** The newest message the contact may see. */
  lastPublic: MessageView | undefined;
}

interface LastRow {
  conversation_id: number;
  unread: number;
  last_id: number | null;
  last_public_id: number | null;
}

const lastSql = `
  select c.id as conversation_id,
    (select count(*) from (
       select 1 from messages m where m.conversation_id = c.id and m.message_type = 0
         and (c.agent_last_seen_at is null or m.created_at > c.agent_last_seen_at)
       limit 10) as unseen) as unread,
    (select max(m.id) from messages m where m.conversation_id = c.id and m.message_type <> 2) as last_id,
    (select max(m.id) from messages m
       where m.conversation_id = c.id and m.message_type <> 2 and not m.private) as last_public_id
  from conversations c where c.id = any($1::bigint[])`;

function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a foreign key points at nothing');
  return value;
}

async function rowsById<Row extends { id: number }>(
  db: Queries,
  table: 'contacts' | 'contact_inboxes' | 'conversations' | 'inboxes' | 'messages' | 'teams',
  ids: readonly number[],
): Promise<Map<number, Row>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query<Row>(`select * from ${table} where id = any($1::bigint[])`, [
    [...new Set(ids)],
  ]);
  return new Map(rows.map((row) => [row.id, row]));
}

async function withContacts(
  db: Queries,
  rows: readonly ConversationRow[],
): Promise<{ rows: readonly ConversationRow[]; contacts: Map<number, ContactRow> }> {
  const contactsOf = (all: readonly ConversationRow[]) =>
    rowsById<ContactRow>(
      db,
      'contacts',
      all.map((row) => row.contact_id),
    );
  const contacts = await contactsOf(rows);
  if (rows.every((row) => contacts.has(row.contact_id))) return { rows, contacts };
  // Some became another between the two looks, and their conversations are that one's by now.
  const now = await rowsById<ConversationRow>(
    db,
    'conversations',
    rows.map(({ id }) => id),
  );
  const again = rows.map((row) => now.get(row.id) ?? row);
  return { rows: again, contacts: await contactsOf(again) };
}

export async function viewConversations(
  db: Queries,
  asked: readonly ConversationRow[],
): Promise<ConversationView[]> {
  const head = asked[0];
  if (!head) return [];
  const { rows, contacts } = await withContacts(db, asked);
  const pairs = await rowsById<PairRow>(
    db,
    'contact_inboxes',
    rows.map((row) => row.contact_inbox_id),
  );
  const inboxes = await rowsById<InboxRow>(
    db,
    'inboxes',
    rows.map((row) => row.inbox_id),
  );
  const assigneeIds = rows.flatMap((row) => (row.assignee_id === null ? [] : [row.assignee_id]));
  const assignees = byId(assigneeIds.length ? await agentsOf(db, head.account_id, assigneeIds) : []);
  const teams = await rowsById<TeamRow>(
    db,
    'teams',
    rows.flatMap((row) => (row.team_id === null ? [] : [row.team_id])),
  );
  const lastRows = await db.query<LastRow>(lastSql, [rows.map((row) => row.id)]);
  const lasts = new Map(lastRows.map((row) => [row.conversation_id, row]));
  const messageRows = await rowsById<MessageRow>(
    db,
    'messages',
    lastRows.flatMap((row) => [row.last_id, row.last_public_id].filter((id) => id !== null)),
  );
  const displayIds = new Map(rows.map((row) => [row.id, row.display_id]));
  const views = await viewMessages(db, [...messageRows.values()], displayIds);
  const messages = new Map(views.map((view) => [view.message.id, view]));
  return rows.map((conversation) => {
    const last = lasts.get(conversation.id);
    return {
      conversation,
      contact: must(contacts.get(conversation.contact_id)),
      pair: must(pairs.get(conversation.contact_inbox_id)),
      inbox: must(inboxes.get(conversation.inbox_id)),
      assignee: assignees.get(conversation.assignee_id ?? 0),
      team: conversation.team_id === null ? undefined : teams.get(conversation.team_id),
      unread: last?.unread ?? 0,
      last: messages.get(last?.last_id ?? 0),
      lastPublic: messages.get(last?.last_public_id ?? 0),
    };
  });
}

export async function viewConversation(db: Queries, conversationId: number): Promise<ConversationView> {
  const row = await one<ConversationRow>(db, 'select * from conversations where id = $1', [conversationId]);
  return must((await viewConversations(db, [row]))[0]);
}
