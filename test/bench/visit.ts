/**
 * One visit to one candidate's page in real Chromium, measured: the load, the press on the launcher, a message, and
 * the same again with everything in the browser's cache. A fresh profile each time; the processor and the line as
 * slow as asked. It does not know the other candidates.
 */
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import type { Weight } from './host.js';
import { spentIn } from './trace.js';
import { FOCUS_MS, type Opening, type Ways, watch } from './watch.js';

export interface Condition {
  name: 'desk' | 'slow' | 'phone';
  /** How many times slower than this machine. */
  slowdown: number;
  line?: { kilobits: number; latencyMs: number };
}

export const conditions: Record<Condition['name'], Condition> = {
  desk: { name: 'desk', slowdown: 1 },
  slow: { name: 'slow', slowdown: 4 },
  phone: { name: 'phone', slowdown: 4, line: { kilobits: 1600, latencyMs: 150 } },
};

export interface Target {
  url: string;
  ways: Ways;
  weightOf: (address: string) => Weight | undefined;
}

export interface Fetched extends Weight {
  address: string;
  /** Not asked for before somebody pressed the launcher. */
  stage: 'load' | 'composer' | 'later';
}

export interface Figures {
  launcherMs?: number;
  scriptMs?: number;
  mainMs?: number;
  blockingMs?: number;
  longTasks?: number;
  longestMs?: number;
  shift?: number;
  paintMs?: number;
  heapLoad?: number;
  coldMs?: number;
  coldPaintedMs?: number;
  openBlockingMs?: number;
  openShift?: number;
  heapOpen?: number;
  nodesOpen?: number;
  bubbleMs?: number;
  warmMs?: number;
  warmPaintedMs?: number;
}

export interface Visit {
  figures: Figures;
  fetched: Fetched[];
  /** The composer came, and the focus stayed where it was. */
  unfocused: boolean;
}

const LAUNCHER_MS = 45_000;
const OPEN_MS = 30_000;
const BUBBLE_MS = 5_000;
const QUIET_MS = 200;
const QUIET_LIMIT_MS = 6_000;
/** So often in a row, for so long, less than so much of one processor. */
const RESTS = 3;
const REST_MS = 100;
const BUSY = 0.2;
const categories = ['devtools.timeline', 'disabled-by-default-devtools.timeline'];

/** @throws with the sentence, when it takes longer */
export function within<T>(ms: number, sentence: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(sentence)), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

interface Line {
  /** Nothing has been on its way for a while; gives up where somebody polls. */
  quiet: () => Promise<void>;
  fetched: { address: string; endedAt: number; encoded: number }[];
}

async function listenToLine(session: CDPSession): Promise<Line> {
  const open = new Map<string, string>();
  const fetched: Line['fetched'] = [];
  let changedAt = performance.now();
  await session.send('Network.enable');
  session.on('Network.requestWillBeSent', ({ requestId, request, type }) => {
    if (!/^https?:/.test(request.url) || type === 'Preflight') return;
    open.set(requestId, request.url);
    changedAt = performance.now();
  });
  const end = (requestId: string, encoded: number) => {
    const address = open.get(requestId);
    if (!address) return;
    open.delete(requestId);
    changedAt = performance.now();
    fetched.push({ address, endedAt: changedAt, encoded });
  };
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) =>
    end(requestId, encodedDataLength),
  );
  session.on('Network.loadingFailed', ({ requestId }) => end(requestId, 0));
  return {
    fetched,
    async quiet() {
      const until = performance.now() + QUIET_LIMIT_MS;
      while (performance.now() < until && (open.size || performance.now() - changedAt < QUIET_MS))
        await new Promise((resolve) => setTimeout(resolve, 50));
    },
  };
}

async function prepare(context: BrowserContext, { slowdown, line }: Condition) {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const listening = await listenToLine(session);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  if (line) {
    const bytes = (line.kilobits * 1000) / 8;
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: line.latencyMs,
      downloadThroughput: bytes,
      uploadThroughput: bytes / 2,
    });
  }
  return { page, session, line: listening };
}

async function heap(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.collectGarbage');
  return (await session.send('Runtime.getHeapUsage')).usedSize;
}

const blocking = (tasks: readonly { ms: number }[]) =>
  tasks.reduce((sum, { ms }) => sum + Math.max(0, ms - 50), 0);

/**
 * Waits until the browser is at rest: what it still clears away of the last page is nobody's cost. Renderers are left
 * out, because one that is made slow never rests.
 */
async function calm(browser: Browser): Promise<void> {
  const session = await browser.newBrowserCDPSession();
  const spent = async () => {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    return processInfo.reduce(
      (sum, { type, cpuTime }) => sum + (type === 'renderer' ? 0 : cpuTime * 1000),
      0,
    );
  };
  const until = performance.now() + QUIET_LIMIT_MS;
  let before = await spent();
  for (let rests = 0; rests < RESTS && performance.now() < until; ) {
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
    const now = await spent();
    rests = now - before < REST_MS * BUSY ? rests + 1 : 0;
    before = now;
  }
  await session.detach();
}

/** Presses without having hovered: what is fetched on intent comes no sooner than it would by touch. */
async function press(page: Page): Promise<Opening> {
  const opening = await page.evaluateHandle(() => ({ done: window.benchWatch?.opening() }));
  const { x, y } = (await page.evaluate(() => window.benchWatch?.middle())) ?? { x: 0, y: 0 };
  await page.mouse.click(x, y);
  const opened = await within(
    OPEN_MS,
    'the composer did not come',
    opening.evaluate(({ done }) => done),
  );
  if (!opened) throw new Error('the page lost what watches it');
  return opened;
}

const composerMs = ({ shownMs, focusedMs }: Opening) => focusedMs ?? shownMs;

export async function visit(browser: Browser, target: Target, condition: Condition): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    await context.addInitScript(watch, { ...target.ways, focusMs: FOCUS_MS });
    return await measure(browser, context, target, condition);
  } finally {
    await within(10_000, 'the profile did not close', context.close()).catch(() => {});
  }
}

/** A page with an open window, on a machine of this speed. */
export async function openedPage(browser: Browser, target: Target) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const close = () => within(10_000, 'the profile did not close', context.close()).catch(() => {});
  try {
    await context.addInitScript(watch, { ...target.ways, focusMs: FOCUS_MS });
    const { page, session, line } = await prepare(context, conditions.desk);
    await load(page, line, target);
    await press(page);
    return { page, session, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function load(page: Page, line: Line, target: Target): Promise<number | undefined> {
  await within(
    LAUNCHER_MS,
    'the page did not load',
    page.goto(target.url, { waitUntil: 'load', timeout: 0 }),
  );
  const at = target.ways.launcher
    ? await within(
        LAUNCHER_MS,
        'the launcher did not show',
        page.evaluate(() => window.benchWatch?.launcherAt),
      )
    : undefined;
  await line.quiet();
  return at;
}

async function measure(
  browser: Browser,
  context: BrowserContext,
  target: Target,
  condition: Condition,
): Promise<Visit> {
  const figures: Figures = {};
  const { page, session, line } = await prepare(context, condition);
  await browser.startTracing(page, { categories });
  let trace: Buffer = Buffer.alloc(0);
  let launcherMs: number | undefined;
  try {
    launcherMs = await load(page, line, target);
  } finally {
    trace = await browser.stopTracing();
  }
  if (launcherMs !== undefined) figures.launcherMs = launcherMs;
  const own = new URL(target.url);
  Object.assign(
    figures,
    spentIn(trace, target.url, (address) => address.startsWith(own.origin + own.pathname)),
  );
  const loaded = await page.evaluate(() => {
    const { tasks = [], shift = 0, paintAt = 0 } = window.benchWatch ?? {};
    return { tasks, shift, paintAt };
  });
  figures.blockingMs = blocking(loaded.tasks);
  figures.longTasks = loaded.tasks.length;
  figures.longestMs = Math.max(0, ...loaded.tasks.map(({ ms }) => ms));
  figures.shift = loaded.shift;
  figures.paintMs = loaded.paintAt;
  figures.heapLoad = await heap(session);
  const atLoad = line.fetched.length;
  let atComposer = atLoad;
  let unfocused = false;

  if (target.ways.composer) {
    await calm(browser);
    const opened = await press(page);
    const openedAt = performance.now();
    unfocused = opened.focusedMs === null;
    figures.coldMs = composerMs(opened);
    figures.coldPaintedMs = opened.paintedMs;
    // What arrived while the answer came back to us was not waited for.
    const waited = unfocused ? FOCUS_MS : opened.paintedMs - composerMs(opened);
    atComposer = line.fetched.filter(({ endedAt }) => endedAt <= openedAt - waited).length;
    await line.quiet();
    const after = await page.evaluate(() => {
      const { tasks = [], shiftAll = 0 } = window.benchWatch ?? {};
      return { tasks, shiftAll };
    });
    figures.openBlockingMs = blocking(after.tasks) - figures.blockingMs;
    figures.openShift = after.shiftAll - loaded.shift;
    figures.heapOpen = await heap(session);
    figures.nodesOpen = (await session.send('Memory.getDOMCounters')).nodes;
    const ms = target.ways.thread ? await say(page, 'Good morning').catch(() => undefined) : undefined;
    if (ms !== undefined) figures.bubbleMs = ms;
    await line.quiet();
  }

  const fetched = line.fetched.flatMap(({ address, encoded }, i): Fetched[] => {
    if (address === target.url || address.endsWith('/photo.jpg')) return [];
    const stage = i < atLoad ? 'load' : i < atComposer ? 'composer' : 'later';
    const { pathname } = new URL(address);
    const weight = target.weightOf(address) ?? { raw: encoded, gzip: encoded, brotli: encoded };
    return [
      { address: pathname.slice(address.startsWith(target.url) ? own.pathname.length : 0), stage, ...weight },
    ];
  });

  if (target.ways.composer) {
    await page.close();
    const again = await prepare(context, condition);
    // Somebody new with an old cache: what the candidate remembers of its visitor is gone.
    await again.session.send('Storage.clearDataForOrigin', {
      origin: own.origin,
      storageTypes: 'local_storage,indexeddb,cookies',
    });
    await load(again.page, again.line, target);
    await calm(browser);
    const opened = await press(again.page);
    figures.warmMs = composerMs(opened);
    figures.warmPaintedMs = opened.paintedMs;
  }
  return { figures, fetched, unfocused };
}

/** Types and sends; milliseconds from Enter to the painted bubble. */
export async function say(page: Page, words: string): Promise<number> {
  await page.evaluate(() => window.benchWatch?.focusComposer());
  await page.keyboard.insertText(words);
  const waiting = await page.evaluateHandle((sent) => ({ done: window.benchWatch?.bubble(sent) }), words);
  await page.keyboard.press('Enter');
  return measured(
    await within(
      BUBBLE_MS,
      'the bubble did not come',
      waiting.evaluate(({ done }) => done),
    ),
  );
}

/** Types one letter and takes it back; milliseconds until it was painted. */
export async function keyMs(page: Page, letter: string): Promise<number> {
  await page.evaluate(() => window.benchWatch?.focusComposer());
  const waiting = await page.evaluateHandle(() => ({ done: window.benchWatch?.key() }));
  await page.keyboard.press(letter);
  const ms = await within(
    BUBBLE_MS,
    'the letter did not come',
    waiting.evaluate(({ done }) => done),
  );
  await page.keyboard.press('Backspace');
  return measured(ms);
}

function measured(ms: number | undefined): number {
  if (ms === undefined) throw new Error('the page lost what watches it');
  return ms;
}
