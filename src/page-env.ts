/**
 * What the front of a chat needs of the browser, before there is an engine. Tests hand in another one, and leave out
 * what they do not need.
 */
import type { Hear, Held } from './page-held.js';
import type { Level } from './parley.js';

export interface PageEnv {
  /**
   * What goes by the level: `sessionStorage` for `session`, undefined where nothing shall be kept. May throw, may be null:
   * the callers in `storage/` expect both.
   */
  localStorage: () => Storage | null | undefined;
  /** Wherever something may be kept, or may have been. */
  places?: readonly (() => Storage)[];
  page: Page;
  /** Without it, all that can be is kept. What was refused before is tried again at another level. */
  keeping?: Keeping;
  /** What chats that were on this page before could keep nowhere else, by their scope. */
  left?: Map<string, Held>;
  /** Who hears of changed facts on this page: the browser tells other documents alone. */
  beside?: Set<Hear>;
}

/** How much of the visitor may be kept; it is raised while the page lives. */
export interface Keeping {
  level: Level;
  /** What it becomes once they have left who were leaving when the page before went. */
  left?: Level;
}

export interface Page {
  visible: () => boolean;
  /** False only when the browser is sure. */
  online: () => boolean;
  /** Calls back whenever one of these may have changed; returns its undo. */
  on: (event: PageEvent, work: (event: Event) => void) => () => void;
}

export type PageEvent = 'online' | 'offline' | 'visibilitychange' | 'pagehide' | 'pageshow' | 'storage';

const left = new Map<string, Held>();
const beside = new Set<Hear>();
const PLACES = { memory: undefined, session: 'sessionStorage', persistent: 'localStorage' } as const;

export function pageEnv(keeping: Keeping = { level: 'persistent' }): PageEnv {
  let wasOnline = navigator.onLine;
  return {
    keeping,
    left,
    beside,
    places: [() => window.localStorage, () => window.sessionStorage],
    localStorage() {
      const place = PLACES[keeping.level];
      return place && window[place];
    },
    page: {
      visible: () => document.visibilityState !== 'hidden',
      online() {
        // Some browsers know nothing of the network that they use, and say so from the beginning: they are not sure.
        wasOnline ||= navigator.onLine;
        return !wasOnline || navigator.onLine;
      },
      on(event, work) {
        const target = event === 'visibilitychange' ? document : window;
        target.addEventListener(event, work);
        return () => target.removeEventListener(event, work);
      },
    },
  };
}
