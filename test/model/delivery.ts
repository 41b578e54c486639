/**
 * Runs many schedules through fast-check and says what it found. The seed decides everything; `PARLEY_SEED`, written
 * `seed` or `seed:path`, replays. It does not know what a violation is.
 */
import * as fc from 'fast-check';
import { schedule } from './schedule.js';
import { run } from './world.js';

export interface Campaign {
  schedules: number;
  accepted: number;
  turnedAway: number;
  extraCopies: number;
  longestRestMs: number;
}

/** @throws with seed, path and the shrunk schedule when a check fails */
export async function campaign(seed: number, schedules: number, path = ''): Promise<Campaign> {
  const sum: Campaign = { schedules: 0, accepted: 0, turnedAway: 0, extraCopies: 0, longestRestMs: 0 };
  const property = fc.asyncProperty(schedule, async (input) => {
    const outcome = await run(input);
    if (outcome.violations.length) throw new Error(outcome.violations.join('\n'));
    sum.schedules++;
    sum.accepted += outcome.accepted;
    sum.turnedAway += outcome.turnedAway;
    sum.extraCopies += outcome.extraCopies;
    sum.longestRestMs = Math.max(sum.longestRestMs, outcome.restMs);
  });
  await fc.assert(property, {
    seed,
    numRuns: path ? 1 : schedules,
    ...(path ? { path } : {}),
    // Shrinking one failure must not take the time of the whole campaign.
    endOnFailure: process.env.PARLEY_SHRINK === undefined,
  });
  return sum;
}

/** The seed and the path to replay, where the environment names one. */
export function replay(usual: number): { seed: number; path: string } {
  const [seed, ...path] = (process.env.PARLEY_SEED ?? String(usual)).split(':');
  return { seed: Number(seed), path: path.join(':') };
}
