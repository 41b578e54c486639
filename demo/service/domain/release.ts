/** Conversations of an agent or a team that goes: free again, and told as when somebody takes them away by hand. */
import type { Change } from '../core.js';
import type { AgentRow, ConversationRow } from '../store/rows.js';
import { announceView } from './announce.js';
import { viewConversations } from './conversations-view.js';

export async function release(
  change: Change,
  by: AgentRow,
  column: 'assignee_id' | 'team_id',
  id: number,
): Promise<void> {
  const before = await change.tx.query<ConversationRow>(
    `select * from conversations where account_id = $1 and ${column} = $2 order by id for update`,
    [by.account_id, id],
  );
  const after = await change.tx.query<ConversationRow>(
    `update conversations set ${column} = null, updated_at = now() where id = any($1::bigint[]) returning *`,
    [before.map((row) => row.id)],
  );
  const known = new Map(before.map((row) => [row.id, row]));
  for (const view of await viewConversations(change.tx, after)) {
    const was = known.get(view.conversation.id);
    if (was) await announceView(change, ['conversation.updated'], view, { agent: by, before: was });
  }
}
