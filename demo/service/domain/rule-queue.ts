/**
 * What the rules of an account will judge: written in the transaction of what happened, judged after it by
 * `jobs/rules.ts`. What a rule does sets off no rule, so no two rules can keep each other busy.
 */
import type { Change } from '../core.js';
import { askedOnce, writtenAtEnd } from '../store/per-transaction.js';
import type { ConversationRow, ConversationStatus } from '../store/rows.js';
import type { Changed } from './changes.js';

export const ruleEvents = [
  'conversation_created',
  'conversation_updated',
  'conversation_opened',
  'conversation_resolved',
  'message_created',
] as const;
export type RuleEvent = (typeof ruleEvents)[number];

export const eventOfStatus: Partial<Record<ConversationStatus, RuleEvent>> = {
  open: 'conversation_opened',
  resolved: 'conversation_resolved',
};

/** The events that some rule of the account waits for. */
const awaited = askedOnce(async (tx, accountId) => {
  const sql = 'select distinct event_name from automation_rules where account_id = $1 and active';
  const rows = await tx.query<{ event_name: string }>(sql, [accountId]);
  return new Set(rows.map((row) => row.event_name));
});

interface Queued {
  account_id: number;
  conversation_id: number;
  message_id: number | null;
  event_name: RuleEvent;
  changed: Changed;
}

const queue = writtenAtEnd<Queued>(async (tx, rows) => {
  await tx.query(
    `insert into rule_events (account_id, conversation_id, message_id, event_name, changed)
     select account_id, conversation_id, message_id, event_name, changed
     from json_to_recordset($1::json) as q (n integer, account_id bigint, conversation_id bigint,
       message_id bigint, event_name text, changed jsonb) order by n`,
    [JSON.stringify(rows.map((row, n) => ({ n, ...row })))],
  );
});

export async function queueForRules(
  change: Change,
  event: RuleEvent,
  conversation: Pick<ConversationRow, 'id' | 'account_id'>,
  about: { messageId?: number; changed?: Changed } = {},
): Promise<void> {
  if (change.ruleId !== undefined) return;
  if (!(await awaited(change.tx, conversation.account_id)).has(event)) return;
  queue(change, {
    account_id: conversation.account_id,
    conversation_id: conversation.id,
    message_id: about.messageId ?? null,
    event_name: event,
    changed: about.changed ?? {},
  });
  change.leaveWork();
}
