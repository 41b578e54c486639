/** The owner's first words beside the launcher: when they come, what they do, and that they stay away once sent away. */
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Parley } from '../../src/parley.js';
import { openTagged } from '../support/around.js';
import { agent, chat, hostPage, type Shop, useShop } from '../support/browser.js';
import { holdFiles, settled } from '../support/held-files.js';
import { objections } from '../support/objections.js';

const { browser, service } = await useShop();

const WORDS = 'Can we help you choose?';
const tagged = (words = WORDS, after = '0', more = '') =>
  `data-outreach="${words}" data-outreach-after="${after}" ${more}`;
const open = (name: string, attributes = tagged(), options: BrowserContextOptions = {}) =>
  openTagged(browser, service, `outreach-${name}`, attributes, options);

const card = (page: Page, words = WORDS) => page.locator('parley-chat').getByRole('button', { name: words });
const dismiss = (page: Page) =>
  page.locator('parley-chat').getByRole('button', { name: 'Dismiss', exact: true });
/** How often the file that has them to say. */
const asked = ({ requests }: Shop) =>
  requests.filter(({ path }) => path.startsWith('/assets/notice-')).length;
const kept = (page: Page) => page.evaluate(() => Object.keys(localStorage));

test('they are read out once, open the chat, and are what the visitor answers to', async () => {
  const shop = await open('pressed');
  const { page } = shop;
  await card(page).waitFor();
  const said = () => page.locator('parley-chat').getByRole('status').filter({ hasText: WORDS }).count();
  await expect.poll(said).toBe(1);
  // Said by then: whoever reads on would meet them a second time.
  await expect.poll(said, { timeout: 20_000 }).toBe(0);
  // They take no focus, ask the service nothing and keep nothing.
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true);
  expect(shop.requests.filter(({ path }) => path.startsWith('/public/'))).toEqual([]);
  expect(await kept(page)).toEqual([]);
  await card(page).click();
  await chat(page).field.waitFor();
  expect(await card(page).count()).toBe(0);
  await chat(page).window.getByText(WORDS).waitFor();
  await expect.poll(() => chat(page).field.evaluate((field) => field.matches(':focus'))).toBe(true);
  await chat(page).say('Yes, a lamp for the desk');
  await agent(service).conversationOf('Yes, a lamp for the desk');
  // To whoever has written they are not said again: not even what would say them is asked for.
  const before = asked(shop);
  expect(before).toBeGreaterThan(0);
  const owner = page.waitForRequest(/\/assets\/owner-/);
  await page.reload();
  await chat(page).bubble('Yes, a lamp for the desk').waitFor();
  await page.keyboard.press('Escape');
  await settled(page, (await owner).url());
  expect([await card(page).count(), asked(shop)]).toEqual([0, before]);
  expect(shop.errors).toEqual([]);
  await shop.close();
});

test('sent away they stay away, in each tab and on each page; other words are new, and “forget me” begins anew', async () => {
  const shop = await open('dismissed');
  const { page } = shop;
  const other = await page.context().newPage();
  await other.goto(page.url());
  await card(other).waitFor();
  await dismiss(page).focus();
  await page.keyboard.press('Enter');
  await card(page).waitFor({ state: 'detached' });
  await expect.poll(() => chat(page).launcher.evaluate((button) => button.matches(':focus'))).toBe(true);
  await card(other).waitFor({ state: 'detached' });
  const before = asked(shop);
  expect(before).toBeGreaterThan(0);
  const owner = page.waitForRequest(/\/assets\/owner-/);
  await page.reload();
  await chat(page).launcher.waitFor();
  await settled(page, (await owner).url());
  expect([await card(page).count(), asked(shop)]).toEqual([0, before]);
  const html = hostPage(service.url).replace(
    'data-inbox-identifier',
    `${tagged('Free delivery today')} data-inbox-identifier`,
  );
  const here = page.url();
  await page.goto(service.url + (await service.page('outreach-other-words', html)));
  await card(page, 'Free delivery today').waitFor();
  await page.goto(here);
  expect(await page.evaluate(() => window.parley?.forget())).toEqual({ ok: true });
  await page.reload();
  await card(page).waitFor();
  await shop.close();
});

test('they wait for the time that the page is seen, and for nobody who is in the chat already', async () => {
  const shop = await open('waits', tagged(WORDS, '3600'));
  await shop.page.clock.install();
  await shop.page.reload();
  await chat(shop.page).launcher.waitFor();
  // Its time begins once what counts it is there.
  let steps = 0;
  await expect
    .poll(async () => {
      await shop.page.clock.runFor(300_000);
      steps++;
      return card(shop.page).count();
    })
    .toBe(1);
  expect(steps).toBeGreaterThanOrEqual(12);
  await shop.close();
  const opened = await open('opened', tagged(WORDS, '2'));
  await opened.page.clock.install();
  const notice = opened.page.waitForRequest(/\/assets\/notice-/);
  await opened.page.reload();
  // What counts their time is there, and counts.
  await settled(opened.page, (await notice).url());
  await chat(opened.page).open();
  await opened.page.clock.runFor(10_000);
  await opened.page.keyboard.press('Escape');
  await opened.page.clock.runFor(10_000);
  await settled(opened.page, (await notice).url());
  expect(await card(opened.page).count()).toBe(0);
  // On the next page nobody counts at all.
  const before = asked(opened);
  const owner = opened.page.waitForRequest(/\/assets\/owner-/);
  await opened.page.reload();
  await settled(opened.page, (await owner).url());
  expect(asked(opened)).toBe(before);
  await opened.close();
});

test('whoever has opened the chat is in it already, whatever was said there and on whichever page', async () => {
  const shop = await open('home', '');
  const { page } = shop;
  const html = hostPage(service.url).replace('data-inbox-identifier', `${tagged()} data-inbox-identifier`);
  const prices = service.url + (await service.page('outreach-prices', html));
  const visit = async () => {
    const owner = page.waitForRequest(/\/assets\/owner-/);
    await page.goto(prices);
    await settled(page, (await owner).url());
    return [await card(page).count(), asked(shop)];
  };
  await chat(page).open();
  await page.keyboard.press('Escape');
  await chat(page).window.waitFor({ state: 'hidden' });
  expect(await visit()).toEqual([0, 0]);
  // Also before what counts their time is there.
  const forget = () => page.evaluate(() => window.parley?.forget());
  expect(await forget()).toEqual({ ok: true });
  const notice = await holdFiles(page, '**/assets/notice-*');
  await page.goto(prices);
  await expect.poll(notice.count).toBe(1);
  await chat(page).open();
  await page.keyboard.press('Escape');
  await chat(page).window.waitFor({ state: 'hidden' });
  const [address = ''] = notice.addresses();
  await notice.release();
  await settled(page, address);
  expect(await visit()).toEqual([0, 1]);
  // Who has not is invited.
  expect(await forget()).toEqual({ ok: true });
  await page.goto(prices);
  await card(page).waitFor();
  await shop.close();
});

test.each(['bottom-end', 'top-start'])(
  'at %s axe finds nothing, and a phone shows them whole',
  async (position) => {
    const words =
      'Hello! Our lamps are made by hand in Bergen. Is there one that you would like to know more about? We answer within the hour, on Sundays as well, and send each of them with a letter that tells who has made it.';
    const shop = await open(`seen-${position}`, tagged(words, '0', `data-position="${position}"`));
    const { page } = shop;
    await card(page, words).waitFor();
    for (const side of [256, 568]) {
      await page.setViewportSize({ width: 320, height: side });
      for (const part of [card(page, words), dismiss(page)]) {
        const { x, y, width, height } = (await part.boundingBox()) ?? { x: -1, y: -1, width: 0, height: 0 };
        expect([x >= 0, y >= 0, x + width <= 320, y + height <= side]).toEqual([true, true, true, true]);
        expect(height).toBeGreaterThanOrEqual(24);
      }
    }
    expect(await objections(page, position, `document.querySelector('parley-chat')`, [320, 1280])).toEqual(
      [],
    );
    await shop.close();
  },
);

test('a language that comes late is spoken from then on', async () => {
  const words = 'هل نساعدك في اختيار مصباح؟';
  const shop = await open('arabic-late', tagged(words, '0', 'data-locale="ar"'));
  const files = await holdFiles(shop.page, '**/assets/ar-*.js');
  await shop.page.reload();
  const away = shop.page.locator('parley-chat .dismiss');
  await away.waitFor();
  expect([await away.textContent(), await away.getAttribute('lang')]).toEqual(['Dismiss', 'en']);
  await files.release();
  await expect.poll(() => away.getAttribute('lang')).toBe('ar');
  expect(await away.textContent()).not.toBe('Dismiss');
  await shop.close();
});

test('they are sent away in the visitor’s language, and from right to left', async () => {
  const shop = await open('arabic', tagged('هل نساعدك في الاختيار؟', '0', 'data-locale="ar"'));
  const away = shop.page.locator('parley-chat .dismiss');
  await away.waitFor();
  await expect.poll(() => away.textContent()).not.toBe('Dismiss');
  expect([await away.getAttribute('lang'), await away.getAttribute('dir')]).toEqual(['ar', 'rtl']);
  await shop.close();
});

test.each([
  ['eo', 'eo'],
  ['', ''],
])(
  'on a page of the language “%s”, which the chat does not speak, the owner’s words are of it',
  async (lang, tag) => {
    const words = 'Ĉu ni helpu vin elekti?';
    const attributes = tagged(words, '0', 'data-locale="eo" data-title="Lampejo"');
    const shop = await openTagged(browser, service, `outreach-lang-${lang}`, attributes, {}, { lang });
    const { page } = shop;
    await card(page, words).waitFor();
    const spoken = (what: Locator) =>
      what.evaluate((element) => element.closest('[lang]')?.getAttribute('lang'));
    const inCard = (text: string) => card(page, words).getByText(text, { exact: true });
    const status = page.locator('parley-chat').getByRole('status').filter({ hasText: words });
    await status.waitFor({ state: 'attached' });
    expect([await spoken(inCard(words)), await spoken(inCard('Lampejo')), await spoken(status)]).toEqual([
      tag,
      tag,
      tag,
    ]);
    // What the chat says itself.
    expect(await spoken(dismiss(page))).toBe('en');
    await shop.close();
    const untitled = await openTagged(
      browser,
      service,
      `outreach-untitled-${lang}`,
      tagged(words, '0', 'data-locale="eo"'),
      {},
      { lang },
    );
    expect(await spoken(card(untitled.page, words).getByText('Support', { exact: true }))).toBe('en');
    await untitled.close();
  },
);

test('a page that takes the chat away takes them along, and wrong seconds are named', async () => {
  const shop = await open('gone');
  await card(shop.page).waitFor();
  await shop.page.evaluate(() => window.parley?.hide());
  expect(await card(shop.page).isVisible()).toBe(false);
  await shop.page.evaluate(() => window.parley?.destroy());
  expect(await shop.page.locator('parley-chat').count()).toBe(0);
  expect(shop.errors).toEqual([]);
  await shop.close();
  const said = await open('wrong', tagged(WORDS, 'soon'));
  await expect
    .poll(() => said.console)
    .toEqual(['warning: Parley: data-outreach-after must be a number of seconds up to 3600, like "20".']);
  await said.close();
});

test('a greeting that is wrong is named, and does not keep them from being the greeting', async () => {
  const shop = await open('no-greeting', tagged(WORDS, '0', 'data-greeting=" "'));
  await card(shop.page).click();
  await chat(shop.page).log.getByText(WORDS).waitFor();
  expect(shop.console).toEqual(['warning: Parley: data-greeting must be some words.']);
  await shop.close();
  const greeted = await open('own-greeting', tagged(WORDS, '0', 'data-greeting="Good morning!"'));
  await card(greeted.page).click();
  await chat(greeted.page).log.getByText('Good morning!').waitFor();
  expect([await chat(greeted.page).log.getByText(WORDS).count(), ...greeted.console]).toEqual([0]);
  await greeted.close();
});

test('Escape takes them off what they lie over, for this page; what is seen beside them can be pressed', async () => {
  const shop = await open('escape');
  const { page } = shop;
  await card(page).waitFor();
  const [around, words] = [
    await page.locator('parley-chat .preview').boundingBox(),
    await dismiss(page).boundingBox(),
  ];
  // Left of the shorter of the two, within what holds both.
  const beside = { x: (around?.x ?? 0) + 4, y: (words?.y ?? 0) + (words?.height ?? 0) / 2 };
  expect(beside.x).toBeLessThan(words?.x ?? 0);
  const met = ({ x, y }: { x: number; y: number }) => document.elementFromPoint(x, y)?.localName;
  expect(await page.evaluate(met, beside)).not.toBe('parley-chat');
  await page.keyboard.press('Escape');
  await card(page).waitFor({ state: 'detached' });
  await page.reload();
  await card(page).waitFor();
  await shop.close();
});

test('they are sent away in the language that the page asks for, before they come and while they stand', async () => {
  const shop = await openTagged(browser, service, 'outreach-set', tagged(WORDS, '1'), {}, { lang: 'en' });
  const { page } = shop;
  await page.addInitScript(() => {
    Object.assign(window, { parley: [(chat: Parley) => chat.setLocale('de')] });
  });
  const ask = (tag: string) => page.evaluate((tag) => window.parley?.setLocale(tag), tag);
  await page.reload();
  const away = page.locator('parley-chat .dismiss');
  const lang = () => away.getAttribute('lang');
  await away.waitFor();
  await expect.poll(lang).toBe('de');
  await ask('ar');
  await expect.poll(lang).toBe('ar');
  // The owner's file waits for nobody any more.
  await page.evaluate(() => window.parley?.reset());
  await ask('fr');
  await expect.poll(lang).toBe('fr');
  await shop.close();
});

const gpc = 'Object.defineProperty(navigator, "globalPrivacyControl", { value: true })';
const refused =
  'Object.defineProperty(window, "localStorage", { get() { throw new DOMException("no", "SecurityError"); } })';

test.each([
  ['memory', 'data-storage="memory"', ''],
  ['privacy', '', gpc],
  ['refused', '', refused],
])(
  'where nothing can be kept (%s) they do not come, because they would come back on every page',
  async (name, attributes, script) => {
    const more = `${attributes} data-debug="true"`;
    const head = script && `<script>${script}</script>`;
    const shop = await openTagged(
      browser,
      service,
      `outreach-${name}`,
      tagged(WORDS, '0', more),
      {},
      { head },
    );
    const { page } = shop;
    await expect
      .poll(() => shop.console.filter((said) => said.includes('outreach')))
      .toEqual(['debug: Parley: outreach does not come where nothing can be kept.']);
    expect([await card(page).count(), asked(shop)]).toEqual([0, 0]);
    // Once it may be, they come as to everybody, and once.
    const allow = () => page.evaluate(() => window.parley?.allow('persistent'));
    expect(await allow()).toEqual({ ok: true });
    if (script === refused) {
      expect([await card(page).count(), asked(shop)]).toEqual([0, 0]);
      return shop.close();
    }
    await dismiss(page).click();
    await card(page).waitFor({ state: 'detached' });
    expect(await allow()).toEqual({ ok: true });
    expect([await card(page).count(), asked(shop)]).toEqual([0, 1]);
    // Nor on the next page, which is allowed it from the beginning.
    await page.addInitScript(() => {
      Object.assign(window, { parley: [(chat: Parley) => chat.allow('persistent')] });
    });
    const owner = page.waitForRequest(/\/assets\/owner-/);
    await page.reload();
    await settled(page, (await owner).url());
    expect([await card(page).count(), asked(shop)]).toEqual([0, 1]);
    expect(await page.evaluate(() => window.parley?.forget())).toEqual({ ok: true });
    await page.reload();
    await card(page).waitFor();
    await shop.close();
  },
);

test('whom the page lets in while what invites is on its way is invited, too, and once', async () => {
  const shop = await open('let-in', tagged(WORDS, '0', 'data-connect="load" data-storage="memory"'));
  const { page } = shop;
  const owner = await holdFiles(page, '**/assets/owner-*');
  await page.reload();
  await expect.poll(owner.count).toBe(1);
  await page.evaluate(() => {
    Object.assign(window, { letIn: window.parley?.allow('persistent') });
  });
  await owner.release();
  expect(await page.evaluate(() => Reflect.get(window, 'letIn'))).toEqual({ ok: true });
  await dismiss(page).click();
  await card(page).waitFor({ state: 'detached' });
  expect(await page.evaluate(() => window.parley?.allow('persistent'))).toEqual({ ok: true });
  expect([await card(page).count(), asked(shop)]).toEqual([0, 1]);
  await shop.close();
});
