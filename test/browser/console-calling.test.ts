/** What calls an agent who looks elsewhere: the title and the list, in a real browser. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { chat } from '../support/browser.js';
import { type Console, startConsole } from '../support/console.js';
import { startMs } from '../support/service.js';

let here: Console;
beforeAll(async () => {
  here = await startConsole();
}, startMs);
afterAll(() => here.end());

/** Hidden, as a tab behind another one is. */
const setHidden = (page: Page, hidden: boolean) =>
  page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', {
      configurable: true,
      get: () => (value ? 'hidden' : 'visible'),
    });
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);

/** The console has told the service that it was read. */
const isRead = (conversation: number) =>
  expect
    .poll(async () => {
      const { body } = await here.service.agent('GET', `/api/v1/accounts/1/conversations/${conversation}`);
      return z.object({ unread_count: z.number() }).parse(body).unread_count;
    })
    .toBe(0);

const title = () => here.desk.title();
const list = () => here.desk.getByRole('navigation', { name: 'Conversations' });
const go = (place: string) =>
  here.desk.evaluate((hash) => {
    location.hash = hash;
  }, `#/${place}`);

test('the title counts what is unread in the account, on every page and through every filter', async () => {
  const first = await here.talk('Read at once');
  await isRead(first.conversation);
  await expect.poll(title).toBe('Parley console');
  await setHidden(here.desk, true);
  await chat(first.page).say('Said behind another tab');
  await expect.poll(title).toBe('(1) Parley console');
  const row = list().getByRole('button', { name: 'Said behind another tab' });
  await row.getByText('1 unread').waitFor();
  await setHidden(here.desk, false);
  await isRead(first.conversation);
  await expect.poll(title).toBe('Parley console');
  await row.getByText('1 unread').waitFor({ state: 'detached' });

  await go('contacts');
  await expect.poll(title).toBe('Contacts – Parley console');
  await chat(first.page).say('Said while the contacts are open');
  await expect.poll(title).toBe('(1) Contacts – Parley console');
  await go('');
  await list().getByLabel('Status').selectOption('Resolved');
  await list().getByText('No conversation here.').waitFor();
  await chat(first.page).say('Said beside the filter');
  await expect.poll(title).toBe('(2) Parley console');
  // From the beginning, too: the filter is kept, and the frames of before are not sent again.
  await here.desk.reload();
  await list().getByText('No conversation here.').waitFor();
  await expect.poll(title).toBe('(2) Parley console');
  await list().getByLabel('Status').selectOption('Open');
  await list().getByRole('button', { name: 'Said beside the filter' }).click();
  await expect.poll(title).toBe('Parley console');
  await first.close();
});
