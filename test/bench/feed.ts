/**
 * A candidate's long thread: so many messages are put into it the way it takes messages, then one more is appended
 * and one written, measured until painted. Only candidates that can be fed without their vendor.
 */
import type { Browser } from 'playwright-core';
import { statOf } from './beside.js';
import { keyMs, openedPage, say, type Target, within } from './visit.js';

export interface LongThread {
  appendMs: number;
  bubbleMs: number;
  keyMs: number;
  heap: number;
  nodes: number;
}

const FEED_MS = 60_000;
const TIMES = 5;
const texts = (name: string, count: number) =>
  Array.from({ length: count }, (_, n) => `${name} ${n}${' and some more words'.repeat(n % 7)}`);

/** @throws a sentence, where it takes too long or cannot be fed */
export async function longThread(browser: Browser, target: Target, count: number): Promise<LongThread> {
  const { page, session, close } = await openedPage(browser, target);
  try {
    if (!(await page.evaluate(() => typeof window.benchFeed === 'function')))
      throw new Error('cannot be fed');
    const fill = page.evaluate((rows) => window.benchWatch?.append(rows), texts('Line', count));
    await within(FEED_MS, `did not show ${count} messages within a minute`, fill);
    const appends: number[] = [];
    const bubbles: number[] = [];
    const keys: number[] = [];
    for (const text of texts('One more', TIMES)) {
      const append = page.evaluate((row) => window.benchWatch?.append([row]), text);
      appends.push(
        (await within(FEED_MS, 'a message was not appended within a minute', append)) ?? Number.NaN,
      );
      keys.push(await keyMs(page, 'a'));
      bubbles.push(await say(page, `Written ${text}`));
    }
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    const { nodes } = await session.send('Memory.getDOMCounters');
    const median = (values: readonly number[]) => statOf(values).median;
    return {
      appendMs: median(appends),
      bubbleMs: median(bubbles),
      keyMs: median(keys),
      heap: usedSize,
      nodes,
    };
  } finally {
    await close();
  }
}
