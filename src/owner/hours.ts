/**
 * Keeps the launcher away while nobody is there to answer. It asks the service for the inbox's hours itself, because
 * the page may never want the rest of the chat. It does not know when somebody is back.
 */
import type { Stage } from '../embed/stage.js';
import { DAY_MINUTES } from '../model/hours.js';

const LOOK_MS = 60_000;
const FRESH_MS = 30 * 60_000;
const AGAIN_MS = 5 * 60_000;
/** Longer than that, a service that says nothing has not said that nobody is there. */
const LIMIT_MS = 20_000;

/** @param told whether nobody is there now. Returns its undo. */
export function followHours({ env, front, options }: Stage, told: (away: boolean) => void): () => void {
  let inbox: unknown;
  let askAt = 0;
  let over = false;
  /** Whoever looks meanwhile waits for the same answer. */
  let asking: Promise<void> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let line: AbortController | undefined;

  async function ask() {
    const { baseUrl, inboxIdentifier } = options;
    askAt = performance.now() + AGAIN_MS;
    line = new AbortController();
    const { signal } = line;
    const limit = setTimeout(() => line?.abort(), LIMIT_MS);
    try {
      const path = `/public/api/v1/inboxes/${encodeURIComponent(inboxIdentifier)}`;
      const answer = await fetch(baseUrl + path, {
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        signal,
      });
      // What is said instead is no inbox, though it may look like one.
      if (!answer.ok) return;
      inbox = await answer.json();
      askAt = performance.now() + FRESH_MS;
    } catch {
      // Whoever cannot be asked has not said that they are away.
    } finally {
      clearTimeout(limit);
    }
  }

  async function look() {
    if (env.page.visible()) {
      if (performance.now() >= askAt) asking = ask();
      await asking;
      if (over) return;
      // Nobody is sent away from what they are writing.
      if (!front.chat.$open.get()) told(isOpen(inbox, Date.now()) === false);
    }
    clearTimeout(timer);
    timer = setTimeout(look, LOOK_MS);
  }
  void look();
  const unlisten = env.page.on('visibilitychange', () => void look());
  return () => {
    over = true;
    clearTimeout(timer);
    line?.abort();
    unlisten();
  };
}

const fieldsOf = (value: unknown): Record<string, unknown> =>
  Object.fromEntries(typeof value === 'object' && value !== null ? Object.entries(value) : []);
/** What is none makes every comparison false. */
const numberOf = (value: unknown) => (typeof value === 'number' ? value : Number.NaN);

/**
 * Whether an inbox, as the service tells of it, is open at this moment, by the clock of its own zone; undefined where
 * it has no hours.
 */
export function isOpen(inbox: unknown, now: number): boolean | undefined {
  const { timezone, working_hours_enabled: enabled, working_hours: week } = fieldsOf(inbox);
  if (enabled !== true || !Array.isArray(week) || !week.length) return undefined;
  const shown: Record<string, string> = {};
  const show = (timeZone: string) => {
    const clock = {
      timeZone,
      hourCycle: 'h23',
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
    } as const;
    for (const { type, value } of new Intl.DateTimeFormat('en-US', clock).formatToParts(now))
      shown[type] = value;
  };
  try {
    show(`${timezone}`);
  } catch {
    show('UTC');
  }
  const today = 'SunMonTueWedThuFriSat'.indexOf(shown.weekday ?? '') / 3;
  const minute = Number(shown.hour) * 60 + Number(shown.minute);
  return week.some((given) => {
    const day = fieldsOf(given);
    const minutes = (name: 'open' | 'close') =>
      numberOf(day[`${name}_hour`]) * 60 + (numberOf(day[`${name}_minutes`]) || 0);
    const from = day.open_all_day ? 0 : minutes('open');
    const to = day.open_all_day ? DAY_MINUTES : minutes('close');
    // What runs past midnight belongs to the day on which it began.
    const since = ((today - numberOf(day.day_of_week) + 7) % 7) * DAY_MINUTES + minute;
    return !day.closed_all_day && from !== to && from <= since && since < (to > from ? to : to + DAY_MINUTES);
  });
}
