/**
 * One POST of files whose bytes are counted while they leave, so that it can be said how far it is, whether it may
 * be taken back, and after a cut whether it can have arrived. It does not know what is in it.
 */
import type { Env } from '../env.js';

export interface Watched {
  /** How much has left, from 0 to 1. */
  progress: (fraction: number) => void;
  /** Ends it as soon as, and only if, it surely has not all left. */
  cancel: AbortSignal;
  /** What all files weigh together; the body is a little more. */
  bytes: number;
}

export interface Uploaded {
  status: number;
  text: string;
  header: (name: string) => string | null;
}

/** Without a byte on its way for so long, a line is dead. */
export const SILENCE_MS = 30_000;
const LATE_MS = 2_000;
/**
 * Browsers tell us of bytes in leaps, and of the last leap perhaps never: a body counts as incomplete only when two
 * leaps of the largest size seen lately would not have completed it. Before the first report anything may have left.
 */
const FIRST_LEAP = 4_000_000;
const FORGET = 0.8;

/** @returns what was answered; `unsent` the service surely has not all of it; `network` nobody knows */
export function upload(
  env: Pick<Env, 'after' | 'wall'>,
  request: XMLHttpRequest,
  url: string,
  body: FormData,
  { signal, answerMs, watched }: { signal?: AbortSignal | undefined; answerMs: number; watched: Watched },
): Promise<Uploaded | 'unsent' | 'network'> {
  return new Promise((resolve) => {
    const { progress, cancel, bytes } = watched;
    let sent = 0;
    let total = bytes;
    let leap = FIRST_LEAP;
    let whole = false;
    let late = () => {};
    const incomplete = () => !whole && total - sent > 2 * leap;
    const end = (outcome: Uploaded | 'network') => {
      late();
      signal?.removeEventListener('abort', abort);
      cancel.removeEventListener('abort', cancelled);
      resolve(outcome === 'network' && incomplete() ? 'unsent' : outcome);
      request.abort();
    };
    const abort = () => end('network');
    const cancelled = () => cancel.aborted && incomplete() && abort();
    const within = (ms: number) => {
      late();
      const due = env.wall() + ms;
      // A page that has slept first hears what has left meanwhile.
      late = env.after(ms, () => (env.wall() > due + LATE_MS ? within(LATE_MS) : abort()));
    };
    request.upload.onprogress = ({ loaded, total: all }) => {
      leap = Math.max(loaded - sent, leap * FORGET);
      sent = loaded;
      total = all || total;
      progress(Math.min(sent / total, 1));
      if (sent < total) within(SILENCE_MS);
      cancelled();
    };
    request.upload.onload = () => {
      whole = true;
      progress(1);
      within(answerMs);
    };
    request.onload = () => {
      const { responseURL: from } = request;
      // The scheme may be raised by the browser itself.
      const place = (at: string) => new URL(at, from).href.replace(/^\w+/, '');
      // Sent on, which cannot be forbidden here, it may have been carried out before that, whatever is said in the end.
      if (from && place(from) !== place(url)) return abort();
      // Asked for one that we may not read, a browser complains in the page's console.
      const headers = request.getAllResponseHeaders();
      end({
        status: request.status,
        text: request.responseText,
        header: (name) => RegExp(`^${name}: *(.+)`, 'im').exec(headers)?.[1] ?? null,
      });
    };
    request.onerror = abort;
    signal?.addEventListener('abort', abort);
    cancel.addEventListener('abort', cancelled);
    within(SILENCE_MS);
    request.open('POST', url);
    request.send(body);
  });
}
