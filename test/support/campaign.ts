/**
 * A campaign of faults: the built widget in two tabs of a real browser, before the real service, behind a proxy that
 * does harm by the dice of one seed. A schedule sends ten messages, kills tabs at labelled steps, and ends with the
 * faults; then the service's database says what arrived, and each tab what it shows.
 */
import { readFileSync } from 'node:fs';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, type ShopService, startShopService } from './browser.js';
import {
  cutBody,
  delay,
  dropAfter,
  dropBefore,
  dropFrame,
  duplicateFrame,
  type Fault,
  type FaultProxy,
  startFaultProxy,
  status,
  truncatedJson,
  wrongType,
} from './fault-proxy.js';

interface Outcome {
  seed: number;
  accepted: string[];
  stored: string[];
  conversations: number;
  shown: string[][];
  /** Bubbles that appeared a second time, or went before the end. */
  flickers: string[];
  steps: string[];
}

/** Longer than anything the proxy holds back, so that assumption A1 holds. */
const LATE_COMMIT_MS = 1_500;
const MESSAGES = 10;

function dice(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    chance: (share: number) => next() < share,
    pick: <T>(all: readonly T[]): T => all[Math.floor(next() * all.length)] as T,
  };
}

const manifest = (): Record<string, { file: string }> =>
  JSON.parse(readFileSync(new URL('../../dist/manifests/doors.json', import.meta.url), 'utf8'));

/** A page that mounts the built files by hand, because the waiting time is not an attribute of the tag. */
function campaignPage(baseUrl: string): string {
  const files = manifest();
  const file = (source: string) => `{{origin}}/${files[source]?.file}`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Campaign</title>
    <link rel="icon" href="data:,"></head><body><script type="module">
    import { browserEnv, createChat } from '${file('src/chat.ts')}';
    import { createShell } from '${file('src/embed/stage.ts')}';
    import { createWindow } from '${file('src/ui/app.tsx')}';
    const options = { baseUrl: '${baseUrl}', inboxIdentifier: '{{inbox}}' };
    const host = document.createElement('parley-chat');
    document.documentElement.append(host);
    const root = host.attachShadow({ mode: 'open' });
    const chat = createChat(options, { ...browserEnv(), lateCommitMs: ${LATE_COMMIT_MS} });
    const shell = createShell(root, chat, {}, undefined, () => {});
    createWindow(shell, chat, undefined, {}, undefined, () => {}).then(() => shell.show(false));
    chat.setOpen(true);
    const shown = new Map();
    window.flickers = [];
    const bubbles = () => [...root.querySelectorAll('li.row .content')];
    new MutationObserver((changes) => {
      for (const { removedNodes } of changes) for (const node of removedNodes) {
        if (!(node instanceof HTMLElement) || node.isConnected) continue;
        const rows = node.querySelectorAll('li.row');
        if (rows.length || node.matches('li.row')) window.flickers.push(node.textContent);
      }
      const count = new Map();
      for (const { textContent } of bubbles()) count.set(textContent, (count.get(textContent) ?? 0) + 1);
      for (const [text, n] of count) if (n > (window.sentSoFar?.[text] ?? Infinity)) window.flickers.push('twice: ' + text);
    }).observe(root, { childList: true, subtree: true });
    window.parleyChat = chat;
    window.shownTexts = () => bubbles().map((element) => element.textContent);
  </script></body></html>`;
}

/** Of one profile. Schedules follow each other in it: each has a proxy of its own, and with that a storage of its own. */
interface Tabs {
  context: BrowserContext;
  pages: (Page | undefined)[];
}

async function runSchedule(tabs: Tabs, service: ShopService, seed: number): Promise<Outcome> {
  const { chance, pick } = dice(seed);
  const proxy = await startFaultProxy(service.url);
  const path = await service.page(`campaign-${seed}`, campaignPage(proxy.url));
  const accepted: string[] = [];
  const steps: string[] = [];
  let kill: { when: 'before' | 'after'; tab: number } | undefined;

  const faults: [number, string, Fault][] = [
    [0.1, 'drop before', dropBefore],
    [0.1, 'drop after', dropAfter],
    [0.05, 'cut', cutBody],
    [0.05, 'truncated', truncatedJson],
    [0.04, 'html', wrongType],
    [0.05, '500 before', status(500, { forward: false, cors: chance(0.5) })],
    [0.05, '500 after', status(500, { forward: true, cors: chance(0.5) })],
    [0.02, '429', status(429, { forward: false, cors: true, retryAfter: '1' })],
    [0.1, 'slow', delay(400, pick(['before', 'after'] as const))],
  ];
  proxy.rule((request) => {
    if (request.method === 'POST' && request.path.endsWith('/messages') && kill) {
      const { when, tab } = kill;
      kill = undefined;
      return async (exchange) => {
        steps.push(`tab ${tab} killed ${when} the commit`);
        if (when === 'after') await exchange.forward();
        await close(tabs, tab);
        exchange.destroy();
      };
    }
    for (const [share, name, fault] of faults) {
      if (!chance(share)) continue;
      steps.push(`${name}: ${request.method} ${request.path.split('/').pop()}`);
      return fault;
    }
    return undefined;
  });
  proxy.frameRule(({ direction, text }) => {
    if (direction === 'up' || !text.includes('"message"')) return undefined;
    const fault = chance(0.3) ? 'frame lost' : chance(0.1) ? 'frame twice' : undefined;
    if (fault) steps.push(fault);
    return fault && (fault === 'frame lost' ? dropFrame : duplicateFrame);
  });

  try {
    for (let i = 0; i < MESSAGES; i++) {
      const tab = pick([0, 1]);
      const page = await openTab(tabs, tab, service.url + path, accepted);
      if (chance(0.12)) kill = { when: pick(['before', 'after'] as const), tab };
      const words = chance(0.3) ? 'the same words' : `words ${i} of ${seed}`;
      await tellTabs(tabs, [...accepted, words]);
      const kept = await page
        .evaluate((text) => window.parleyChat.send(text).then((sent) => sent.ok), words)
        .catch(() => undefined);
      if (kept !== undefined) accepted.push(words);
      // A tab that died during the call may have kept the words or not; the ledger of the profile says which.
      else if (await wasKept(tabs, service.url + path, proxy.url, accepted, words)) accepted.push(words);
      if (chance(0.1)) await flap(proxy, steps);
      if (chance(0.1)) {
        steps.push('sockets cut');
        proxy.cutSockets();
      }
      if (chance(0.1)) {
        steps.push(`tab ${tab} reloaded`);
        await tabs.pages[tab]?.reload().catch(() => undefined);
      }
    }
    kill = undefined;
    proxy.clear();
    const settled = async (tab: number): Promise<Page> => {
      for (;;) {
        const page = await openTab(tabs, tab, service.url + path, accepted);
        try {
          await page.waitForFunction(
            (count) => {
              const rows = window.parleyChat.$rows.get() ?? [];
              // What draws them comes later than what knows them.
              const drawn = window.shownTexts().length >= rows.length;
              return drawn && rows.length >= count && rows.every((row) => row.state === 'sent');
            },
            accepted.length,
            { timeout: 90_000, polling: 200 },
          );
          return page;
        } catch (error) {
          if (tabs.pages[tab] === page && !page.isClosed()) throw error;
        }
      }
    };
    const pages = [await settled(0), await settled(1)];
    const stored = await service.db.query<{ content: string; conversation_id: number }>(
      `select m.content, m.conversation_id from messages m
       where m.conversation_id in (select conversation_id from messages where content like $1) order by m.id`,
      [`% of ${seed}`],
    );
    return {
      seed,
      accepted,
      stored: stored.map((row) => row.content),
      conversations: new Set(stored.map((row) => row.conversation_id)).size,
      shown: await Promise.all(pages.map((page) => page.evaluate(() => window.shownTexts()))),
      flickers: (await Promise.all(pages.map((page) => page.evaluate(() => window.flickers)))).flat(),
      steps,
    };
  } catch (error) {
    const shown = await Promise.all(
      tabs.pages.map((page) =>
        page
          ?.evaluate(() => (window.parleyChat.$rows.get() ?? []).map((row) => `${row.content}:${row.state}`))
          .catch(() => undefined),
      ),
    );
    const stored = await service.db.query(
      `select m.content, m.conversation_id, c.contact_id from messages m join conversations c on c.id = m.conversation_id
       where m.content like $1 order by m.id`,
      [`% of ${seed}`],
    );
    throw new Error(
      `schedule ${seed}: ${String(error)}\n${JSON.stringify({ accepted, shown, stored, steps }, null, 1)}`,
    );
  } finally {
    // What is still open must not ask for a service that is no more.
    await Promise.all(tabs.pages.map((page) => page?.goto('about:blank').catch(() => undefined)));
    await proxy.stop();
  }
}

/** A tab may be killed while it is being opened; then another one is. */
async function openTab(tabs: Tabs, tab: number, url: string, accepted: readonly string[]): Promise<Page> {
  for (;;) {
    const there = tabs.pages[tab];
    const page = there && !there.isClosed() ? there : await tabs.context.newPage();
    try {
      tabs.pages[tab] = page;
      if (page.url() !== url) await page.goto(url);
      await page.waitForFunction(() => window.parleyChat !== undefined);
      await tellTabs(tabs, accepted);
      return page;
    } catch (error) {
      if (tabs.pages[tab] === page && !page.isClosed()) throw error;
    }
  }
}

/** How many bubbles of each text there may be. */
async function tellTabs(tabs: Tabs, sent: readonly string[]): Promise<void> {
  const counts: Record<string, number> = {};
  for (const text of sent) counts[text] = (counts[text] ?? 0) + 1;
  for (const page of tabs.pages) {
    await page
      ?.evaluate((all) => {
        window.sentSoFar = all;
      }, counts)
      .catch(() => undefined);
  }
}

async function wasKept(
  tabs: Tabs,
  url: string,
  baseUrl: string,
  accepted: readonly string[],
  words: string,
): Promise<boolean> {
  const known = async (): Promise<number> => {
    const other = tabs.pages.findIndex((page) => page && !page.isClosed());
    const page = await openTab(tabs, other < 0 ? 0 : other, url, [...accepted, words]);
    // Kept words are in the outbox, or already confirmed under their name.
    const found = page.evaluate(
      (scope) =>
        new Promise<number>((resolve, reject) => {
          indexedDB.databases().then((all) => {
            const request = indexedDB.open(all.find(({ name }) => name?.includes(scope))?.name ?? '');
            request.onerror = reject;
            request.onsuccess = () => {
              const get = request.result.transaction('ledger').objectStore('ledger').get('ledger');
              get.onsuccess = () => {
                request.result.close();
                resolve((get.result?.outbox.length ?? 0) + (get.result?.claims.length ?? 0));
              };
            };
          }, reject);
        }),
      baseUrl,
    );
    // It sends what is kept, and may be killed over that: then another one is asked.
    return found.catch((error: unknown) => {
      if (page.isClosed()) return known();
      throw error;
    });
  };
  return (await known()) > accepted.length;
}

async function close(tabs: Tabs, tab: number): Promise<void> {
  const page = tabs.pages[tab];
  // First: whoever is opening it learns of that by an error, before the page says that it is closed.
  tabs.pages[tab] = undefined;
  await page?.close().catch(() => undefined);
}

async function flap(proxy: FaultProxy, steps: string[]): Promise<void> {
  steps.push('offline and back');
  proxy.offline();
  await new Promise((resolve) => setImmediate(resolve));
  proxy.online();
}

declare global {
  interface Window {
    parleyChat: {
      send: (text: string) => Promise<{ ok: boolean }>;
      $rows: { get: () => { content: string; state: string }[] | undefined };
    };
    sentSoFar?: Record<string, number>;
    flickers: string[];
    shownTexts: () => string[];
  }
}

/** Nothing lost, nothing doubled, nothing reordered, one bubble each, one conversation. */
function judge(outcome: Outcome): void {
  const story = `seed ${outcome.seed}: ${JSON.stringify(outcome.steps)}`;
  expect(outcome.stored, story).toEqual(outcome.accepted);
  expect(outcome.conversations, story).toBe(1);
  for (const shown of outcome.shown) expect(shown, story).toEqual(outcome.accepted);
  expect(outcome.flickers, story).toEqual([]);
}

/** What befalls a message somewhere in each campaign. */
const ALL_STEPS = [
  ...['drop before', 'drop after', 'cut', 'truncated', 'html', '500 before', '500 after', '429', 'slow'],
  ...['killed before the commit', 'killed after the commit', 'reloaded', 'offline and back'],
  ...['sockets cut', 'frame lost', 'frame twice'],
].sort();
const kindOf = (step: string) => step.replace(/^tab \d+ |: .*$/g, '');

/** What is painted is not what is judged. */
const small = { viewport: { width: 320, height: 400 }, reducedMotion: 'reduce' } as const;

/** Several schedules at a time. */
async function runAll(
  seeds: readonly number[],
  browser: Browser,
  run: (tabs: Tabs, seed: number) => Promise<Outcome>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const left = [...seeds];
  const worker = async () => {
    const tabs: Tabs = { context: await browser.newContext(small), pages: [undefined, undefined] };
    for (let seed = left.shift(); seed !== undefined; seed = left.shift())
      outcomes.push(await run(tabs, seed));
    await tabs.context.close();
  };
  await Promise.all(Array.from({ length: Math.min(WIDTH, seeds.length) }, worker));
  return outcomes;
}

const limits = { requestsPerAddress: 1e9, requestsPerContact: 1e9, messagesPerConversation: 1e6 };
/** Schedules under way at once: most of their time they wait. */
const WIDTH = 10;

/** One test for each kind of service; the seed of a failing schedule is in its message. */
export function campaign(schedules: number, firstSeed: number, limitMs: number): void {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  test.each([
    ['a service that keeps echo_id', false],
    ['a service that forgets it', true],
  ])(
    'through faults, kills and two tabs every message arrives once and in order, by %s',
    {
      timeout: limitMs,
    },
    async (_, forgetEchoId) => {
      const service = await startShopService({ forgetEchoId, limits });
      try {
        const seeds = Array.from({ length: schedules }, (_unused, i) => firstSeed + i);
        const outcomes = await runAll(seeds, browser, async (tabs, seed) => {
          const outcome = await runSchedule(tabs, service, seed);
          judge(outcome);
          return outcome;
        });
        expect(outcomes).toHaveLength(schedules);
        const befallen = new Set(outcomes.flatMap(({ steps }) => steps.map(kindOf)));
        expect([...befallen].sort()).toEqual(ALL_STEPS);
      } finally {
        await service.end();
      }
    },
  );
}
