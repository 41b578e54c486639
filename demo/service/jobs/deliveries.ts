/**
 * Empties the queue of deliveries. A delivery is leased for longer than sending may take, in a transaction of its
 * own and past locked rows, so several processes share the queue and none sends what another is sending. Only the
 * oldest of a lane may leave: the others wait until it is delivered or given up, which keeps their order.
 */
import { setMaxListeners } from 'node:events';
import type { Core } from '../core.js';
import { errorFacts, type Log } from '../log.js';
import { one } from '../store/database.js';
import { type Loop, startLoop } from './loop.js';
import { type Letter, type Outcome, send } from './send.js';

export interface WebhookOptions {
  /** Loopback and private networks may be reached: for tests, and for a trial on one machine. */
  allowPrivate: boolean;
  timeoutMs: number;
  /** How often one delivery is tried before it is given up. */
  attempts: number;
  /** Before the second attempt; doubles from there, up to an hour. */
  backoffMs: number;
  /** Which servers are asked for the addresses of names; without, those of the machine. */
  nameServers?: readonly string[];
}

export const defaultWebhooks: WebhookOptions = {
  allowPrivate: false,
  timeoutMs: 5000,
  attempts: 10,
  backoffMs: 10_000,
};

interface Claimed extends Letter {
  id: number;
  account_id: number;
  attempts: number;
}

/** An account alone has half of it: one that comes later finds room. */
const atOnce = 32;
/** A receiver that keeps us waiting must not keep the others waiting, too. */
const atOnceEach = 4;
const longestPauseMs = 3_600_000;
const keptDays = 7;
const cleanEveryMs = 3_600_000;

const receiver = (row: string) => `coalesce(${row}.webhook_id, -${row}.automation_rule_id)`;
const free = `d.state = 'waiting' and d.next_attempt_at <= now()
  and (d.leased_until is null or d.leased_until < now())`;

/**
 * Each receiver is asked for its few next ones alone: how many more wait for it costs the others nothing. And once: a
 * plan made before the queue was long would ask again for each that is due. The accounts share what can be sent at once
 * alike, with one share left for who comes next, and in an account those go first of whose receiver the fewest do.
 * Its parameters: how many there is room for, the seconds of a lease, the accounts of what is being sent from here.
 */
export const claimSql = `
  with receivers as (
    select id, account_id from webhooks union all select -id, account_id from automation_rules),
  busy as (
    select ${receiver('b')} as id, count(*) as count from webhook_deliveries b
    where b.state = 'waiting' and b.leased_until >= now() group by 1),
  here as (select account_id, count(*) as count from unnest($3::bigint[]) as sent (account_id) group by 1),
  ready as materialized (
    select next.*, receivers.id as receiver, receivers.account_id, coalesce(busy.count, 0) as before
    from receivers left join busy on busy.id = receivers.id, lateral (
      select d.id, d.next_attempt_at as at from webhook_deliveries d
      where ${receiver('d')} = receivers.id and ${free} and not exists (select 1 from webhook_deliveries earlier
        where earlier.lane = d.lane and earlier.state = 'waiting' and earlier.id < d.id)
      order by d.next_attempt_at, d.id limit greatest(0, ${atOnceEach} - coalesce(busy.count, 0))) as next),
  share as (
    select greatest(1, ${atOnce} / (count(*) + 1)) as size
    from (select account_id from ready union select account_id from here) as accounts),
  turns as (
    select id, account_id, at, before + row_number() over (partition by receiver order by at, id) as turn from ready),
  ranked as (
    select turns.id, coalesce(here.count, 0) + row_number() over (
      partition by turns.account_id order by turn, at, turns.id) as rank
    from turns left join here on here.account_id = turns.account_id),
  due as (
    select d.id from webhook_deliveries d join ranked on ranked.id = d.id
    where ${free} and ranked.rank <= (select size from share)
    order by ranked.rank, d.next_attempt_at, d.id limit $1 for update of d skip locked)
  update webhook_deliveries d
  set leased_until = now() + make_interval(secs => $2), attempts = d.attempts + 1
  from due where d.id = due.id
  returning d.id, d.account_id, d.uuid, d.body, d.attempts,
    coalesce(d.url, (select url from webhooks w where w.id = d.webhook_id)) as url,
    (select secret from webhooks w where w.id = d.webhook_id) as secret`;

/** Half of it sure, half of it chance: those who failed together do not come back together. */
const pauseMs = (attempt: number, backoffMs: number) => {
  const whole = Math.min(longestPauseMs, backoffMs * 2 ** (attempt - 1));
  return whole / 2 + (whole / 2) * Math.random();
};

async function settle(
  { db }: Core,
  delivery: Claimed,
  outcome: Outcome,
  options: WebhookOptions,
): Promise<void> {
  const over =
    outcome.kind === 'refused' || (outcome.kind === 'failed' && delivery.attempts >= options.attempts);
  const state = outcome.kind === 'delivered' ? 'delivered' : over ? 'dead' : 'waiting';
  // Nobody asks for what was delivered any more: its line in the log has the rest, and what is dead can be sent again.
  // With the number of the attempt: a lease that ran out may be another's by now. Who waits behind it is due no earlier:
  // else each look at what is next would pass all of them.
  await db.query(
    `with settled as (
       update webhook_deliveries set state = $3, leased_until = null, response_status = $4, error = $5,
         next_attempt_at = now() + make_interval(secs => $6), finished_at = case when $7 then now() end,
         body = case when $3 = 'delivered' then '' else body end
       where id = $1 and attempts = $2 and state = 'waiting' returning lane, state, next_attempt_at)
     update webhook_deliveries later set next_attempt_at = settled.next_attempt_at from settled
     where settled.state = 'waiting' and later.lane = settled.lane and later.id > $1
       and later.state = 'waiting' and later.next_attempt_at < settled.next_attempt_at`,
    [
      delivery.id,
      delivery.attempts,
      state,
      outcome.status,
      outcome.kind === 'delivered' ? null : outcome.error,
      state === 'waiting' ? pauseMs(delivery.attempts, options.backoffMs) / 1000 : 0,
      state !== 'waiting',
    ],
  );
}

/** A service that stops has not been refused: the next one tries again, at once and as often as before. */
async function release({ db }: Core, { id, attempts }: Claimed): Promise<void> {
  await db.query(
    `update webhook_deliveries set attempts = attempts - 1, leased_until = null
     where id = $1 and attempts = $2 and state = 'waiting'`,
    [id, attempts],
  );
}

/** What waits behind others for a receiver that is away would wait for ever. */
async function giveUpOld({ db }: Core): Promise<void> {
  const sql = `update webhook_deliveries set state = 'dead', finished_at = now(), leased_until = null,
       error = coalesce(error, 'waited for ${keptDays} days')
     where state = 'waiting' and queued_at < now() - make_interval(days => ${keptDays})
       and (leased_until is null or leased_until < now())`;
  await db.transaction((tx) => tx.query(sql), { isLong: true });
}

async function forgetOld({ db }: Core): Promise<void> {
  const sql = `delete from webhook_deliveries where state <> 'waiting'
       and finished_at < now() - make_interval(days => ${keptDays})`;
  await db.transaction((tx) => tx.query(sql), { isLong: true });
}

export function startDeliveries(core: Core, options: WebhookOptions, everyMs: number, log: Log): Loop {
  const stop = new AbortController();
  // Each letter listens: so many are no leak.
  setMaxListeners(atOnce, stop.signal);
  /** Of which account each is. */
  const sending = new Map<Promise<void>, number>();
  let cleanedAt = 0;
  // What is read back of a lease must still be ours when the answer comes late.
  const leaseSeconds = (options.timeoutMs * 2) / 1000 + 30;

  const deliver = async (delivery: Claimed) => {
    const outcome = await send(delivery, { ...options, stop: stop.signal });
    if (stop.signal.aborted && outcome.kind === 'failed') return release(core, delivery);
    await settle(core, delivery, outcome, options);
    const { id, attempts } = delivery;
    log.info({ delivery: id, attempt: attempts, outcome: outcome.kind, status: outcome.status });
  };
  const work = async () => {
    if (Date.now() - cleanedAt > cleanEveryMs) {
      cleanedAt = Date.now();
      await giveUpOld(core);
      await forgetOld(core);
    }
    const idle = atOnce - sending.size;
    if (idle === 0) return false;
    const { waiting } = await one<{ waiting: boolean }>(
      core.db,
      `select exists (select 1 from webhook_deliveries where state = 'waiting' and next_attempt_at <= now()) as waiting`,
    );
    if (!waiting) return false;
    const claimed = await core.db.transaction((tx) =>
      tx.query<Claimed>(claimSql, [idle, leaseSeconds, [...sending.values()]]),
    );
    for (const delivery of claimed) {
      const sent: Promise<void> = deliver(delivery)
        .catch((error: unknown) => log.error({ delivery: delivery.id, ...errorFacts(error) }))
        .finally(() => {
          sending.delete(sent);
          loop.wake();
        });
      sending.set(sent, delivery.account_id);
    }
    return false;
  };
  const loop: Loop = startLoop('deliveries', work, everyMs, log);
  return {
    wake: () => loop.wake(),
    async stop() {
      stop.abort();
      await loop.stop();
      await Promise.all(sending.keys());
    },
  };
}
