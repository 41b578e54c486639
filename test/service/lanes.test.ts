import { expect, test } from 'vitest';
import { createLanes } from '../../demo/lanes.js';

test('what fails in a lane holds up nothing behind it', async () => {
  const { inLane, busy } = createLanes<number>();
  const done: string[] = [];
  const failed = inLane(1, async () => {
    done.push('first');
    throw new Error('of the first');
  });
  const behind = inLane(1, async () => done.push('second'));
  const beside = inLane(2, async () => done.push('beside'));
  await expect(failed).rejects.toThrow('of the first');
  await Promise.all([behind, beside, busy(1)]);
  expect(done).toEqual(['first', 'beside', 'second']);
  expect(busy(1)).toBeUndefined();
});
