/** Sums up the lines in which changes of the number of conversations are kept. Only what is committed is taken. */
import type { Core } from '../core.js';
import type { Log } from '../log.js';
import { locks } from '../store/locks.js';
import { type Loop, startLoop } from './loop.js';

/**
 * Who reads meanwhile sees the lines or their sum, never both: it is one statement. Only what a sum would save counts:
 * many agents with many inboxes have more than a thousand sums.
 */
export const sumUp = `
  with taken as (
    delete from conversation_counts where (
      select count(*) - count(distinct (account_id, inbox_id, status, assignee_id)) from conversation_counts) > 1000
    returning account_id, inbox_id, status, assignee_id, number)
  insert into conversation_counts (account_id, inbox_id, status, assignee_id, number)
  select account_id, inbox_id, status, assignee_id, sum(number) from taken
  group by account_id, inbox_id, status, assignee_id having sum(number) <> 0`;

export function startCounts(core: Core, everyMs: number, log: Log): Loop {
  const work = () =>
    core.db.transaction(async (tx) => {
      const [row] = await tx.query<{ free: boolean }>('select pg_try_advisory_xact_lock($1) as free', [
        locks.counts,
      ]);
      if (row?.free) await tx.query(sumUp);
      return false;
    });
  return startLoop('counts', work, everyMs, log);
}
