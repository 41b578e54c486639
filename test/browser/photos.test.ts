/** Photos that the owner wants small and without their place: drawn anew in a real browser before they leave. */
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTagged } from '../support/around.js';
import { chat, launchBrowser, type Shop, type ShopService, startShopService } from '../support/browser.js';
import { animation, photo } from '../support/photo.js';
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

/** What the service keeps of the one file of a message. */
async function sent(words: string) {
  const link = await chat(shop.page).bubble(words).getByRole('link').getAttribute('href');
  return Buffer.from(await (await fetch(link ?? '')).arrayBuffer());
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
  const bytes = await sent('Here we are');
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

test.each(['png', 'webp'] as const)(
  'a %s that moves still does when it is sent, and what is written beside it stays behind',
  async (kind) => {
    const { page } = shop;
    const type = `image/${kind}` as const;
    const buffer = await animation(page, type);
    expect(buffer.includes('60.39')).toBe(true);
    await choose({ name: `party.${kind}`, mimeType: type, buffer });
    await expect.poll(() => tray().locator('bdi').allTextContents()).toEqual([`party.${kind}`]);
    await chat(page).say('It moves');
    await chat(page).bubble('It moves').getByText('Sent', { exact: true }).waitFor();
    const bytes = await sent('It moves');
    expect(bytes.includes('60.39')).toBe(false);
    const frames = await page.evaluate(
      async ([type, base64]) => {
        const data = await (await fetch(`data:${type};base64,${base64}`)).arrayBuffer();
        const decoder = new ImageDecoder({ type, data });
        await decoder.completed;
        const { image } = await decoder.decode({ frameIndex: 1 });
        image.close();
        return decoder.tracks.selectedTrack?.frameCount;
      },
      [type, bytes.toString('base64')] as const,
    );
    expect(frames).toBe(2);
  },
);

/** As browsers and add-ons do that guard against fingerprints. */
const guard = (much: boolean) =>
  shop.page.evaluate((much) => {
    const { getImageData } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.getImageData = function (...asked) {
      const image = getImageData.apply(this, asked);
      for (let at = 0; at < image.data.length; at++) image.data[at] = much ? 255 : (image.data[at] ?? 0) ^ 1;
      return image;
    };
    if (!much) return;
    const { toBlob } = HTMLCanvasElement.prototype;
    HTMLCanvasElement.prototype.toBlob = function (...asked) {
      const { width, height } = this;
      toBlob.apply(Object.assign(document.createElement('canvas'), { width, height }), asked);
    };
  }, much);

test('where a browser gives something else than was drawn, a picture goes as it is, or not at all', async () => {
  const { page } = shop;
  await guard(true);
  await choose({ name: 'harbour.jpg', mimeType: 'image/jpeg', buffer: await photo(page, 600, 300) });
  await chat(page)
    .window.getByRole('alert')
    .getByText(/harbour\.jpg.*location data/)
    .waitFor();
  const buffer = await page.screenshot({ type: 'jpeg', quality: 100 });
  await choose({ name: 'screen.jpg', mimeType: 'image/jpeg', buffer });
  await expect.poll(() => tray().locator('bdi').allTextContents()).toEqual(['screen.jpg']);
  await chat(page).say('My screen');
  await chat(page).bubble('My screen').getByText('Sent', { exact: true }).waitFor();
  expect((await sent('My screen')).equals(buffer)).toBe(true);
});

test('a noise that nobody sees keeps no picture from being drawn anew', async () => {
  const { page } = shop;
  await guard(false);
  await choose({ name: 'quay.jpg', mimeType: 'image/jpeg', buffer: await photo(page, 3000, 1500) });
  await expect.poll(() => tray().locator('bdi').allTextContents()).toEqual(['quay.jpg']);
  await chat(page).say('The quay');
  await chat(page).bubble('The quay').getByText('Sent', { exact: true }).waitFor();
  expect((await received('quay.jpg')).height).toBe(2048);
});

test('where a picture was transparent it is white once it is a JPEG', async () => {
  const { page } = shop;
  const drawn = await page.evaluate(() => {
    const canvas = document.createElement('canvas');
    const pen = canvas.getContext('2d');
    const noise = new ImageData(100, 100);
    for (let at = 0; at < noise.data.length; at++) noise.data[at] = at % 4 === 3 ? 255 : at * at;
    pen?.putImageData(noise, 150, 0);
    return canvas.toDataURL();
  });
  // Its kind is told by its name; what it is the browser sees for itself.
  const buffer = Buffer.from(drawn.split(',')[1] ?? '', 'base64');
  await choose({ name: 'stamp.avif', mimeType: 'image/avif', buffer });
  await expect.poll(() => tray().locator('bdi').allTextContents()).toEqual(['stamp.jpg']);
  await chat(page).say('A stamp');
  await chat(page).bubble('A stamp').getByText('Sent', { exact: true }).waitFor();
  const corner = await page.evaluate(
    async (base64) => {
      const picture = await createImageBitmap(await (await fetch(`data:image/jpeg;base64,${base64}`)).blob());
      const pen = document.createElement('canvas').getContext('2d');
      pen?.drawImage(picture, 0, 0);
      return pen && [...pen.getImageData(0, 0, 1, 1).data];
    },
    (await sent('A stamp')).toString('base64'),
  );
  expect(corner).toEqual([255, 255, 255, 255]);
});

test('a tiny picture is not drawn as wide as the words above it', async () => {
  const { page } = shop;
  await choose({ name: 'icon.jpg', mimeType: 'image/jpeg', buffer: await photo(page, 40, 40) });
  const words = 'This is the icon that I mean, beside so many words that they need all of the bubble';
  await chat(page).say(words);
  await chat(page).bubble(words).getByText('Sent', { exact: true }).waitFor();
  const widths = await chat(page)
    .bubble(words)
    .locator('.picture')
    .evaluate((link) => [link.querySelector('img')?.offsetWidth ?? 0, link.clientWidth]);
  expect(widths[0]).toBeGreaterThan(0);
  expect((widths[0] ?? 0) * 2).toBeLessThan(widths[1] ?? 0);
});
