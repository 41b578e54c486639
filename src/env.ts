/**
 * The browser we lean on, captured once at load, so that a page which later replaces a global does not replace
 * ours. Tests hand in another one: two `Env`s over the same storage are two tabs. Every part may be missing.
 */
export interface Env {
  fetch: typeof fetch;
  /** A request that tells how much of it has left. Without it files go by `fetch`. */
  upload?: (() => XMLHttpRequest) | undefined;
  WebSocket: typeof WebSocket | undefined;
  /** May throw, may be null: the callers in `storage/` expect both. */
  localStorage: () => Storage | null;
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
  page: Page;
}

export interface Page {
  visible: () => boolean;
  /** False only when the browser is sure. */
  online: () => boolean;
  /** Calls back whenever one of these may have changed; returns its undo. */
  on: (event: PageEvent, work: (event: Event) => void) => () => void;
}

export type PageEvent = 'online' | 'offline' | 'visibilitychange' | 'pagehide' | 'pageshow' | 'storage';

export function browserEnv(): Env {
  const {
    fetch,
    WebSocket,
    XMLHttpRequest,
    BroadcastChannel,
    setTimeout,
    clearTimeout,
    performance,
    crypto,
    document,
    navigator,
  } = window;
  const { random } = Math;
  const { now } = Date;
  return {
    fetch: fetch.bind(window),
    upload: XMLHttpRequest && (() => new XMLHttpRequest()),
    WebSocket,
    localStorage: () => window.localStorage,
    indexedDB: () => window.indexedDB,
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
    page: {
      visible: () => document.visibilityState !== 'hidden',
      online: () => navigator.onLine !== false,
      on(event, work) {
        const target = event === 'visibilitychange' ? document : window;
        target.addEventListener(event, work);
        return () => target.removeEventListener(event, work);
      },
    },
  };
}

/** `crypto.randomUUID` is missing on plain-HTTP pages; the random bytes are not. */
function uuidFrom(bytes: Uint8Array): string {
  const hex = Array.from(bytes, (byte, i) =>
    (i === 6 ? (byte & 0x0f) | 0x40 : i === 8 ? (byte & 0x3f) | 0x80 : byte).toString(16).padStart(2, '0'),
  ).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
