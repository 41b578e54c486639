import { expect, test } from 'vitest';
import { campaign, replay } from './delivery.js';

const SCHEDULES = 2_000;

test('every message arrives once, in order, and in one bubble: 2,000 schedules of 20', {
  timeout: 900_000,
}, async () => {
  const { seed, path } = replay(1);
  const found = await campaign(seed, SCHEDULES, path);
  console.info(found);
  // Where nothing is taken nothing can be lost.
  expect(found.turnedAway).toBeLessThan(found.accepted / 20);
  expect(found.schedules).toBe(path ? 1 : SCHEDULES);
});
