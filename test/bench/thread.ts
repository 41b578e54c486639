/**
 * How a long conversation behaves in real Chromium: the built files before the real service, with 100, 1,000 and
 * 10,000 messages stored. Opening shows the newest page of 20, as it does for visitors; appending and scrolling are
 * measured with all of them in the page, paged back through the public API by the window's own button.
 * Prints a table and judges nothing. Run by `npm run bench:thread`, and by `bench.ts`, which wants the figures in the
 * file BENCH_THREAD and gives a limit in BENCH_SECONDS: what does not fit any more is left out, the long ones last.
 */
import { writeFileSync } from 'node:fs';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  agent,
  chat,
  launchBrowser,
  openShop,
  type ShopService,
  startShopService,
} from '../support/browser.js';
import { appendMs, fill, median, pageBack, watchFrames } from '../support/thread.js';
import { ourWays } from './ours.js';
import { keyMs, say, within } from './visit.js';
import { FOCUS_MS, watch } from './watch.js';

const { BENCH_THREAD: resultsFile, BENCH_SECONDS: seconds = '1800', BENCH_QUICK: quick } = process.env;
const COUNTS = quick ? [100, 10_000] : [100, 1_000, 10_000];
const OPENINGS = quick ? 3 : 9;
const APPENDS = quick ? 7 : 25;
const SCROLL_MS = quick ? 1_500 : 6_000;
const SLOWDOWN = 4;
const PX_A_FRAME = 300;
const PAGES_AT_ONCE = 25;
const LIMIT_MS = 60_000;

/** From the press on the launcher to the newest message painted at the end of the view. */
async function openMs(page: Page, newest: string): Promise<number> {
  const watch = await page.evaluateHandle((wanted) => {
    const root = document.querySelector('parley-chat')?.shadowRoot;
    const launcher = root?.querySelector<HTMLElement>('[part=launcher]');
    const opened = new Promise<number>((done) => {
      const startedAt = performance.now();
      const look = () => {
        const last = [...(root?.querySelectorAll('.rows:last-of-type .content') ?? [])].at(-1);
        const log = root?.querySelector('[role=log]');
        const [box, view] = [last?.getBoundingClientRect(), log?.getBoundingClientRect()];
        if (last?.textContent === wanted && box && view && box.height && box.bottom <= view.bottom)
          requestAnimationFrame(() => done(performance.now() - startedAt));
        else requestAnimationFrame(look);
      };
      launcher?.click();
      requestAnimationFrame(look);
    });
    return { opened };
  }, newest);
  return watch.evaluate(({ opened }) => opened);
}

/** From the beginning of the page to the newest message painted, the window having stood open. */
async function loadMs(page: Page, newest: string): Promise<number> {
  await page.reload();
  return page.evaluate(
    (wanted) =>
      new Promise<number>((done) => {
        const look = () => {
          const rows = document
            .querySelector('parley-chat')
            ?.shadowRoot?.querySelectorAll('.rows:last-of-type .content');
          if ([...(rows ?? [])].at(-1)?.textContent === wanted)
            requestAnimationFrame(() => done(performance.now()));
          else requestAnimationFrame(look);
        };
        look();
      }),
    newest,
  );
}

/** Up through the history and down again, without a pause. */
const scrolling = (page: Page) =>
  page.evaluate(
    ({ ms, px }) =>
      new Promise<{ fps: number; p95: number; worst: number }>((done) => {
        const log = document.querySelector('parley-chat')?.shadowRoot?.querySelector('[role=log]');
        if (!log) throw new Error('there is no conversation on this page');
        const frames: number[] = [];
        const startedAt = performance.now();
        let before = startedAt;
        let step = -px;
        const next = (now: number) => {
          frames.push(now - before);
          before = now;
          if (now - startedAt > ms) {
            const sorted = frames.slice(1).sort((a, b) => a - b);
            const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
            done({ fps: (1000 * sorted.length) / (now - startedAt), p95: at(0.95), worst: at(0.9999) });
            return;
          }
          log.scrollTop += step;
          if (log.scrollTop <= 0 || log.scrollTop + log.clientHeight >= log.scrollHeight - 1) step = -step;
          requestAnimationFrame(next);
        };
        requestAnimationFrame(next);
      }),
    { ms: SCROLL_MS, px: PX_A_FRAME },
  );

const words = (name: string, n: number) => Array.from({ length: n }, (_, i) => `${name} ${i}`);
const round = (ms: number) => Math.round(ms * 10) / 10;

/** Real pages of history, so many put together into one answer: ten thousand messages are here in seconds. */
const thickPages = (page: Page) =>
  page.route(/\/messages\?before=\d+$/, async (route) => {
    const address = new URL(route.request().url());
    const all: { id: number }[] = [];
    for (let n = 0; n < PAGES_AT_ONCE; n++) {
      const some: { id: number }[] = await (await fetch(address)).json();
      all.unshift(...some);
      const [oldest] = some;
      if (!oldest) break;
      address.searchParams.set('before', String(oldest.id));
    }
    await route.fulfill({ json: all, headers: { 'access-control-allow-origin': '*' } });
  });

/** What the visitor writes, and each key of it. Ends when the service has all of it: what comes next comes after it. */
async function writing(page: Page, service: ShopService, name: string) {
  const bubbles: number[] = [];
  const keys: number[] = [];
  for (const text of words(name, APPENDS)) {
    keys.push(await keyMs(page, 'a'));
    bubbles.push(await say(page, text));
  }
  await expect.poll(() => agent(service).count(`${name} ${APPENDS - 1}`), { timeout: LIMIT_MS }).toBe(1);
  await chat(page).log.getByText('Sent', { exact: true }).waitFor({ timeout: LIMIT_MS });
  return { bubbles: bubbles.slice(2), keys: keys.slice(2) };
}

async function weight(session: CDPSession) {
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const { nodes } = await session.send('Memory.getDOMCounters');
  return { 'heap, MB': round(usedSize / 1e6), nodes };
}

async function measure(browser: Browser, count: number) {
  const service = await startShopService();
  try {
    const shop = await openShop(browser, `${service.url}/`);
    const { page } = shop;
    await watchFrames(page);
    await page.addInitScript(watch, { ...ourWays, focusMs: FOCUS_MS });
    await chat(page).open();
    await chat(page).say('Hello');
    const conversation = await agent(service).conversationOf('Hello');
    await chat(page).log.getByText('Sent', { exact: true }).waitFor();
    await fill(service, conversation, count - 2);
    await page.reload();
    const newest = 'The newest';
    await agent(service).answer(conversation, newest);
    await chat(page).bubble(newest).waitFor();

    const loads: number[] = [];
    for (let i = 0; i < OPENINGS; i++) loads.push(await loadMs(page, newest));
    const opens: number[] = [];
    for (let i = 0; i < OPENINGS; i++) {
      await chat(page).close();
      await page.reload();
      await page.waitForLoadState('networkidle');
      opens.push(await openMs(page, newest));
    }
    if (quick) await thickPages(page);
    const pagedAt = performance.now();
    const rows = await pageBack(page, count);
    const pagedMs = performance.now() - pagedAt;
    const answer = (words: string) => agent(service).answer(conversation, words);
    const session = await page.context().newCDPSession(page);
    const weighed = await weight(session);
    const append = (name: string, n: number) =>
      within(LIMIT_MS, 'a message was not appended', appendMs(page, words(name, n), answer));
    await append('Warm', 5);
    const appends = await append('Measured', APPENDS);
    const { fps, p95, worst } = await scrolling(page);
    const fast = await writing(page, service, 'Written');
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
    const slowAppends = await append('Slowly measured', APPENDS);
    const slow = await writing(page, service, 'Slowly written');
    await shop.close();
    return {
      'rows in the page': rows,
      'load to painted, ms': round(median(loads)),
      'press to painted, ms': round(median(opens)),
      'append, ms': round(median(appends)),
      'append, worst ms': round(Math.max(...appends)),
      'frames a second': round(fps),
      'frame p95, ms': round(p95),
      'frame worst, ms': round(worst),
      ...(quick ? {} : { 'paged back, s': round(pagedMs / 1000) }),
      ...weighed,
      'Enter to bubble, ms': round(median(fast.bubbles)),
      'key to letter, ms': round(median(fast.keys)),
      'append at 4×, ms': round(median(slowAppends)),
      'Enter to bubble at 4×, ms': round(median(slow.bubbles)),
      'key to letter at 4×, ms': round(median(slow.keys)),
    };
  } finally {
    await service.end();
  }
}

test('a long conversation', async () => {
  const browser = await launchBrowser();
  const table: Record<string, Awaited<ReturnType<typeof measure>>> = {};
  const until = performance.now() + Number(seconds) * 1000;
  try {
    for (const count of COUNTS) {
      const left = until - performance.now();
      table[String(count)] = await within(left, `${count} messages took too long`, measure(browser, count));
      if (resultsFile) writeFileSync(resultsFile, JSON.stringify(table));
    }
  } finally {
    console.table(table);
    await browser.close();
  }
});
