/** What a guest leaves alone, measured: globals, prototypes, history, scroll, styles, console, layout, network, memory. */
import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  agent,
  chat,
  hostPage,
  launchBrowser,
  openShop,
  type Shop,
  type ShopService,
  startShopService,
} from '../support/browser.js';
import { startMs } from '../support/service.js';

declare global {
  interface Window {
    testShifts?: number[];
    testPending?: () => string[];
    testShown?: boolean[];
  }
}

let browser: Browser;
let service: ShopService;
beforeAll(async () => {
  [browser, service] = await Promise.all([
    // The driver keeps pages from the back/forward cache, unless told not to.
    launchBrowser({
      args: ['--enable-features=BackForwardCache'],
      without: ['--disable-back-forward-cache'],
      whole: true,
    }),
    startShopService(),
  ]);
}, startMs);
afterAll(async () => {
  await browser.close();
  await service.end();
});

const body = `<main style="max-width: 40em; margin: auto">
  <h1>A shop</h1><nav><a href="#a">Lamps</a> <a href="#b">Mugs</a></nav>
  <form><label>Search <input name="q"></label> <select><option>All</select> <button type="button">Go</button></form>
  ${'<section><h2>Lamps</h2><p>Made by hand, <em>sent</em> in five days.</p></section>'.repeat(12)}
  <table><tr><th>Lamp</th><td>€ 32</td></tr></table><dialog>Closed</dialog></main>`;

/** All shifts. Browsers forgive those that follow a press within half a second: on a slow machine they come later. */
const shifts = `<script>
  testShifts = [];
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) testShifts.push(value);
  }).observe({ type: 'layout-shift', buffered: true });
</script>`;

/** Tells in the page what is still to be done by its clocks. */
const watch = `<script>
  (() => {
    const pending = new Map();
    for (const [set, clear] of [['setTimeout', 'clearTimeout'], ['setInterval', 'clearInterval'], ['requestAnimationFrame', 'cancelAnimationFrame'], ['requestIdleCallback', 'cancelIdleCallback']]) {
      const native = window[set], undo = window[clear];
      window[set] = (work, ...more) => {
        const id = native.call(window, (...given) => { if (set !== 'setInterval') pending.delete(set + id); work(...given); }, ...more);
        pending.set(set + id, set + ' ' + JSON.stringify(more) + ' ' + String(work).slice(0, 80));
        return id;
      };
      window[clear] = (id) => { pending.delete(set + id); undo.call(window, id); };
    }
    testPending = () => [...pending.values()];
  })();
</script>`;

/** A page that measures from its first moment, without the tag. */
async function bare(name: string): Promise<Shop> {
  const page = hostPage(service.url, { head: shifts + watch, body }).replace(
    /<script async[^>]*><\/script>/,
    '',
  );
  return openShop(browser, service.url + (await service.page(name, page)));
}

/** The tag comes, and has run. */
const mount = (page: Page) =>
  page.evaluate(
    (base) =>
      new Promise<void>((done, refuse) => {
        const tag = document.createElement('script');
        tag.dataset.baseUrl = base;
        tag.dataset.inboxIdentifier = 'demo-inbox';
        tag.onload = () => {
          tag.remove();
          done();
        };
        tag.onerror = () => refuse(new Error('the tag could not be loaded'));
        tag.src = `${base}/parley.js`;
        document.head.append(tag);
      }),
    service.url,
  );
/** Nothing is left to do: two moments without work, and what was watched has been told. */
const idle = (page: Page) =>
  page.evaluate(
    () => new Promise<void>((done) => requestIdleCallback(() => requestIdleCallback(() => setTimeout(done)))),
  );

/** Remembers the page as it is, and says how it differs from that later. */
const remember = (page: Page) =>
  page.evaluateHandle(() => {
    const names = new WeakMap<object, number>();
    let count = 0;
    const nameOf = (value: unknown): string => {
      if (value === null || (typeof value !== 'object' && typeof value !== 'function'))
        return String(value as string);
      const known = names.get(value) ?? ++count;
      names.set(value, known);
      return `#${known}`;
    };
    const prototypes = Reflect.ownKeys(window).flatMap((key) => {
      const { value } = Object.getOwnPropertyDescriptor(window, key) ?? {};
      // The browser's own: constructors, and namespaces like Math.
      if (typeof key !== 'string' || !/^[A-Z]/.test(key) || !value) return [];
      return [[key, value] as const, [`${key}.prototype`, value.prototype] as const].filter(
        ([, owner]) => (typeof owner === 'object' && owner !== null) || typeof owner === 'function',
      );
    });
    const members = (name: string, owner: object, all: Map<string, string>) => {
      for (const key of Reflect.ownKeys(owner)) {
        const { value, get, set, ...flags } = Object.getOwnPropertyDescriptor(owner, key) ?? {};
        all.set(
          `${name}.${String(key)}`,
          `${nameOf(value)} ${nameOf(get)} ${nameOf(set)} ${JSON.stringify(flags)}`,
        );
      }
    };
    const look = () => {
      const all = new Map<string, string>();
      members('window', window, all);
      members('document', document, all);
      members('navigator', navigator, all);
      for (const [name, owner] of prototypes) members(name, owner, all);
      all.set('history', `${history.length} ${JSON.stringify(history.state)} ${location.href}`);
      all.set('scroll', `${scrollX} ${scrollY}`);
      all.set('title', document.title);
      all.set('sheets', `${document.styleSheets.length} ${document.adoptedStyleSheets.length}`);
      const elements = [...document.querySelectorAll('*')].filter((one) => one.localName !== 'parley-chat');
      all.set('elements', String(elements.length));
      elements.forEach((element, i) => {
        const box = element.getBoundingClientRect();
        const attributes = [...element.attributes].map(({ name, value }) => `${name}=${value}`).join(' ');
        all.set(
          `element ${i} ${element.localName}`,
          `${attributes} ${box.x} ${box.y} ${box.width} ${box.height}`,
        );
        for (const part of [null, '::before', '::after'])
          all.set(
            `style ${i} ${element.localName} ${part}`,
            [...getComputedStyle(element, part)]
              .map((name) => getComputedStyle(element, part).getPropertyValue(name))
              .join(';'),
          );
      });
      return all;
    };
    const first = look();
    return {
      prototypes: prototypes.length,
      members: first.size,
      differs() {
        const now = look();
        return [...new Set([...first.keys(), ...now.keys()])].filter(
          (key) => first.get(key) !== now.get(key),
        );
      },
    };
  });

test('one global while it is there, and nothing else of the page is another than before', async () => {
  const shop = await bare('unchanged');
  const { page } = shop;
  await page.evaluate(() => window.scrollTo(0, 120));
  const before = await remember(page);
  const { prototypes, members } = await before.evaluate((one) => ({
    prototypes: one.prototypes,
    members: one.members,
  }));
  expect(prototypes).toBeGreaterThan(500);
  console.info(`compared: ${members} members of ${prototypes} constructors and prototypes, and of the page`);
  const differs = () => before.evaluate((one) => one.differs());
  expect(await differs()).toEqual([]);
  await mount(page);
  await idle(page);
  await expect.poll(differs).toEqual(['window.parley']);
  await chat(page).open();
  await expect.poll(differs).toEqual(['window.parley']);
  await chat(page).say('Good manners');
  const conversation = await agent(service).conversationOf('Good manners');
  await agent(service).answer(conversation, 'Thank you');
  await chat(page).bubble('Thank you').waitFor();
  await expect.poll(differs).toEqual(['window.parley']);
  await chat(page).close();
  await expect.poll(differs).toEqual(['window.parley']);
  await page.evaluate(() => window.parley?.destroy());
  await expect.poll(differs).toEqual([]);
  // The rows of a thread that is not full yet are moved up for the next one, and are not laid out anew.
  const moved = (await page.evaluate(() => window.testShifts)) ?? [];
  console.info(`shifts: ${moved.join(', ') || 'none'}`);
  expect(moved.reduce((sum, value) => sum + value, 0)).toBeLessThan(0.03);
  expect([...shop.console, ...shop.errors]).toEqual([]);
  await shop.close();
});

test('on a slow phone the parts of the window come, and its first words go, without moving what is there', async () => {
  const html = hostPage(service.url, { head: shifts, body });
  const { page, close } = await openShop(browser, service.url + (await service.page('slow', html)));
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await chat(page).open();
  await page.locator('parley-chat .empty').waitFor();
  await chat(page).say('Slow manners');
  await agent(service).answer(await agent(service).conversationOf('Slow manners'), 'Thank you');
  await chat(page).bubble('Thank you').waitFor();
  // The browser tells of a shift after the frame that shows it.
  await expect.poll(() => page.evaluate(() => window.testShifts?.length)).toBeGreaterThan(0);
  await idle(page);
  const moved = (await page.evaluate(() => window.testShifts)) ?? [];
  console.info(`shifts: ${moved.join(', ')}`);
  expect(moved.reduce((sum, value) => sum + value, 0)).toBeLessThan(0.03);
  await close();
});

test('before the visitor wants to chat there is one request, no write, no line and no shift', async () => {
  const html = hostPage(service.url, { head: shifts + watch, body });
  const shop = await openShop(browser, service.url + (await service.page('early', html)));
  const { page } = shop;
  await chat(page).launcher.waitFor();
  await page.mouse.move(300, 300);
  await page.mouse.wheel(0, 200);
  await idle(page);
  // Nor is any of it to come.
  await expect.poll(() => page.evaluate(() => window.testPending?.()), { timeout: 20_000 }).toEqual([]);
  expect(shop.requests.map(({ path }) => path)).toEqual(['/pages/early.html', '/parley.js']);
  expect(shop.sockets).toEqual([]);
  const written = await page.evaluate(async () => ({
    local: localStorage.length,
    session: sessionStorage.length,
    databases: (await indexedDB.databases()).length,
    caches: (await caches.keys()).length,
    locks: (await navigator.locks.query()).held?.length,
    workers: (await navigator.serviceWorker.getRegistrations()).length,
    cookie: document.cookie,
  }));
  expect(written).toEqual({
    local: 0,
    session: 0,
    databases: 0,
    caches: 0,
    locks: 0,
    workers: 0,
    cookie: '',
  });
  expect(await page.evaluate(() => window.testShifts)).toEqual([]);
  expect([...shop.console, ...shop.errors]).toEqual([]);
  await shop.close();
});

/** How many listeners hang on what outlives the chat. */
async function listeners(cdp: CDPSession): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const expression of [
    'window',
    'document',
    'document.documentElement',
    'document.body',
    'document.head',
    'visualViewport',
    'navigator.serviceWorker',
    'history',
    'screen',
  ]) {
    const { result } = await cdp.send('Runtime.evaluate', { expression });
    if (!result.objectId) throw new Error(`there is no ${expression}`);
    const all = await cdp.send('DOMDebugger.getEventListeners', { objectId: result.objectId });
    found[expression] = all.listeners.length;
  }
  return found;
}

test('a hundred times there and gone again leave no listener, node, timer or socket, and the heap is flat', {
  timeout: 480_000,
}, async () => {
  const shop = await bare('hundred');
  const { page } = shop;
  const open = new Set<object>();
  let sockets = 0;
  page.on('websocket', (socket) => {
    sockets++;
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Runtime.enable');
  await cdp.send('HeapProfiler.enable');
  const cycle = async (uses: boolean) => {
    await mount(page);
    if (uses) {
      await chat(page).open();
      await chat(page).log.waitFor();
      await page.keyboard.press('Escape');
      await chat(page).window.waitFor({ state: 'hidden' });
    }
    await page.evaluate(() => window.parley?.destroy());
  };
  const count = async () => {
    await cdp.send('HeapProfiler.collectGarbage');
    const { nodes, jsEventListeners, documents } = await cdp.send('Memory.getDOMCounters');
    return { nodes, jsEventListeners, documents, ...(await listeners(cdp)) };
  };
  type Counted = Awaited<ReturnType<typeof count>>;
  const more = (now: Counted, before: Counted) =>
    Object.entries(now).filter(([name, n]) => n > Number(Reflect.get(before, name)));
  /** @param before what was counted then; what is still ending, like a socket that closes, is waited for */
  const measure = async (before?: Counted) => {
    const pending = () => page.evaluate(() => window.testPending?.());
    await expect.poll(pending).toEqual([]);
    await expect.poll(() => open.size).toBe(0);
    await idle(page);
    await page.evaluate(() => performance.clearResourceTimings());
    let counted = await count();
    if (before)
      await expect
        .poll(async () => {
          counted = await count();
          return more(counted, before);
        })
        .toEqual([]);
    const { usedSize } = await cdp.send('Runtime.getHeapUsage');
    return { counted, usedSize };
  };
  // A visitor who has written: the engine comes each time, and its socket.
  await mount(page);
  await chat(page).open();
  await chat(page).say('I come and go');
  await agent(service).conversationOf('I come and go');
  await page.keyboard.press('Escape');
  await page.evaluate(() => window.parley?.destroy());
  for (let i = 0; i < 10; i++) await cycle(i % 2 === 0);
  let { counted } = await measure();
  const sizes: number[] = [];
  for (let round = 0; round < 5; round++) {
    for (let i = 0; i < 20; i++) await cycle(i % 4 === 0);
    // What was still ending before the first of them is not there for the next one to hide behind.
    const after = await measure(counted);
    counted = after.counted;
    sizes.push(after.usedSize);
  }
  console.info(`heap after each twenty: ${sizes.map((size) => (size / 1e6).toFixed(3)).join(', ')} MB`);
  // Thirty times have filled what the engine keeps for itself; the sixty between the two ends count.
  const growth = (Math.min(...sizes.slice(-2)) - Math.min(...sizes.slice(0, 2))) / 60;
  expect(growth, `bytes each time: ${sizes.join(' ')}`).toBeLessThan(2_000);
  expect(sockets).toBeGreaterThan(10);
  expect([...shop.console, ...shop.errors]).toEqual([]);
  await shop.close();
});

test('the back/forward cache keeps the page with the chat open, and the chat goes on there', async () => {
  const next = await service.page(
    'next',
    '<!doctype html><title>Next</title><link rel="icon" href="data:,"><h1>Next</h1>',
  );
  const html = hostPage(service.url, {
    head: `<script>testShown = []; addEventListener('pageshow', (event) => testShown.push(event.persisted));</script>`,
    body: `<main><h1>A shop</h1><a href="${next}">Next</a></main>`,
  });
  const shop = await openShop(browser, service.url + (await service.page('cached', html)));
  const { page } = shop;
  await chat(page).open();
  await chat(page).say('I look elsewhere');
  const conversation = await agent(service).conversationOf('I look elsewhere');
  await agent(service).answer(conversation, 'We wait');
  await chat(page).bubble('We wait').waitFor();
  await page.getByRole('link', { name: 'Next' }).click();
  await page.getByRole('heading', { name: 'Next' }).waitFor();
  await agent(service).answer(conversation, 'Still here');
  // Only after the answer: the way back ends the page that would give it.
  await page.evaluate(() => void setTimeout(() => history.back()));
  await page.getByRole('heading', { name: 'A shop' }).waitFor();
  await expect.poll(() => page.evaluate(() => window.testShown)).toEqual([false, true]);
  await chat(page).bubble('Still here').waitFor();
  await chat(page).say('Back again');
  await agent(service).conversationOf('Back again');
  await agent(service).answer(conversation, 'Welcome back');
  await chat(page).bubble('Welcome back').waitFor();
  expect([...shop.console, ...shop.errors]).toEqual([]);
  await shop.close();
});
