/** What stands around the thread, in a real Chromium: menu, conversations, hours, forgetting. */
import { readFile } from 'node:fs/promises';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { english as en } from '../../src/text/english.js';
import { focused, item, more, openTagged, pick, say as sayIn } from '../support/around.js';
import { agent, chat, said, useShop } from '../support/browser.js';
import { objections } from '../support/objections.js';
import { drawn, fill, scrollBy, view } from '../support/thread.js';

const { browser, service } = await useShop();

const open = (name: string, attributes = '', options: BrowserContextOptions = {}) =>
  openTagged(browser, service, name, attributes, options);
const ended = (page: Page) => chat(page).window.locator('.ended').getByText('This conversation has ended.');
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
  const met = await page.evaluateHandle(() => {
    const names: string[] = [];
    document.querySelector('parley-chat')?.shadowRoot?.addEventListener('focusin', ({ target }) => {
      if (target instanceof Element) names.push(target.localName);
    });
    return names;
  });
  await page.keyboard.press('Enter');
  await expect.poll(() => focused(page)).toBe('What we keep');
  // Straight there: whoever listens is not told of the window in between.
  expect(await met.jsonValue()).toEqual(['h2']);
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

test('a menu whose file did not come says so once, and comes with the next press', async () => {
  const { page, close } = await open('menu-lost');
  await chat(page).open();
  await page.route('**/{assets,again}/more-*', (route) => route.abort());
  await more(page).click();
  const alert = chat(page).window.getByRole('alert').getByText('could not be loaded');
  await alert.waitFor();
  await page.unroute('**/{assets,again}/more-*');
  await more(page).click();
  await item(page, 'Conversations').waitFor();
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
  // A menu that stands open meanwhile has it as soon as there is a choice.
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(width).toBe(390);
  await more(page).click();
  await item(page, 'What we keep').waitFor();
  expect(await larger.count()).toBe(0);
  await page.setViewportSize({ width: 844, height: 600 });
  await larger.waitFor();
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
  await expect.poll(() => focused(page)).toBe('Message');
  await say(page, 'A question about hats');

  await pick(page, 'Conversations');
  const lines = chat(page).window.locator('.lines').getByRole('button');
  await expect.poll(() => lines.count()).toBe(2);
  expect(await lines.first().textContent()).toContain('You: \u2068A question about hats\u2069');
  expect(await lines.first().getAttribute('aria-current')).toBe('true');
  // After words of the visitor's own, the team's letter, and not that of "You".
  expect(await lines.first().locator('.avatar').textContent()).toBe(en.agent[0]);
  await lines.filter({ hasText: 'Which boots?' }).click();
  await expect.poll(() => said(page)).toEqual(['A question about boots', 'Which boots?']);
  await expect.poll(() => focused(page)).toBe('Message');

  await pick(page, 'End chat');
  await chat(page).window.getByRole('heading', { name: 'End this chat?' }).waitFor();
  await chat(page).window.getByRole('button', { name: 'End chat' }).click();
  await ended(page).waitFor();
  const state = async () =>
    (await service.db.query('select status from conversations where display_id = $1', [first]))[0];
  expect(await state()).toEqual({ status: 'resolved' });
  // It is still ended, and readable, on the next page.
  await page.reload();
  await ended(page).waitFor();
  await expect.poll(() => said(page)).toEqual(['A question about boots', 'Which boots?']);
  // Before that nobody tells that it is open again, and an end after that would be no news.
  await expect.poll(() => page.evaluate(() => window.parley?.status().line)).toBe('live');
  expect(await say(page, 'One more thing about boots')).toBe(first);
  await ended(page).waitFor({ state: 'detached' });
  expect(await state()).toEqual({ status: 'open' });

  await agent(service).answer(first, 'Bye');
  await service.agent('POST', `/api/v1/accounts/1/conversations/${first}/toggle_status`, {
    status: 'resolved',
  });
  const heard = chat(page).window.locator('[aria-live=polite]').getByText('This conversation has ended.');
  await heard.waitFor({ state: 'attached' });
  await chat(page).window.getByRole('button', { name: 'Start a new one' }).click();
  await expect.poll(() => said(page)).toEqual([]);
  await expect.poll(() => focused(page)).toBe('Message');
  await close();
});

test('why a conversation cannot be chosen now is said where the visitor looks, however many there are', async () => {
  const { page, close } = await open('many-lines', '', { viewport: { width: 320, height: 256 } });
  await chat(page).open();
  for (const thing of ['a saw', 'a drill', 'a plane', 'a chisel']) {
    await say(page, `About ${thing}`);
    await pick(page, 'New conversation');
  }
  const line = chat(page)
    .window.locator('.lines')
    .getByRole('button', { name: /a chisel/ });
  await pick(page, 'Conversations');
  await line.waitFor();
  await page.keyboard.press('Escape');
  await page.context().setOffline(true);
  await chat(page).say('And about a vice');
  await pick(page, 'Conversations');
  await line.click();
  const alert = chat(page).window.getByRole('alert').getByText(en.wordsWait);
  await alert.waitFor();
  const [why, all] = [await alert.boundingBox(), await chat(page).window.boundingBox()];
  expect((why?.y ?? 0) + (why?.height ?? 0)).toBeLessThanOrEqual((all?.y ?? 0) + (all?.height ?? 0));
  await close();
});

test('another conversation begins at its end, or at what is new, wherever the reader was in the one before', async () => {
  const { page, close } = await open('elsewhere');
  const row = (words: RegExp) => chat(page).window.locator('.lines').getByRole('button', { name: words });
  const jump = chat(page).window.getByRole('button', { name: /^Jump to latest/ });
  async function leaveFirstHalfRead() {
    await pick(page, 'Conversations');
    await row(/Line 12/)
      .last()
      .click();
    await chat(page).bubble('About a boat').waitFor();
    await scrollBy(page, -400);
  }
  await chat(page).open();
  const first = await say(page, 'About a boat');
  await fill(service, first, 12);
  await pick(page, 'New conversation');
  const second = await say(page, 'About an oar');
  await fill(service, second, 12);
  await page.reload();
  await chat(page)
    .log.getByText(/^Line 12\b/)
    .waitFor();
  await leaveFirstHalfRead();
  await jump.waitFor();
  await pick(page, 'Conversations');
  await row(/Line 12/)
    .first()
    .click();
  await chat(page).bubble('About an oar').waitFor();
  await drawn(page);
  await expect.poll(async () => (await view(page)).left).toBeLessThan(2);
  expect(await jump.count()).toBe(0);
  await leaveFirstHalfRead();
  await agent(service).answer(second, 'The oar is here');
  await more(page)
    .and(page.getByRole('button', { name: 'More, 1 new message elsewhere' }))
    .waitFor();
  await more(page).click();
  await item(page, 'Conversations, 1 new message').click();
  await row(/The oar is here/).click();
  await chat(page).bubble('The oar is here').getByText(en.newMessages).waitFor();
  await drawn(page);
  await expect.poll(async () => (await view(page)).left).toBeLessThan(2);
  await close();
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
  // Escape leads back to where the arrow does.
  await page.keyboard.press('Escape');
  await expect.poll(() => focused(page)).toBe('What we keep');
  await window.getByText('What you have typed and not sent').waitFor();
  await window.getByRole('button', { name: 'Forget me' }).click();
  await window.getByText(/What you have already sent stays at/).waitFor();
  // Two that are quicker than a frame lead on to where one leads from there.
  await page.evaluate(async () => {
    const press = () =>
      document.activeElement?.shadowRoot?.activeElement?.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }),
      );
    press();
    await Promise.resolve();
    press();
  });
  await expect.poll(() => focused(page)).toBe('More');
  await pick(page, 'What we keep');
  await window.getByRole('button', { name: 'Forget me' }).click();
  await window.getByText(/What you have already sent stays at/).waitFor();
  // What says so is there before there is anything to say.
  const told = await window.locator('.screen [role=status]').elementHandle();
  await window.getByRole('button', { name: 'Forget me' }).click();
  await expect.poll(() => told?.textContent()).toMatch(/^Forgotten\./);
  // What is not here any more is still there.
  await window.getByText(/What you have already sent stays at/).waitFor();
  expect((await window.boundingBox())?.width).toBe(400);
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
    .window.getByText(`We are away until ${weekdays[day]} at 7:30 PM, so please leave us a message.`)
    .waitFor();
  await chat(shop.page).log.getByText('Hello from the shop').waitFor();
  await set(
    hours.map((one) => ({ ...one, closed_all_day: false, open_all_day: true })),
    true,
  );
  await shop.page.reload();
  await chat(shop.page).window.getByText('We usually answer within 5 minutes.').waitFor();
  await shop.close();
  // Who goes home at midnight answers nobody within the next whole day.
  const today = hours.map((one, weekday) =>
    weekday === new Date().getUTCDay() ? { ...one, closed_all_day: false, open_all_day: true } : one,
  );
  await set(today, true);
  const late = await open('late', 'data-reply-minutes="1440"');
  await chat(late.page).open();
  await chat(late.page).window.getByText(en.weAreHere).waitFor();
  expect(
    await chat(late.page)
      .window.getByText(/usually answer/)
      .count(),
  ).toBe(0);
  await set(hours, false);
  await late.close();
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
  await chat(page).window.locator('.lines').getByRole('button').first().waitFor();
  all.push(...(await objections(page, 'list')));
  await page.keyboard.press('Escape');
  await pick(page, 'End chat');
  await chat(page).window.getByRole('heading', { name: 'End this chat?' }).waitFor();
  all.push(...(await objections(page, 'end')));
  await chat(page).window.getByRole('button', { name: 'End chat' }).click();
  await ended(page).waitFor();
  all.push(...(await objections(page, 'ended')));
  expect(all).toEqual([]);
  await close();
});
