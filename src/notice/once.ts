/**
 * Something done for a message in one of the visitor's tabs, and not in the others. A lock lets one tab decide at a
 * time, a kept fact tells the others, and the lock is held until they can read it. It does not know what is done.
 */
import type { Local } from '../storage/local.js';

/** A fact written in one tab may take so long to be read in another process. */
const SETTLE_MS = 500;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export function createOnce(scope: string, local: Local) {
  /**
   * @param idNow the newest message that it would be done for, once it is decided: of several it is done once
   * @param isNews whether that is news still: else nothing is done, and nothing kept
   */
  return async (
    name: string,
    idNow: () => number,
    isNews: (id: number) => boolean,
    waitMs: number,
    work: () => void,
  ): Promise<void> => {
    const decide = async () => {
      const id = idNow();
      const done = local.get(name);
      if ((typeof done === 'number' && done >= id) || !isNews(id)) return;
      local.set(name, id);
      work();
      await pause(SETTLE_MS);
    };
    await pause(waitMs);
    try {
      await navigator.locks.request(`${scope}:${name}`, decide);
    } catch {
      await decide();
    }
  };
}
