/** What is pressed while the storage of a cheap phone takes its time, in a real Chromium. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { english as en } from '../../src/text/english.js';
import { focused, item, more, openTagged, pick, say } from '../support/around.js';
import { agent, chat, said, useShop } from '../support/browser.js';
import { gate } from '../support/gate.js';

const { browser, service } = await useShop();

/** Keeps what the chat has stored busy, as another reader of the disk does. @returns what ends that */
async function holdStorage(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(async () => {
    document.documentElement.dataset.storage = 'busy';
    const [first] = await indexedDB.databases();
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(first?.name ?? '');
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    const transaction = database.transaction(database.objectStoreNames, 'readwrite');
    const store = transaction.objectStore(database.objectStoreNames[0] ?? '');
    await new Promise<void>((held) => {
      const goOn = () => {
        held();
        if (document.documentElement.dataset.storage === 'free') database.close();
        else store.count().onsuccess = goOn;
      };
      store.count().onsuccess = goOn;
    });
  });
  return () =>
    page.evaluate(() => {
      document.documentElement.dataset.storage = 'free';
    });
}

test('a menu opened before the new conversation is there stays, and so does the focus in it', async () => {
  const { page, close } = await openTagged(browser, service, 'slow-new');
  await chat(page).open();
  await say(service, page, 'About a slow disk');
  const letGo = await holdStorage(page);
  await pick(page, 'New conversation');
  // The press is answered before the disk is.
  await item(page, 'Conversations').waitFor({ state: 'detached' });
  await more(page).click();
  await item(page, 'Conversations').waitFor();
  expect(await said(page)).toEqual(['About a slow disk']);
  await letGo();
  await expect.poll(() => said(page)).toEqual([]);
  expect(await focused(page)).toBe('Conversations');
  await item(page, 'Conversations').click();
  await chat(page)
    .window.locator('.lines')
    .getByRole('button', { name: /slow disk/ })
    .waitFor();
  await close();
});

test('whoever waits for the new conversation goes on in its field', async () => {
  const { page, close } = await openTagged(browser, service, 'slow-field');
  await chat(page).open();
  await say(service, page, 'About a slower disk');
  const letGo = await holdStorage(page);
  await pick(page, 'New conversation');
  await expect.poll(() => focused(page)).toBe('More');
  await letGo();
  await expect.poll(() => focused(page)).toBe('Message');
  expect(await said(page)).toEqual([]);
  await close();
});

test('a menu opened before an ended conversation is left, or another one is chosen, stays', async () => {
  const { page, close } = await openTagged(browser, service, 'slow-ended');
  await chat(page).open();
  const first = await say(service, page, 'About the slowest disk');
  await agent(service).answer(first, 'Bye then');
  await service.agent('POST', `/api/v1/accounts/1/conversations/${first}/toggle_status`, {
    status: 'resolved',
  });
  let letGo = await holdStorage(page);
  await chat(page).window.getByRole('button', { name: en.startNew }).click();
  await more(page).click();
  // The first menu of a page comes a frame after the press.
  await item(page, 'Conversations').waitFor();
  await letGo();
  await expect.poll(() => said(page)).toEqual([]);
  expect(await focused(page)).toBe('Conversations');

  await item(page, 'Conversations').click();
  const line = chat(page)
    .window.locator('.lines')
    .getByRole('button', { name: /Bye then/ });
  await line.waitFor();
  letGo = await holdStorage(page);
  await line.click();
  await chat(page).window.getByRole('button', { name: en.back, exact: true }).click();
  await more(page).click();
  await letGo();
  await expect.poll(() => said(page)).toEqual(['About the slowest disk', 'Bye then']);
  expect(await focused(page)).toBe('Conversations');
  await close();
});

test('a chat can be ended once its words have arrived, whatever the disk still has to write', async () => {
  const { page, close } = await openTagged(browser, service, 'slow-end');
  await chat(page).open();
  await say(service, page, 'About the end');
  const held = gate();
  let asked = false;
  await page.route(/\/messages$/, async (route) => {
    asked ||= route.request().method() === 'POST';
    await held.opened;
    await route.continue();
  });
  await chat(page).say('That is all');
  await expect.poll(() => asked).toBe(true);
  const letGo = await holdStorage(page);
  held.open();
  await chat(page).bubble('That is all').getByText('Sent', { exact: true }).waitFor();
  await pick(page, 'End chat');
  const end = chat(page).window.getByRole('button', { name: en.endChat, exact: true });
  await end.click();
  await expect.poll(() => end.getAttribute('aria-busy')).toBe('true');
  await letGo();
  await chat(page).window.getByRole('button', { name: en.startNew }).waitFor();
  await close();
});
