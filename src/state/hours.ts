/** When somebody answers, asked of the service by a window that is open, and no more often than every ten minutes. */
import { isNotFound, ok, type Result } from '../errors.js';
import { hoursAt } from '../model/hours.js';
import type { ChatEvent } from '../wire/frame.js';
import type { Inbox } from '../wire/inbox.js';
import type { Front } from './front.js';
import type { Session } from './session.js';

const FRESH_MS = 10 * 60_000;
/** The console of an agent who looks at another page is seen but once a minute. */
const LINGERS_MS = 2 * 60_000;

export function createHours({ env, api, ended, options }: Session, $hours: Front['$hours']) {
  let warned = false;
  let inbox: Inbox | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  return async (): Promise<Result<unknown>> => {
    if (env.monotonic() - askedAt >= FRESH_MS) {
      askedAt = env.monotonic();
      const answer = await api.showInbox();
      if (answer.ok) inbox = answer.value;
      else {
        askedAt = Number.NEGATIVE_INFINITY;
        // Nothing that a visitor could mend, and no owner should hear of it from them first.
        if (isNotFound(answer.error) && !warned) {
          warned = true;
          console.warn(`Parley: ${options.baseUrl} has no inbox "${options.inboxIdentifier}".`);
        }
      }
    }
    if (inbox && !ended()) $hours.set(hoursAt(inbox, env.wall()));
    return ok(undefined);
  };
}

/**
 * Whether nobody of the team is there, as the service says with each beat. That somebody is proves nothing: they may be
 * there for others. @param next hears of everything else
 */
export function createPresence(
  { env }: Session,
  $nobody: Front['$nobody'],
  next: (event: ChatEvent) => void,
) {
  let seenAt = Number.NEGATIVE_INFINITY;
  return (event: ChatEvent) => {
    if (event.event !== 'presence.update') return next(event);
    const now = env.monotonic();
    if (Object.values(event.data.users).includes('online')) seenAt = now;
    $nobody.set(now - seenAt > LINGERS_MS);
  };
}
