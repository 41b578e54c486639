/** Which pages show the chat: what a call has closed stays closed, and patterns that fit no path are named. */
import { expect, test } from 'vitest';
import { openTagged } from '../support/around.js';
import { chat, useShop } from '../support/browser.js';

const { browser, service } = await useShop();
const open = (name: string, attributes: string) => openTagged(browser, service, name, attributes);

test.each(['close', 'hide'] as const)(
  'what %s() has closed on a page that does not show it opens on none by itself',
  async (call) => {
    const shop = await open(`shut-${call}`, 'data-pages="/pages/*, !/pages/away*"');
    const { page } = shop;
    await chat(page).open();
    const { url } = { url: page.url() };
    await page.evaluate(() => history.pushState(null, '', '/pages/away'));
    await chat(page).host.waitFor({ state: 'hidden' });
    await page.evaluate((call) => void window.parley?.[call](), call);
    await page.evaluate(() => window.parley?.show());
    await page.evaluate(() => history.back());
    await chat(page).launcher.waitFor();
    expect(await chat(page).window.isVisible()).toBe(false);
    await page.goto(url);
    await chat(page).launcher.waitFor();
    // It is there with the page, or not at all.
    await page.evaluate(async () => {
      await window.parley?.setTheme({ radius: '9px' });
      await new Promise(requestAnimationFrame);
    });
    expect(await page.evaluate(() => window.parley?.status().open)).toBe(false);
    await shop.close();
  },
);

test.each(['help/*', 'https://shop.example/help', '/pages/*, !checkout'])(
  'a pattern that fits no path is named: %s',
  async (pages) => {
    const shop = await open('no-path', `data-pages="${pages}"`);
    await chat(shop.page).launcher.waitFor();
    await expect
      .poll(() => shop.console)
      .toEqual(['warning: Parley: data-pages must be patterns of paths, like "/help/*, !/help/old".']);
    await shop.close();
  },
);
