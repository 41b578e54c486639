/**
 * What runs inside the page while it is measured: it waits for the launcher, the composer and the bubble by frames and
 * focus, as seldom as it can, and listens for long tasks, shifts and the largest paint. Handed over as source, so it
 * knows nothing of this file's world.
 */
import type { Way } from './peers/peer.js';

/** A composer that has no focus by then leaves it to the visitor. */
export const FOCUS_MS = 1000;

export interface Ways {
  launcher?: Way;
  composer?: Way;
  thread?: Way;
}

export interface Opening {
  /** From the press to the composer in sight, and to the focus in it. */
  shownMs: number;
  focusedMs: number | null;
  paintedMs: number;
}

export interface Watch {
  launcherAt: Promise<number>;
  /** Milliseconds of main thread, each longer than 50, and when they began. */
  tasks: { at: number; ms: number }[];
  shift: number;
  /** Shift after an input does not count elsewhere, and does here. */
  shiftAll: number;
  paintAt: number;
  /** Where to press: the middle of the launcher. */
  middle: () => { x: number; y: number };
  /** From the next press on. */
  opening: () => Promise<Opening>;
  /** From the next Enter to the bubble with these words, painted. */
  bubble: (words: string) => Promise<number>;
  /** From the next key to its letter, painted. */
  key: () => Promise<number>;
  /** Feeds these, as if they had come; milliseconds until they are painted. */
  append: (texts: readonly string[]) => Promise<number>;
  focusComposer: () => void;
}

declare global {
  interface Window {
    benchWatch?: Watch;
    /** Puts messages into the thread, where the candidate can be fed. */
    benchFeed?: (texts: readonly string[]) => void;
  }
}

/** @param ways where the candidate's parts are */
export function watch(ways: Ways & { focusMs: number }): void {
  if (window !== window.top) return;
  const find = (way: readonly string[] | undefined): HTMLElement | undefined => {
    let root: Document | ShadowRoot = document;
    let found: Element | null = null;
    for (const selector of way ?? []) {
      found = root.querySelector(selector);
      if (!found) return undefined;
      root = (found instanceof HTMLIFrameElement ? found.contentDocument : found.shadowRoot) ?? root;
    }
    return found instanceof HTMLElement ? found : undefined;
  };
  const seen = (element: HTMLElement | undefined): boolean => {
    const box = element?.getBoundingClientRect();
    return Boolean(box?.width && box.height && element?.checkVisibility({ visibilityProperty: true }));
  };
  const focused = (element: HTMLElement): boolean => {
    const root = element.getRootNode();
    return (root instanceof Document || root instanceof ShadowRoot) && root.activeElement === element;
  };
  const usable = (element: HTMLElement | undefined) =>
    element && seen(element) && !element.matches(':disabled, [readonly], [aria-disabled=true]')
      ? element
      : undefined;
  const painted = () =>
    new Promise<number>((done) => {
      requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now())));
    });
  const each = (look: () => boolean) => {
    const next = () => void (look() || requestAnimationFrame(next));
    next();
  };

  const state: Watch = {
    launcherAt: new Promise((done) => {
      if (ways.launcher)
        each(() => {
          if (!seen(find(ways.launcher))) return false;
          done(performance.now());
          return true;
        });
    }),
    tasks: [],
    shift: 0,
    shiftAll: 0,
    paintAt: 0,
    middle: () => {
      const box = find(ways.launcher)?.getBoundingClientRect();
      return { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 };
    },
    opening: () =>
      new Promise((done) => {
        addEventListener(
          'click',
          ({ timeStamp }) => {
            let shownMs: number | undefined;
            let paint: Promise<number> | undefined;
            let over = false;
            const end = (focusedMs: number | null) => {
              over = true;
              removeEventListener('focusin', look, true);
              const shown = shownMs ?? 0;
              void paint?.then((at) => done({ shownMs: shown, focusedMs, paintedMs: at - timeStamp }));
            };
            function look() {
              const composer = over ? undefined : usable(find(ways.composer));
              if (!composer) return over;
              const now = performance.now() - timeStamp;
              shownMs ??= now;
              paint ??= painted();
              if (focused(composer)) end(now);
              // Some leave the focus where it was.
              else if (now - shownMs > ways.focusMs) end(null);
              return over;
            }
            addEventListener('focusin', look, true);
            each(look);
          },
          { capture: true, once: true },
        );
      }),
    bubble: (words) =>
      new Promise((done) => {
        addEventListener(
          'keydown',
          ({ timeStamp }) => {
            const thread = find(ways.thread);
            // The newest is at the end, and some lists are long: not the whole text each time.
            const changes = new MutationObserver((records) => {
              const isThere = records.some(
                ({ target, addedNodes }) =>
                  (target.nodeType === Node.TEXT_NODE && target.textContent?.includes(words)) ||
                  [...addedNodes].some((node) => node.textContent?.includes(words)),
              );
              if (!isThere) return;
              changes.disconnect();
              void painted().then((at) => done(at - timeStamp));
            });
            if (thread)
              changes.observe(thread.shadowRoot ?? thread, {
                childList: true,
                subtree: true,
                characterData: true,
              });
          },
          { capture: true, once: true },
        );
      }),
    key: () =>
      new Promise((done) => {
        addEventListener('keydown', ({ timeStamp }) => void painted().then((at) => done(at - timeStamp)), {
          capture: true,
          once: true,
        });
      }),
    append: async (texts) => {
      const startedAt = performance.now();
      window.benchFeed?.(texts);
      const ended = await painted();
      return ended - startedAt;
    },
    focusComposer: () => find(ways.composer)?.focus(),
  };
  window.benchWatch = state;
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      state.tasks.push({ at: startTime, ms: duration });
  }).observe({ type: 'longtask', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      value: number;
      hadRecentInput: boolean;
    })[]) {
      state.shiftAll += entry.value;
      if (!entry.hadRecentInput) state.shift += entry.value;
    }
  }).observe({ type: 'layout-shift', buffered: true });
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) state.paintAt = startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
}
