/** Voice messages in a real browser, whose microphone is one that Chromium plays: recorded, heard, sent, discarded, refused. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { english as en } from '../../src/text/english.js';
import fa from '../../src/text/locales/fa.js';
import { createSay } from '../../src/text/text.js';
import {
  chat,
  launchBrowser,
  openShop,
  type Shop,
  type ShopService,
  said,
  startShopService,
} from '../support/browser.js';
import { startMs } from '../support/service.js';

let browser: Browser;
let service: ShopService;
beforeAll(async () => {
  [browser, service] = await Promise.all([
    launchBrowser({ args: ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'] }),
    startShopService({ forgetEchoId: true }),
  ]);
}, startMs);
afterAll(async () => {
  await browser.close();
  await service.end();
});

let shop: Shop;
let page: Page;
beforeEach(async () => {
  shop = await openShop(browser, `${service.url}/`);
  page = shop.page;
});
afterEach(async () => {
  expect(shop.errors).toEqual([]);
  await shop.close();
});

const tray = () => chat(page).window.getByRole('list', { name: 'Files to be sent' });

test('a voice message is recorded, can be heard before it is sent, and arrives', async () => {
  await chat(page).open();
  const { window, log } = chat(page);
  await window.getByRole('button', { name: 'Record a voice message' }).click();
  await window.getByRole('timer').getByText('0:01').waitFor();
  // What the recorder covers is out of reach.
  expect(await chat(page).field.isVisible()).toBe(false);
  await page.keyboard.press('Enter');
  await expect.poll(() => tray().locator('bdi').allTextContents()).toEqual(['voice-message.webm']);
  await tray().locator('audio').waitFor();
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.tagName))
    .toBe('TEXTAREA');
  await page.keyboard.press('Enter');
  await log.getByText('Sent', { exact: true }).waitFor();
  const [row] = await service.db.query<{ size: number }>(
    "select file_size::int as size from attachments where file_name = 'voice-message.webm'",
  );
  expect(row?.size).toBeGreaterThan(1000);
  // It is a sound there, too, and no film without pictures.
  await log.locator('audio').waitFor();
  expect(await log.locator('video').count()).toBe(0);
  // Discarded, it goes nowhere.
  await window.getByRole('button', { name: 'Record a voice message' }).click();
  await window.getByRole('timer').getByText('0:00').waitFor();
  await window.getByRole('button', { name: 'Discard the recording' }).click();
  await window.getByRole('button', { name: 'Record a voice message' }).waitFor();
  expect(await tray().count()).toBe(0);
});

test('the clock of the recorder has the digits of the language', async () => {
  await page.evaluate(() => {
    document.documentElement.lang = 'fa';
  });
  const persian = createSay('fa', fa, en);
  await chat(page, persian).open();
  const { window } = chat(page, persian);
  await window.getByRole('button', { name: persian('record') }).click();
  await window
    .getByRole('timer')
    .getByText(/^۰:۰[۰-۹]$/)
    .waitFor();
  await window.getByRole('button', { name: persian('discardRecording') }).click();
});

test('a microphone that is refused is said in a sentence', async () => {
  await chat(page).open();
  await page.evaluate(() => {
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
  });
  await chat(page).window.getByRole('button', { name: 'Record a voice message' }).click();
  await chat(page).window.getByRole('alert').getByText(en.microphoneRefused).waitFor();
  expect(await said(page)).toEqual([]);
});
