/**
 * The browser that the engine leans on, captured when the engine has come, so that a page which later replaces a global
 * does not replace ours. Tests hand in another one: two `Env`s over the same storage are two tabs. What some browser
 * lacks may be undefined, the rest is always there.
 */
import { type PageEnv, pageEnv } from './page-env.js';

export interface Env extends PageEnv {
  fetch: typeof fetch;
  /** A request that tells how much of it has left. Without it files go by `fetch`. */
  upload?: (() => XMLHttpRequest) | undefined;
  WebSocket: typeof WebSocket | undefined;
  indexedDB: () => IDBFactory | null | undefined;
  locks: () => LockManager | undefined;
  channel: (name: string) => BroadcastChannel | undefined;
  uuid: () => string;
  random: () => number;
  /** Milliseconds of a clock that never jumps; it may stand still while the device sleeps. */
  monotonic: () => number;
  /** Milliseconds since 1970 by the visitor's clock, for showing and for noticing sleep; never compared with the service's. */
  wall: () => number;
  /** Runs `work` after `ms`; returns its undo. */
  after: (ms: number, work: () => void) => () => void;
  /**
   * What is told of page and browser where the owner wants it, by the names that the service's rules know.
   * @param place in which the window stands
   */
  told?: (place: unknown) => Record<string, string>;
  /**
   * How long the service may still carry out a request after we gave it up, in milliseconds. A message is sent a
   * second time only when it has been absent from history for longer. No option of an owner's: where it is too short,
   * messages are doubled.
   */
  lateCommitMs?: number;
}

/** @param page what the front of the chat has been using already */
export function browserEnv(page: PageEnv = pageEnv()): Env {
  const {
    fetch,
    WebSocket,
    XMLHttpRequest,
    BroadcastChannel,
    setTimeout,
    clearTimeout,
    performance,
    crypto,
    navigator,
  } = window;
  const { random } = Math;
  const { now } = Date;
  return {
    ...page,
    fetch: fetch.bind(window),
    upload: XMLHttpRequest && (() => new XMLHttpRequest()),
    WebSocket,
    indexedDB: () => (page.keeping?.level === 'persistent' ? window.indexedDB : undefined),
    locks: () => navigator.locks,
    channel: (name) => (BroadcastChannel ? new BroadcastChannel(name) : undefined),
    uuid: () =>
      crypto.randomUUID ? crypto.randomUUID() : uuidFrom(crypto.getRandomValues(new Uint8Array(16))),
    random,
    monotonic: () => performance.now(),
    wall: now,
    after(ms, work) {
      const timer = setTimeout(work, ms);
      return () => clearTimeout(timer);
    },
    told(place) {
      const from = place instanceof HTMLElement ? place.dataset.cameFrom : undefined;
      const { origin, pathname } = location;
      const referer = /^https?:[^?#]*/.exec(from ?? origin + pathname)?.[0];
      const { language } = navigator;
      return { ...(referer && { referer }), ...(language && { browser_language: language }) };
    },
  };
}

/** `crypto.randomUUID` is missing on plain-HTTP pages; the random bytes are not. */
function uuidFrom(bytes: Uint8Array): string {
  const hex = [...bytes]
    .map((byte, i) =>
      (i === 6 ? (byte & 0x0f) | 0x40 : i === 8 ? (byte & 0x3f) | 0x80 : byte).toString(16).padStart(2, '0'),
    )
    .join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
