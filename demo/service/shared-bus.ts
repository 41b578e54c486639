/**
 * The bus of several processes on one PostgreSQL. Events are rows, written by the transaction they tell of; a
 * notification only wakes the others, so its 8,000 bytes are no limit and one that is lost is made good by the next
 * look. Everybody reads in the order of ids, the process that wrote included: within a conversation, whose row is
 * locked first, that is the order of commits. Its own events a process does not read back, only their numbers.
 */
import { z } from 'zod';
import type { EventBus, Kept, ServiceEvent } from './events.js';
import { longestPauseMs } from './jobs/loop.js';
import { errorFacts, type Log } from './log.js';
import { randomToken } from './secrets.js';
import { type Database, one, type Queries } from './store/database.js';

const channel = 'parley_events';
/** Should nobody call: a process may die between its commit and its call. */
const lookMs = 1000;
/** A number that is missing belongs to a transaction under way, or to one that was rolled back. */
const gapMs = 30_000;
const sweepMs = 30_000;
/** By the age of the transaction that wrote it. */
const keptMs = 120_000;
/** Who could not look for so long does not count on it that all is still there. */
const blindMs = keptMs / 2;
const mostAtOnce = 500;
/** More than transactions can be under way: a longer jump is a table that was emptied while its numbers went on. */
const mostGaps = 1_000;

const serviceEvent = z.object({
  topics: z.array(z.string()),
  except: z.string().exactOptional(),
  name: z.string(),
  data: z.record(z.string(), z.unknown()),
});
/** The newest stays: who starts, or starts again, begins at its number, and the numbers go on where they were. */
const sweep = `delete from bus_events
  where created_at < now() - interval '${keptMs / 1000} seconds' and id < (select max(id) from bus_events)`;
const row = z.object({ id: z.number(), events: z.array(serviceEvent).nullable() });

export interface SharedBus extends EventBus {
  /** What no transaction caused, such as presence. */
  tell(event: ServiceEvent): void;
  stop(): Promise<void>;
}

interface Listener {
  heard(event: ServiceEvent): void;
  missed(): void;
}

/** Work that is asked for often and done one at a time, at least once after each asking. */
function coalesced(work: () => Promise<void>, failed: (error: unknown) => void): () => Promise<void> {
  let running: Promise<void> | undefined;
  let again = false;
  return () => {
    if (running) again = true;
    running ??= (async () => {
      do {
        again = false;
        await work().catch(failed);
      } while (again);
      running = undefined;
    })();
    return running;
  };
}

/** @returns nothing for a database that no other process shares */
export async function openSharedBus(db: Database, log: Log): Promise<SharedBus | undefined> {
  if (!db.listen) return undefined;
  const me = randomToken(6);
  const listeners = new Set<Listener>();
  const gaps = new Map<number, number>();
  /** Written here and not yet told. */
  const mine = new Map<number, readonly ServiceEvent[]>();
  let last = 0;
  /** When the last answer was asked for. */
  let lookedAt = Date.now();
  /** The line was cut, the numbers begin anew, or some may be swept away: where they are now is asked first. */
  let lost = false;
  let stopped = false;

  /** What is missing among the latest may still come: it belongs to whoever reads history only after this. */
  async function fromNow(): Promise<void> {
    const askedAt = Date.now();
    const sql = `select id from bus_events order by id desc limit ${mostGaps}`;
    const ids = (await db.query<{ id: number }>(sql)).map(({ id }) => id);
    lookedAt = askedAt;
    const there = new Set(ids);
    last = ids[0] ?? 0;
    gaps.clear();
    const oldest = Math.max(ids.at(-1) ?? last, last - mostGaps);
    const now = Date.now();
    for (let id = oldest; id < last; id += 1) if (!there.has(id)) gaps.set(id, now);
    for (const id of mine.keys()) if (id <= last && !gaps.has(id)) mine.delete(id);
  }

  function deliver(events: readonly ServiceEvent[]): void {
    for (const event of events) for (const { heard } of listeners) heard(event);
  }

  async function look(): Promise<void> {
    if (lost && !stopped) {
      await fromNow();
      lost = false;
      for (const { missed } of listeners) missed();
    }
    for (let isMore = true; isMore && !stopped; ) {
      const askedAt = Date.now();
      const before = last;
      const found = await db.query(
        `select id, case when writer = $3 then null else events end as events
         from bus_events where id > $1 or id = any($2::bigint[]) order by id limit ${mostAtOnce}`,
        [last, [...gaps.keys()], me],
      );
      const now = Date.now();
      if (now - lookedAt > blindMs) {
        lost = true;
        return look();
      }
      lookedAt = askedAt;
      for (const { id, events } of z.array(row).parse(found)) {
        // Told by `publish` while we were reading.
        if (id <= last && !gaps.has(id)) continue;
        const isJump = id - last > mostGaps;
        for (let missing = isJump ? id - mostGaps : last + 1; missing < id; missing += 1)
          gaps.set(missing, now);
        gaps.delete(id);
        last = Math.max(last, id);
        deliver(events ?? mine.get(id) ?? []);
        mine.delete(id);
        if (isJump) for (const { missed } of listeners) missed();
      }
      // Those that were asked for and are not there; an answer may have been long on its way.
      for (const [id, since] of gaps) {
        if (askedAt - since <= gapMs) continue;
        gaps.delete(id);
        mine.delete(id);
      }
      isMore = found.length === mostAtOnce;
      if (found.length === 0 && (await newest()) < before) {
        lost = true;
        return look();
      }
    }
  }

  /** The newest row is never swept away: after a crash, or on a standby, there may be none, and the numbers begin anew. */
  const newest = async () =>
    (await one<{ id: number }>(db, 'select coalesce(max(id), 0) as id from bus_events')).id;

  const failed = (error: unknown) => {
    if (!stopped) log.error({ bus: 'failed', ...errorFacts(error) });
  };
  let pauseMs = lookMs;
  let nextLookAt = 0;
  const wake = coalesced(
    async () => {
      await look();
      pauseMs = lookMs;
      nextLookAt = 0;
    },
    (error) => {
      failed(error);
      pauseMs = Math.min(longestPauseMs, 2 * pauseMs);
      nextLookAt = performance.now() + pauseMs;
    },
  );
  const call = coalesced(async () => {
    if (!stopped) await db.query('select pg_notify($1, $2)', [channel, me]);
  }, failed);

  const unlisten = await db.listen(
    channel,
    (from) => {
      if (from !== me) void wake();
    },
    () => {
      lost = true;
      void wake();
    },
  );
  try {
    await fromNow();
  } catch (error) {
    await unlisten();
    throw error;
  }
  const timers = [
    setInterval(() => {
      if (performance.now() >= nextLookAt) void wake();
    }, lookMs),
    setInterval(() => {
      db.query(sweep).catch(failed);
    }, sweepMs),
  ];
  for (const timer of timers) timer.unref();

  const insert = 'insert into bus_events (writer, events) values ($1, $2::json) returning id';
  async function keep(tx: Queries, events: readonly ServiceEvent[]): Promise<Kept> {
    const { id } = await one<{ id: number }>(tx, insert, [me, JSON.stringify(events)]);
    mine.set(id, events);
    return { id, events };
  }
  function publish({ id, events }: Kept): void {
    // Nothing is missing before it, so nothing that belongs before it can still come.
    if (id === last + 1 && gaps.size === 0) {
      last = id;
      mine.delete(id);
      deliver(events);
    } else void wake();
    void call();
  }
  return {
    keep,
    publish,
    tell(event) {
      keep(db, [event]).then(publish, failed);
    },
    subscribe(heard, missed = () => undefined) {
      const listener = { heard, missed };
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async stop() {
      stopped = true;
      for (const timer of timers) clearInterval(timer);
      await unlisten();
      await Promise.all([wake(), call()]);
    },
  };
}
