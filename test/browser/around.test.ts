/** What stands around the thread, in a real Chromium: menu, conversations, questions, hours, forgetting. */
import { readFile } from 'node:fs/promises';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { english as en } from '../../src/text/english.js';
import { focused, item, more, openTagged, pick, say as sayIn } from '../support/around.js';
import { agent, chat, said, useShop } from '../support/browser.js';
import { objections } from '../support/objections.js';

const { browser, service } = await useShop();

const open = (name: string, attributes = '', options: BrowserContextOptions = {}) =>
  openTagged(browser, service, name, attributes, options);
const say = (page: Page, words: string) => sayIn(service, page, words);

test('the menu is open to a keyboard, and Escape closes one thing at a time', async () => {
  const { page, close } = await open('menu');
  await chat(page).open();
  await more(page).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => focused(page)).toBe('Conversations');
  expect(await more(page).getAttribute('aria-expanded')).toBe('true');
  await page.keyboard.press('ArrowUp');
  expect(await focused(page)).toBe('What we keep');
  await page.keyboard.press('ArrowDown');
  expect(await focused(page)).toBe('Conversations');
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect.poll(() => focused(page)).toBe('What we keep');
  expect(await page.getByRole('menu').count()).toBe(0);
  await page.keyboard.press('Escape');
  await expect.poll(() => focused(page)).toBe('More');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => focused(page)).toBe('Conversations');
  await page.keyboard.press('Escape');
  await expect.poll(() => focused(page)).toBe('More');
  expect(await page.getByRole('menu').count()).toBe(0);
  await page.keyboard.press('Escape');
  await chat(page).window.waitFor({ state: 'hidden' });
  await close();
});

test('a window that was closed on a screen of its own opens on the conversation', async () => {
  const { page, close } = await open('anew');
  await chat(page).open();
  await pick(page, 'What we keep');
  await chat(page).window.getByRole('heading', { name: 'What we keep' }).waitFor();
  await page.evaluate(() => window.parley?.close());
  await chat(page).window.waitFor({ state: 'hidden' });
  await chat(page).open();
  expect(await chat(page).window.getByRole('heading', { name: 'What we keep' }).count()).toBe(0);
  await close();
});

test('a visitor makes the window larger, and finds it so on the next page; a phone has no room to choose', async () => {
  const { page, close } = await open('larger');
  const width = async () => (await chat(page).window.boundingBox())?.width;
  const larger = page.getByRole('menuitemcheckbox', { name: 'Larger window' });
  await chat(page).open();
  await expect.poll(width).toBe(400);
  await more(page).click();
  await larger.click();
  expect(await larger.getAttribute('aria-checked')).toBe('true');
  await expect.poll(width).toBe(720);
  await page.reload();
  await chat(page).field.waitFor();
  await expect.poll(width).toBe(720);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(width).toBe(390);
  await more(page).click();
  await page.getByRole('menuitem', { name: 'What we keep' }).waitFor();
  expect(await larger.count()).toBe(0);
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 1280, height: 800 });
  await more(page).click();
  await larger.click();
  await expect.poll(width).toBe(400);
  await close();
});

test('a visitor begins another conversation, goes back to the first, ends it and opens it again', async () => {
  const { page, close } = await open('several');
  await chat(page).open();
  const first = await say(page, 'A question about boots');
  await agent(service).answer(first, 'Which **boots**?');
  await expect.poll(() => said(page)).toEqual(['A question about boots', 'Which boots?']);
  await pick(page, 'New conversation');
  await expect.poll(() => said(page)).toEqual([]);
  await say(page, 'A question about hats');

  await pick(page, 'Conversations');
  const lines = chat(page).window.locator('.lines').getByRole('button');
  await expect.poll(() => lines.count()).toBe(2);
  expect(await lines.first().textContent()).toContain('You: A question about hats');
  expect(await lines.first().getAttribute('aria-current')).toBe('true');
  // After words of the visitor's own, the team's letter, and not that of "You".
  expect(await lines.first().locator('.avatar').textContent()).toBe(en.agent[0]);
  await lines.filter({ hasText: 'Which boots?' }).click();
  await expect.poll(() => said(page)).toEqual(['A question about boots', 'Which boots?']);
  await expect.poll(() => focused(page)).toBe('Message');

  await pick(page, 'End chat');
  await chat(page).window.getByRole('heading', { name: 'End this chat?' }).waitFor();
  await chat(page).window.getByRole('button', { name: 'End chat' }).click();
  await chat(page).window.getByText('This conversation has ended.').waitFor();
  const state = async () =>
    (await service.db.query('select status from conversations where display_id = $1', [first]))[0];
  expect(await state()).toEqual({ status: 'resolved' });
  // It is still ended, and readable, on the next page.
  await page.reload();
  await chat(page).window.getByText('This conversation has ended.').waitFor();
  await expect.poll(() => said(page)).toEqual(['A question about boots', 'Which boots?']);
  expect(await say(page, 'One more thing about boots')).toBe(first);
  await chat(page).window.getByText('This conversation has ended.').waitFor({ state: 'detached' });
  expect(await state()).toEqual({ status: 'open' });

  await agent(service).answer(first, 'Bye');
  await service.agent('POST', `/api/v1/accounts/1/conversations/${first}/toggle_status`, {
    status: 'resolved',
  });
  await chat(page).window.getByRole('button', { name: 'Start a new one' }).click();
  await expect.poll(() => said(page)).toEqual([]);
  await expect.poll(() => focused(page)).toBe('Message');
  await close();
});

const questions = JSON.stringify([
  { name: 'name', required: true },
  { name: 'email', type: 'email', required: true },
  { name: 'phone_number', type: 'tel' },
  { name: 'topic', label: 'What is it about?', type: 'select', options: ['Boots', 'Hats'], required: true },
  { name: 'member', label: 'I am a member', type: 'checkbox' },
  { name: 'terms', label: 'I agree to the terms', type: 'consent' },
]);

test('the questions before the first message are checked, and their answers reach the service', async () => {
  const shop = await open('questions', `data-pre-chat='${questions}'`);
  const { page } = shop;
  await page.getByRole('button', { name: /^Open chat/ }).click();
  const window = chat(page).window;
  const field = (name: string | RegExp) => window.getByRole('textbox', { name });
  await field('Your name').waitFor();
  expect(await chat(page).field.count()).toBe(0);
  await window.getByRole('button', { name: 'Start chatting' }).click();
  await expect.poll(() => window.getByText('Please fill this in.').count()).toBe(2);
  expect(await field('Your name').evaluate((input) => input.matches(':focus'))).toBe(true);
  expect(await field('Your name').getAttribute('aria-invalid')).toBe('true');
  await field('Your name').fill('Ada Lovelace');
  await field('Email address').fill('ada@');
  await field(/^Phone number/).fill('030 123');
  await window.getByRole('button', { name: 'Start chatting' }).click();
  await window.getByText('Please enter an email address').waitFor();
  await window.getByText('Please write the number with its country code').waitFor();
  await window.getByText('Please tick this to go on.').waitFor();
  expect(await field('Email address').evaluate((input) => input.matches(':focus'))).toBe(true);
  await field('Email address').fill('Ada@Example.com');
  await field(/^Phone number/).fill('0049 (30) 123-456');
  await window.getByRole('combobox').selectOption('Hats');
  await window.getByRole('checkbox', { name: 'I agree to the terms' }).check();
  expect(await objections(page, 'questions')).toEqual([]);
  await field('Email address').press('Enter');
  await chat(page).field.waitFor();
  await expect.poll(() => focused(page)).toBe('Message');

  // Another page knows them, before anything was sent.
  await page.reload();
  await chat(page).field.waitFor();
  const conversation = await say(page, 'Do you have hats?');
  const stored = z.object({
    custom_attributes: z.unknown(),
    meta: z.object({ sender: z.looseObject({ name: z.string() }) }),
  });
  const { body } = await service.agent('GET', `/api/v1/accounts/1/conversations/${conversation}`);
  const { custom_attributes, meta } = stored.parse(body);
  expect(custom_attributes).toEqual({ topic: 'Hats', member: false, terms: true });
  expect(meta.sender).toMatchObject({
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    phone_number: '+4930123456',
  });
  await shop.close();
});

test('a visitor is forgotten in all tabs, and nothing of them is left in any storage', async () => {
  const { page, close } = await open('forget');
  await chat(page).open();
  await say(page, 'Remember the password swordfish');
  const sourceId = z
    .object({ sourceId: z.string() })
    .parse(
      JSON.parse(
        (await page.evaluate((key) => localStorage.getItem(key), `parley:${service.url}#demo-inbox`)) ?? '',
      ),
    ).sourceId;
  await chat(page).field.fill('swordfish again');
  const second = await page.context().newPage();
  await second.goto(page.url());
  await chat(second).bubble('Remember the password swordfish').waitFor();

  await pick(page, 'What we keep');
  const window = chat(page).window;
  await window.getByText('What you have typed and not sent').waitFor();
  expect(await objections(page, 'what we keep')).toEqual([]);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    window.getByRole('button', { name: 'Save what this browser keeps' }).click(),
  ]);
  const copy = await readFile((await download.path()) ?? '', 'utf8');
  expect(copy).toContain('swordfish again');
  expect(copy).not.toContain(sourceId);

  await window.getByRole('button', { name: 'Forget me' }).click();
  await window.getByText(/What you have already sent stays at/).waitFor();
  expect(await objections(page, 'forget')).toEqual([]);
  await window.getByRole('button', { name: 'Forget me' }).click();
  await window.getByText('Forgotten.').waitFor();
  const everything = () =>
    page.evaluate(async () => {
      const found: unknown[] = [
        ...Object.entries(localStorage),
        ...Object.entries(sessionStorage),
        document.cookie,
        await caches.keys(),
      ];
      for (const { name = '' } of await indexedDB.databases()) {
        const database = await new Promise<IDBDatabase>((resolve, reject) => {
          const request = indexedDB.open(name);
          request.onsuccess = () => resolve(request.result);
          request.onerror = () => reject(request.error);
        });
        for (const store of database.objectStoreNames) {
          found.push(
            await new Promise((resolve) => {
              const request = database.transaction(store).objectStore(store).getAll();
              request.onsuccess = () => resolve(request.result);
            }),
          );
        }
        database.close();
      }
      return JSON.stringify(found);
    });
  await expect.poll(() => said(second)).toEqual([]);
  const left = await everything();
  expect(left).not.toContain('swordfish');
  expect(left).not.toContain(sourceId);
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
  await close();
});

test('outside of its hours the window says, by the visitor’s clock, when somebody is back', async () => {
  const day = new Date(Date.now() + 2 * 86_400_000).getUTCDay();
  const hours = [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({
    day_of_week: weekday,
    closed_all_day: weekday !== day,
    open_all_day: false,
    open_hour: weekday === day ? 10 : null,
    open_minutes: weekday === day ? 30 : null,
    close_hour: weekday === day ? 11 : null,
    close_minutes: weekday === day ? 0 : null,
  }));
  const set = (working: unknown[], on: boolean) =>
    service.db.query(
      'update inboxes set working_hours = $1::jsonb, working_hours_enabled = $2, timezone = $3',
      [JSON.stringify(working), on, 'UTC'],
    );
  await set(hours, true);
  const shop = await open('hours', 'data-reply-minutes="5" data-greeting="Hello from the shop"', {
    timezoneId: 'Asia/Tokyo',
    locale: 'en-US',
  });
  await chat(shop.page).open();
  const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
  await chat(shop.page)
    .window.getByText(`We are back on ${weekdays[day]} at 7:30 PM. Leave us a message.`)
    .waitFor();
  await chat(shop.page).log.getByText('Hello from the shop').waitFor();
  await set(
    hours.map((one) => ({ ...one, closed_all_day: false, open_all_day: true })),
    true,
  );
  await shop.page.reload();
  await chat(shop.page).window.getByText('We usually answer within 5 minutes.').waitFor();
  await set(hours, false);
  await shop.close();
});

test('axe finds nothing in the menu, the list, the end of a chat and after it', async () => {
  const { page, close } = await open('screens');
  await chat(page).open();
  const conversation = await say(page, 'Look at this');
  await agent(service).answer(conversation, 'With all my eyes');
  await chat(page).bubble('With all my eyes').waitFor();
  const all: string[] = [];
  await more(page).click();
  await item(page, 'Conversations').waitFor();
  all.push(...(await objections(page, 'menu')));
  await item(page, 'Conversations').click();
  await chat(page).window.getByRole('list').getByRole('button').first().waitFor();
  all.push(...(await objections(page, 'list')));
  await page.keyboard.press('Escape');
  await pick(page, 'End chat');
  await chat(page).window.getByRole('heading', { name: 'End this chat?' }).waitFor();
  all.push(...(await objections(page, 'end')));
  await chat(page).window.getByRole('button', { name: 'End chat' }).click();
  await chat(page).window.getByText('This conversation has ended.').waitFor();
  all.push(...(await objections(page, 'ended')));
  expect(all).toEqual([]);
  await close();
});
