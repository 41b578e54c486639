/** chat.html in a browser's tab: on a phone, as a link, as its owner has built it, and where the chat does not come. */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { english as en } from '../../src/text/english.js';
import { agent, arabic, axePath, chat, openShop, useShop } from '../support/browser.js';
import { INBOX, openChatPage, ownPage, phone, query, quiet } from '../support/chat-page.js';

const { browser, service } = await useShop();

declare global {
  interface Window {
    /** As a keyboard does that comes, goes, or pushes the page up. */
    testZoom?: (height: number, offsetTop: number, scale: number) => void;
  }
}

test('on a phone it fills what the keyboard and the edges of the screen leave, and opens the file picker', async () => {
  const shop = await openShop(browser, 'about:blank', phone);
  const { page } = shop;
  const screen = await page.context().newCDPSession(page);
  await screen.send('Emulation.setSafeAreaInsetsOverride', {
    insets: { top: 47, bottom: 34, left: 10, right: 20 },
  });
  await page.addInitScript(() => {
    const view = Object.assign(new EventTarget(), {
      height: 844,
      width: 390,
      offsetTop: 0,
      offsetLeft: 0,
      scale: 1,
    });
    Object.defineProperty(window, 'visualViewport', { get: () => view });
    window.testZoom = (height, offsetTop, scale) => {
      Object.assign(view, { height, offsetTop, scale });
      view.dispatchEvent(new Event('resize'));
      view.dispatchEvent(new Event('scroll'));
    };
  });
  await page.goto(`${service.url}/chat.html?${query}`);
  await chat(page).field.waitFor();
  // Turned, an iPhone enlarges the words of wide lines, and only those.
  expect(
    await page.evaluate(() =>
      getComputedStyle(document.documentElement).getPropertyValue('text-size-adjust'),
    ),
  ).toBe('100%');
  const box = async (selector: string) => {
    const found = await chat(page).host.locator(selector).first().boundingBox();
    if (!found) throw new Error(`${selector} is not there`);
    const { x, y, width, height } = found;
    return { left: x, top: y, right: x + width, bottom: y + height };
  };
  // The header runs from edge to edge, its words and all buttons stay clear of them.
  expect(await box('.header')).toMatchObject({ left: 0, top: 0, right: 390 });
  expect((await box('.header h2')).top).toBeGreaterThanOrEqual(47);
  expect((await box('.header h2')).left).toBeGreaterThanOrEqual(10);
  expect((await box('.menu-button')).right).toBeLessThanOrEqual(370);
  expect((await box('.field')).bottom).toBeLessThanOrEqual(844 - 34);
  expect((await box('.composer')).bottom).toBe(844);
  const edges = async (height: number, offsetTop = 0, scale = 1) => {
    await page.evaluate(([height, top, scale]) => window.testZoom?.(height, top, scale), [
      height,
      offsetTop,
      scale,
    ] as const);
    const [header, composer, field] = [await box('.header'), await box('.composer'), await box('.field')];
    return [header.top, composer.bottom, composer.bottom - field.bottom < 30];
  };
  await chat(page).field.tap();
  expect(await edges(508)).toEqual([0, 508, true]);
  expect(await edges(508, 180)).toEqual([180, 688, true]);
  // Who zooms in keeps the page as it is.
  expect(await edges(250, 100, 2)).toEqual([180, 688, true]);
  expect(await edges(844)).toEqual([0, 844, false]);
  // The keyboard has gone, and an iPhone still says that the page is pushed up; or says it too early.
  expect(await edges(844, 24)).toEqual([0, 844, false]);
  await page.evaluate(() => {
    window.testZoom?.(508, 0, 1);
    Object.assign(window.visualViewport ?? {}, { height: 844 });
  });
  await expect.poll(async () => (await box('.composer')).bottom).toBe(844);
  // Nothing but the thread scrolls.
  expect(
    await page.evaluate(() => [
      document.documentElement.scrollHeight - innerHeight,
      document.documentElement.scrollWidth - innerWidth,
    ]),
  ).toEqual([0, 0]);

  const chosen = page.waitForEvent('filechooser');
  await chat(page).window.getByRole('button', { name: en.attach }).tap();
  await (await chosen).setFiles({ name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('A file') });
  await chat(page).window.getByText('note.txt', { exact: true }).waitFor();
  await chat(page).say('With a file');
  await agent(service).conversationOf('With a file');
  await quiet(shop);
  await shop.close();
});

const axeFindings = z.array(z.string());

test('as a link it speaks the visitor’s languages, by day and by night, and axe finds nothing', async () => {
  const axe = await readFile(axePath, 'utf8');
  const shop = await openChatPage(browser, service, `${query}&accent=%230b6e4f&utm_source=mail`, {
    ...phone,
    locale: 'ar-EG',
  });
  const { page } = shop;
  await chat(page, arabic).field.waitFor();
  expect(
    await page.evaluate(() => [document.documentElement.lang, document.documentElement.dir, document.title]),
  ).toEqual(['ar-EG', 'rtl', arabic('window')]);
  expect(await page.evaluate(() => document.activeElement?.localName)).toBe('body');
  expect(await chat(page).launcher.isVisible()).toBe(false);
  await page.evaluate(axe);
  const all: string[] = [];
  for (const [width, colorScheme] of [
    [320, 'light'],
    [390, 'dark'],
    [1280, 'light'],
    [1280, 'dark'],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    const found =
      await page.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ' at ' + JSON.stringify(target))))`);
    all.push(...axeFindings.parse(found).map((words) => `${width} ${colorScheme}: ${words}`));
  }
  expect(all).toEqual([]);
  await quiet(shop);
  await shop.close();
});

test('what says who the visitor is is refused in an address, and taken out of it', async () => {
  const shop = await openChatPage(
    browser,
    service,
    `${query}&identifier=user-7&identifier-hash=${'ab'.repeat(32)}&title=Ask+us`,
  );
  const { page } = shop;
  await page.getByRole('heading', { name: 'Ask us' }).waitFor();
  expect(await page.evaluate(() => location.search)).toBe(`?${query}&title=Ask+us`);
  expect(shop.console).toEqual([
    'warning: Parley: "identifier", "identifier-hash" must not stand in an address, which others can read: an app hands it over by the bridge, with "identify".',
  ]);
  await shop.close();
});

test.each(['', '+'])(
  'a title that is empty (“%s”) is none: the page has that of the window',
  async (title) => {
    const asked = `${query}&title=${title}`;
    const { page, close } = await openChatPage(browser, service, asked, { ...phone, locale: 'ar-EG' });
    await chat(page, arabic).field.waitFor();
    await expect.poll(() => page.title()).toBe(arabic('window'));
    await close();
  },
);

test('a link that names no inbox says at once that there is no chat', async () => {
  const { page, close } = await openShop(browser, 'about:blank');
  // Of itself the page says so after eight seconds, when files may still be on their way: not here.
  await page.addInitScript(() => {
    const looks = new CSSStyleSheet();
    looks.replaceSync('.instead { animation: none !important; }');
    document.adoptedStyleSheets.push(looks);
  });
  await page.goto(`${service.url}/chat.html?inbox=demo`);
  await page.getByText('The chat could not be loaded.').waitFor();
  await close();
});

test('a page that its owner has built belongs to one inbox, and without the chat it leads elsewhere', async () => {
  const owned = {
    PARLEY_SERVICE: service.url,
    PARLEY_INBOX: INBOX,
    PARLEY_FALLBACK: 'mailto:help@example.com',
  };
  const path = await service.page('own', ownPage(owned));
  const elsewhere = 'base-url=http%3A%2F%2Fother.example&inbox-identifier=another';
  const own = await openShop(browser, `${service.url}${path}?${elsewhere}`, phone);
  await chat(own.page).field.waitFor();
  await chat(own.page).say('To the right inbox');
  await agent(service).conversationOf('To the right inbox');
  await quiet(own);
  await own.close();

  const link = (page: Page) => page.getByRole('link', { name: 'Write to us' });
  const broken = await openShop(browser, 'about:blank', phone);
  await broken.page.route('**/{assets,again}/page-*.js', (route) => route.abort());
  await broken.page.goto(service.url + path);
  await link(broken.page).waitFor({ timeout: 30_000 });
  expect(await link(broken.page).getAttribute('href')).toBe('mailto:help@example.com');
  await broken.page.unroute('**/{assets,again}/page-*.js');
  await broken.page.getByRole('link', { name: 'Try again' }).tap();
  await chat(broken.page).field.waitFor();
  await link(broken.page).waitFor({ state: 'hidden' });
  await broken.close();

  // The page itself comes, and the chat does not before the line is back; also for whoever hears of answers.
  const offline = await openShop(browser, service.url + path, phone);
  await chat(offline.page).say('Before the tunnel');
  await agent(service).conversationOf('Before the tunnel');
  const listening = offline.page.waitForEvent('websocket');
  await offline.page.route('**/{assets,again}/app-*', async (route) => {
    await listening;
    await route.abort();
  });
  await offline.page.reload();
  await link(offline.page).waitFor({ timeout: 30_000 });
  await offline.page.unroute('**/{assets,again}/app-*');
  await offline.page.evaluate(() => window.dispatchEvent(new Event('online')));
  await chat(offline.page).field.waitFor();
  await offline.close();

  const still = await openShop(browser, service.url + path, { ...phone, javaScriptEnabled: false });
  // What is found by its words leaves out what is in a noscript.
  const instead = still.page.locator('.instead').filter({ visible: true });
  await instead.waitFor();
  expect(await instead.innerText()).toMatch(
    /^The chat needs JavaScript, which is switched off here\.\s+Write to us$/,
  );
  expect(await instead.locator('a').getAttribute('href')).toBe('mailto:help@example.com');
  await still.close();
});

test('a service that the page’s policy does not know is named in a sentence', async () => {
  const shop = await openChatPage(
    browser,
    service,
    'base-url=http%3A%2F%2Fother.example&inbox-identifier=another',
  );
  await chat(shop.page).say('Into the void');
  await expect
    .poll(() => shop.console.filter((line) => line.startsWith('warning: Parley')))
    .toContain(
      'warning: Parley: the policy at the top of chat.html must allow http://other.example in connect-src.',
    );
  await shop.close();
});

test('on an owner’s page a link is the launcher, and a link again where the chat does not come', async () => {
  const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
  const [, written = ''] = /```html\n(<a id="help".*?)```/s.exec(readme) ?? [];
  const snippet = written
    .replaceAll('https://support.example.com', '{{origin}}')
    .replaceAll('INBOX', '{{inbox}}');
  const head = '<meta charset="utf-8"><title>A shop</title><link rel="icon" href="data:,">';
  const path = await service.page(
    'link',
    `<!doctype html><html lang="en">${head}<h1>A shop</h1>${snippet}</html>`,
  );
  const shop = await openShop(browser, service.url + path);
  const { page } = shop;
  const help = page.getByRole('link', { name: 'Help' });
  await expect.poll(() => help.getAttribute('aria-expanded')).toBe('false');
  await help.click();
  await chat(page).field.waitFor();
  expect(page.url()).toBe(service.url + path);
  await help.click();
  await chat(page).window.waitFor({ state: 'hidden' });
  await quiet(shop);
  // In another tab, as any link.
  const opened = page.context().waitForEvent('page');
  await help.click({ modifiers: ['ControlOrMeta'] });
  const other = await opened;
  await other.waitForURL(/chat\.html/);
  await other.close();
  expect(await help.getAttribute('aria-expanded')).toBe('false');

  // The window does not come; then nothing does.
  for (const blocked of ['**/{assets,again}/app-*', '**/{assets,again}/**']) {
    await page.route(blocked, (route) => route.abort());
    await page.goto(service.url + path);
    if (blocked !== '**/{assets,again}/**')
      await expect.poll(() => help.getAttribute('aria-expanded')).toBe('false');
    await help.click();
    await page.waitForURL(/chat\.html/);
    await page.unroute(blocked);
    await page.reload();
    await chat(page).field.waitFor();
  }
  await shop.close();
});

test('a link speaks the first of the visitor’s languages that there is, also when it did not come at first', async () => {
  const shop = await openShop(browser, 'about:blank', phone);
  const { page } = shop;
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'languages', { get: () => ['eu', 'ar', 'en'] }),
  );
  let asked = 0;
  await page.route('**/{assets,again}/ar-*.js*', (route) => (asked++ ? route.continue() : route.abort()));
  await page.goto(`${service.url}/chat.html?${query}`);
  const field = page.locator('parley-chat textarea');
  await expect.poll(() => asked).toBeGreaterThan(0);
  // The line that comes with the words is the sign to ask again.
  await field.fill('In which language?');
  await field.press('Enter');
  await chat(page, arabic).bubble('In which language?').waitFor();
  await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe('ar');
  await shop.close();
});
