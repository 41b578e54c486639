/**
 * When somebody answers: an inbox's weekly hours in its own time zone, read at one instant. It knows no clock, and
 * no words for a time.
 */
import type { Inbox } from '../wire/inbox.js';

/**
 * `until` and `backAt`: milliseconds since 1970. The first looks no further than tomorrow; the second is absent when no
 * hour of the coming week is open.
 */
export type Hours = { open: true; until: number } | { open: false; backAt?: number };

type Times = Pick<Inbox, 'timezone' | 'working_hours' | 'working_hours_enabled'>;

const MINUTE_MS = 60_000;
export const DAY_MINUTES = 24 * 60;

/** @returns undefined when the inbox has no hours: nobody said when they are there */
export function hoursAt(inbox: Times, now: number): Hours | undefined {
  if (!inbox.working_hours_enabled || !inbox.working_hours.length) return undefined;
  const zone = zoneOf(inbox.timezone);
  const { date } = zone(now);
  let backAt: number | undefined;
  let until: number | undefined;
  // What runs past midnight belongs to the day on which it began.
  for (let day = date - 1; day <= date + (until ? 1 : 7); day++) {
    for (const hours of inbox.working_hours) {
      const span = hours.day_of_week === weekdayOf(day) ? spanOf(hours) : undefined;
      if (!span) continue;
      const [from, to] = span.map((minutes) => instantOf(zone, day * DAY_MINUTES + minutes));
      if (from === undefined || to === undefined || to <= from) continue;
      // One day may go on where the one before it ends.
      if (from <= (until ?? now) && (until ?? now) < to) until = to;
      else if (from > now) backAt = Math.min(backAt ?? from, from);
    }
  }
  if (until) return { open: true, until };
  return backAt === undefined ? { open: false } : { open: false, backAt };
}

/** 1970 began on a Thursday. */
const weekdayOf = (date: number) => (((date + 4) % 7) + 7) % 7;

/** Minutes of its day; the end may lie on the next one. */
function spanOf(hours: Inbox['working_hours'][number]): number[] | undefined {
  if (hours.closed_all_day) return undefined;
  if (hours.open_all_day) return [0, DAY_MINUTES];
  const { open_hour: openHour, close_hour: closeHour } = hours;
  if (openHour === null || openHour === undefined || closeHour === null || closeHour === undefined)
    return undefined;
  const from = openHour * 60 + (hours.open_minutes ?? 0);
  const to = closeHour * 60 + (hours.close_minutes ?? 0);
  return from === to ? undefined : [from, to > from ? to : to + DAY_MINUTES];
}

/** What calendar and clock on the wall show there, as days and as minutes since 1970. */
type Zone = (at: number) => { date: number; shown: number };

function zoneOf(timeZone: string): Zone {
  const make = (zone: string) =>
    new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    });
  let format: Intl.DateTimeFormat;
  try {
    format = make(timeZone);
  } catch {
    format = make('UTC');
  }
  return (at) => {
    const part: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
    for (const { type, value } of format.formatToParts(at)) part[type] = Number(value);
    const { year = 1970, month = 1, day = 1, hour = 0, minute = 0 } = part;
    const shown = Date.UTC(year, month - 1, day, hour, minute) / MINUTE_MS;
    return { date: Math.floor(shown / DAY_MINUTES), shown };
  };
}

/** The first instant at which the wall shows this minute or, where the clocks jump over it, a later one. */
function instantOf(zone: Zone, wanted: number): number {
  const aheadAt = (at: number) => zone(at).shown * MINUTE_MS - at;
  const guess = wanted * MINUTE_MS;
  // No zone is as far away as a day, so one of these is before, and one after, a change of clocks close by.
  const candidates = [-1, 1].map((day) => guess - aheadAt(guess + day * DAY_MINUTES * MINUTE_MS));
  const fitting = candidates.filter((at) => zone(at).shown === wanted);
  if (fitting.length) return Math.min(...fitting);
  // Left out in spring: the moment of the jump.
  let low = Math.min(...candidates);
  let high = Math.max(...candidates);
  while (high - low > MINUTE_MS) {
    const middle = low + Math.floor((high - low) / 2 / MINUTE_MS) * MINUTE_MS;
    if (zone(middle).shown > wanted) high = middle;
    else low = middle;
  }
  return high;
}
