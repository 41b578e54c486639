/**
 * chat.html in the web views of apps, whose objects are put into the page as each kind of web view does; the service
 * and all of the chat are the real ones.
 */
import { createHmac } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { english as en } from '../../src/text/english.js';
import { shapes, wrapInApp } from '../support/app.js';
import { agent, chat, openShop, said, useShop } from '../support/browser.js';
import { INBOX, phone, query, quiet, startInApp } from '../support/chat-page.js';
import { waitLonger } from '../support/patience.js';

const { browser, service } = await useShop();

/** chat.html in an app. */
const start = startInApp(browser, service);
/** However slow this machine is, the app gives its options before the page has waited its ten seconds for them. */
const prompt = (page: Page) => void waitLonger(page, 10_000);

test.each(shapes)('%s: the app and the page hear each other', async (shape) => {
  const words = `From ${shape}`;
  const { app, shop, page } = await start(shape);
  expect(await app.hear('ready')).toEqual({ parley: 1, type: 'ready', needs: [] });
  await app.hear('open');
  await app.say({ parley: 1, type: 'send', id: 'first', text: words });
  expect(await app.hear('done')).toEqual({ parley: 1, type: 'done', of: 'send', id: 'first' });
  const conversation = await agent(service).conversationOf(words);
  await chat(page).bubble(words).waitFor();
  await agent(service).answer(conversation, 'A secret answer');
  const { message, ...rest } = await app.hear('message', ({ from }) => from === 'team');
  expect(rest).toEqual({
    parley: 1,
    type: 'message',
    from: 'team',
    conversation,
    unread: expect.any(Number),
  });
  expect(message).toBeTypeOf('number');
  const actions = [{ type: 'postback', text: 'Choose it', payload: 'PLAN_A' }];
  await agent(service).tell(conversation, {
    content: 'A secret card',
    content_type: 'cards',
    content_attributes: { items: [{ title: 'Plan A', actions }] },
  });
  await chat(page).window.getByRole('button', { name: 'Choose it' }).click();
  expect(await app.hear('action')).toEqual({ parley: 1, type: 'action', payload: 'PLAN_A', conversation });
  await chat(page).bubble('A secret answer').waitFor();
  expect(await agent(service).count(words)).toBe(1);
  expect([...app.forms]).toEqual([shape === 'iOS' || shape === 'Flutter, a handler' ? 'object' : 'string']);
  expect(JSON.stringify(app.heard)).not.toMatch(/secret/);
  await quiet(shop);
  await shop.close();
});

test('an app says who the visitor is, hides the window, counts, opens links, and is told what is wrong', async () => {
  // Before there is an inbox to begin with, the app is asked for options.
  const { app, shop, page } = await start('Android, addWebMessageListener', '', (page, app) => {
    prompt(page);
    app.answer('ready', () => ({
      parley: 1,
      type: 'options',
      options: { inboxIdentifier: INBOX, title: 'Ask the app', locale: 'de', accent: '#0b6e4f' },
    }));
  });
  expect(await app.hear('ready')).toEqual({ parley: 1, type: 'ready', needs: ['options'] });
  await app.hear('open');
  await page.getByRole('heading', { name: 'Ask the app' }).waitFor();
  // A language that is slow in coming is not waited for: until then the window speaks English, and the page with it.
  await expect
    .poll(() => page.evaluate(() => [document.documentElement.lang, document.title]))
    .toEqual(['de', 'Ask the app']);
  await app.say({ parley: 1, type: 'setLocale', locale: 'ar', id: 1 });
  await app.hear('done', ({ id }) => id === 1);
  await expect
    .poll(() => page.evaluate(() => [document.documentElement.lang, document.documentElement.dir]))
    .toEqual(['ar', 'rtl']);
  await app.say({ parley: 1, type: 'setLocale', locale: 'en' });
  await chat(page).field.waitFor();

  // Who it is, with a proof, and with a wrong one.
  const identifier = 'app-user-7';
  await app.say({ parley: 1, type: 'identify', identifier, hash: 'ab'.repeat(32), id: 'bad' });
  expect(await app.hear('error', ({ id }) => id === 'bad')).toMatchObject({
    of: 'identify',
    kind: 'refused',
  });
  const [key] = await service.db.query<{ hmac_token: string }>('select hmac_token from inboxes where id = 1');
  const hash = createHmac('sha256', key?.hmac_token ?? '')
    .update(identifier)
    .digest('hex');
  const about = {
    name: 'Ada',
    email: null,
    phone: '+12025550158',
    attributes: { plan: 'Team', since: null },
  };
  await app.say({ parley: 1, type: 'identify', identifier, hash, ...about, id: 'good' });
  await app.hear('done', ({ id }) => id === 'good');
  expect(app.of('identify')).toEqual([{ parley: 1, type: 'identify', identifier }]);
  await app.say({
    parley: 1,
    type: 'setAttributes',
    contact: { shelf: 7 },
    conversation: { app: '4.2' },
    id: 'more',
  });
  await app.hear('done', ({ id }) => id === 'more');
  await app.say({ parley: 1, type: 'draft', text: 'Where is ' });
  await expect.poll(() => chat(page).field.inputValue()).toBe('Where is ');
  await chat(page).say('Where is my parcel?');
  const conversation = await agent(service).conversationOf('Where is my parcel?');
  const [found] = await service.db.query<Record<string, unknown>>(
    `select c.name, c.phone_number, c.custom_attributes as shelf, v.custom_attributes as app
     from contacts c join conversations v on v.contact_id = c.id where c.identifier = $1`,
    [identifier],
  );
  expect(found).toEqual({
    name: 'Ada',
    phone_number: '+12025550158',
    shelf: { plan: 'Team', shelf: 7 },
    app: { app: '4.2' },
  });

  // Hidden, it counts; the visitor closes it, and the app is told.
  await page.getByRole('button', { name: en.closeChat }).tap();
  await app.hear('close');
  await expect(chat(page).window.isVisible()).resolves.toBe(false);
  await agent(service).answer(conversation, 'See https://example.com/parcel?id=7');
  expect(await app.hear('unread', ({ count }) => count === 1)).toMatchObject({ count: 1 });
  await app.say({ parley: 1, type: 'open' });
  await expect.poll(() => app.of('open').length).toBe(2);
  expect(await app.hear('unread', ({ count }) => count === 0)).toMatchObject({ count: 0 });

  // A link is the app's to open; the page stays.
  await page.getByRole('link', { name: 'https://example.com/parcel?id=7' }).tap();
  expect(await app.hear('openLink')).toEqual({
    parley: 1,
    type: 'openLink',
    url: 'https://example.com/parcel?id=7',
  });
  expect(page.context().pages()).toHaveLength(1);

  // A web view has no downloads and no paper: what the visitor wants as a file is the app's to keep.
  await page.getByRole('button', { name: en.menu }).tap();
  await page.getByRole('menuitem', { name: en.saveText }).waitFor();
  expect(await page.getByRole('menuitem', { name: en.print }).count()).toBe(0);
  await page.getByRole('menuitem', { name: en.saveText }).tap();
  expect(await app.hear('save')).toMatchObject({
    name: expect.stringMatching(/\.txt$/),
    mediaType: 'text/plain;charset=utf-8',
    text: expect.stringContaining('Where is my parcel?'),
  });

  // What is wrong is answered with what to write; what is of another time is not.
  const before = app.of('error').length;
  await app.say({ parley: 1, type: 'juggle' });
  for (const wrong of [
    'no JSON',
    { type: 'open' },
    { parley: 2, type: 'open', id: 7 },
    { parley: 1 },
    { parley: 1, type: 'identify', id: 8 },
    { parley: 1, type: 'identify', identifier: 'app-user-7', hash: 'a secret that is no hash' },
    { parley: 1, type: 'send', text: ' ' },
    { parley: 1, type: 'setTheme', theme: { scheme: 'dusk' } },
    { parley: 1, type: 'setLocale', locale: 'not a tag' },
    { parley: 1, type: 'allow', level: 'all' },
  ])
    await app.say(wrong);
  await expect.poll(() => app.of('error').length).toBe(before + 10);
  const errors = app.of('error').slice(before);
  expect(errors.map(({ of, id, kind }) => [of, id, kind])).toEqual(
    expect.arrayContaining([
      [undefined, undefined, 'wrong'],
      [undefined, 7, 'wrong'],
      ['identify', 8, 'wrong'],
      ['send', undefined, 'wrong'],
      ['setTheme', undefined, 'wrong'],
      ['setLocale', undefined, 'wrong'],
      ['allow', undefined, 'wrong'],
    ]),
  );
  expect(errors.map(({ message }) => message)).toEqual(
    expect.arrayContaining([
      'A message is an object or its JSON, like {"parley":1,"type":"open"}.',
      'This page speaks version 1: write "parley": 1.',
      'A message has a type, like {"parley":1,"type":"open"}.',
      '"identifier" of identify must be some words, like {"parley":1,"type":"identify","identifier":"user-7"}.',
      '"hash" of identify must be 64 hexadecimal digits, made by your server, like {"parley":1,"type":"identify","identifier":"user-7"}.',
    ]),
  );
  expect(JSON.stringify(app.heard)).not.toMatch(/a secret that|parcel\?"|abababab/);

  // Another look, and another visitor.
  await app.say({ parley: 1, type: 'setTheme', theme: { scheme: 'dark' }, id: 'night' });
  await app.hear('done', ({ id }) => id === 'night');
  const scheme = () => chat(page).window.evaluate((dialog) => getComputedStyle(dialog).colorScheme);
  await expect.poll(scheme).toBe('dark');
  await app.say({ parley: 1, type: 'setTheme', theme: { scheme: '' }, id: 'as before' });
  await app.hear('done', ({ id }) => id === 'as before');
  await expect.poll(scheme).toBe('light');
  await app.say({ parley: 1, type: 'reset', id: 'out' });
  await app.hear('done', ({ id }) => id === 'out');
  expect(app.of('identify').at(-1)).toEqual({ parley: 1, type: 'identify', identifier: null });
  await expect.poll(() => said(page)).toEqual([]);
  // With other options it begins anew.
  await app.say({ parley: 1, type: 'options', options: { title: 'Ask again' } });
  await page.getByRole('heading', { name: 'Ask again' }).waitFor();
  expect(await chat(page).host.count()).toBe(1);
  expect(shop.errors).toEqual([]);
  expect(await shop.violations()).toEqual([]);
  await shop.close();
});

test.each(['React Native', 'Flutter, a handler'] as const)(
  '%s: an app that follows a link and knows nothing of us is no app of ours',
  async (shape) => {
    const words = `Sent by a link, ${shape}`;
    const shop = await openShop(browser, 'about:blank', phone);
    const app = await wrapInApp(shop.page, shape);
    await shop.page.goto(`${service.url}/chat.html?${query}`);
    const { page } = shop;
    await chat(page).say(words);
    const conversation = await agent(service).conversationOf(words);
    await agent(service).answer(conversation, 'Look at https://example.com/answer');
    const link = page.getByRole('link', { name: 'https://example.com/answer' });
    await link.waitFor();
    // There is nobody who would put the page away, and the link is followed by the browser.
    expect(await page.getByRole('button', { name: en.closeChat }).count()).toBe(0);
    const followed = await link.evaluate(
      (element) =>
        new Promise<boolean>((resolve) => {
          window.addEventListener('click', (event) => {
            resolve(!event.defaultPrevented);
            event.preventDefault();
          });
          if (element instanceof HTMLElement) element.click();
        }),
    );
    expect(followed).toBe(true);
    expect(app.heard).toEqual([]);
    await quiet(shop);
    await shop.close();
  },
);

/** The shop itself, in another tab of the same browser. */
async function openedBeside(page: Page): Promise<Page> {
  const other = await page.context().newPage();
  await other.goto(service.url);
  await other.waitForFunction(() => window.parley !== undefined);
  return other;
}

test('what an app has said of the visitor holds in the chat that other options make', async () => {
  const words = 'After other options';
  const { app, shop, page } = await start('iOS');
  await app.hear('open');
  await app.say({ parley: 1, type: 'identify', id: 1, identifier: 'user-of-app', name: 'Nils Holgersson' });
  await app.hear('done', ({ id }) => id === 1);
  await app.say({ parley: 1, type: 'options', id: 2, options: { title: 'Another title' } });
  await app.hear('done', ({ id }) => id === 2);
  await page.getByRole('heading', { name: 'Another title' }).waitFor();
  await chat(page).say(words);
  const conversation = await agent(service).conversationOf(words);
  const [found] = await service.db.query<{ identifier: string; name: string }>(
    `select c.identifier, c.name from contacts c join conversations v on v.contact_id = c.id where v.display_id = $1`,
    [conversation],
  );
  expect(found).toEqual({ identifier: 'user-of-app', name: 'Nils Holgersson' });
  // Who has left in another tab is not named again by the next chat.
  const other = await openedBeside(page);
  expect(await other.evaluate(() => window.parley?.reset())).toEqual({ ok: true });
  await app.hear('identify', ({ identifier }) => identifier === null);
  await app.say({ parley: 1, type: 'options', id: 3, options: { title: 'A third title' } });
  await app.hear('done', ({ id }) => id === 3);
  await page.getByRole('heading', { name: 'A third title' }).waitFor();
  await chat(page).say('After somebody has left');
  await agent(service).conversationOf('After somebody has left');
  const [nobody] = await service.db.query<{ identifier: string | null }>(
    `select c.identifier from messages m join conversations v on v.id = m.conversation_id
     join contacts c on c.id = v.contact_id where m.content = 'After somebody has left'`,
  );
  expect(nobody?.identifier).toBeNull();
  await shop.close();
});

test('an app is told of a close by the visitor, and of none where only a file has not come', async () => {
  let lost = 0;
  const { app, shop, page } = await start('iOS', query, (page) => {
    void page.route('**/{assets,again}/app-*', (route) => {
      lost++;
      return route.abort();
    });
  });
  // It is tried again, and the page says how to go on meanwhile.
  await expect.poll(() => lost).toBeGreaterThan(1);
  await page.getByText('The chat could not be loaded.').waitFor();
  expect(app.of('error')).toContainEqual(expect.objectContaining({ kind: 'notLoaded' }));
  expect(app.of('close')).toEqual([]);
  // The visitor does not wait for it.
  await page.unroute('**/{assets,again}/app-*');
  await page.route('**/{assets,again}/app-*', () => {});
  await page.reload();
  await page.getByRole('button', { name: en.closeChat }).tap();
  await app.hear('close');
  await shop.close();
});

test('an app that keeps its page waiting is told so, gives its options and its leave, and forgets', async () => {
  const { app, shop, page } = await start('Flutter, a channel', 'keep=app&close=false', prompt);
  expect(await app.hear('ready')).toEqual({ parley: 1, type: 'ready', needs: ['options', 'kept'] });
  expect(await app.hear('error')).toMatchObject({
    kind: 'wrong',
    message: expect.stringContaining('"kept"'),
  });
  // It has nothing from before, so that nothing is kept over it.
  await app.say({ parley: 1, type: 'kept', facts: {}, id: 'late' });
  expect(await app.hear('error', ({ id }) => id === 'late')).toMatchObject({ kind: 'wrong' });
  // With these no chat can begin, and with others it does.
  await app.say({ parley: 1, type: 'options', options: { baseUrl: 'nope' }, id: 0 });
  expect(await app.hear('error', ({ id }) => id === 0)).toMatchObject({
    kind: 'wrong',
    message: 'baseUrl with https:// is missing.',
  });
  expect(app.of('done')).toEqual([]);
  const options = { baseUrl: service.url, inboxIdentifier: INBOX, connect: 'allow' };
  await app.say({ parley: 1, type: 'options', options, id: 1 });
  await app.hear('done', ({ id }) => id === 1);
  await app.say({ parley: 1, type: 'send', text: 'Too early', id: 2 });
  expect(await app.hear('error', ({ id }) => id === 2)).toMatchObject({ kind: 'consent' });
  expect(shop.requests.filter(({ path }) => path.startsWith('/public'))).toEqual([]);
  await app.say({ parley: 1, type: 'allow', level: 'persistent', id: 3 });
  await app.hear('done', ({ id }) => id === 3);
  await app.hear('open');
  await chat(page).field.waitFor();
  expect(await page.getByRole('button', { name: en.closeChat }).count()).toBe(0);
  // Closed and opened by the app.
  await app.say({ parley: 1, type: 'close' });
  await app.hear('close');
  await chat(page).window.waitFor({ state: 'hidden' });
  await app.say({ parley: 1, type: 'open' });
  await chat(page).say('Kept as long as I want');
  await agent(service).conversationOf('Kept as long as I want');
  const scope = `parley:${service.url}#${INBOX}`;
  await app.hear('keep', ({ key, value }) => key === scope && `${value}`.includes('sourceId'));
  await app.say({ parley: 1, type: 'forget', id: 4 });
  await app.hear('done', ({ id }) => id === 4);
  await app.hear('keep', ({ key, value }) => key === scope && value === null);
  await expect.poll(() => said(page)).toEqual([]);
  // The browser itself says that the socket was closed.
  expect([...(await shop.violations()), ...shop.errors]).toEqual([]);
  await shop.close();
});

test('other windows are no app: neither one that opens the page nor one that frames it is heard or told anything', async () => {
  const shop = await openShop(browser, 'about:blank', phone);
  const app = await wrapInApp(shop.page, 'React Native');
  const other = service.url.replace('127.0.0.1', 'localhost');
  const address = `${service.url}/chat.html?${query}&bridge=app`;
  const evil = (type: string) => JSON.stringify({ parley: 1, type, text: 'Words of another window' });
  const path = await service.page(
    'other',
    `<!doctype html><html lang="en"><title>Another</title><iframe src="${address}" title="Framed"></iframe></html>`,
  );
  // An app shows a page that frames ours, where the owner lets it.
  await shop.page.route('**/chat.html?*', async (route) =>
    route.fulfill({ response: await route.fetch(), headers: { 'content-type': 'text/html' } }),
  );
  await shop.page.goto(other + path);
  const framed = shop.page.frameLocator('iframe');
  await chat(framed).field.waitFor();
  await shop.page.evaluate(
    (text) => document.querySelector('iframe')?.contentWindow?.postMessage(text, '*'),
    evil('send'),
  );
  // A page opens ours, within an app.
  const [popup] = await Promise.all([
    shop.page.waitForEvent('popup'),
    shop.page.evaluate((href) => void Object.assign(window, { opened: window.open(href) }), address),
  ]);
  const inner = await wrapInApp(popup, 'React Native');
  await popup.reload();
  await inner.hear('open');
  await shop.page.evaluate((text) => {
    const opened: unknown = Reflect.get(window, 'opened');
    if (opened && typeof opened === 'object') Reflect.get(opened, 'postMessage')?.call(opened, text, '*');
  }, evil('send'));
  // What comes after it and is heard tells that it was not.
  await inner.say({ parley: 1, type: 'send', text: 'Words of the app', id: 1 });
  await inner.hear('done');
  await agent(service).conversationOf('Words of the app');
  await chat(popup).bubble('Words of the app').waitFor();
  expect(await said(popup)).toEqual(['Words of the app']);
  expect(await agent(service).count('Words of another window')).toBe(0);
  expect(inner.of('error')).toEqual([]);
  expect(app.heard).toEqual([]);
  await shop.close();
});
