/** Notices of the browser, where it has the word and not the thing: none are promised, and no line is kept up for them. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { more, openTagged, say, setHidden } from '../support/around.js';
import { agent, chat, english, useShop } from '../support/browser.js';
import { wakeAtOnce } from '../support/wake-at-once.js';

const { browser, service } = await useShop({ whole: true });

/** Chrome on Android, on a tablet or with "Desktop site": its user agent is that of a desktop. */
const refuse = (page: Page) =>
  page.addInitScript(() => {
    const told: string[] = [];
    Object.assign(window, { told });
    const permission = () => localStorage.getItem('leave') ?? 'default';
    window.Notification = class extends EventTarget {
      static get permission() {
        return permission();
      }
      static async requestPermission() {
        told.push('asked');
        return permission();
      }
      constructor() {
        super();
        told.push('made');
        throw new TypeError('Illegal constructor. Use ServiceWorkerRegistration.showNotification() instead.');
      }
    } as unknown as typeof Notification;
  });

test('notices are not offered where the browser makes none, whatever it says it is, nor switched on where it was given leave', async () => {
  const { page, close } = await openTagged(browser, service, 'no-notices');
  await refuse(page);
  await page.addInitScript(wakeAtOnce);
  await page.reload();
  await chat(page).open();
  const conversation = await say(service, page, 'No notices here');
  const notices = page.getByRole('menuitemcheckbox', { name: english('notifyOn') });
  const told = () => page.evaluate(() => Reflect.get(window, 'told') as unknown);
  await more(page).click();
  await page.getByRole('menuitem', { name: english('keep') }).waitFor();
  expect(await notices.count()).toBe(0);
  expect(await told()).toEqual(['made']);
  // The page's own, from its service worker, are allowed.
  await page.evaluate(() => localStorage.setItem('leave', 'granted'));
  await page.reload();
  await more(page).click();
  await notices.click();
  await chat(page).window.getByRole('alert').getByText(english('notifyRefused')).waitFor();
  await more(page).click();
  expect(await notices.getAttribute('aria-checked')).toBe('false');
  await page.keyboard.press('Escape');
  // Who has switched them on before: once one has failed, they are off.
  await page.evaluate(
    (key) => localStorage.setItem(key, '[false,true,false]'),
    `parley:${service.url}#demo-inbox:wishes`,
  );
  await page.reload();
  await more(page).click();
  await expect.poll(() => notices.getAttribute('aria-checked')).toBe('true');
  await page.keyboard.press('Escape');
  await chat(page).close();
  await expect.poll(() => page.evaluate(() => window.parley?.status().line)).toBe('live');
  await setHidden(page, true);
  await agent(service).answer(conversation, 'Does it come?');
  await expect.poll(told).toEqual(['made']);
  await setHidden(page, false);
  await chat(page).open();
  await more(page).click();
  await expect.poll(() => notices.getAttribute('aria-checked')).toBe('false');
  await close();
});
