import type { Page } from 'playwright-core';

/** For the pages that come after: what they give up after just so long has minutes to come, however slow this machine is. */
export const waitLonger = (page: Page, limitMs: number): Promise<unknown> =>
  page.addInitScript((limit) => {
    const later = window.setTimeout;
    Object.assign(window, {
      setTimeout: (work: TimerHandler, ms = 0, ...given: unknown[]) =>
        later(work, ms === limit ? 600_000 : ms, ...given),
    });
  }, limitMs);
