/**
 * The line to the service, as one word. One probe at a time for socket and REST together: the socket is opened,
 * confirmed, and then missed messages are fetched, so nothing falls between. Where no socket can be had it polls.
 * It does not know what the fetched messages are.
 */
import type { WritableAtom } from 'nanostores';
import { type ChatError, isNotFound, type Result } from '../errors.js';
import { type Cable, type CableEnd, openCable } from '../realtime/cable.js';
import { CALM, GLANCE_MS, POLL_MS, reconnectDelayMs, TIERS } from '../realtime/reconnect.js';
import type { ChatEvent } from '../wire/frame.js';
import type { LineState } from './front.js';
import type { Session } from './session.js';

export interface LineNeeds {
  /**
   * How eagerly the line is wanted now; `undefined`: not at all.
   * @param lately the page is before the visitor's eyes, or was a few minutes ago: an answer is waited for
   */
  tier: (lately: boolean) => keyof typeof TIERS | undefined;
  token: () => string | undefined;
  /** The service refused the token: ask for it again. */
  refreshToken: () => Promise<unknown>;
  /** Fetches what was missed. `network` means the service cannot be reached. */
  catchUp: () => Promise<Result<unknown>>;
  event: (event: ChatEvent) => void;
  /** The page went behind others; it is back, with what was missed, or without where the service answers that with an error. */
  behind: (is: boolean) => unknown;
  /** The line is there (again). */
  up: () => void;
  /** The page rests: has something come meanwhile? Called on and on, at most four times an hour. */
  glance: () => Promise<unknown>;
}

const STABLE_MS = 5_000;
/** Two missed pings and some. */
const SILENT_MS = 7_500;
const WATCH_MS = 2_500;
/** The service takes whoever has been silent for 20 s for gone. */
const BEAT_MS = 15_000;
/** From then on each `WATCH_MS` may bring the next look, so that it comes about once a minute. */
const LOOK_MS = 50_000;
const HIDDEN_MS = 5 * 60_000;
const SOCKET_AGAIN_MS = 15 * 60_000;
/** So long after a probe another one is worth nothing, whatever the visitor does. */
const OWN_ACT_MS = 10_000;

export function createLine(session: Session, $line: WritableAtom<LineState>, needs: LineNeeds) {
  const { env } = session;
  let cable: Cable | undefined;
  let confirmed = false;
  /** Whose channel the socket carries. */
  let dialled: string | undefined;
  let probing = false;
  /** The page is leaving, or has long been hidden: only its return brings the line back. */
  let resting = false;
  let lately = session.env.page.visible();
  /** It was hidden for long, and still is. */
  let slept = false;
  let wantedAgain = false;
  let failures = 0;
  let offlineAt = Number.NEGATIVE_INFINITY;
  let socketFailures = 0;
  /** What is asked next asks over REST first. */
  let mayBeBarred = false;
  let socketNotBefore = 0;
  let rejected = false;
  /** Nothing but the socket has failed. */
  let dialFailed = false;
  /** What the service has answered in place of what was missed, and how often in a row. */
  let missing: ChatError | undefined;
  let misses = 0;
  /** The service has said when it wants to be asked again. */
  let notBefore = 0;
  /** Whoever waits for the confirmation of a socket need not wait any longer. */
  let hungUp = () => {};
  const timers = { next: () => {}, watch: () => {}, stable: () => {}, hidden: () => {} };
  let beatAt = 0;
  let probedAt = Number.NEGATIVE_INFINITY;
  /** When the next probe is due. */
  let nextAt = 0;

  const calm = session.options.reconnect === 'calm' ? CALM : 1;
  const delayMs = (tier: keyof typeof TIERS) =>
    calm * reconnectDelayMs(TIERS[tier], failures++, env.random());

  const after = (timer: keyof typeof timers, ms: number, work: () => void) => {
    timers[timer]();
    if (timer === 'next') nextAt = env.monotonic() + ms;
    timers[timer] = env.after(ms, work);
  };

  /** What has gone well for a while is forgiven what was before. */
  const stands = () =>
    after('stable', STABLE_MS, () => {
      failures = socketFailures = 0;
    });

  /** @param leaving see `Cable.close` */
  function hangUp(leaving?: boolean) {
    cable?.close(leaving);
    cable = undefined;
    hungUp();
    confirmed = false;
    timers.watch();
    timers.stable();
  }

  /** A browser may say that it is not, for a network that another one has taken the place of: then frames go on coming. */
  const online = () =>
    env.page.online() || (confirmed && cable !== undefined && cable.silentMs() < env.monotonic() - offlineAt);

  /** The service has made the visitor anew: the old channel brings nothing of theirs. */
  const isStranger = () => cable !== undefined && needs.token() !== undefined && needs.token() !== dialled;

  /** The service is away, as far as is known. */
  const away = () => $line.get() === 'down' || (dialFailed && $line.get() === 'connecting');

  /** Resolves once the subscription is confirmed or the socket is no more. */
  function dial(token: string): Promise<boolean> {
    dialled = token;
    return new Promise((resolve) => {
      hungUp = () => resolve(false);
      cable = openCable(env, session.options.baseUrl, token, {
        event: needs.event,
        confirmed() {
          confirmed = true;
          rejected = false;
          stands();
          watch();
          resolve(true);
        },
        end(why) {
          const wasUp = confirmed;
          hangUp();
          ended(why);
          resolve(false);
          if (wasUp && !session.ended()) lost();
        },
      });
    });
  }

  function ended(why: CableEnd) {
    socketFailures++;
    if (why === 'rejected' && !rejected) {
      rejected = true;
      void needs.refreshToken();
    } else if (why !== 'lost' || socketFailures >= 3) {
      socketNotBefore = env.monotonic() + SOCKET_AGAIN_MS;
    }
  }

  /** Whatever has woken a page that slept: it sleeps on. */
  function unwanted() {
    timers.next();
    $line.set('idle');
    if (slept) sleep();
  }

  function lost() {
    const tier = needs.tier(lately);
    if (!tier) return unwanted();
    $line.set('connecting');
    after('next', delayMs(tier), probe);
  }

  /** Notices a socket that died in silence, by the wall clock, because timers sleep with the device. */
  function watch() {
    after('watch', WATCH_MS, () => {
      if (!cable) return;
      if (cable.silentMs() > SILENT_MS) {
        hangUp();
        return lost();
      }
      if (!env.page.online() && $line.get() === 'down' && online()) void probe();
      if (env.page.visible() && env.monotonic() - beatAt >= BEAT_MS) {
        beatAt = env.monotonic();
        cable.beat();
      }
      // A frame may be lost on a line that lives; what the service has refused is asked for by the next probe.
      if (
        env.monotonic() - probedAt >= calm * LOOK_MS &&
        needs.tier(lately) === 'open' &&
        !missing &&
        env.random() < 0.2
      ) {
        probedAt = env.monotonic();
        void needs.catchUp();
      }
      watch();
    });
  }

  async function probe(): Promise<void> {
    if (session.ended()) return;
    if (probing) {
      wantedAgain = true;
      return;
    }
    const tier = needs.tier(lately);
    if (!tier) {
      hangUp();
      return unwanted();
    }
    if (!online()) return void $line.set('down');
    const waitMs = notBefore - env.monotonic();
    if (waitMs > 0) {
      caughtUp();
      return after('next', waitMs, probe);
    }
    probing = true;
    wantedAgain = false;
    probedAt = env.monotonic();
    timers.next();
    const restFirst = away() || mayBeBarred;
    mayBeBarred = false;
    dialFailed = false;
    if ($line.get() === 'idle') $line.set('connecting');
    if (cable && (cable.silentMs() > SILENT_MS || isStranger())) hangUp();
    const reached = await attempt(restFirst);
    probing = false;
    if (session.ended()) return;
    // The page has gone to rest meanwhile.
    if (resting) return hangUp();
    // Somebody may have turned to it, or away, meanwhile.
    settle(reached, needs.tier(lately) ?? tier);
    if (wantedAgain) void probe();
  }

  /**
   * True when the service answered. The first request without an answer ends it, so that a service in trouble is
   * asked once; after a trouble REST goes first, because a socket may be barred where REST is not.
   */
  async function attempt(restFirst: boolean): Promise<boolean> {
    const asked = restFirst || !needs.token();
    if (asked && !(await answers())) return false;
    const token = needs.token();
    // It may have ended while REST was asked: a socket from now on would be nobody's, for ever.
    if (session.ended() || resting) return false;
    // What was asked may have been all that it was wanted for.
    if (cable || !token || env.monotonic() < socketNotBefore || !needs.tier(lately))
      return asked || answers();
    if (await dial(token)) return answers();
    dialFailed = !asked;
    return asked;
  }

  async function answers(): Promise<boolean> {
    const caught = await needs.catchUp();
    missing = caught.ok ? undefined : caught.error;
    return caught.ok || caught.error.kind !== 'network';
  }

  const caughtUp = () => env.page.visible() && needs.behind(false);

  function settle(reached: boolean, tier: keyof typeof TIERS) {
    if (!reached) {
      hangUp();
      $line.set(dialFailed ? 'connecting' : 'down');
      after('next', delayMs(tier), probe);
      return;
    }
    $line.set(confirmed ? 'live' : 'polling');
    // On a socket that lives for days each that fails would be waited for longer than the one before.
    if (confirmed) stands();
    else failures = 0;
    caughtUp();
    // A live line brings what comes, not what was missed while the service answered with an error.
    misses = missing ? misses + 1 : 0;
    const asked = missing?.kind === 'http' ? missing.retryAfterMs : undefined;
    if (!confirmed || missing) {
      const usual = calm * POLL_MS[tier] * (0.5 + env.random());
      // A service that goes on answering with errors is asked ever more seldom, as one that does not answer; an inbox
      // that is not there may be so for good.
      const capMs = missing && isNotFound(missing) ? SOCKET_AGAIN_MS : calm * TIERS[tier].capMs;
      const waitMs = Math.max(usual, Math.min(usual * 2 ** (misses - 1), capMs));
      notBefore = env.monotonic() + (asked ?? 0);
      after('next', Math.max(waitMs, asked ?? 0), probe);
    }
    // Whoever asks to be left alone is left alone.
    if (!asked) needs.up();
  }

  const { page } = env;
  session.own(
    page.on('online', () => {
      // Another network may have no bar; the same one may.
      mayBeBarred = socketFailures > 0;
      socketNotBefore = 0;
      retryNow();
    }),
  );
  session.own(
    page.on('offline', () => {
      offlineAt = env.monotonic();
      if ($line.get() !== 'idle') $line.set('down');
    }),
  );
  session.own(
    page.on('visibilitychange', () => {
      timers.hidden();
      lately = true;
      slept = false;
      if (page.visible()) return retryNow();
      needs.behind(true);
      after('hidden', HIDDEN_MS, doze);
    }),
  );
  // An open socket would cost the host page its place in the back/forward cache.
  session.own(page.on('pagehide', rest));
  session.own(page.on('pageshow', (event) => 'persisted' in event && event.persisted && retryNow()));
  session.own(() => {
    hangUp();
    for (const stop of Object.values(timers)) stop();
  });

  function rest() {
    resting = true;
    hangUp(true);
    timers.next();
    $line.set('idle');
  }

  function doze() {
    lately = false;
    slept = true;
    // Whoever wants to be told is told.
    if (needs.tier(lately) === 'closed') return;
    sleep();
  }

  function sleep() {
    rest();
    after('next', GLANCE_MS * (1 + env.random() / 2), glance);
  }

  async function glance() {
    if (page.online()) await needs.glance();
    if (resting && !session.ended()) after('next', GLANCE_MS * (1 + env.random() / 2), glance);
  }

  function retryNow() {
    resting = false;
    failures = 0;
    void probe();
  }

  return {
    online,
    /** The needs have changed: somebody opened the window, wrote, or was given a token. */
    check() {
      if (resting) return;
      const tier = needs.tier(lately);
      const down = away();
      const waitMs = probedAt + OWN_ACT_MS - env.monotonic();
      if (!tier || isStranger() || (!confirmed && !probing && !down)) void probe();
      // A visitor's own act is worth one probe, as soon as that is worth anything.
      else if (down && waitMs < 0) void probe();
      else if (down && !probing && env.monotonic() + waitMs < nextAt) after('next', waitMs, probe);
    },
    /** Whoever writes waits for an answer: a socket that was lost, and is not barred, is not left to the next look. */
    wrote() {
      if ($line.get() === 'polling' && env.monotonic() >= socketNotBefore) void probe();
    },
    /** The outbox has come to rest. A line that polls is not asked again: that would set the outbox going, for ever. */
    rested() {
      if (isStranger() || ($line.get() === 'idle' && !resting)) void probe();
    },
    /** Another conversation than before: its history is not here, and a live line brings only what comes. */
    moved() {
      if (confirmed || probing) void probe();
    },
    /** A request outside the line ended. */
    answered(failed: boolean) {
      // Who rests looks again by a clock of its own.
      if (probing || resting || session.ended()) return;
      // What is said to be away has answered.
      if (!failed) return void (away() && probe());
      const tier = needs.tier(lately);
      if (!tier || $line.get() === 'down') return;
      timers.stable();
      $line.set('down');
      after('next', delayMs(tier), probe);
    },
  };
}
