/** Working hours as tables: open or not, and the working seconds between two instants. */
import { expect, test } from 'vitest';
import {
  businessSeconds,
  type Calendar,
  isOpen,
  isTimezone,
  startOfDay,
} from '../../demo/service/domain/business-hours.js';

const day = (of: number, open: number | null, close: number | null, all = false) => ({
  day_of_week: of,
  closed_all_day: open === null && !all,
  open_hour: open,
  open_minutes: open === null ? null : 30,
  close_hour: close,
  close_minutes: close === null ? null : 0,
  open_all_day: all,
});
/** Monday to Friday 9:30–17:00, Saturday all day, Sunday closed. */
const hours = [day(0, null, null), ...[1, 2, 3, 4, 5].map((n) => day(n, 9, 17)), day(6, null, null, true)];
const calendar = (timezone: string): Calendar => ({
  timezone,
  working_hours: hours,
  working_hours_enabled: true,
});
const hour = 3600;

test.each([
  ['UTC', '2025-01-06T09:29:59Z', false],
  ['UTC', '2025-01-06T09:30:00Z', true],
  ['UTC', '2025-01-06T16:59:59Z', true],
  ['UTC', '2025-01-06T17:00:00Z', false],
  ['UTC', '2025-01-04T03:00:00Z', true],
  ['UTC', '2025-01-05T12:00:00Z', false],
  // Saturday night there is Sunday morning here.
  ['America/Los_Angeles', '2025-01-05T07:59:00Z', true],
  ['America/Los_Angeles', '2025-01-05T08:00:00Z', false],
  ['Asia/Kolkata', '2025-01-06T04:00:00Z', true],
  ['Asia/Kolkata', '2025-01-06T03:59:00Z', false],
])('in %s at %s open is %s', (timezone, at, open) => {
  expect(isOpen(calendar(timezone), new Date(at))).toBe(open);
});

test.each([
  ['within one day', 'UTC', '2025-01-06T10:00:00Z', '2025-01-06T10:00:45Z', 45],
  ['before opening to after closing', 'UTC', '2025-01-06T00:00:00Z', '2025-01-06T23:00:00Z', 7.5 * hour],
  ['over one night', 'UTC', '2025-01-06T16:00:00Z', '2025-01-07T10:30:00Z', 2 * hour],
  ['a whole week', 'UTC', '2025-01-06T00:00:00Z', '2025-01-13T00:00:00Z', (5 * 7.5 + 24) * hour],
  ['closed throughout', 'UTC', '2025-01-05T01:00:00Z', '2025-01-05T23:00:00Z', 0],
  ['nothing', 'UTC', '2025-01-06T10:00:00Z', '2025-01-06T10:00:00Z', 0],
  // The last Sunday of March has 23 hours there, the Saturday before it 24.
  ['a spring weekend', 'Europe/Paris', '2025-03-28T23:00:00Z', '2025-03-30T22:00:00Z', 24 * hour],
  ['a spring Monday', 'Europe/Paris', '2025-03-31T07:30:00Z', '2025-03-31T15:00:00Z', 7.5 * hour],
  ['an autumn Monday', 'Europe/Paris', '2025-10-27T08:30:00Z', '2025-10-27T16:00:00Z', 7.5 * hour],
])('%s', (_, timezone, from, to, seconds) => {
  expect(businessSeconds(calendar(timezone), new Date(from), new Date(to))).toBe(seconds);
});

const night = [
  [0, 0, 23, 59],
  [1, 45, 2, 30],
  [22, 30, 23, 15],
] as const;

test.each([
  ['Europe/Paris', '2025-03-30'],
  ['Europe/Paris', '2025-10-26'],
  // Where midnight is not, and where the last hour of a day comes twice.
  ['America/Santiago', '2025-09-07'],
  ['America/Santiago', '2025-04-06'],
  ['Africa/Cairo', '2025-04-25'],
  ['Africa/Cairo', '2025-10-31'],
  ['America/Havana', '2025-11-02'],
  // Half an hour.
  ['Australia/Lord_Howe', '2025-04-06'],
])('in %s around %s what counts is every minute that is open', (timezone, day) => {
  const middle = Date.parse(`${day}T00:00:00Z`);
  const [from, to] = [middle - 90_000_000, middle + 90_000_000];
  for (const [open_hour, open_minutes, close_hour, close_minutes] of night) {
    const daily = { open_hour, open_minutes, close_hour, close_minutes };
    const all = hours.map(({ day_of_week }) => ({
      day_of_week,
      closed_all_day: false,
      open_all_day: false,
      ...daily,
    }));
    const nightly = { ...calendar(timezone), working_hours: all };
    let open = 0;
    for (let at = from; at < to; at += 60_000) if (isOpen(nightly, new Date(at))) open += 60;
    expect(businessSeconds(nightly, new Date(from), new Date(to)), JSON.stringify(daily)).toBe(open);
  }
});

test('without working hours every second counts, and it is always open', () => {
  const always = { ...calendar('UTC'), working_hours_enabled: false };
  const sunday = new Date('2025-01-05T12:00:00Z');
  expect(isOpen(always, sunday)).toBe(true);
  expect(businessSeconds(always, sunday, new Date('2025-01-05T13:00:00Z'))).toBe(hour);
});

test('a day begins at its own midnight', () => {
  const at = new Date('2025-03-30T10:00:00Z');
  expect(startOfDay('Europe/Paris', at).toISOString()).toBe('2025-03-29T23:00:00.000Z');
  expect(startOfDay('Asia/Kolkata', at).toISOString()).toBe('2025-03-29T18:30:00.000Z');
  // There the clocks go from midnight to one, and from one back to midnight.
  const noMidnight = startOfDay('America/Santiago', new Date('2025-09-07T12:00:00Z'));
  expect(noMidnight.toISOString()).toBe('2025-09-07T04:00:00.000Z');
  const twoMidnights = startOfDay('America/Havana', new Date('2025-11-02T12:00:00Z'));
  expect(twoMidnights.toISOString()).toBe('2025-11-02T04:00:00.000Z');
  expect(isTimezone('Europe/Paris')).toBe(true);
  expect(isTimezone('Mars/Olympus')).toBe(false);
});
