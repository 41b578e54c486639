/**
 * Working hours in the inbox's own time zone: open or not, and how many working seconds lie between two instants.
 * Pure. Summer time is the platform's knowledge (`Intl`), days are walked in local dates.
 */
import type { InboxRow, WorkingHours } from '../store/rows.js';

export type Calendar = Pick<InboxRow, 'timezone' | 'working_hours' | 'working_hours_enabled'>;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timezone: string): Intl.DateTimeFormat {
  const format =
    formats.get(timezone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone: timezone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  formats.set(timezone, format);
  return format;
}

export function isTimezone(name: string): boolean {
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}

/** The clock on the wall there, written as if it were UTC. */
function wallClock(timezone: string, at: number): number {
  const parts = new Map(
    formatOf(timezone)
      .formatToParts(at)
      .map((part) => [part.type, Number(part.value)]),
  );
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0;
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
}

const dayMs = 86_400_000;
const minuteMs = 60_000;
const startOfWallDay = (wall: number) => Math.floor(wall / dayMs) * dayMs;

interface Jump {
  at: number;
  /** From the instant to the wall, before it and after. */
  before: number;
  after: number;
}

/** When the clocks are put on or back around a day, which they are once at most; an instant that is far off if not. */
function jumpAround(timezone: string, wallDay: number): Jump {
  const offset = (at: number) => wallClock(timezone, at) - at;
  // Wherever on earth it is, the day lies in between.
  let early = wallDay - dayMs;
  let late = wallDay + 2 * dayMs;
  const before = offset(early);
  const after = offset(late);
  while (before !== after && late - early > 1000) {
    const middle = Math.floor((early + late) / 2000) * 1000;
    if (offset(middle) === before) early = middle;
    else late = middle;
  }
  return { at: late, before, after };
}

/** Where there is no midnight, what the wall shows in its place. */
export function startOfDay(timezone: string, at: Date): Date {
  const midnight = startOfWallDay(wallClock(timezone, at.getTime()));
  const jump = jumpAround(timezone, midnight);
  const first = midnight - jump.before;
  return new Date(first < jump.at ? first : Math.max(jump.at, midnight - jump.after));
}

/** Minutes of the day, from and to. */
function opening(hours: readonly WorkingHours[], wallDay: number): readonly [number, number] | undefined {
  const weekday = new Date(wallDay).getUTCDay();
  const day = hours.find((entry) => entry.day_of_week === weekday);
  if (!day || day.closed_all_day) return undefined;
  if (day.open_all_day) return [0, 24 * 60];
  if (day.open_hour === null || day.close_hour === null) return undefined;
  return [day.open_hour * 60 + (day.open_minutes ?? 0), day.close_hour * 60 + (day.close_minutes ?? 0)];
}

export function isOpen(calendar: Calendar, at: Date): boolean {
  if (!calendar.working_hours_enabled) return true;
  const wall = wallClock(calendar.timezone, at.getTime());
  const span = opening(calendar.working_hours, wall);
  const minute = (wall - startOfWallDay(wall)) / minuteMs;
  return span !== undefined && minute >= span[0] && minute < span[1];
}

/** Without working hours every second counts. */
export function businessSeconds(calendar: Calendar, from: Date, to: Date): number {
  if (!calendar.working_hours_enabled) return Math.max(0, (to.getTime() - from.getTime()) / 1000);
  const { timezone, working_hours: hours } = calendar;
  const lastDay = startOfWallDay(wallClock(timezone, to.getTime()));
  const within = (opens: number, closes: number) =>
    Math.max(0, Math.min(closes, to.getTime()) - Math.max(opens, from.getTime()));
  let ms = 0;
  for (let day = startOfWallDay(wallClock(timezone, from.getTime())); day <= lastDay; day += dayMs) {
    const span = opening(hours, day);
    if (!span) continue;
    const [opens, closes] = [day + span[0] * minuteMs, day + span[1] * minuteMs];
    // An hour that the wall shows twice is open twice, and one that it never shows is never.
    const { at, before, after } = jumpAround(timezone, day);
    ms += within(opens - before, Math.min(closes - before, at));
    ms += within(Math.max(opens - after, at), closes - after);
  }
  return ms / 1000;
}
