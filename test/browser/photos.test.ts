/** Photos that the owner wants small and without their place: drawn anew in a real browser before they leave. */
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTagged } from '../support/around.js';
import { chat, launchBrowser, type Shop, type ShopService, startShopService } from '../support/browser.js';
import { photo } from '../support/photo.js';
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

let shop: Shop;
beforeEach(async () => {
  shop = await openTagged(browser, service, 'shrinking', 'data-shrink-images="true"');
  await chat(shop.page).open();
});
afterEach(async () => {
  expect(shop.errors).toEqual([]);
  await shop.close();
});

const choose = (file: { name: string; mimeType: string; buffer: Buffer }) =>
  chat(shop.page).window.locator('input[type=file]').setInputFiles(file);
const tray = () => chat(shop.page).window.getByRole('list', { name: 'Files to be sent' });

async function received(name: string) {
  const [row] = await service.db.query<{ key: string; content_type: string; width: number; height: number }>(
    'select key, content_type, width, height from attachments where file_name = $1',
    [name],
  );
  if (!row) throw new Error(`the service has no ${name}`);
  return row;
}

test('where the owner asks for it, a photo is sent smaller, upright, and without its place', async () => {
  const { page } = shop;
  const buffer = await photo(page, 3000, 1500);
  expect(buffer.includes('Exif')).toBe(true);
  expect(shop.requests.some(({ path }) => path.includes('/parts-'))).toBe(false);
  await choose({ name: 'harbour.jpg', mimeType: 'image/jpeg', buffer });
  await expect.poll(() => tray().locator('bdi').allTextContents()).toEqual(['harbour.jpg']);
  await chat(page).say('Here we are');
  await chat(page).bubble('Here we are').getByText('Sent', { exact: true }).waitFor();
  const row = await received('harbour.jpg');
  expect([row.width, row.height]).toEqual([1024, 2048]);
  const link = await chat(page).bubble('Here we are').getByRole('link').getAttribute('href');
  const bytes = Buffer.from(await (await fetch(link ?? '')).arrayBuffer());
  expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
  expect(bytes.includes('Exif')).toBe(false);
});

test('a photo that cannot be drawn anew stays out, with a sentence', async () => {
  const { page } = shop;
  const broken = (await photo(page, 600, 300)).subarray(0, 200);
  await choose({ name: 'broken.jpg', mimeType: 'image/jpeg', buffer: broken });
  await chat(page)
    .window.getByRole('alert')
    .getByText(/broken\.jpg.*location data/)
    .waitFor();
  expect(await tray().count()).toBe(0);
});
