/** A million messages on virtual time. What fails names its seed and path; `PARLEY_SEED=seed:path` replays it. */
import { expect, test } from 'vitest';
import { campaign, replay } from '../model/delivery.js';

const CHUNKS = 50;
const SCHEDULES = 1_000;

const { seed: first, path } = replay(1_000);
const seeds = Array.from({ length: process.env.PARLEY_SEED ? 1 : CHUNKS }, (_, i) => first + i);

test.each(seeds)('1,000 schedules of 20 messages, seed %i', async (seed) => {
  const startedAt = performance.now();
  const found = await campaign(seed, SCHEDULES, path);
  console.info(`seed ${seed}: ${Math.round(performance.now() - startedAt)} ms`, found);
  expect(found.schedules).toBe(path ? 1 : SCHEDULES);
});
