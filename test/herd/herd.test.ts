import { expect, test } from 'vitest';
import { reconnectDelayMs, TIERS } from '../../src/realtime/reconnect.js';
import { type Outcome, simulate } from './simulation.js';

const fleet = {
  clients: 1_000_000,
  share: { open: 0.02, closed: 0.18, hidden: 0.8 },
  capacity: 5_000,
  seed: 20_261_120,
};
const outages = [2, 5, 30, 300, 1_800];

test('a million widgets come back without a wave, open windows first', () => {
  const outcomes: Outcome[] = outages.map((outageS) => simulate({ ...fleet, outageS }));
  console.table(outcomes);
  for (const outcome of outcomes) {
    expect(outcome.peak, `peak after ${outcome.outageS} s`).toBeLessThanOrEqual(10_000);
    expect(outcome.openP50S, `half of the open windows after ${outcome.outageS} s`).toBeLessThanOrEqual(20);
    expect(outcome.openP99S, `nearly all open windows after ${outcome.outageS} s`).toBeLessThanOrEqual(60);
  }
});

test('a hidden page with words tries at most twice an hour', () => {
  for (let failures = 0; failures < 20; failures++) {
    expect(reconnectDelayMs(TIERS.hidden, failures, 0)).toBeGreaterThanOrEqual(30 * 60_000);
  }
});

test('every delay lies between the floor and the cap, wherever the dice fall', () => {
  for (const tier of Object.values(TIERS)) {
    for (const random of [0, 0.5, 1 - Number.EPSILON]) {
      for (let failures = 0; failures < 40; failures++) {
        const delay = reconnectDelayMs(tier, failures, random);
        expect(delay).toBeGreaterThanOrEqual(tier.floorMs);
        expect(delay).toBeLessThanOrEqual(tier.capMs);
      }
    }
  }
});
