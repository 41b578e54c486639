/**
 * The queue of deliveries to the outside. Rows are written in the transaction of what they tell about, so nothing
 * that happened goes untold and nothing is told that did not happen. Does not send: `jobs/deliveries.ts` does.
 */
import type { Change } from '../core.js';
import { askedOnce, writtenAtEnd } from '../store/per-transaction.js';

export interface About {
  accountId: number;
  inboxId?: number;
  event: string;
  /** What keeps its order, such as `conversation:41`. */
  lane: string;
}

interface Hook {
  id: number;
  inbox_id: number | null;
  subscriptions: string[];
}

const hooksOf = askedOnce((tx, accountId) =>
  tx.query<Hook>('select id, inbox_id, subscriptions from webhooks where account_id = $1 order by id', [
    accountId,
  ]),
);

interface Delivery {
  account_id: number;
  inbox_id?: number | undefined;
  webhook_id?: number;
  automation_rule_id?: number;
  url?: string;
  lane: string;
  event: string;
  body: string;
}

/**
 * A webhook or rule that is deleted in this very moment is told nothing more, nor is a webhook that wants it no more;
 * each stays as it is until then if this was first. What stands behind one that has failed is due no earlier: else each
 * look at what is next would pass all of them.
 */
const deliver = writtenAtEnd<Delivery>(async (tx, rows) => {
  await tx.query(
    `insert into webhook_deliveries
       (account_id, inbox_id, webhook_id, automation_rule_id, url, lane, event, body, next_attempt_at)
     select d.account_id, d.inbox_id, d.webhook_id, d.automation_rule_id, d.url, d.lane, d.event, d.body,
       greatest(now(), (select w.next_attempt_at from webhook_deliveries w
         where w.lane = d.lane and w.state = 'waiting' order by w.id limit 1))
     from json_to_recordset($1::json) as d (n integer, account_id bigint, inbox_id bigint, webhook_id bigint,
       automation_rule_id bigint, url text, lane text, event text, body text)
     where (d.webhook_id is null
         or exists (select 1 from webhooks w where w.id = d.webhook_id and w.subscriptions ? d.event
           and (w.inbox_id is null or w.inbox_id = d.inbox_id) for share))
       and (d.automation_rule_id is null
         or exists (select 1 from automation_rules r where r.id = d.automation_rule_id for key share))
     order by d.n`,
    [JSON.stringify(rows.map((row, n) => ({ n, ...row })))],
  );
});

const wants = (hook: Hook, event: string, inboxId: number | undefined) =>
  hook.subscriptions.includes(event) && (hook.inbox_id === null || hook.inbox_id === inboxId);

/** Whether `enqueueForWebhooks` would ask for a payload. */
export async function isHooked(
  { tx }: Pick<Change, 'tx'>,
  { accountId, inboxId, event }: Omit<About, 'lane'>,
): Promise<boolean> {
  return (await hooksOf(tx, accountId)).some((hook) => wants(hook, event, inboxId));
}

/** One delivery for each webhook that asked for the event; without one, `payload` is never built. */
export async function enqueueForWebhooks(
  change: Change,
  { accountId, inboxId, event, lane }: About,
  payload: () => Promise<object>,
): Promise<void> {
  const hooks = (await hooksOf(change.tx, accountId)).filter((hook) => wants(hook, event, inboxId));
  if (hooks.length === 0) return;
  change.leaveWork();
  const body = JSON.stringify({ event, ...(await payload()) });
  for (const { id } of hooks) {
    deliver(change, {
      account_id: accountId,
      inbox_id: inboxId,
      webhook_id: id,
      lane: `webhook:${id}/${lane}`,
      event,
      body,
    });
  }
}

/** To an address that a rule names. Nobody shares a secret with it, so it is not signed. */
export function enqueueForRule(
  change: Change,
  { accountId, event, lane }: About,
  rule: { id: number; url: string },
  payload: object,
): void {
  change.leaveWork();
  deliver(change, {
    account_id: accountId,
    automation_rule_id: rule.id,
    url: rule.url,
    lane: `rule:${rule.id}/${rule.url}/${lane}`,
    event,
    body: JSON.stringify({ event, ...payload }),
  });
}
