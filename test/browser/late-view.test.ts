/**
 * A phone that tells wrong numbers of what is seen, tells them too early, or not at all, as iOS does around a keyboard.
 * The visual viewport is one that the test sets.
 */
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { chat, hostPage, type Shop, useShop } from '../support/browser.js';
import { HEIGHT, openPhone, setViewOf } from '../support/phone.js';

declare global {
  interface Window {
    testReads?: number;
  }
}

const { browser, service } = await useShop();
const KEYBOARD_TOP = 508;

let shop: Shop;
let page: Page;
beforeEach(async () => {
  shop = await openPhone(browser);
  page = shop.page;
  await page.goto(service.url + (await service.page('late-view', hostPage(service.url))));
  await chat(page).launcher.tap();
  await chat(page).field.waitFor();
});
afterEach(async () => {
  expect(shop.errors).toEqual([]);
  await shop.close();
});

/** Nothing is told of it. */
const setSilently = (height: number, offsetTop = 0) =>
  page.evaluate((view) => void Object.assign(window.visualViewport ?? {}, view), { height, offsetTop });
const place = async () => {
  const box = await chat(page).window.boundingBox();
  return box && [box.y, box.height];
};

test('what says that the page is pushed up where nothing covers it does not push the window down', async () => {
  await setViewOf(page, KEYBOARD_TOP, 180);
  expect(await place()).toEqual([180, KEYBOARD_TOP]);
  await setViewOf(page, HEIGHT, 24);
  expect(await place()).toEqual([0, HEIGHT]);
  // No further than the keyboard is high.
  await setViewOf(page, KEYBOARD_TOP, 400);
  expect(await place()).toEqual([HEIGHT - KEYBOARD_TOP, KEYBOARD_TOP]);
  await setViewOf(page, HEIGHT + 40, -20);
  expect(await place()).toEqual([0, HEIGHT + 40]);
});

test('numbers that were told too early are read once more', async () => {
  await page.evaluate(
    ([early, right]) => {
      window.testView?.(early, 180);
      Object.assign(window.visualViewport ?? {}, { height: right, offsetTop: 0 });
    },
    [KEYBOARD_TOP, HEIGHT] as const,
  );
  await expect.poll(place).toEqual([0, HEIGHT]);
});

test.each([
  ['the field is left', () => chat(page).field.blur()],
  ['the page is back', () => page.evaluate(() => void dispatchEvent(new Event('pageshow')))],
  [
    'the app is seen again',
    () => page.evaluate(() => void document.dispatchEvent(new Event('visibilitychange'))),
  ],
])('they are read when %s, also where nothing is told of them', async (_, happens) => {
  await page.clock.install();
  await chat(page).field.tap();
  await setViewOf(page, KEYBOARD_TOP, 180);
  // Whatever was to be read has been.
  await page.clock.runFor(600);
  await setSilently(HEIGHT);
  await page.clock.runFor(600);
  expect(await place()).toEqual([180, KEYBOARD_TOP]);
  await happens();
  await page.clock.runFor(600);
  expect(await place()).toEqual([0, HEIGHT]);
});

test('a chat that is taken away reads nothing more', async () => {
  await page.clock.install();
  const before = await page.evaluate(() => {
    const view = window.visualViewport;
    if (!view) return 0;
    window.testReads = 0;
    Object.defineProperty(view, 'height', {
      get() {
        window.testReads = (window.testReads ?? 0) + 1;
        return 600;
      },
    });
    view.dispatchEvent(new Event('resize'));
    const before = window.testReads;
    window.parley?.destroy();
    dispatchEvent(new Event('pageshow'));
    document.dispatchEvent(new Event('visibilitychange'));
    view.dispatchEvent(new Event('resize'));
    return before;
  });
  await page.clock.runFor(600);
  expect([before, await page.evaluate(() => window.testReads)]).toEqual([1, 1]);
});
