/**
 * What every rule needs, from the database and the bus to the limits and who is present. Something is changed by
 * `commit` and those beside it alone: events leave after the commit, and those of a lane in the order of its commits.
 */
import type { Lanes } from '../lanes.js';
import type { Matches } from './domain/patterns.js';
import type { EventBus, ServiceEvent } from './events.js';
import { gathered } from './gather.js';
import type { Limits } from './limits.js';
import type { Metrics } from './metrics.js';
import type { Presence } from './presence.js';
import { type Database, lockNotAvailable, type Queries, sqlState } from './store/database.js';
import type { Uploads } from './uploads.js';

export interface Core {
  db: Database;
  bus: EventBus;
  uploads: Uploads;
  presence: Presence;
  /** Otherwise a later commit could be heard before an earlier one. */
  lanes: Lanes<string>;
  limits: Limits;
  /** What has come of JSON, and of the text of forms, that is not there yet. */
  coming: { bytes: number };
  publicUrl: () => string;
  forgetEchoId: boolean;
  metrics: Metrics;
  /** Holds the patterns of an account against words, in the time that these have. */
  matcher: (accountId: number) => Matches;
  /** The end is near: whoever hands out requests should look elsewhere. */
  isDraining: () => boolean;
  /** Called after a commit that left work in the database's queues. */
  wake: () => void;
}

/** A transaction under way, and the events that leave when it is committed. */
export interface Change {
  core: Core;
  tx: Queries;
  emit(event: ServiceEvent): void;
  /** Something was put into a queue, to be done after the commit. */
  leaveWork(): void;
  /** Still part of the transaction, as the last of it. */
  atEnd(work: () => Promise<void>): void;
  /** While a rule acts. */
  ruleId?: number;
}

export const conversationLane = (conversationId: number) => `conversation:${conversationId}`;

type Work<T> = (change: Change) => Promise<T>;

/** @param heldMs how long a row that somebody has is waited for; without it, as long as that takes */
async function transact<T>(core: Core, work: Work<T>, heldMs?: number): Promise<T> {
  let events: ServiceEvent[] = [];
  let leftWork = false;
  const leaveWork = () => {
    leftWork = true;
  };
  const { result, kept } = await core.db.transaction(
    async (tx) => {
      events = [];
      const ends: (() => Promise<void>)[] = [];
      const emit = (event: ServiceEvent) => events.push(event);
      const atEnd = (end: () => Promise<void>) => ends.push(end);
      const made = await work({ core, tx, emit, leaveWork, atEnd });
      for (const end of ends) await end();
      return { result: made, kept: events.length ? await core.bus.keep(tx, events) : undefined };
    },
    { lockMs: heldMs },
  );
  for (const { name } of events) core.metrics.event(name);
  if (kept) core.bus.publish(kept);
  if (leftWork) core.wake();
  return result;
}

const queues = new WeakMap<Core, (turn: () => Promise<void>) => Promise<boolean>>();

/** Each that waits for a row keeps a connection from everybody else: a few at a time. */
function inPatience<T>(core: Core, work: () => Promise<T>): Promise<T> {
  const queue =
    queues.get(core) ??
    gathered<() => Promise<void>, boolean>({ most: 1, groups: 4 }, (turns) =>
      Promise.all(turns.map((turn) => turn().then(() => true))),
    );
  queues.set(core, queue);
  return new Promise((resolve, reject) => {
    void queue(() => work().then(resolve, reject));
  });
}

/** For whoever is one of few: waits for rows as long as it takes, with a connection that everybody needs. */
export const commitAmongFew = <T>(core: Core, work: Work<T>): Promise<T> => transact(core, work);

/** Where somebody is known to have the rows. */
export const commitHeld = <T>(core: Core, work: Work<T>): Promise<T> =>
  inPatience(core, () => transact(core, work));

/** More than who waits in turn for a row that all are after, such as the account's, needs as a rule. */
const briefMs = 100;
/** So many may wait where they are, and keep their turn: there are connections enough. */
const fewUnderWay = 4;
const underWay = new WeakMap<Core, number>();

/**
 * Without a lane: whoever calls is in those of everything that `work` touches. Where many are under way, what waits for
 * a row that somebody has for long is undone, and done anew in the queue of those that do.
 */
export async function commitNow<T>(core: Core, work: Work<T>): Promise<T> {
  const before = underWay.get(core) ?? 0;
  underWay.set(core, before + 1);
  try {
    return await transact(core, work, before < fewUnderWay ? undefined : briefMs);
  } catch (error) {
    if (sqlState(error) !== lockNotAvailable) throw error;
  } finally {
    underWay.set(core, (underWay.get(core) ?? 1) - 1);
  }
  return inPatience(core, () => transact(core, work));
}

export const commit = <T>(core: Core, lane: string, work: Work<T>): Promise<T> =>
  core.lanes.inLane(lane, () => commitNow(core, work));
