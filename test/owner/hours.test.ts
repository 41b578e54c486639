/** Whether somebody is there now: the small answer for the launcher is that of the window's, at any moment of any week. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hoursAt } from '../../src/model/hours.js';
import { isOpen } from '../../src/owner/hours.js';

const hour = fc.nat({ max: 23 });
const minutes = fc.constantFrom(0, 15, 30, 59);
const day = fc.record({
  closed_all_day: fc.boolean(),
  open_all_day: fc.boolean(),
  open_hour: hour,
  open_minutes: minutes,
  close_hour: hour,
  close_minutes: minutes,
});

test('it is open when the window says so, and closed when it does not', () => {
  let open = 0;
  fc.assert(
    fc.property(
      fc.array(day, { minLength: 7, maxLength: 7 }),
      fc.constantFrom('UTC', 'Europe/Stockholm', 'America/St_Johns', 'Asia/Kathmandu', 'Mars/Olympus'),
      // No clock is set in these weeks.
      fc.integer({ min: Date.UTC(2026, 5, 1), max: Date.UTC(2026, 5, 28) }),
      (days, timezone, now) => {
        const inbox = {
          timezone,
          working_hours_enabled: true,
          working_hours: days.map((given, at) => ({ ...given, day_of_week: at })),
        };
        const wanted = hoursAt(inbox, now)?.open;
        if (wanted) open++;
        expect(isOpen(inbox, now)).toBe(wanted);
      },
    ),
    { numRuns: 500, seed: 3 },
  );
  expect(open).toBeGreaterThan(50);
});

test('who has no hours, or answers with something else, is not away', () => {
  for (const inbox of [
    undefined,
    null,
    'x',
    {},
    { working_hours_enabled: true },
    { working_hours_enabled: false },
  ])
    expect(isOpen(inbox, 0)).toBeUndefined();
  const broken = {
    working_hours_enabled: true,
    timezone: 7,
    working_hours: [null, { day_of_week: 'Monday' }],
  };
  expect(isOpen(broken, 0)).toBe(false);
});
