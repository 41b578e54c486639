/** What the page of an owner hears of its chat, where nobody has asked for it. */
import { createHmac } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openTagged } from '../support/around.js';
import { agent, chat, hostPage, openShop, useShop } from '../support/browser.js';

const { browser, service } = await useShop();
const open = (name: string, attributes = '') => openTagged(browser, service, name, attributes);

test('a chat that ends while it is open tells that its window is closed', async () => {
  const { page, close } = await open('ends-open');
  await page.waitForFunction(() => window.parley !== undefined);
  await page.evaluate(() => {
    window.heard = [];
    for (const event of ['open', 'close'] as const) window.parley?.on(event, () => window.heard.push(event));
  });
  await chat(page).open();
  await expect.poll(() => page.evaluate(() => window.heard)).toEqual(['open']);
  await page.evaluate(() => window.parley?.destroy());
  expect(await page.evaluate(() => window.heard)).toEqual(['open', 'close']);
  await close();
});

test('who ends the chat when its window is closed is told once', async () => {
  const shop = await open('ends-itself');
  const { page } = shop;
  await page.waitForFunction(() => window.parley !== undefined);
  await page.evaluate(() => {
    window.heard = [];
    const { parley } = window;
    parley?.on('open', () => window.heard.push('open'));
    parley?.on('close', () => {
      window.heard.push('close');
      parley.destroy();
    });
  });
  await chat(page).open();
  await expect.poll(() => page.evaluate(() => window.heard)).toEqual(['open']);
  await page.evaluate(() => window.parley?.close());
  await chat(page).host.waitFor({ state: 'detached' });
  expect(await page.evaluate(() => window.heard)).toEqual(['open', 'close']);
  expect(shop.errors).toEqual([]);
  await shop.close();
});

test('the first message here of a visitor who is known elsewhere tells that more is kept', async () => {
  const identifier = 'known-elsewhere';
  const [inbox] = await service.db.query<{ hmac_token: string }>(
    'select hmac_token from inboxes where id = 1',
  );
  const hash = createHmac('sha256', inbox?.hmac_token ?? '')
    .update(identifier)
    .digest('hex');
  const identify = (page: Page) => page.evaluate((who) => window.parley?.identify(who), { identifier, hash });
  const before = await open('known');
  await before.page.waitForFunction(() => window.parley !== undefined);
  expect(await identify(before.page)).toEqual({ ok: true });
  await chat(before.page).open();
  await chat(before.page).say('Said elsewhere');
  await agent(service).conversationOf('Said elsewhere');
  await before.close();

  const { page, close } = await open('raised', 'data-storage="memory"');
  await page.waitForFunction(() => window.parley !== undefined);
  await page.evaluate(() => {
    window.heard = [];
    window.parley?.on('status', ({ storage, line }) => window.heard.push(`${storage} ${line}`));
  });
  const last = () => page.evaluate(() => window.heard.at(-1));
  await chat(page).open();
  expect(await identify(page)).toEqual({ ok: true });
  await chat(page).bubble('Said elsewhere').waitFor();
  await expect.poll(last).toBe('memory live');
  await chat(page).say('Raise it');
  await agent(service).conversationOf('Raise it');
  await expect.poll(last).toBe('persistent live');
  expect(await page.evaluate(() => window.parley?.status().storage)).toBe('persistent');
  await close();
});

test('an event that there is not is named in a sentence, whenever it is listened for', async () => {
  const shop = await open('no-event');
  const { page } = shop;
  await page.waitForFunction(() => window.parley !== undefined);
  const listen = (event: string) =>
    page.evaluate((event) => {
      const on: unknown = window.parley && Reflect.get(window.parley, 'on');
      if (typeof on === 'function') on(event, () => {});
    }, event);
  await listen('messages');
  await chat(page).open();
  const sentence = (event: string) =>
    `warning: Parley: there is no event "${event}": listen for "ready", "open", "close", "message", "unread", "conversation", "status", "action", "identify" or "error".`;
  await expect.poll(() => shop.console).toEqual([sentence('messages')]);
  await listen('opened');
  await expect.poll(() => shop.console).toEqual([sentence('messages'), sentence('opened')]);
  await shop.close();
});

test('an inbox that the service does not have is named once, as soon as somebody opens the chat', async () => {
  const html = hostPage(service.url).replace('{{inbox}}', 'nobody’s');
  const shop = await openShop(browser, service.url + (await service.page('no-inbox', html)));
  const { page } = shop;
  const ours = () => shop.console.filter((line) => line.includes('Parley'));
  for (let time = 0; time < 2; time++) {
    const answer = page.waitForResponse(/inboxes\/[^/]+$/);
    await chat(page).open();
    expect((await answer).status()).toBe(404);
    await expect.poll(ours).toEqual([`warning: Parley: ${service.url} has no inbox "nobody’s".`]);
    await chat(page).close();
  }
  expect(shop.errors).toEqual([]);
  await shop.close();
});
