/** What an owner's page calls, from the tag and from a program, as the README says it. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Outcome, Parley } from '../../src/parley.js';
import {
  agent,
  chat,
  hostPage,
  launchBrowser,
  openShop,
  type ShopService,
  startShopService,
} from '../support/browser.js';
import { startMs } from '../support/service.js';

let browser: Browser;
let service: ShopService;
beforeAll(async () => {
  [browser, service] = await Promise.all([launchBrowser(), startShopService()]);
}, startMs);
afterAll(async () => {
  await browser.close();
  await service.end();
});

declare global {
  interface Window {
    heard: unknown[];
    chats: Parley[];
    undo: () => void;
  }
}

const parleyRequests = (shop: { requests: { path: string }[] }) =>
  shop.requests.filter(({ path }) => /^\/(assets|public|cable)/.test(path));

test('what the page leaves before the script comes is done, in order, and calls say what became of them', async () => {
  const path = await service.page(
    'before',
    hostPage(service.url, {
      head: `<script>
        window.heard = [];
        (window.parley ||= []).push((chat) => {
          for (const event of ['ready', 'open', 'close', 'message', 'unread', 'conversation', 'status'])
            chat.on(event, (detail) => window.heard.push([event, detail]));
        });
        window.parley.push(() => { throw new Error('the page is wrong here'); });
        window.parley.push((chat) => window.heard.push(['pushed', chat === window.parley]));
      </script>`,
    }),
  );
  const shop = await openShop(browser, service.url + path);
  const { page } = shop;
  const heard = () => page.evaluate(() => window.heard);
  await expect.poll(heard).toEqual([
    ['pushed', true],
    ['ready', undefined],
  ]);
  expect(shop.errors).toEqual(['Error: the page is wrong here']);
  expect(parleyRequests(shop)).toEqual([]);
  const call = (name: 'open' | 'close' | 'toggle') => page.evaluate((it) => window.parley?.[it](), name);
  expect(await page.evaluate(() => [window.parley?.status(), window.parley?.unread()])).toEqual([
    { open: false, line: 'idle', storage: 'memory' },
    0,
  ]);

  expect(await call('open')).toEqual({ ok: true });
  await chat(page).field.waitFor();
  await expect.poll(heard).toContainEqual(['open', undefined]);
  expect(await page.evaluate(() => window.parley?.status())).toMatchObject({
    open: true,
    storage: 'persistent',
  });
  expect(await call('close')).toEqual({ ok: true });
  await chat(page).window.waitFor({ state: 'hidden' });
  await expect.poll(heard).toContainEqual(['close', undefined]);
  expect(await call('toggle')).toEqual({ ok: true });
  await chat(page).window.waitFor();
  await chat(page).say('Are you open on Sunday?');
  const conversation = await agent(service).conversationOf('Are you open on Sunday?');
  await expect
    .poll(heard)
    .toContainEqual(['message', { id: expect.any(Number), from: 'visitor', conversation }]);
  await expect.poll(heard).toContainEqual(['conversation', { id: conversation, status: 'open' }]);
  await expect.poll(() => page.evaluate(() => window.parley?.status().line)).toBe('live');
  expect(await call('toggle')).toEqual({ ok: true });
  await agent(service).answer(conversation, 'From ten to four');
  await expect
    .poll(heard)
    .toContainEqual(['message', { id: expect.any(Number), from: 'team', conversation }]);
  await expect.poll(heard).toContainEqual(['unread', 1]);
  expect(await page.evaluate(() => window.parley?.unread())).toBe(1);

  await page.evaluate(() => window.parley?.hide());
  expect(await chat(page).launcher.isVisible()).toBe(false);
  await page.evaluate(() => window.parley?.show());
  expect(await chat(page).launcher.isVisible()).toBe(true);
  // No event tells words or keys.
  expect(JSON.stringify(await heard())).not.toMatch(/Sunday|ten to four|[\da-f]{8}-[\da-f]{4}/);
  expect(shop.console).toEqual([]);
  await shop.close();
});

test('a listener is taken away by its undo or by off, and destroy takes the chat away with its global', async () => {
  const shop = await openShop(browser, `${service.url}/`);
  const { page } = shop;
  await page.waitForFunction(() => window.parley !== undefined);
  await page.evaluate(() => {
    window.heard = [];
    const note = () => void window.heard.push('kept');
    const other = () => void window.heard.push('taken');
    window.parley?.on('open', note);
    window.parley?.on('open', other)();
    window.parley?.on('open', other);
    window.parley?.off('open', other);
    return window.parley?.open();
  });
  await expect.poll(() => page.evaluate(() => window.heard)).toEqual(['kept']);
  const after = await page.evaluate(() => {
    const { parley } = window;
    parley?.destroy();
    return parley?.open();
  });
  expect(after).toEqual({
    ok: false,
    error: { kind: 'destroyed', message: expect.any(String) },
  } satisfies Outcome);
  expect(
    await page.evaluate(() => ['parley' in window, document.querySelectorAll('parley-chat').length]),
  ).toEqual([false, 0]);
  await shop.close();
});

test('a second tag does nothing, and says so', async () => {
  const path = await service.page('twice', hostPage(service.url));
  const shop = await openShop(browser, service.url + path);
  const { page } = shop;
  await chat(page).launcher.waitFor();
  await page.addScriptTag({ url: '/parley.js' });
  expect(await chat(page).host.count()).toBe(1);
  expect(shop.console).toEqual(['warning: Parley: the script is here already; remove its second tag.']);
  await shop.close();
});

test('a program mounts several chats on one page, and anew after they were destroyed', async () => {
  const path = await service.page(
    'module',
    `<!doctype html><html lang="en"><head><title>An app</title><link rel="icon" href="data:,"></head><body>
      <script type="module">
        import { mount } from '{{origin}}/parley.module.js';
        window.again = () => mount({ baseUrl: '{{origin}}', inboxIdentifier: '{{inbox}}', locale: 'en', sound: false });
        window.chats = [window.again(), window.again()];
      </script></body></html>`,
  );
  const shop = await openShop(browser, service.url + path);
  const { page } = shop;
  await expect.poll(() => chat(page).host.count()).toBe(2);
  expect(await page.evaluate(() => 'parley' in window)).toBe(false);
  expect(await page.evaluate(() => window.chats[1]?.open())).toEqual({ ok: true });
  await chat(page).field.waitFor();
  expect(await page.evaluate(() => window.chats.map((one) => one.status().open))).toEqual([false, true]);
  await page.evaluate(() => {
    for (const one of window.chats) one.destroy();
  });
  expect(await chat(page).host.count()).toBe(0);
  expect(await page.evaluate(() => document.querySelectorAll('link[rel=modulepreload]').length)).toBe(0);
  await page.evaluate(() => {
    const again: () => Parley = Reflect.get(window, 'again');
    window.chats = [again()];
    return window.chats[0]?.open();
  });
  await chat(page).field.waitFor();
  await chat(page).say('Mounted again');
  await agent(service).conversationOf('Mounted again');
  expect([...shop.console, ...shop.errors]).toEqual([]);
  await shop.close();
});

test('without what nothing works, one sentence says what to write, and every call says it again', async () => {
  const path = await service.page('wrong', hostPage('support.example.com'));
  const shop = await openShop(browser, service.url + path);
  const { page } = shop;
  await page.waitForFunction(() => window.parley !== undefined);
  const outcome = await page.evaluate(() => window.parley?.open());
  expect(outcome).toMatchObject({ ok: false, error: { kind: 'wrong' } });
  expect(shop.console).toEqual([
    'warning: Parley: data-base-url must be the address of your service, like "https://support.example.com".',
  ]);
  expect(await chat(page).host.count()).toBe(0);
  await shop.close();
});
