/** The window of chat.html in an app: closed and opened, left step by step, and in the colours that the app wants. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { english as en } from '../../src/text/english.js';
import type { App, AppMessage } from '../support/app.js';
import { item, more } from '../support/around.js';
import { agent, chat, useShop } from '../support/browser.js';
import { INBOX, query, quiet, startInApp } from '../support/chat-page.js';
import { gate } from '../support/gate.js';

const { browser, service } = await useShop();

const start = startInApp(browser, service);

/** Done by the service, long after what a window needs has come. */
async function identify(app: App, id: string) {
  await app.say({ parley: 1, type: 'identify', id, identifier: `user-${id}` });
  await app.hear('done', (done) => done.id === id);
}
const close = (page: Page) => page.getByRole('button', { name: en.closeChat });

test('a chat that the app closed stays closed until the app opens it', async () => {
  const { app, shop, page } = await start('iOS', '', (_, app) => {
    // Before there is one.
    app.answer('ready', () => ({ parley: 1, type: 'close', id: 'at once' }));
  });
  const options = { inboxIdentifier: INBOX, locale: 'en' };
  const begin = async (times: number) => {
    await expect.poll(() => app.of('ready').length).toBe(times);
    await app.say({ parley: 1, type: 'options', options });
    await expect.poll(() => app.of('done').filter(({ id }) => id === 'at once').length).toBe(times);
    await identify(app, `number-${times}`);
  };
  await begin(1);
  expect(app.of('open')).toEqual([]);
  expect(await page.getByRole('dialog').count()).toBe(0);
  await app.say({ parley: 1, type: 'open', id: 'now' });
  await app.hear('done', ({ id }) => id === 'now');
  await chat(page).field.waitFor();
  expect(app.of('open').length).toBe(1);
  // It was left open, and does not come with the page all the same.
  await page.reload();
  await begin(2);
  expect(app.of('open').length).toBe(1);
  expect(await page.getByRole('dialog').count()).toBe(0);
  await quiet(shop);
  await shop.close();
});

test('a chat that the visitor closed stays closed when other options begin it anew', async () => {
  const { app, shop, page } = await start('iOS');
  await app.hear('open');
  await close(page).tap();
  await app.hear('close');
  await app.say({ parley: 1, type: 'options', id: 'other', options: { title: 'Another title' } });
  await app.hear('done', ({ id }) => id === 'other');
  await identify(app, 'three');
  expect(app.of('open').length).toBe(1);
  expect(await page.getByRole('dialog').count()).toBe(0);
  await app.say({ parley: 1, type: 'open' });
  await page.getByRole('heading', { name: 'Another title' }).waitFor();
  // Of one that is open the next one is open.
  await app.say({ parley: 1, type: 'options', options: { title: 'A third title' } });
  await page.getByRole('heading', { name: 'A third title' }).waitFor();
  await quiet(shop);
  await shop.close();
});

test('an app is told of no close where other options begin the chat anew', async () => {
  const { app, shop, page } = await start('iOS');
  await app.hear('open');
  await app.say({ parley: 1, type: 'options', id: 'new', options: { title: 'A new title' } });
  await app.hear('done', ({ id }) => id === 'new');
  await page.getByRole('heading', { name: 'A new title' }).waitFor();
  await identify(app, 'five');
  expect(app.of('close')).toEqual([]);
  await quiet(shop);
  await shop.close();
});

test('a chat that gives way to another while its window comes does not keep that one closed', async () => {
  const held = gate();
  const { app, shop, page } = await start('iOS', query, (page) => {
    void page.route('**/{assets,again}/app-*', async (route) => {
      await held.opened;
      await route.fallback();
    });
  });
  await app.hear('open');
  await app.say({ parley: 1, type: 'options', id: 'early', options: { title: 'An early title' } });
  await app.hear('done', ({ id }) => id === 'early');
  held.open();
  await page.getByRole('heading', { name: 'An early title' }).waitFor();
  await chat(page).say('After an early title');
  await app.hear('message', ({ from }) => from === 'visitor');
  expect(app.of('close')).toEqual([]);
  // It is the app’s to close, and stays closed where others follow.
  await app.say({ parley: 1, type: 'options', id: 'last', options: { title: 'A last title' } });
  await page.getByRole('heading', { name: 'A last title' }).waitFor();
  await quiet(shop);
  await shop.close();
});

test('a chat that has leave and whose files do not come leads elsewhere', async () => {
  const { app, shop, page } = await start('iOS', '', (page, app) => {
    void page.route('**/{assets,again}/{owner,stage}-*', (route) => route.abort());
    const options = { inboxIdentifier: INBOX, locale: 'en', connect: 'allow' };
    app.answer('ready', () => ({ parley: 1, type: 'options', options, id: 'options' }));
  });
  await app.hear('done', ({ id }) => id === 'options');
  const instead = page.getByText('The chat could not be loaded.');
  expect(await instead.isVisible()).toBe(false);
  await app.say({ parley: 1, type: 'allow', level: 'persistent', id: 'leave' });
  await app.hear('done', ({ id }) => id === 'leave');
  await instead.waitFor();
  await page.unrouteAll();
  await page.getByRole('link', { name: 'Try again' }).waitFor();
  await shop.close();
});

test('the way back of an app takes one thing at a time, and the window last', async () => {
  const { app, shop, page } = await start('Android, addJavascriptInterface', '');
  await app.hear('ready');
  const back = () => app.say({ parley: 1, type: 'back' });
  // Nobody is kept by a page that waits.
  await back();
  await app.hear('close');
  await app.say({ parley: 1, type: 'options', options: { inboxIdentifier: INBOX, locale: 'en' } });
  await app.say({ parley: 1, type: 'open' });
  const { field, window } = chat(page);
  await field.waitFor();
  const keep = window.getByRole('heading', { name: en.keep });
  const search = window.getByRole('searchbox', { name: 'Search emoji' });
  await more(page).tap();
  await item(page, en.keep).waitFor();
  await back();
  await item(page, en.keep).waitFor({ state: 'detached' });
  await more(page).tap();
  await item(page, en.keep).tap();
  await keep.waitFor();
  await back();
  await keep.waitFor({ state: 'detached' });
  await window.getByRole('button', { name: 'Emoji', exact: true }).tap();
  await search.waitFor();
  await back();
  await search.waitFor({ state: 'detached' });
  expect(await window.isVisible()).toBe(true);
  expect(app.of('close').length).toBe(1);
  await app.say({ parley: 1, type: 'back', id: 'last' });
  await app.hear('done', ({ id }) => id === 'last');
  await window.waitFor({ state: 'hidden' });
  await expect.poll(() => app.of('close').length).toBe(2);
  await quiet(shop);
  await shop.close();
});

test('an app hears how the line and the conversation are doing', async () => {
  const { app, shop, page } = await start('Flutter, a channel');
  await app.hear('open');
  await chat(page).say('Is the shop open on Sunday?');
  const id = await agent(service).conversationOf('Is the shop open on Sunday?');
  await app.hear('conversation', ({ conversation, status }) => conversation === id && status === 'open');
  const live = (status: AppMessage) => status.line === 'live';
  await app.hear('status', live);
  await service.agent('POST', `/api/v1/accounts/1/conversations/${id}/toggle_status`, { status: 'resolved' });
  await app.hear('conversation', ({ conversation, status }) => conversation === id && status === 'resolved');

  await page.context().setOffline(true);
  const down = await app.hear('status', ({ line }) => line === 'down');
  expect(down).toMatchObject({ storage: 'persistent', trouble: null });
  const before = app.of('status').filter(live).length;
  await page.context().setOffline(false);
  await expect.poll(() => app.of('status').filter(live).length).toBeGreaterThan(before);
  await quiet(shop);
  await shop.close();
});

test('the page itself goes with the scheme that the app sets, and back to the one that was written', async () => {
  const { app, shop, page } = await start('iOS', `${query}&scheme=light`);
  await app.hear('open');
  const schemes = () =>
    page.evaluate(() => {
      const dialog = document.querySelector('parley-chat')?.shadowRoot?.querySelector('dialog');
      return [document.documentElement, dialog].map((one) => one && getComputedStyle(one).colorScheme);
    });
  await expect.poll(schemes).toEqual(['light', 'light']);
  for (const [scheme, is] of [
    ['dark', 'dark'],
    ['auto', 'light dark'],
    ['', 'light'],
  ]) {
    await app.say({ parley: 1, type: 'setTheme', theme: { scheme }, id: `to ${scheme}` });
    await app.hear('done', ({ id }) => id === `to ${scheme}`);
    await expect.poll(async () => (await schemes())[0]).toBe(is);
  }
  // What the app has said holds in the chat that other options make.
  await app.say({ parley: 1, type: 'setTheme', theme: { scheme: 'dark' } });
  await app.say({ parley: 1, type: 'options', options: { title: 'By night' } });
  await page.getByRole('heading', { name: 'By night' }).waitFor();
  await expect.poll(schemes).toEqual(['dark', 'dark']);
  await quiet(shop);
  await shop.close();
});
