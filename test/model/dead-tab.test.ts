import { expect, test } from 'vitest';
import type { Schedule } from './schedule.js';
import { run } from './world.js';

/** A tab dies while it sends a file, whose bytes do not outlive it; the other tab has the words. */
const dyingTab = (seed: number, keepsNames: boolean, refuses: Schedule['refuses'] = []): Schedule => ({
  seed,
  keepsNames,
  rate: 0,
  breaks: 'none',
  refuses,
  steps: [
    { waitMs: 100, tab: 0, text: 'ok', files: [], meanwhile: [{ do: 'openTab' }] },
    {
      waitMs: 5_000,
      tab: 0,
      text: 'yes',
      files: [5],
      meanwhile: [{ do: 'killTab', tab: 0, afterMs: 8 }],
    },
  ],
});

async function slowestMs(...rest: [keepsNames: boolean, refuses?: Schedule['refuses']]): Promise<number> {
  let slowest = 0;
  for (let seed = 0; seed < 40; seed++) {
    const { violations, restMs } = await run(dyingTab(seed, ...rest));
    expect(violations).toEqual([]);
    slowest = Math.max(slowest, restMs);
  }
  return slowest;
}

test('what a dead tab was sending is repeated within seconds, by a service that keeps names', async () => {
  expect(await slowestMs(true)).toBeLessThan(6_000);
});

test('a service that forgets names is given its time first, and so is one where tabs have no locks', async () => {
  expect(await slowestMs(false)).toBeGreaterThan(65_000);
  expect(await slowestMs(true, ['locks'])).toBeGreaterThan(65_000);
});
