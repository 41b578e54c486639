/** A clock of a tab's own, that goes forward when it is told to. It does not know what waits for it. */
import type { Env } from '../../src/env.js';

export function ownClock() {
  const waiting = new Map<object, { at: number; work: () => void }>();
  let skipped = 0;
  const monotonic = () => performance.now() + skipped;
  const env = {
    monotonic,
    after(ms, work) {
      const key = {};
      const timer = setTimeout(() => waiting.delete(key) && work(), ms);
      waiting.set(key, { at: monotonic() + ms, work });
      return () => {
        clearTimeout(timer);
        waiting.delete(key);
      };
    },
  } satisfies Partial<Env>;
  return {
    env,
    /** What was to be done within this time is due now. */
    pass(ms: number) {
      skipped += ms;
      for (const [key, { at, work }] of [...waiting]) {
        if (at > monotonic() || !waiting.delete(key)) continue;
        work();
      }
    },
  };
}
