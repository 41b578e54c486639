/** What leaves a page, and when: nothing before the visitor's intent, then the hours of the inbox, and then the first message in its order. */
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { agent, chat, hostPage, openShop, type Shop, useShop } from '../support/browser.js';
import { type FaultProxy, hold, startFaultProxy } from '../support/fault-proxy.js';
import { inboxPath } from '../support/service.js';

const { browser, service } = await useShop();
let proxy: FaultProxy;
beforeEach(async () => {
  proxy = await startFaultProxy(service.url);
});
afterEach(() => proxy.stop());

/** Everything a page could keep. */
const kept = (page: Page) =>
  page.evaluate(async () => ({
    local: Object.keys(localStorage),
    session: Object.keys(sessionStorage),
    databases: (await indexedDB.databases()).map(({ name }) => name),
    caches: await caches.keys(),
    cookie: document.cookie,
  }));
const nothing = { local: [], session: [], databases: [], caches: [], cookie: '' };

/** The page has nothing left to do: it was idle, twice, and whatever it asked for meanwhile has come. */
async function isQuiet({ page, requests }: Shop) {
  let before: number;
  do {
    before = requests.length;
    await page.evaluate(async () => {
      const idle = () => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1000 }));
      await idle();
      // By way of the service, so that what left before has been answered.
      await fetch(location.href, { method: 'HEAD' });
      await idle();
    });
    requests.splice(
      requests.findIndex(({ method }) => method === 'HEAD'),
      1,
    );
  } while (requests.length > before);
}

/** Requests that concern the visitor: what the inbox tells to anybody is left out. */
const ofTheVisitor = () => apiRequests().filter(({ path }) => path !== inboxPath);

/** Requests to the API, without preflights. */
const apiRequests = () =>
  proxy.requests.filter(({ method, path }) => method !== 'OPTIONS' && path.startsWith('/public/'));

const storedIdentity = z.object({ sourceId: z.string().min(1) });
const readIdentity = async (page: Page) =>
  storedIdentity.parse(
    JSON.parse(
      (await page.evaluate((key) => localStorage.getItem(key), `parley:${proxy.url}#demo-inbox`)) ?? '',
    ),
  );

test('a page view without intent costs one file, keeps nothing and says nothing', async () => {
  const shop = await openShop(browser, `${service.url}${await service.page('view', hostPage(proxy.url))}`);
  await chat(shop.page).launcher.waitFor();
  await isQuiet(shop);
  expect(shop.requests.map(({ path }) => path)).toEqual(['/pages/view.html', '/parley.js']);
  expect(shop.sockets).toEqual([]);
  expect(proxy.requests).toEqual([]);
  expect(await kept(shop.page)).toEqual(nothing);
  expect(await shop.page.context().cookies()).toEqual([]);
  expect([...shop.console, ...shop.errors]).toEqual([]);
  await shop.close();
});

test('the shop page itself asks for its own files and ours, and keeps nothing', async () => {
  const shop = await openShop(browser, `${proxy.url}/`);
  await chat(shop.page).launcher.waitFor();
  await isQuiet(shop);
  const ofTheShop = /^\/($|site\.css$|favicon\.svg$|art\/)/;
  expect(shop.requests.map(({ path }) => path).filter((path) => !ofTheShop.test(path))).toEqual([
    '/parley.js',
  ]);
  expect(await kept(shop.page)).toEqual(nothing);
  expect([...shop.console, ...shop.errors]).toEqual([]);
  await shop.close();
});

test('opening the window and closing it again makes nobody known to the service', async () => {
  const shop = await openShop(browser, `${proxy.url}/`);
  await chat(shop.page).open();
  await chat(shop.page).field.fill('I only');
  // Its hours are asked for, which anybody may know.
  const asked = () => apiRequests().map(({ method, path }) => `${method} ${path}`);
  await expect.poll(asked).toEqual([`GET ${inboxPath}`]);
  await chat(shop.page).close();
  await isQuiet(shop);
  expect(asked()).toEqual([`GET ${inboxPath}`]);
  expect(shop.sockets).toEqual([]);
  await shop.close();
});

test('the page has one new global, before and after a conversation', async () => {
  const plain =
    '<!doctype html><html lang="en"><title>Nothing</title><link rel="icon" href="data:,"><p>Nothing</p>';
  const without = await openShop(browser, `${service.url}${await service.page('plain', plain)}`);
  const names = (shop: typeof without) => shop.page.evaluate(() => Object.getOwnPropertyNames(window));
  const before = new Set(await names(without));
  await without.close();
  const shop = await openShop(browser, `${service.url}${await service.page('globals', hostPage(proxy.url))}`);
  await chat(shop.page).open();
  await chat(shop.page).say('Who else is here?');
  await chat(shop.page).bubble('Who else is here?').getByText('Sent', { exact: true }).waitFor();
  expect((await names(shop)).filter((name) => !before.has(name))).toEqual(['parley']);
  await shop.close();
});

test('a first message makes the contact, then the conversation, then itself', async () => {
  // From another origin, as on a customer's page.
  const shop = await openShop(browser, `${service.url}${await service.page('first', hostPage(proxy.url))}`);
  const contact = hold('before');
  proxy.rule(({ method, path }) =>
    method === 'POST' && path === `${inboxPath}/contacts` ? contact.fault : undefined,
  );
  await chat(shop.page).open();
  await chat(shop.page).say('First words');
  await contact.caught;
  // The name is kept before the service hears of it, so that a repeat is safe.
  const { sourceId } = await readIdentity(shop.page);
  expect(ofTheVisitor()).toHaveLength(1);
  contact.release();
  const conversation = await agent(service).conversationOf('First words');
  await chat(shop.page).log.getByText('Sent', { exact: true }).waitFor();

  const contactPath = `${inboxPath}/contacts/${sourceId}`;
  const posts = apiRequests().filter(({ method }) => method === 'POST');
  expect(posts.map(({ path }) => path)).toEqual([
    `${inboxPath}/contacts`,
    `${contactPath}/conversations`,
    `${contactPath}/conversations/${conversation}/messages`,
  ]);
  const bodies = posts.map(({ body }) => JSON.parse(body));
  expect(bodies[0]).toEqual({ source_id: sourceId });
  expect(bodies[2]).toEqual({ content: 'First words', echo_id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  // Nothing else before the conversation exists.
  expect(ofTheVisitor().slice(0, 2)).toEqual(posts.slice(0, 2));
  expect(await agent(service).contents(conversation)).toEqual(['First words']);
  expect([...shop.console, ...shop.errors]).toEqual([]);
  await shop.close();
});
