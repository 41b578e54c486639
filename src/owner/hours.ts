/**
 * Keeps the launcher away while nobody is there to answer. It asks the service for the inbox's hours itself, because
 * the page may never want the rest of the chat. It does not know what hours are.
 */

import type { Stage } from '../embed/stage.js';
import { type Hours, hoursAt } from '../model/hours.js';

type Times = Parameters<typeof hoursAt>[0];

const LOOK_MS = 60_000;
const FRESH_MS = 30 * 60_000;
const AGAIN_MS = 5 * 60_000;

/** @param told whether nobody is there now. Returns its undo. */
export function followHours({ env, front, options }: Stage, told: (away: boolean) => void): () => void {
  let times: Times | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  let freshMs = 0;
  let over = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function ask() {
    const { baseUrl, inboxIdentifier } = options;
    askedAt = performance.now();
    freshMs = AGAIN_MS;
    try {
      const path = `/public/api/v1/inboxes/${encodeURIComponent(inboxIdentifier)}`;
      const response = await fetch(baseUrl + path, { credentials: 'omit', referrerPolicy: 'no-referrer' });
      times = timesOf(await response.json()) ?? times;
      freshMs = FRESH_MS;
    } catch {
      // Whoever cannot be asked has not said that they are away.
    }
  }

  async function look() {
    if (env.page.visible()) {
      if (performance.now() - askedAt >= freshMs) await ask();
      if (over) return;
      const hours: Hours | undefined = times && hoursAt(times, Date.now());
      // Nobody is sent away from what they are writing.
      if (!front.chat.$open.get()) told(hours?.open === false);
    }
    timer = setTimeout(look, LOOK_MS);
  }
  void look();
  const unlisten = env.page.on('visibilitychange', () => {
    clearTimeout(timer);
    void look();
  });
  return () => {
    over = true;
    clearTimeout(timer);
    unlisten();
  };
}

const number = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined);

function timesOf(value: unknown): Times | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const {
    timezone,
    working_hours_enabled: enabled,
    working_hours: days,
  } = Object.fromEntries(Object.entries(value));
  const hours: Times['working_hours'] = [];
  for (const day of Array.isArray(days) ? days : []) {
    const given = Object.fromEntries(Object.entries(day ?? {}));
    const weekday = number(given.day_of_week);
    if (weekday === undefined) continue;
    hours.push({
      day_of_week: weekday,
      closed_all_day: given.closed_all_day === true,
      open_all_day: given.open_all_day === true,
      open_hour: number(given.open_hour),
      open_minutes: number(given.open_minutes),
      close_hour: number(given.close_hour),
      close_minutes: number(given.close_minutes),
    });
  }
  return {
    timezone: typeof timezone === 'string' ? timezone : 'UTC',
    working_hours_enabled: enabled === true,
    working_hours: hours,
  };
}
