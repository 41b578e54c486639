/** Pages of messages. The contact's pages leave out private notes and system lines; the agents' leave out none. */
import type { Queries } from '../store/database.js';
import type { ConversationRow, MessageRow } from '../store/rows.js';
import { type MessageView, viewMessages } from './messages-view.js';

const publicPage = 20;
const agentPage = 20;
const agentAfterPage = 100;
const agentSpanPage = 1000;

const named = (conversations: readonly ConversationRow[]) =>
  new Map(conversations.map((conversation) => [conversation.id, conversation.display_id]));

/** The newest 20, or the 20 newest below `before`; oldest first. */
export async function publicHistory(
  db: Queries,
  conversation: ConversationRow,
  before: number | undefined,
): Promise<MessageView[]> {
  const rows = await db.query<MessageRow>(
    `select * from messages where conversation_id = $1 and not private and message_type <> 2
       and ($2::bigint is null or id < $2) order by id desc limit ${publicPage}`,
    [conversation.id, before ?? null],
  );
  return viewMessages(db, rows.reverse(), named([conversation]));
}

/** Everything the contact may see, for the conversation's own shape. */
export async function publicMessages(
  db: Queries,
  conversations: readonly ConversationRow[],
): Promise<MessageView[]> {
  const rows = await db.query<MessageRow>(
    `select * from messages where conversation_id = any($1::bigint[]) and not private and message_type <> 2 order by id`,
    [conversations.map((conversation) => conversation.id)],
  );
  return viewMessages(db, rows, named(conversations));
}

/** `after` alone: up to 100 newer ones; `before` alone or nothing: 20; both: `after` ≤ id < `before`, up to 1000. */
export async function agentHistory(
  db: Queries,
  conversation: ConversationRow,
  { after, before }: { after?: number | undefined; before?: number | undefined },
): Promise<MessageView[]> {
  const params = [conversation.id];
  let sql = 'select * from messages where conversation_id = $1';
  if (after !== undefined && before !== undefined) {
    params.push(after, before);
    sql += ` and id >= $2 and id < $3 order by id limit ${agentSpanPage}`;
  } else if (after !== undefined) {
    params.push(after);
    sql += ` and id > $2 order by id limit ${agentAfterPage}`;
  } else {
    if (before !== undefined) params.push(before);
    sql += `${before === undefined ? '' : ' and id < $2'} order by id desc limit ${agentPage}`;
  }
  const rows = await db.query<MessageRow>(sql, params);
  return viewMessages(
    db,
    rows.sort((a, b) => a.id - b.id),
    named([conversation]),
  );
}
