/** When somebody answers, asked of the service by a window that is open, and no more often than every ten minutes. */
import { ok, type Result } from '../errors.js';
import { hoursAt } from '../model/hours.js';
import type { Inbox } from '../wire/inbox.js';
import type { Front } from './front.js';
import type { Session } from './session.js';

const FRESH_MS = 10 * 60_000;

export function createHours({ env, api, ended }: Session, $hours: Front['$hours']) {
  let inbox: Inbox | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  return async (): Promise<Result<unknown>> => {
    if (env.monotonic() - askedAt >= FRESH_MS) {
      askedAt = env.monotonic();
      const answer = await api.showInbox();
      if (answer.ok) inbox = answer.value;
      else askedAt = Number.NEGATIVE_INFINITY;
    }
    if (inbox && !ended()) $hours.set(hoursAt(inbox, env.wall()));
    return ok(undefined);
  };
}
