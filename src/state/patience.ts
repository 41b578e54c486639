/**
 * When absence is proof. A request that was given up may still be carried out for a while; so "it is not there"
 * counts only after that while has passed since the attempt ended, or since the first answer the network gave
 * after it (sent bytes may have waited in its buffers), and only when it was seen twice. Measured by a clock of
 * this page that never jumps, from when this page first saw the attempt: a reload or a sleep makes us wait longer,
 * never shorter.
 */
import type { Env } from '../env.js';

/** Two looks at least this far apart, both after the waiting time. */
const SECOND_LOOK_MS = 2_000;
/** Between the record of an attempt and its bytes no page may sleep, because another tab counts from the record. */
const HAND_OFF_MS = 2_000;
const HAND_OFF_MAX_MS = 64_000;
const LOOKS_MS = [2_000, 4_000, 8_000, 15_000];
const REST_MAX_MS = 60_000;

interface Watch {
  since: number;
  firstAnswerAt?: number;
  absentAt?: number;
  looks: number;
}

export type Patience = ReturnType<typeof createPatience>;

const spread = (ms: number, random: number) => ms * (0.75 + random / 2);

/** Before a repeat. @param doubts how often nobody has said what became of it */
export const restMs = (doubts: number, random: number): number =>
  spread(Math.min(SECOND_LOOK_MS * 2 ** doubts, REST_MAX_MS), random);

export function createPatience(env: Pick<Env, 'monotonic' | 'random' | 'wall'>, lateCommitMs: number) {
  const watches = new Map<string, Watch>();
  /** A disk may take longer for each record: so more is allowed after each that came too late. */
  let handOffMs = HAND_OFF_MS;

  const watch = (key: string): Watch => {
    const found = watches.get(key) ?? { since: env.monotonic(), looks: 0 };
    watches.set(key, found);
    return found;
  };

  return {
    /**
     * An attempt is being recorded.
     * @returns whether so little time has passed since by both clocks that its bytes may still leave
     */
    handOff(): () => boolean {
      const [monotonic, wall] = [env.monotonic(), env.wall()];
      return () => {
        const inTime = env.monotonic() - monotonic < handOffMs && env.wall() - wall < handOffMs;
        if (!inTime) handOffMs = Math.min(handOffMs * 2, HAND_OFF_MAX_MS);
        return inTime;
      };
    },
    /** So much longer than the limit of its request an attempt may take, and so much more is recorded. */
    moreMs: (): number => handOffMs - HAND_OFF_MS,
    /** The attempt ended now. */
    began: (key: string): void => void watch(key),

    /**
     * A complete and fresh look did not find it.
     * @param stillRunningMs how long the attempt may still be running, counted from when we first saw it
     * @returns 0 when absence is proof, otherwise when to look again, in milliseconds
     */
    absent(key: string, stillRunningMs: number): number {
      const seen = watch(key);
      const now = env.monotonic();
      const overAt = seen.since + stillRunningMs;
      if (now >= overAt) seen.firstAnswerAt ??= now;
      const proofFrom = Math.max(overAt, seen.firstAnswerAt ?? now) + lateCommitMs;
      if (now < proofFrom) {
        const look = LOOKS_MS[Math.min(seen.looks++, LOOKS_MS.length - 1)] ?? SECOND_LOOK_MS;
        return Math.min(spread(look, env.random()), Math.max(proofFrom - now, 1));
      }
      if (seen.absentAt === undefined || now - seen.absentAt < SECOND_LOOK_MS) {
        seen.absentAt ??= now;
        return Math.max(seen.absentAt + SECOND_LOOK_MS - now, 1);
      }
      watches.delete(key);
      return 0;
    },
  };
}
