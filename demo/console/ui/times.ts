/** Instants as a person reads them, in the agent's own language settings for numbers, in English for words. */
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const clock = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' });
const shortDate = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' });
const longDate = new Intl.DateTimeFormat('en', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});
const full = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
const unit = (name: string) =>
  new Intl.NumberFormat('en', { style: 'unit', unit: name, unitDisplay: 'short' });
const minutes = unit('minute');
const hours = unit('hour');
const days = unit('day');

export const clockTime = (atMs: number): string => clock.format(atMs);
export const fullTime = (atMs: number): string => full.format(atMs);
export const iso = (atMs: number): string => new Date(atMs).toISOString();

/** `now`, `5 min`, `3 hr`, `2 days`, `4 Nov`. */
export function ago(atMs: number, nowMs: number): string {
  const span = Math.max(0, nowMs - atMs);
  if (span < MINUTE) return 'now';
  if (span < HOUR) return minutes.format(Math.floor(span / MINUTE));
  if (span < DAY) return hours.format(Math.floor(span / HOUR));
  if (span < 7 * DAY) return days.format(Math.floor(span / DAY));
  return shortDate.format(atMs);
}

/** `2026-11-04`, where the agent is. */
export function isoDay(atMs: number): string {
  const at = new Date(atMs);
  return iso(atMs - at.getTimezoneOffset() * MINUTE).slice(0, 10);
}

/** `Today`, `Yesterday`, or the date. */
export function dayName(atMs: number, nowMs: number): string {
  const day = new Date(atMs).toDateString();
  if (day === new Date(nowMs).toDateString()) return 'Today';
  if (day === new Date(nowMs - DAY).toDateString()) return 'Yesterday';
  return longDate.format(atMs);
}
