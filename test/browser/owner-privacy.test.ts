/** What is kept, fetched and told of a visitor, by the levels that the README names; and who they are. */
import { createHmac } from 'node:crypto';
import type { Page, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Level, Who } from '../../src/parley.js';
import { agent, chat, hostPage, openShop, type Shop, useShop } from '../support/browser.js';

declare global {
  interface Window {
    told: string[];
  }
}

const { browser, service } = await useShop();
const [inbox] = await service.db.query<{ hmac_token: string }>('select hmac_token from inboxes where id = 1');
const key = inbox?.hmac_token ?? '';

async function open(name: string, attributes: string, head = ''): Promise<Shop> {
  const page = hostPage(service.url, { head }).replace(
    'data-inbox-identifier',
    `${attributes} data-inbox-identifier`,
  );
  return openShop(browser, service.url + (await service.page(name, page)));
}

/** What the browser holds of us, anywhere. */
const held = (page: Page) =>
  page.evaluate(async () => ({
    local: Object.keys(localStorage).length,
    session: Object.keys(sessionStorage).length,
    databases: (await indexedDB.databases()).length,
    cookies: document.cookie,
  }));
const nothing = { local: 0, session: 0, databases: 0, cookies: '' };
const allow = (page: Page, level: Level) => page.evaluate((to) => window.parley?.allow(to), level);
const levelOf = (page: Page) => page.evaluate(() => window.parley?.status().storage);

test.each([
  ['data-storage="memory"', ''],
  // The wish of the visitor's browser.
  ['', '<script>Object.defineProperty(navigator, "globalPrivacyControl", { value: true })</script>'],
])('with %s%s nothing is kept until the visitor writes; then all of it is', async (attributes, head) => {
  const shop = await open(`memory-${attributes.length}`, attributes, head);
  const { page } = shop;
  const words = attributes ? 'Only a draft' : 'Only another draft';
  await chat(page).open();
  await chat(page).field.fill(words);
  await expect.poll(() => shop.requests.some(({ path }) => path.includes('/chat-'))).toBe(true);
  await chat(page).close();
  await chat(page).open();
  expect(await chat(page).field.inputValue()).toBe(words);
  expect(await held(page)).toEqual(nothing);
  expect(await levelOf(page)).toBe('memory');
  // Nobody complains of it to the visitor.
  expect(await chat(page).window.getByText('Your browser does not let us keep anything').count()).toBe(0);
  await chat(page).field.press('Enter');
  await agent(service).conversationOf(words);
  await chat(page).bubble(words).waitFor();
  await expect.poll(() => levelOf(page)).toBe('persistent');
  await expect.poll(() => held(page)).toMatchObject({ session: 0, databases: 1, cookies: '' });
  await page.reload();
  await chat(page).bubble(words).waitFor();
  expect(await levelOf(page)).toBe('persistent');
  expect([...shop.console, ...shop.errors]).toEqual([]);
  await shop.close();
});

test.each([
  ['as soon as anything is kept', false],
  ['once they wait to be sent, and before the contact is known', true],
])(
  'words whose page goes %s are there on the next one, though nothing was to be kept before',
  async (when, late) => {
    const shop = await open(late ? 'hurry' : 'haste', 'data-storage="memory"');
    const { page } = shop;
    const words = `In a hurry, ${when}`;
    const asked: Route[] = [];
    await page.route('**/contacts', (route) => void asked.push(route));
    await chat(page).open();
    await chat(page).field.fill(words);
    await Promise.all([
      page.waitForEvent('load'),
      page.evaluate((waits) => {
        const composer = document.querySelector('parley-chat')?.shadowRoot?.querySelector('.composer');
        composer?.dispatchEvent(new CustomEvent('submit', { cancelable: true }));
        const look = () => {
          const facts = Object.keys(localStorage);
          const there = waits ? !facts.some((name) => name.endsWith(':draft')) : true;
          if (facts.length && there) location.reload();
          else setTimeout(look);
        };
        look();
      }, late),
    ]);
    await page.unroute('**/contacts');
    await chat(page).field.waitFor();
    const said = chat(page).bubble(words);
    const there = async () => (await chat(page).field.inputValue()) === words || (await said.count()) === 1;
    await expect.poll(there).toBe(true);
    await shop.close();
  },
);

test('what is typed in a tab that keeps nothing is no matter of a tab that does', async () => {
  const shop = await open('apart', 'data-storage="memory"');
  const { page } = shop;
  await chat(page).open();
  await chat(page).field.fill('Only here');
  const other = await page.context().newPage();
  await other.goto(page.url());
  await chat(other).open();
  await chat(other).say('Of the other tab');
  await agent(service).conversationOf('Of the other tab');
  await chat(other).bubble('Of the other tab').getByText('Sent').waitFor();
  await chat(other).close();
  expect(await chat(page).field.inputValue()).toBe('Only here');
  await shop.close();
});

test('where only a call may raise the level, a message does not; a tab keeps, and then the browser', async () => {
  const shop = await open('call', 'data-storage="memory" data-consent="call"');
  const { page } = shop;
  await chat(page).open();
  await chat(page).say('Kept by nobody');
  const conversation = await agent(service).conversationOf('Kept by nobody');
  await chat(page).bubble('Kept by nobody').getByText('Sent').waitFor();
  expect(await held(page)).toEqual(nothing);
  expect(await allow(page, 'session')).toEqual({ ok: true });
  expect(await held(page)).toMatchObject({ local: 0, databases: 0 });
  expect((await held(page)).session).toBeGreaterThan(0);
  // What somebody has spoilt there does not stand in the way of the rest.
  await page.evaluate(() => {
    const [key = ''] = Object.keys(sessionStorage);
    sessionStorage.setItem(`${key.replace(/(#[^:]*).*$/, '$1')}:wishes`, '{');
  });
  expect(await allow(page, 'persistent')).toEqual({ ok: true });
  // Never lowered.
  expect(await allow(page, 'memory')).toEqual({ ok: true });
  expect(await levelOf(page)).toBe('persistent');
  await expect.poll(() => held(page)).toMatchObject({ session: 0, databases: 1 });
  await chat(page).say('Kept by the browser');
  expect(await agent(service).conversationOf('Kept by the browser')).toBe(conversation);
  await page.reload();
  await chat(page).bubble('Kept by nobody').waitFor();
  await chat(page).bubble('Kept by the browser').waitFor();
  await shop.close();
});

test('a tab’s level keeps the chat over its pages and not for the next tab', async () => {
  const shop = await open('session', 'data-storage="session" data-consent="call"');
  const { page } = shop;
  await chat(page).open();
  await chat(page).say('In this tab');
  await agent(service).conversationOf('In this tab');
  await chat(page).bubble('In this tab').getByText('Sent').waitFor();
  expect(await held(page)).toMatchObject({ local: 0, databases: 0 });
  // Left open, it is so on the next page; closed, its answers are told of.
  await page.reload();
  await chat(page).bubble('In this tab').waitFor();
  await chat(page).close();
  const listening = page.waitForEvent('websocket');
  await page.reload();
  await listening;
  await chat(page).open();
  await chat(page).bubble('In this tab').waitFor();
  const other = await page.context().newPage();
  await other.goto(page.url());
  await chat(other).open();
  await chat(other).window.locator('.empty').waitFor();
  expect(await chat(other).bubble('In this tab').count()).toBe(0);
  await shop.close();
});

test('before allow() nothing is shown, fetched, kept or done, and after it all is', async () => {
  const shop = await open('allow', 'data-connect="allow"');
  const { page } = shop;
  await page.waitForFunction(() => window.parley !== undefined);
  const outcomes = await page.evaluate(() =>
    Promise.all([window.parley?.open(), window.parley?.send('Too early'), window.parley?.draft('Too early')]),
  );
  for (const outcome of outcomes) expect(outcome).toMatchObject({ ok: false, error: { kind: 'consent' } });
  // What a consent tool says when there is none.
  const none = await page.evaluate(() => {
    const levels: unknown[] = [false, undefined, null, '', 'none', 'e'];
    return Promise.all(levels.map((level) => Reflect.apply(Object(window.parley).allow, undefined, [level])));
  });
  const message = "Call allow('persistent') first.";
  for (const one of none) expect(one).toEqual({ ok: false, error: { kind: 'consent', message } });
  expect(await chat(page).host.count()).toBe(0);
  expect(shop.requests.filter(({ path }) => /^\/(assets|public|cable)/.test(path))).toEqual([]);
  expect(await held(page)).toEqual(nothing);
  // What the page has hidden is still the page's to show.
  await page.evaluate(() => window.parley?.hide());
  expect(await allow(page, 'persistent')).toEqual({ ok: true });
  await chat(page).host.waitFor({ state: 'attached' });
  expect(await chat(page).launcher.isVisible()).toBe(false);
  await page.evaluate(() => window.parley?.show());
  await chat(page).open();
  await chat(page).say('Now I may');
  await agent(service).conversationOf('Now I may');
  await chat(page).bubble('Now I may').getByText('Sent').waitFor();
  // Who has written is known, and needs not be asked again.
  await page.reload();
  await chat(page).bubble('Now I may').waitFor();
  await shop.close();
});

test('at once is soon after the page, without the visitor', async () => {
  const shop = await open('load', 'data-connect="load"');
  await expect.poll(() => shop.requests.some(({ path }) => path.includes('/chat-'))).toBe(true);
  expect(await chat(shop.page).window.count()).toBe(0);
  await shop.close();
});

test('a window in the page is open with it: it asks the service and makes its database', async () => {
  const shop = await open('inside', 'data-inside="main"');
  await chat(shop.page).field.waitFor();
  await expect.poll(() => shop.requests.some(({ path }) => path.startsWith('/public/'))).toBe(true);
  await expect.poll(() => held(shop.page)).toEqual({ ...nothing, databases: 1 });
  await shop.close();
});

test('a draft after identify() is there before the service has said what it thinks of the proof', async () => {
  const { page, close } = await open('draft-for', '');
  await page.waitForFunction(() => window.parley !== undefined);
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/contacts', async (route) => {
    await released;
    await route.continue();
  });
  const hash = createHmac('sha256', key).update('mary-3').digest('hex');
  const drafted = await page.evaluate(
    (who) => {
      window.heard = [];
      void window.parley?.identify(who).then((outcome) => window.heard.push(outcome));
      return window.parley?.draft('My order is late');
    },
    { identifier: 'mary-3', hash },
  );
  expect(drafted).toEqual({ ok: true });
  const heard = () => page.evaluate(() => window.heard);
  expect(await heard()).toEqual([]);
  release();
  await expect.poll(heard).toEqual([{ ok: true }]);
  await chat(page).open();
  await expect.poll(() => chat(page).field.inputValue()).toBe('My order is late');
  await close();
});

test('identify proves the visitor, tells a refusal, and reset and forget end it', async () => {
  const shop = await open('identify', '');
  const { page } = shop;
  await page.waitForFunction(() => window.parley !== undefined);
  await page.evaluate(() => {
    window.heard = [];
    for (const event of ['identify', 'error'] as const)
      window.parley?.on(event, (detail) => window.heard.push([event, detail]));
  });
  const identify = (who: Who) => page.evaluate((it) => window.parley?.identify(it), who);
  const hash = createHmac('sha256', key).update('ada-1').digest('hex');
  // Before the visitor wants anything: it is asked at once, because there is a proof.
  expect(await identify({ identifier: 'ada-1', hash, name: 'Ada', attributes: { level: 3 } })).toEqual({
    ok: true,
  });
  await expect.poll(() => page.evaluate(() => window.heard)).toEqual([['identify', { identifier: 'ada-1' }]]);
  await chat(page).open();
  await chat(page).say('Signed words');
  const conversation = await agent(service).conversationOf('Signed words');
  const [contact] = await service.db.query<Record<string, unknown>>(
    `select c.identifier, c.name, c.custom_attributes, p.hmac_verified from conversations v
     join contacts c on c.id = v.contact_id join contact_inboxes p on p.contact_id = c.id where v.display_id = $1`,
    [conversation],
  );
  expect(contact).toEqual({
    identifier: 'ada-1',
    name: 'Ada',
    custom_attributes: { level: 3 },
    hmac_verified: true,
  });
  const refused = await identify({ identifier: 'grace-2', hash });
  expect(refused).toMatchObject({
    ok: false,
    error: { kind: 'refused', message: expect.stringContaining('HMAC') },
  });
  // Ada has gone, and nobody has come.
  expect(await page.evaluate(() => window.heard.slice(1))).toEqual([
    ['identify', { identifier: undefined }],
    ['error', refused && 'error' in refused ? refused.error : undefined],
  ]);
  await expect.poll(() => chat(page).bubble('Signed words').count()).toBe(0);

  expect(await identify({ identifier: 'ada-1', hash })).toEqual({ ok: true });
  await chat(page).bubble('Signed words').waitFor();
  // The wishes of this browser, and the number of the inbox, are nobody's in particular.
  await page.evaluate(() => {
    const [open = ''] = Object.keys(localStorage).filter((name) => name.endsWith(':open'));
    for (const wish of ['emoji', 'tone', 'wishes']) localStorage[open.replace(/open$/, wish)] = '[]';
  });
  const kept = () => page.evaluate(() => Object.keys(localStorage).map((name) => name.split(':').at(-1)));
  expect(await page.evaluate(() => window.parley?.reset())).toEqual({ ok: true });
  await expect.poll(() => chat(page).bubble('Signed words').count()).toBe(0);
  expect((await kept()).sort()).toEqual(['emoji', 'inbox', 'open', 'tone', 'wishes']);
  expect(await page.evaluate(() => window.heard.at(-1))).toEqual(['identify', { identifier: undefined }]);
  expect(await page.evaluate(() => window.parley?.forget())).toEqual({ ok: true });
  expect(await kept()).toEqual([]);
  // The proof stands nowhere: not in an address, not in what is kept.
  expect(shop.requests.filter(({ url }) => url.includes(hash))).toEqual([]);
  // The browser tells of the 401 itself.
  expect(shop.console.filter((line) => line.includes('Parley'))).toEqual([]);
  await shop.close();
});

test('a reset whose files do not come says so at once, and ends the conversation when they do', async () => {
  const shop = await open('no-engine', '');
  const { page } = shop;
  await chat(page).open();
  await chat(page).say('Mine alone');
  await chat(page).bubble('Mine alone').getByText('Sent', { exact: true }).waitFor();
  await page.route('**/{assets,again}/chat-*.js*', (route) => route.abort());
  await page.reload();
  const answers = await page.evaluate(async () => {
    const { parley } = window;
    if (!parley) throw new Error('there is no chat');
    window.told = [];
    parley.on('identify', ({ identifier }) => window.told.push(`identify ${identifier}`));
    const kinds: (string | undefined)[] = [];
    for (const call of [parley.reset(), parley.send('Not later')]) {
      const outcome = await call;
      kinds.push(outcome.ok ? undefined : outcome.error.kind);
    }
    return kinds;
  });
  expect(answers).toEqual(['notLoaded', 'notLoaded']);
  expect(await page.evaluate(() => window.told)).toEqual([]);
  await page.unroute('**/{assets,again}/chat-*.js*');
  await expect.poll(() => page.evaluate(() => window.told)).toEqual(['identify undefined']);
  await expect.poll(() => chat(page).bubble('Mine alone').count()).toBe(0);
  await chat(page).say('Somebody else');
  await agent(service).conversationOf('Somebody else');
  await chat(page).bubble('Somebody else').getByText('Sent').waitFor();
  expect(await chat(page).bubble('Not later').count()).toBe(0);
  await shop.close();
});

test('attributes told while files do not come are all told when they do', async () => {
  const shop = await open('late-engine', '');
  const { page } = shop;
  await page.route('**/{assets,again}/chat-*.js*', (route) => route.abort());
  await chat(page).open();
  const outcome = await page.evaluate(() =>
    window.parley?.setAttributes({ contact: { shoe_size: 43 }, conversation: { page: '/lamps' } }),
  );
  expect(outcome).toMatchObject({ ok: false, error: { kind: 'notLoaded' } });
  await page.unroute('**/{assets,again}/chat-*.js*');
  await chat(page).say('Measured');
  const told = await service.db.query(
    `select c.custom_attributes as contact, v.custom_attributes as conversation
     from conversations v join contacts c on c.id = v.contact_id where v.display_id = $1`,
    [await agent(service).conversationOf('Measured')],
  );
  expect(told).toEqual([{ contact: { shoe_size: 43 }, conversation: { page: '/lamps' } }]);
  await shop.close();
});

test('who has gone is gone, though the disk takes nothing more', async () => {
  const shop = await openShop(browser, `${service.url}/`);
  const { page } = shop;
  await chat(page).open();
  await chat(page).say('Of the one before');
  await agent(service).conversationOf('Of the one before');
  await chat(page).log.getByText('Sent', { exact: true }).waitFor();
  // Chromium's own limit on storage does not reach databases that are there.
  await page.evaluate(() => {
    const { put } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.put = function (...given) {
      Object.defineProperty(this.transaction, 'error', {
        value: new DOMException('full', 'QuotaExceededError'),
      });
      const request = put.apply(this, given);
      this.transaction.abort();
      return request;
    };
  });
  expect(await page.evaluate(() => window.parley?.reset())).toMatchObject({
    ok: false,
    error: { kind: 'storage' },
  });
  await chat(page).log.getByText('Of the one before').waitFor({ state: 'detached' });
  await page.reload();
  await chat(page).log.getByRole('heading').waitFor();
  expect(await chat(page).log.getByText('Of the one before').count()).toBe(0);
  const left = await page.evaluate(() => JSON.stringify({ ...localStorage }));
  expect(left).not.toContain('source');
  await shop.close();
});
