/**
 * Takes deliveries of a webhook away, waiting or in its log. There may be seven days of them, and each message that the
 * webhook is told of waits for whoever has its row: so they go a few at a time, and its row is read and never held.
 */
import type { Core } from '../core.js';

const atOnce = 500;

/** What waits and is not asked for, by the webhook as it is in that moment: somebody may ask for more meanwhile. */
const unasked = `d.state = 'waiting' and
  (not w.subscriptions ? d.event or w.inbox_id is not null and d.inbox_id is distinct from w.inbox_id)`;

async function forget({ db }: Core, webhookId: number, fits: string): Promise<void> {
  let after: number | undefined = 0;
  while (after !== undefined) {
    const params: number[] = [webhookId, after];
    const gone = await db.transaction((tx) =>
      tx.query<{ id: number }>(
        `with next as materialized (
           select d.id from webhooks w join webhook_deliveries d on d.webhook_id = w.id
           where w.id = $1 and d.id > $2 and ${fits} order by d.id limit ${atOnce} for update of d),
         gone as (delete from webhook_deliveries d using next where d.id = next.id)
         select id from next order by id`,
        params,
      ),
    );
    after = gone.at(-1)?.id;
  }
}

/**
 * After the commit that narrows the webhook: from then on nothing else is put into its queue. Of a process that dies
 * meanwhile some of the rest is still sent.
 */
export const forgetUnasked = (core: Core, webhookId: number): Promise<void> =>
  forget(core, webhookId, unasked);

export const forgetAll = (core: Core, webhookId: number): Promise<void> => forget(core, webhookId, 'true');
