import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hoursAt } from '../../src/model/hours.js';
import type { Inbox } from '../../src/wire/inbox.js';

type Day = Inbox['working_hours'][number];
const closed = (day: number): Day => ({
  day_of_week: day,
  closed_all_day: true,
  open_all_day: false,
  open_hour: null,
  open_minutes: null,
  close_hour: null,
  close_minutes: null,
});
const span = (day: number, from: [number, number], to: [number, number]): Day => ({
  ...closed(day),
  closed_all_day: false,
  open_hour: from[0],
  open_minutes: from[1],
  close_hour: to[0],
  close_minutes: to[1],
});
const inbox = (timezone: string, working_hours: Day[]) => ({
  timezone,
  working_hours,
  working_hours_enabled: true,
});
const week = [0, 1, 2, 3, 4, 5, 6];
const officeHours = week.map((day) => (day % 6 ? span(day, [9, 0], [17, 30]) : closed(day)));
const at = (iso: string) => Date.parse(iso);

test.each([
  ['before opening', '2025-07-01T06:59:00Z', { open: false, backAt: at('2025-07-01T07:00:00Z') }],
  ['at opening', '2025-07-01T07:00:00Z', { open: true }],
  ['in the last minute', '2025-07-01T15:29:59Z', { open: true }],
  ['at closing', '2025-07-01T15:30:00Z', { open: false, backAt: at('2025-07-02T07:00:00Z') }],
  ['on Friday evening', '2025-07-04T18:00:00Z', { open: false, backAt: at('2025-07-07T07:00:00Z') }],
  // On Sunday, the 26th of October 2025, the clocks of Paris go back by an hour.
  ['over the autumn weekend', '2025-10-24T18:00:00Z', { open: false, backAt: at('2025-10-27T08:00:00Z') }],
  ['over the spring weekend', '2025-03-28T18:00:00Z', { open: false, backAt: at('2025-03-31T07:00:00Z') }],
])('an office in Paris, %s', (_, now, expected) => {
  expect(hoursAt(inbox('Europe/Paris', officeHours), at(now))).toMatchObject(expected);
});

test('whoever is there says until when, also where one day goes on in the next', () => {
  const until = (all: Day[], now: string) => hoursAt(inbox('Europe/Paris', all), at(now));
  expect(until(officeHours, '2025-07-01T15:29:59Z')).toEqual({
    open: true,
    until: at('2025-07-01T15:30:00Z'),
  });
  const always = week.map((day) => ({ ...closed(day), closed_all_day: false, open_all_day: true }));
  expect(until(always, '2025-07-01T21:30:00Z')).toEqual({ open: true, until: at('2025-07-02T22:00:00Z') });
  const night = [span(2, [20, 0], [2, 0]), span(3, [2, 0], [10, 0])];
  expect(until(night, '2025-07-01T21:30:00Z')).toEqual({ open: true, until: at('2025-07-02T08:00:00Z') });
});

test('a zone half an hour apart, and one a day ahead of the visitor', () => {
  const kolkata = inbox('Asia/Kolkata', officeHours);
  expect(hoursAt(kolkata, at('2025-07-01T03:29:00Z'))).toEqual({
    open: false,
    backAt: at('2025-07-01T03:30:00Z'),
  });
  expect(hoursAt(inbox('Pacific/Kiritimati', officeHours), at('2025-06-30T19:00:00Z'))).toMatchObject({
    open: true,
  });
});

test('an opening time that spring leaves out is the moment of the jump', () => {
  // New York jumps from 2:00 to 3:00 on the 9th of March 2025.
  const night = inbox('America/New_York', [span(0, [2, 30], [6, 0])]);
  expect(hoursAt(night, at('2025-03-09T06:00:00Z'))).toEqual({
    open: false,
    backAt: at('2025-03-09T07:00:00Z'),
  });
  expect(hoursAt(night, at('2025-03-09T07:00:00Z'))).toMatchObject({ open: true });
});

test('an hour that autumn gives twice is worked once', () => {
  const night = inbox('America/New_York', [span(0, [1, 0], [1, 30])]);
  expect(hoursAt(night, at('2025-11-02T05:10:00Z'))).toMatchObject({ open: true });
  expect(hoursAt(night, at('2025-11-02T06:10:00Z'))).toEqual({
    open: false,
    backAt: at('2025-11-09T06:00:00Z'),
  });
});

test('hours that run past midnight belong to the day on which they began', () => {
  const bar = inbox('UTC', [span(5, [20, 0], [2, 0])]);
  expect(hoursAt(bar, at('2025-07-05T01:59:00Z'))).toMatchObject({ open: true });
  expect(hoursAt(bar, at('2025-07-05T02:00:00Z'))).toEqual({
    open: false,
    backAt: at('2025-07-11T20:00:00Z'),
  });
});

test('open all day, closed all day, never open, and no hours at all', () => {
  const always = week.map((day) => ({ ...closed(day), closed_all_day: false, open_all_day: true }));
  expect(hoursAt(inbox('UTC', always), at('2025-07-05T00:00:00Z'))).toMatchObject({ open: true });
  expect(hoursAt(inbox('UTC', week.map(closed)), at('2025-07-05T12:00:00Z'))).toEqual({ open: false });
  expect(hoursAt(inbox('UTC', []), at('2025-07-05T12:00:00Z'))).toBeUndefined();
  const off = { ...inbox('UTC', officeHours), working_hours_enabled: false };
  expect(hoursAt(off, at('2025-07-05T12:00:00Z'))).toBeUndefined();
});

test('a time zone that the browser does not know is read as UTC', () => {
  expect(hoursAt(inbox('Middle/Earth', officeHours), at('2025-07-01T08:59:00Z'))).toEqual({
    open: false,
    backAt: at('2025-07-01T09:00:00Z'),
  });
});

const zones = [
  'UTC',
  'Europe/Paris',
  'America/New_York',
  'America/St_Johns',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'Africa/Casablanca',
  'America/Sao_Paulo',
];
const minutes = fc.constantFrom(0, 15, 30, 45, 59);
const hour = fc.integer({ min: 0, max: 23 });
const anyDay = (day: number) =>
  fc.oneof(
    fc.constant(closed(day)),
    fc.constant({ ...closed(day), closed_all_day: false, open_all_day: true }),
    fc.tuple(hour, minutes, hour, minutes).map(([a, b, c, d]) => span(day, [a, b], [c, d])),
  );
const anyInbox = fc
  .tuple(fc.constantFrom(...zones), fc.tuple(...week.map(anyDay)))
  .map(([zone, days]) => inbox(zone, days));
/** Around the changes of clocks of both halves of the earth, and anywhere in a few years. */
const instants = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('2025-03-09', '2025-03-30', '2025-04-06', '2025-10-05', '2025-10-26', '2025-11-02'),
      fc.integer({ min: -3000, max: 3000 }),
    )
    .map(([day, ahead]) => at(`${day}T12:00:00Z`) + ahead * 60_000),
  fc.integer({ min: at('2024-01-01'), max: at('2027-01-01') }),
);

test('what is closed until an instant is closed until then, and open from then on', () => {
  fc.assert(
    fc.property(anyInbox, instants, fc.double({ min: 0, max: 0.999, noNaN: true }), (given, now, part) => {
      const hours = hoursAt(given, now);
      if (hours?.open !== false) return;
      if (hours.backAt === undefined) {
        // Only a jump of the clocks can swallow the one span of a week.
        expect(given.working_hours.filter((day) => !day.closed_all_day).length).toBeLessThan(3);
        return;
      }
      expect(hours.backAt).toBeGreaterThan(now);
      expect(hours.backAt - now).toBeLessThanOrEqual(8 * 86_400_000);
      expect(hoursAt(given, hours.backAt)).toMatchObject({ open: true });
      const between = now + Math.floor((hours.backAt - now) * part);
      expect(hoursAt(given, between)).toEqual(hours);
    }),
    { numRuns: 500 },
  );
});
