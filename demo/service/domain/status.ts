/**
 * How a conversation moves between its four states, whoever moves it. Every move is an event, a line for the
 * agents, and, where it ends one, a measure and the question how it was.
 */
import type { Change } from '../core.js';
import { one } from '../store/database.js';
import type { ConversationRow, ConversationStatus } from '../store/rows.js';
import { type Actor, agentIn, nameOf } from './actor.js';
import { announceConversation } from './announce.js';
import { addActivity } from './message-rows.js';
import { measure } from './reporting.js';
import { askForRating } from './templates.js';

export function lockConversation(change: Change, id: number): Promise<ConversationRow> {
  return one<ConversationRow>(change.tx, 'select * from conversations where id = $1 for update', [id]);
}

export interface Move {
  status: ConversationStatus;
  /** Only with `snoozed`; without it, until the contact's next message. */
  snoozedUntil?: Date | undefined;
  /** Who has it from now on. */
  assigneeId?: number | undefined;
}

const sentences: Record<ConversationStatus, string> = {
  open: 'Conversation was reopened by',
  resolved: 'Conversation was marked resolved by',
  pending: 'Conversation was marked as pending by',
  snoozed: 'Conversation was snoozed by',
};

function isThere(before: ConversationRow, { status, snoozedUntil, assigneeId }: Move): boolean {
  if (before.status !== status || (assigneeId ?? before.assignee_id) !== before.assignee_id) return false;
  if (status === 'resolved' && before.waiting_since) return false;
  return status !== 'snoozed' || before.snoozed_until?.getTime() === snoozedUntil?.getTime();
}

/**
 * The row and its events; nobody waits in what is resolved, and nothing is told of what is so already. `afterMove` must
 * follow in the same transaction.
 */
export async function changeStatus(
  change: Change,
  before: ConversationRow,
  to: Move,
  by: Actor,
): Promise<ConversationRow> {
  if (isThere(before, to)) return before;
  const after = await one<ConversationRow>(
    change.tx,
    `update conversations set status = $2, snoozed_until = $3, assignee_id = coalesce($4, assignee_id),
       waiting_since = case when $2 <> 'resolved' then waiting_since end, updated_at = now() where id = $1 returning *`,
    [before.id, to.status, to.status === 'snoozed' ? (to.snoozedUntil ?? null) : null, to.assigneeId ?? null],
  );
  const names =
    before.status === after.status
      ? (['conversation.updated'] as const)
      : (['conversation.status_changed', 'conversation.updated'] as const);
  await announceConversation(change, names, before.id, { agent: agentIn(by), before });
  return after;
}

/** Lines and measures of a move. Apart, so that a message is told before the line about what it did. */
export async function afterMove(
  change: Change,
  before: ConversationRow,
  after: ConversationRow,
  by: Actor,
): Promise<void> {
  if (before.status !== after.status)
    await addActivity(change, after, `${sentences[after.status]} ${nameOf(by)}`);
  if (by.kind === 'agent' && before.assignee_id !== after.assignee_id) {
    await addActivity(change, after, `${nameOf(by)} self-assigned this conversation`);
  }
  if (after.status !== 'resolved' || before.status === 'resolved') return;
  const { resolved_at: at } = await one<{ resolved_at: Date }>(
    change.tx,
    'select clock_timestamp() as resolved_at',
  );
  await measure(change, 'resolution', after, after.assignee_id, after.created_at, at);
  await askForRating(change, after);
}

export async function moveTo(
  change: Change,
  before: ConversationRow,
  to: Move,
  by: Actor,
): Promise<ConversationRow> {
  const after = await changeStatus(change, before, to, by);
  await afterMove(change, before, after, by);
  return after;
}
