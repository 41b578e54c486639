/** The visitor is spoken to in the language of the page, and in another one when the page says so. */
import type { Locator, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { english as en } from '../../src/text/english.js';
import de from '../../src/text/locales/de.js';
import fa from '../../src/text/locales/fa.js';
import { createSay } from '../../src/text/text.js';
import { openTagged } from '../support/around.js';
import { agent, arabic, chat, openShop, useShop } from '../support/browser.js';
import { fill, scrollBy } from '../support/thread.js';

const german = createSay('de', de, en);
const persian = createSay('fa', fa, en);
const { browser, service } = await useShop();

test('it speaks the language of the page, and changes it while it is open', async () => {
  const shop = await openShop(browser, `${service.url}/`);
  await shop.page.evaluate(() => {
    document.documentElement.lang = 'de-AT';
  });
  const { window: panel, launcher } = chat(shop.page, german);
  await chat(shop.page, german).open();
  await panel.getByRole('heading', { name: german('title') }).waitFor();
  expect(await launcher.getAttribute('aria-label')).toBe(german('closeChat'));
  await chat(shop.page, german).field.fill('Ein Entwurf');

  await shop.page.evaluate(() => window.parley?.setLocale('ar'));
  const inArabic = chat(shop.page, arabic);
  await inArabic.window.getByRole('heading', { name: arabic('title') }).waitFor();
  expect(await inArabic.field.inputValue()).toBe('Ein Entwurf');
  expect(await inArabic.window.locator('.root[lang]').getAttribute('dir')).toBe('rtl');

  // A language that nobody here speaks is answered in English.
  await shop.page.evaluate(() => window.parley?.setLocale('tlh'));
  await chat(shop.page).window.getByRole('heading', { name: en.title }).waitFor();
  expect([...shop.console, ...shop.errors]).toEqual([]);
  await shop.close();
});

test('an English page asks for no language', async () => {
  const shop = await openShop(browser, `${service.url}/`);
  await chat(shop.page).open();
  // Not before the window itself is here, which would have asked.
  await shop.page.getByRole('button', { name: en.menu }).waitFor();
  expect(shop.requests.filter(({ path }) => path.includes('locales-'))).toEqual([]);
  await shop.close();
});

test('a language that cannot be fetched leaves the chat in English, and is asked for again', async () => {
  const shop = await openShop(browser, `${service.url}/rtl.html`);
  await shop.page.route('**/{assets,again}/ar-*.js*', (route) => route.abort());
  await chat(shop.page).open();
  await chat(shop.page).say('Anybody?');
  await chat(shop.page).bubble('Anybody?').waitFor();
  await chat(shop.page).close();

  // Another one that is on its way is not overtaken by what was missed before.
  const onItsWay = new Promise<Route>(
    (resolve) => void shop.page.route('**/{assets,again}/de-*.js*', resolve),
  );
  await shop.page.evaluate(() => void window.parley?.setLocale('de'));
  const file = await onItsWay;
  await chat(shop.page).open();
  await file.continue();
  await chat(shop.page, german)
    .window.getByRole('heading', { name: german('title') })
    .waitFor();
  await chat(shop.page, german).close();
  const missed = shop.page.waitForEvent('requestfailed', (request) => /\/ar-/.test(request.url()));
  await shop.page.evaluate(() => void window.parley?.setLocale('ar'));
  await missed;
  await chat(shop.page).window.waitFor({ state: 'hidden' });

  await shop.page.unroute('**/{assets,again}/ar-*.js*');
  await chat(shop.page).launcher.press('Enter');
  await chat(shop.page, arabic)
    .window.getByRole('heading', { name: arabic('title') })
    .waitFor();
  await chat(shop.page, arabic).bubble('Anybody?').waitFor();
  await shop.close();
});

test('what the launcher is called says of what language it is: English at first, the visitor’s, and the owner’s', async () => {
  const { page, close } = await openTagged(browser, service, 'of-what-language', '', {}, { lang: 'de' });
  const { host } = chat(page);
  const spoken = () =>
    host
      .locator('button[part=launcher]')
      .evaluate((button) => [
        button.getAttribute('aria-label'),
        button.closest('[lang]')?.getAttribute('lang'),
      ]);
  expect(await spoken()).toEqual(['Open chat', 'en']);
  await host.locator('button[part=launcher]').click();
  await expect.poll(spoken).toEqual([german('closeChat'), 'de']);
  await chat(page, german).close();
  expect(await spoken()).toEqual([german('openChat'), 'de']);
  await close();
  const label = 'data-launcher-label="Fragen?" data-locale="en"';
  const owned = await openTagged(browser, service, 'of-the-owner', label, {}, { lang: 'de' });
  await owned.page.getByRole('button', { name: 'Fragen?', exact: true }).waitFor();
  const button = chat(owned.page).host.locator('button[part=launcher]');
  expect(await button.getAttribute('lang')).toBe('de');
  await button.click();
  await chat(owned.page).field.waitFor();
  await expect.poll(() => button.getAttribute('lang')).toBe('en');
  await owned.close();
});

test('lines are as high as Nastaliq needs them, and Korean words stay whole', async () => {
  for (const [lang, wanted] of [
    ['ur', ['normal', 1.9]],
    ['ko', ['keep-all', 1.3]],
    ['en', ['normal', 1.3]],
  ] as const) {
    const { page, close } = await openTagged(browser, service, 'letters', `data-locale="${lang}"`);
    await page.evaluate(() => window.parley?.open());
    const set = await page.locator(`parley-chat .root[lang=${lang}] .empty h3`).evaluate((title) => {
      const { wordBreak, lineHeight, fontSize } = getComputedStyle(title);
      return [wordBreak, Number.parseFloat(lineHeight) / Number.parseFloat(fontSize)];
    });
    expect(set).toEqual(wanted);
    await close();
  }
});

test('how many are new is written in the digits of the language, on the launcher and at the way down', async () => {
  const { page, close } = await openTagged(browser, service, 'digits', '', {}, { lang: 'fa', dir: 'rtl' });
  const { open, say, window: panel, badge, log, bubble } = chat(page, persian);
  await open();
  await say('Count for me');
  const conversation = await agent(service).conversationOf('Count for me');
  await bubble('Count for me').getByText(persian('sent'), { exact: true }).waitFor();
  // Nothing is seen any more that comes while the window still catches up.
  await expect.poll(() => page.evaluate(() => window.parley?.status().line)).toBe('live');
  await fill(service, conversation, 40);
  await page.reload();
  await log.getByText(/^Line 40\b/).waitFor();
  await panel.locator('.latest').click();
  await panel.locator('.latest').waitFor({ state: 'detached' });
  await scrollBy(page, -600);
  for (const words of ['One', 'Two']) await agent(service).answer(conversation, words);
  await expect.poll(() => panel.locator('.latest').textContent()).toBe('۲');
  await chat(page, persian).close();
  await expect.poll(() => badge.textContent()).toBe('۲');
  await close();
});

test('the owner’s own words are of the page’s language, and the window’s name of the chat’s', async () => {
  const words = `data-locale="de" data-title="Lampejo" data-greeting="Saluton" data-pre-chat='[{"name":"size","label":"Grandeco"}]'`;
  const { page, close } = await openTagged(browser, service, 'own-words', words, {}, { lang: 'eo' });
  await chat(page).launcher.click();
  const host = page.locator('parley-chat');
  const spoken = (what: Locator) =>
    what.evaluate((element) => element.closest('[lang]')?.getAttribute('lang'));
  await host.locator('.questions input').waitFor();
  for (const own of ['h2', '.empty p', '.empty bdi', 'label span'])
    expect([own, await spoken(host.locator(own).first())]).toEqual([own, 'eo']);
  await expect.poll(() => host.locator('dialog').getAttribute('lang')).toBe('de');
  await close();
});
