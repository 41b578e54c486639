/** Files that a hand lets go over the window, and where they go. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pick } from '../support/around.js';
import { chat, openShop, useShop } from '../support/browser.js';

const { browser, service } = await useShop();

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-dropped-'));
  await writeFile(join(folder, 'list.txt'), 'bread');
});
afterAll(() => rm(folder, { recursive: true }));

/** Brought from the desktop over the middle of the window. */
async function bring(page: Page) {
  const box = await chat(page).window.boundingBox();
  if (!box) throw new Error('there is no window');
  const browserItself = await page.context().newCDPSession(page);
  const event = (type: 'dragEnter' | 'dragOver' | 'drop') =>
    browserItself.send('Input.dispatchDragEvent', {
      type,
      x: box.x + box.width / 2,
      y: box.y + box.height / 2,
      data: { items: [], files: [join(folder, 'list.txt')], dragOperationsMask: 1 },
    });
  await event('dragEnter');
  await event('dragOver');
  return () => event('drop');
}

test('files over what lies on the conversation are not taken unseen, and not opened either', async () => {
  const { page, errors, close } = await openShop(browser, `${service.url}/`);
  const { window } = chat(page);
  await chat(page).open();
  const hint = window.getByText('Drop your files here');
  const waiting = window.getByRole('list', { name: 'Files to be sent', includeHidden: true });
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
  expect(await waiting.count()).toBe(0);
  await again();
  await hint.waitFor({ state: 'detached' });
  await expect.poll(() => waiting.locator('bdi').allTextContents()).toEqual(['list.txt']);
  expect(page.url()).toBe(`${service.url}/`);
  expect(errors).toEqual([]);
  await close();
});
