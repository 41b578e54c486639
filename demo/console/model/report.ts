/** Reporting events → one value a day for each measure. Pure; days are the agent's own. */
import type { ReportingEvent } from '../wire/admin.js';

export const measures = [
  ['first_response', 'First response'],
  ['reply_time', 'Reply'],
  ['resolution', 'Resolution'],
] as const;
export type Measure = (typeof measures)[number][0];

export interface Day {
  /** Unix seconds of its beginning. */
  at: number;
  counts: Record<Measure, number>;
  /** Seconds; null where nothing was measured. */
  averages: Record<Measure, number | null>;
}

const none = () => ({ first_response: 0, reply_time: 0, resolution: 0 });
const isMeasure = (name: string): name is Measure => measures.some(([known]) => known === name);

export function byDay(
  events: readonly ReportingEvent[],
  days: readonly number[],
  businessHours: boolean,
): Day[] {
  const found = new Map(days.map((at) => [at, { counts: none(), sums: none() }]));
  for (const event of events) {
    if (!isMeasure(event.name)) continue;
    const day = found.get(startOfDay(Date.parse(event.event_end_time)));
    if (!day) continue;
    day.counts[event.name] += 1;
    day.sums[event.name] += businessHours ? event.value_in_business_hours : event.value;
  }
  return days.map((at) => {
    const { counts, sums } = found.get(at) ?? { counts: none(), sums: none() };
    const average = (name: Measure) => (counts[name] ? sums[name] / counts[name] : null);
    return {
      at,
      counts,
      averages: {
        first_response: average('first_response'),
        reply_time: average('reply_time'),
        resolution: average('resolution'),
      },
    };
  });
}

function startOfDay(atMs: number): number {
  const at = new Date(atMs);
  at.setHours(0, 0, 0, 0);
  return Math.floor(at.getTime() / 1000);
}

/** The beginnings of so many days, today's last. */
export function lastDays(count: number, nowMs: number): number[] {
  const today = new Date(nowMs);
  return Array.from({ length: count }, (_, index) => {
    const at = new Date(today.getFullYear(), today.getMonth(), today.getDate() - (count - 1 - index));
    return Math.floor(at.getTime() / 1000);
  });
}

/** `45 s`, `3 min`, `2.5 h`, `4 d`. */
export function span(seconds: number | null): string {
  if (seconds === null) return '–';
  if (seconds < 60) return `${Math.round(seconds)} s`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`;
  if (seconds < 86_400 * 2) return `${Math.round(seconds / 360) / 10} h`;
  return `${Math.round(seconds / 8640) / 10} d`;
}

/** Between the lines of an axis of times: whole in the unit that `span` names. Seconds, minutes, hours, days. */
export const spanSteps: readonly number[] = [
  ...[1, 2, 5, 10],
  ...[1, 2, 5, 10].map((minutes) => minutes * 60),
  ...[0.5, 1, 2, 3, 6, 12].map((hours) => hours * 3600),
  ...[1, 2, 5, 10, 20, 50, 100].map((days) => days * 86_400),
];

export function meanOf(
  events: readonly ReportingEvent[],
  name: Measure,
  businessHours: boolean,
): number | null {
  const values = events
    .filter((event) => event.name === name)
    .map((event) => (businessHours ? event.value_in_business_hours : event.value));
  return values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : null;
}
