/** Files that a hand lets go over the window or pastes in it, where they go, and what is said of those that are lost. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { more, openTagged, pick } from '../support/around.js';
import { chat, openShop, useShop } from '../support/browser.js';

const { browser, service } = await useShop();

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-dropped-'));
  for (const name of ['list.txt', 'list.exe']) await writeFile(join(folder, name), 'bread');
});
afterAll(() => rm(folder, { recursive: true }));

/** Brought from the desktop over the middle of the window. */
async function bring(page: Page, name = 'list.txt') {
  const box = await chat(page).window.boundingBox();
  if (!box) throw new Error('there is no window');
  const browserItself = await page.context().newCDPSession(page);
  const event = (type: 'dragEnter' | 'dragOver' | 'drop') =>
    browserItself.send('Input.dispatchDragEvent', {
      type,
      x: box.x + box.width / 2,
      y: box.y + box.height / 2,
      data: { items: [], files: [join(folder, name)], dragOperationsMask: 1 },
    });
  await event('dragEnter');
  await event('dragOver');
  return () => event('drop');
}

const waiting = (page: Page) =>
  chat(page).window.getByRole('list', { name: 'Files to be sent', includeHidden: true }).locator('bdi');

test('files over what lies on the conversation are not taken unseen, and not opened either', async () => {
  const { page, errors, close } = await openShop(browser, `${service.url}/`);
  const { window } = chat(page);
  await chat(page).open();
  const hint = window.getByText('Drop your files here');
  await pick(page, 'What we keep');
  const title = window.getByRole('heading', { name: 'What we keep' });
  await title.waitFor();
  const letGo = await bring(page);
  expect(await hint.count()).toBe(0);
  await letGo();
  await window.getByRole('button', { name: 'Back' }).click();
  await title.waitFor({ state: 'detached' });
  const again = await bring(page);
  await hint.waitFor();
  expect(await waiting(page).count()).toBe(0);
  await again();
  await hint.waitFor({ state: 'detached' });
  await expect.poll(() => waiting(page).allTextContents()).toEqual(['list.txt']);
  expect(page.url()).toBe(`${service.url}/`);
  expect(errors).toEqual([]);
  await close();
});

const copyPicture = (page: Page) =>
  page.evaluate(async () => {
    const picture = new OffscreenCanvas(4, 4);
    picture.getContext('2d')?.fillRect(0, 0, 4, 4);
    const png = await picture.convertToBlob({ type: 'image/png' });
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': png })]);
  });

test('a picture is pasted wherever the focus is in the window, but not into another field, nor unseen', async () => {
  const { page, errors, close } = await openShop(browser, `${service.url}/`);
  const { window, field, log } = chat(page);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await chat(page).open();
  await log.waitFor();
  await copyPicture(page);
  const paste = () => page.keyboard.press('Control+v');

  await pick(page, 'What we keep');
  const title = window.getByRole('heading', { name: 'What we keep' });
  await title.waitFor();
  await paste();
  await window.getByRole('button', { name: 'Back' }).click();
  await title.waitFor({ state: 'detached' });
  await window.getByRole('button', { name: 'Emoji', exact: true }).click();
  const search = window.getByRole('searchbox', { name: 'Search emoji' });
  await search.focus();
  await paste();
  await page.keyboard.press('Escape');
  await search.waitFor({ state: 'detached' });

  await log.click();
  await paste();
  await expect.poll(() => waiting(page).allTextContents()).toEqual(['image.png']);
  await expect.poll(() => field.evaluate((element) => element.matches(':focus'))).toBe(true);
  await more(page).focus();
  await paste();
  await expect.poll(() => waiting(page).count()).toBe(2);
  await page.keyboard.type('Two');
  await paste();
  await expect.poll(() => waiting(page).count()).toBe(3);

  await page.evaluate(() => navigator.clipboard.writeText('words'));
  await log.click();
  await paste();
  await field.focus();
  await paste();
  expect(await field.inputValue()).toBe('Twowords');
  expect(errors).toEqual([]);
  await close();
});

test('what is of another kind than the owner takes is named, however it comes, and the rest goes', async () => {
  const shop = await openTagged(browser, service, 'file-types', 'data-file-types=".TXT, audio/*"');
  const { page } = shop;
  const { window } = chat(page);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await chat(page).open();
  const picker = window.locator('input[type=file]');
  expect(await picker.getAttribute('accept')).toBe('.txt,audio/*');
  const problem = (names: string) =>
    window.getByRole('alert').getByText(`This kind of file cannot be sent here: ${names}`, { exact: true });

  const chosen = (name: string, mimeType: string) => ({ name, mimeType, buffer: Buffer.from('bread') });
  await picker.setInputFiles([chosen('a.pdf', 'application/pdf'), chosen('a.txt', 'text/plain')]);
  await problem('\u2068a.pdf\u2069').waitFor();
  await expect.poll(() => waiting(page).allTextContents()).toEqual(['a.txt']);

  await (await bring(page, 'list.exe'))();
  await problem('\u2068list.exe\u2069').waitFor();
  await (await bring(page))();
  await expect.poll(() => waiting(page).allTextContents()).toEqual(['a.txt', 'list.txt']);

  await copyPicture(page);
  await page.keyboard.press('Control+v');
  await problem('\u2068image.png\u2069').waitFor();
  expect(await waiting(page).count()).toBe(2);
  expect([...shop.console, ...shop.errors]).toEqual([]);
  await shop.close();
});

test('a message whose files the browser does not keep says so after a reload, and gives its words back', async () => {
  const { page, errors, close } = await openTagged(
    browser,
    service,
    'lost',
    'data-storage="session" data-consent="call"',
  );
  await page.route('**/api/v1/**', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  );
  await chat(page).open();
  await chat(page).window.locator('input[type=file]').setInputFiles(join(folder, 'list.txt'));
  await chat(page).say('My shopping list');
  await chat(page).bubble('My shopping list').getByText('Waiting to be sent').waitFor();
  await page.reload();
  await page.unroute('**/api/v1/**');
  const bubble = chat(page).bubble('My shopping list');
  await bubble.getByText('Its files are not here any more.').waitFor();
  // It could not help.
  expect(await bubble.locator('.refused').getByRole('button').allTextContents()).toEqual(['Edit', 'Delete']);
  await bubble.getByRole('button', { name: 'Edit' }).click();
  await expect.poll(() => chat(page).field.inputValue()).toBe('My shopping list');
  await chat(page).window.locator('input[type=file]').setInputFiles(join(folder, 'list.txt'));
  await chat(page).field.press('Enter');
  await chat(page).bubble('My shopping list').getByText('Sent', { exact: true }).waitFor();
  expect(errors).toEqual([]);
  await close();
});
