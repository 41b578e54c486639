/** Pages of messages. The contact's pages leave out private notes and system lines; the agents' leave out none. */
import type { Queries } from '../store/database.js';
import type { ConversationRow, MessageRow } from '../store/rows.js';
import { type MessageView, viewMessages } from './messages-view.js';

const publicPage = 20;
/** So many messages of a long list are in memory at a time: as many as that when they are short, fewer when not. */
const heldPage = 50;
const firstHeld = 20;
const heldCharacters = 500_000;
const agentPage = 20;
const agentAfterPage = 100;
const agentSpanPage = 1000;

/**
 * How each page begins; plain bounds of the id follow, and the index of both gives the page and nothing more. Were the
 * conversation named outright, PostgreSQL would walk all messages in their order wherever this one has many of them,
 * and pass over what was said in the others.
 */
const ofConversation = 'select * from messages where conversation_id = (select $1::bigint)';
const noEnd = Number.MAX_SAFE_INTEGER;

const named = (conversation: ConversationRow) => new Map([[conversation.id, conversation.display_id]]);

/** The newest 20, or the 20 newest below `before`; oldest first. */
export async function publicHistory(
  db: Queries,
  conversation: ConversationRow,
  before: number | undefined,
): Promise<MessageView[]> {
  const rows = await db.query<MessageRow>(
    `${ofConversation} and not private and message_type <> 2 and id < $2 order by id desc limit ${publicPage}`,
    [conversation.id, before ?? noEnd],
  );
  return viewMessages(db, rows.reverse(), named(conversation));
}

interface Upwards {
  fits?: string;
  from?: number;
  before?: number;
  most?: number;
}

/** What fits, from an id upwards, oldest first and some at a time: nobody bounds how much it is. */
async function* upwards(
  db: Queries,
  conversation: ConversationRow,
  { fits = 'true', from = 0, before = noEnd, most = Number.POSITIVE_INFINITY }: Upwards,
): AsyncGenerator<MessageView[]> {
  let lowest = from;
  let left = most;
  let held = firstHeld;
  let isMore = true;
  while (isMore && left > 0) {
    const size = Math.min(left, held);
    const rows = await db.query<MessageRow>(
      `${ofConversation} and ${fits} and id >= $2 and id < $3 order by id limit $4`,
      [conversation.id, lowest, before, size],
    );
    yield viewMessages(db, rows, named(conversation));
    lowest = (rows.at(-1)?.id ?? lowest) + 1;
    left -= rows.length;
    isMore = rows.length === size;
    const characters = rows.reduce((sum, { content }) => sum + (content?.length ?? 0), 0);
    held = Math.max(1, Math.min(heldPage, Math.floor((rows.length * heldCharacters) / (characters + 1))));
  }
}

/** Everything the contact may see, for the conversation's own shape. */
export const publicMessages = (db: Queries, conversation: ConversationRow): AsyncGenerator<MessageView[]> =>
  upwards(db, conversation, { fits: 'not private and message_type <> 2' });

/** `after` alone: up to 100 newer ones; `before` alone or nothing: 20; both: `after` ≤ id < `before`, up to 1000. */
export async function* agentHistory(
  db: Queries,
  conversation: ConversationRow,
  { after, before }: { after?: number | undefined; before?: number | undefined },
): AsyncGenerator<MessageView[]> {
  if (after !== undefined) {
    yield* before === undefined
      ? upwards(db, conversation, { from: after + 1, most: agentAfterPage })
      : upwards(db, conversation, { from: after, before, most: agentSpanPage });
    return;
  }
  const rows = await db.query<MessageRow>(
    `${ofConversation} and id < $2 order by id desc limit ${agentPage}`,
    [conversation.id, before ?? noEnd],
  );
  yield viewMessages(db, rows.reverse(), named(conversation));
}
