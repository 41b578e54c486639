/**
 * What the window fetches only when something wants it: each file asked for once, and again after a failure. It does
 * not know how files are found, nor what is in them.
 */

export interface Files {
  thread: typeof import('./thread.js');
  parts: typeof import('../parts/parts.js');
  asks: typeof import('../asks/asks.js');
  emoji: typeof import('../emoji/emoji.js');
  more: typeof import('../more/more.js');
}

/**
 * What the thread's file gives, once it is here. The files after it take it from this place: Firefox and WebKit remember
 * a file that failed to come, and whatever imports it by that name fails until the page is loaded again.
 */
export const ofThread: Partial<Files['thread']> = {};

export interface Late<T> {
  /** It, when it is here. */
  now: () => T | undefined;
  open: () => Promise<T>;
}

/** Where nothing can be fetched, the plain state stands. */
export type Later = { readonly [N in keyof Files]?: Late<Files[N]> };

const LATE_MS = 30_000;

/**
 * A stalled line, and a disk that does not answer, refuse nothing for minutes; and what was pressed waits for them.
 * @throws when it takes longer
 */
export async function within<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, over) => {
    timer = setTimeout(over, LATE_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

export function createLate<T>(load: () => Promise<T>): Late<T> {
  let here: T | undefined;
  let asked: Promise<T> | undefined;
  return {
    now: () => here,
    open: () => {
      asked ??= within(load()).then(
        (it) => {
          here = it;
          return it;
        },
        (error: unknown) => {
          asked = undefined;
          throw error;
        },
      );
      return asked;
    },
  };
}
