/** A written chat after another one in the same element: what was said to the one before is not said to it. */
import { expect, test } from 'vitest';
import { agent, chat, openShop, useShop } from '../support/browser.js';

const { browser, service } = await useShop();

const written = async (name: string) =>
  openShop(
    browser,
    service.url +
      (await service.page(
        name,
        `<!doctype html><html lang="en"><title>A shop</title><link rel="icon" href="data:,">
          <script async src="{{origin}}/parley.element.js"></script>
          <parley-chat base-url="${service.url}" inbox-identifier="{{inbox}}"></parley-chat></html>`,
      )),
  );

test('a chat that has given way to another ends, hides and shows that one no more', async () => {
  const shop = await written('element-stale');
  const { page } = shop;
  await chat(page).launcher.waitFor();
  const host = await chat(page).host.elementHandle();
  const handle = await page.evaluateHandle(() => document.querySelector('parley-chat')?.chat);
  await chat(page).host.evaluate((element) => element.setAttribute('title', 'Another title'));
  await page.waitForFunction((old) => document.querySelector('parley-chat')?.chat !== old, handle);
  await chat(page).launcher.waitFor();
  await handle.evaluate((old) => old?.hide());
  await handle.evaluate((old) => old?.destroy());
  expect(await page.evaluate((one) => document.querySelector('parley-chat') === one, host)).toBe(true);
  expect(await chat(page).launcher.isVisible()).toBe(true);
  await chat(page).open();
  await chat(page).say('To the one that is here');
  await agent(service).conversationOf('To the one that is here');
  // The one that is here is still the element’s own: it ends with it.
  await page.evaluate(() => document.querySelector('parley-chat')?.remove());
  await chat(page).host.waitFor({ state: 'detached' });
  expect([...shop.console, ...shop.errors]).toEqual([]);
  await shop.close();
});

test('colours that a call has given to a chat do not dress the next one in its element', async () => {
  const shop = await written('element-dressed');
  const { page } = shop;
  await chat(page).launcher.waitFor();
  const style = () => chat(page).host.getAttribute('style');
  const before = (await style()) ?? '';
  await page.evaluate(() =>
    document.querySelector('parley-chat')?.chat?.setTheme({ surface: '#111111', radius: '0px' }),
  );
  expect(await style()).toContain('#111111');
  const element = await page.evaluateHandle(() => document.querySelector('parley-chat'));
  await element.evaluate((one) => one?.remove());
  await expect.poll(() => element.evaluate((one) => one?.chat === undefined)).toBe(true);
  await element.evaluate((one) => one && document.body.append(one));
  await chat(page).launcher.waitFor();
  expect((await style()) ?? '').toBe(before);
  await shop.close();
});

test('a no in the word that frameworks make of it is no place in the page: there is a button', async () => {
  const shop = await openShop(
    browser,
    service.url +
      (await service.page(
        'element-no',
        `<!doctype html><html lang="en"><title>A shop</title><link rel="icon" href="data:,">
          <script async src="{{origin}}/parley.element.js"></script>
          <parley-chat base-url="${service.url}" inbox-identifier="{{inbox}}" inline="false"></parley-chat></html>`,
      )),
  );
  await chat(shop.page).launcher.click();
  await chat(shop.page).field.waitFor();
  expect([...shop.console, ...shop.errors]).toEqual([]);
  await shop.close();
});
