/** The visitor is quicker than the network: the press and the first words are not lost. */
import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  agent,
  chat,
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

/** Keeps the files that match until they are let go. */
async function holdFiles(page: Page, files: string) {
  const held: Route[] = [];
  let released = false;
  await page.route(files, (route) => (released ? route.continue() : void held.push(route)));
  return {
    count: () => held.length,
    async release() {
      released = true;
      await Promise.all(held.map((route) => route.continue()));
    },
  };
}

test.each([
  ['pressed with the mouse', (page: Page) => chat(page).launcher.click()],
  [
    'pressed with the keyboard',
    async (page: Page) => {
      await chat(page).launcher.focus();
      await page.keyboard.press('Enter');
    },
  ],
])('a launcher %s before the code is there takes the first words', async (_, press) => {
  const shop = await openShop(browser, `${service.url}/`);
  const files = await holdFiles(shop.page, '**/assets/*.js');
  await chat(shop.page).launcher.waitFor();
  await press(shop.page);
  await expect.poll(() => files.count()).toBeGreaterThan(1);
  await shop.page.keyboard.type('Is the lamp');
  await files.release();
  await chat(shop.page).field.waitFor();
  await expect.poll(() => chat(shop.page).field.inputValue()).toBe('Is the lamp');
  await shop.page.keyboard.type(' in stock?');
  await shop.page.keyboard.press('Enter');
  await agent(service).conversationOf('Is the lamp in stock?');
  expect(shop.errors).toEqual([]);
  await shop.close();
});

test('words sent before the engine is there are sent when it comes', async () => {
  const shop = await openShop(browser, `${service.url}/`);
  const files = await holdFiles(shop.page, '**/assets/chat-*.js');
  await chat(shop.page).open();
  await expect.poll(() => files.count()).toBeGreaterThan(0);
  await chat(shop.page).field.fill('Anybody there?');
  await chat(shop.page).field.press('Enter');
  await files.release();
  await agent(service).conversationOf('Anybody there?');
  await expect.poll(() => chat(shop.page).field.inputValue()).toBe('');
  await chat(shop.page).bubble('Anybody there?').waitFor();
  await shop.close();
});

test('a code that cannot be fetched leaves a launcher that can be pressed again', async () => {
  const shop = await openShop(browser, `${service.url}/`);
  await chat(shop.page).launcher.waitFor();
  await shop.page.route('**/assets/*.js*', (route) => route.abort());
  await chat(shop.page).launcher.click();
  await shop.page.getByText('The chat could not be loaded. Please try again.').waitFor({ state: 'attached' });
  await shop.page.unroute('**/assets/*.js*');
  await chat(shop.page).launcher.click();
  await chat(shop.page).field.waitFor();
  await chat(shop.page).say('Second try');
  await agent(service).conversationOf('Second try');
  await shop.close();
});
