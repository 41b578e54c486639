/** All the work that waits in the database. Every process may do it: rows are shared out by locks, not by roles. */
import type { Core } from '../core.js';
import type { Log } from '../log.js';
import { one } from '../store/database.js';
import { startCounts } from './counts.js';
import { startDaily } from './daily.js';
import { startDeliveries, type WebhookOptions } from './deliveries.js';
import type { Loop } from './loop.js';
import { startRules } from './rules.js';
import { startSnoozes } from './snoozes.js';

const everyMs = 1000;
const countsMs = 15_000;

interface Waiting {
  deliveries: number;
  dead_deliveries: number;
  rule_events: number;
}

const waitingSql = `select
  (select count(*) from webhook_deliveries where state = 'waiting') as deliveries,
  (select count(*) from webhook_deliveries where state = 'dead') as dead_deliveries,
  (select count(*) from rule_events) as rule_events`;

export function startJobs(core: Core, webhooks: WebhookOptions, log: Log): Loop {
  const loops = [startDeliveries(core, webhooks, everyMs, log), startRules(core, everyMs, log)];
  core.metrics.gauge('parley_queue_length', 'What waits in the database, for all processes', async () => {
    const { deliveries, dead_deliveries, rule_events } = await one<Waiting>(core.db, waitingSql);
    return { label: 'queue', values: { deliveries, dead_deliveries, rule_events } };
  });
  const untold = [startSnoozes(core, everyMs, log), startCounts(core, countsMs, log), startDaily(core, log)];
  return {
    // Time alone wakes the others.
    wake() {
      for (const loop of loops) loop.wake();
    },
    async stop() {
      await Promise.all([...loops, ...untold].map((loop) => loop.stop()));
    },
  };
}
