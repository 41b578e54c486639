/** Files of the widget that are late, as on a slow line, or do not come. */
import type { Page, Route } from 'playwright-core';
import { drawn } from './thread.js';

/** Keeps the files that match until they are let go. */
export async function holdFiles(page: Page, files: string | RegExp) {
  const held: Route[] = [];
  const abort = (route: Route) => route.abort();
  let answer: ((route: Route) => unknown) | undefined;
  await page.route(files, (route) => (answer ? answer(route) : void held.push(route)));
  const answerHeld = (how: (route: Route) => Promise<void>) => Promise.all(held.splice(0).map(how));
  const answerAll = (how: (route: Route) => Promise<void>) => {
    answer = how;
    return answerHeld(how);
  };
  return {
    count: () => held.length,
    addresses: () => held.map((route) => route.request().url()),
    /** As if the line had gone for a moment: what is asked for later is held again. */
    abort: () => answerHeld(abort),
    /** As if the line had gone: for those that are asked for later, too. */
    fail: () => answerAll(abort),
    release: () => answerAll((route) => route.continue()),
  };
}

/** The script has come or failed, and whoever has waited for it has heard. */
export async function settled(page: Page, address: string): Promise<void> {
  await page.evaluate(`import('${address}').then(() => {}, () => {})`);
  await drawn(page);
}
