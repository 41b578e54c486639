/**
 * Conversations of an agent or a team that goes, or of agents who see an inbox no more: free again, and told as when
 * somebody takes them away by hand. There may be thousands, and whoever writes into one waits for as long as it is held:
 * most are freed a few at a time, before.
 */
import { type Change, type Core, commitNow } from '../core.js';
import type { AgentRow, ConversationRow } from '../store/rows.js';
import { announceView } from './announce.js';
import { viewConversations } from './conversations-view.js';

export interface Held {
  column: 'assignee_id' | 'team_id';
  by: readonly number[];
  /** Those of these inboxes alone. */
  inboxIds?: readonly number[];
}

const atOnce = 100;

interface Range {
  /** Only those with a larger id. */
  after: number;
  /** Null is all of them. */
  most: number | null;
}

/** @returns the largest id of those that were freed, if any */
async function free(
  change: Change,
  by: AgentRow,
  { column, by: holders, inboxIds }: Held,
  { after, most }: Range,
): Promise<number | undefined> {
  const before = await change.tx.query<ConversationRow>(
    `select * from conversations where account_id = $1 and ${column} = any($2::bigint[]) and id > $3
       and ($5::bigint[] is null or inbox_id = any($5)) order by id limit $4 for update`,
    [by.account_id, holders, after, most, inboxIds ?? null],
  );
  const freed = await change.tx.query<ConversationRow>(
    `update conversations set ${column} = null, updated_at = now() where id = any($1::bigint[]) returning *`,
    [before.map((row) => row.id)],
  );
  const known = new Map(before.map((row) => [row.id, row]));
  for (const view of await viewConversations(change.tx, freed)) {
    const was = known.get(view.conversation.id);
    if (was) await announceView(change, ['conversation.updated'], view, { agent: by, before: was });
  }
  return before.at(-1)?.id;
}

/** Each of them once: a rule may give one back to who has not gone yet. */
export async function releaseMost(core: Core, by: AgentRow, held: Held): Promise<void> {
  let after: number | undefined = held.by.length ? 0 : undefined;
  while (after !== undefined) {
    const range: Range = { after, most: atOnce };
    after = await commitNow(core, (change) => free(change, by, held, range));
  }
}

/** What is left, in the transaction in which they go. */
export async function release(change: Change, by: AgentRow, held: Held): Promise<void> {
  if (held.by.length) await free(change, by, held, { after: 0, most: null });
}
