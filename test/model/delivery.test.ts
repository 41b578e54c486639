import { expect, test } from 'vitest';
import { campaign, replay } from './delivery.js';

const SCHEDULES = 2_000;

test('every message arrives once, in order, and in one bubble: 2,000 schedules of 20', {
  timeout: 900_000,
}, async () => {
  const { seed, path } = replay(1);
  const found = await campaign(seed, SCHEDULES, path);
  console.info(found);
  expect(found.schedules).toBe(path ? 1 : SCHEDULES);
});
