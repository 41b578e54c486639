import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { withBug } from './mutants.js';
import { planted } from './planted.js';
import { schedule } from './schedule.js';
import { run } from './world.js';

const SEED = 1;
const schedules = fc.sample(schedule, {
  seed: SEED,
  numRuns: Math.max(...planted.map(({ found }) => found)) + 1,
});

test.each(planted)('it is found when $name', async (mutant) => {
  const found = schedules[mutant.found];
  if (!found) throw new Error(`There is no schedule ${mutant.found}.`);
  const finder = { ...found, seed: mutant.dice ?? found.seed };
  expect((await run(finder)).violations).toEqual([]);
  const violations = await withBug(mutant, async (world) => (await world.run(finder)).violations);
  expect(violations.length).toBeGreaterThan(0);
});
