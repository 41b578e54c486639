/** The clock of a reader who flies while the page is open. */
import { afterEach, expect, test } from 'vitest';
import { when } from '../../src/content/when.js';

const home = process.env.TZ;
afterEach(() => {
  if (home === undefined) delete process.env.TZ;
  else process.env.TZ = home;
});

test('times are those of the place where the reader is', () => {
  const noon = Date.UTC(2026, 2, 1, 12);
  const told = () => when(noon, 'de', { hour: 'numeric', minute: '2-digit' });
  process.env.TZ = 'Europe/Berlin';
  expect(told()).toBe('13:00');
  process.env.TZ = 'America/New_York';
  expect(told()).toBe('7:00');
});
