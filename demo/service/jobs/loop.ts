/**
 * Work that waits in the database: done when woken, looked for every so often, repeated while there is some. A
 * failure is logged and waits for the next look, each one after another for longer. Knows nothing of the work.
 */
import { errorFacts, type Log } from '../log.js';

export interface Loop {
  wake(): void;
  /** Resolves when nothing is being done any more. */
  stop(): Promise<void>;
}

/** While the database is away: nobody reads a line of each second. */
export const longestPauseMs = 30_000;

/** @param work resolves with whether there may be more at once */
export function startLoop(name: string, work: () => Promise<boolean>, everyMs: number, log: Log): Loop {
  let stopped = false;
  let woken = false;
  let ring: () => void = () => undefined;
  let pauseMs = everyMs;

  const look = async () => {
    try {
      const more = await work();
      pauseMs = everyMs;
      return more;
    } catch (error) {
      pauseMs = Math.max(everyMs, Math.min(longestPauseMs, 2 * pauseMs));
      log.error({ job: name, ...errorFacts(error) });
      return false;
    }
  };
  const pause = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pauseMs);
      ring = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const running = (async () => {
    while (!stopped) {
      woken = false;
      const more = await look();
      if (!more && !woken && !stopped) await pause();
    }
  })();
  return {
    wake() {
      woken = true;
      ring();
    },
    async stop() {
      stopped = true;
      ring();
      await running;
    },
  };
}
