/** The owner's words beside the launcher on the pages that they are for, and when the page itself calls for them. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openTagged } from '../support/around.js';
import { chat, type Shop, useShop } from '../support/browser.js';
import { settled } from '../support/held-files.js';
import { drawn } from '../support/thread.js';

const { browser, service } = await useShop();

const open = (name: string, attributes = '', options: BrowserContextOptions = {}) =>
  openTagged(browser, service, `reach-${name}`, attributes, options);

const card = (page: Page, words: string) => page.locator('parley-chat').getByRole('button', { name: words });
const dismiss = (page: Page) =>
  page.locator('parley-chat').getByRole('button', { name: 'Dismiss', exact: true });
const asked = ({ requests }: Shop) =>
  requests.filter(({ path }) => path.startsWith('/assets/notice-')).length;
const go = (page: Page, path: string) => page.evaluate((path) => history.pushState(null, '', path), path);
const reachOut = (page: Page, words: unknown) =>
  page.evaluate(async (words) => {
    const outcome = await window.parley?.reachOut(words as string);
    return outcome?.ok ? 'ok' : outcome?.error.kind;
  }, words);

const WORDS = 'Which of our plans fits you?';

test('the words of the options come on their pages alone, and go and come with these', async () => {
  const shop = await open(
    'pages',
    `data-outreach="${WORDS}" data-outreach-after="0" data-outreach-pages="/prices/*, /cart"`,
  );
  const { page } = shop;
  await chat(page).launcher.waitFor();
  await go(page, '/about');
  // It fetches what says them for those pages only.
  expect([await card(page, WORDS).count(), asked(shop)]).toEqual([0, 0]);
  await go(page, '/prices/team');
  await card(page, WORDS).waitFor();
  await go(page, '/about');
  await card(page, WORDS).waitFor({ state: 'detached' });
  expect(await chat(page).launcher.isVisible()).toBe(true);
  await go(page, '/cart');
  await card(page, WORDS).waitFor();
  await dismiss(page).click();
  await card(page, WORDS).waitFor({ state: 'detached' });
  await go(page, '/prices/one');
  await drawn(page);
  expect(await card(page, WORDS).count()).toBe(0);
  expect([...shop.console, ...shop.errors]).toEqual([]);
  await shop.close();
});

test('on other pages their time stands still, and patterns that fit no path are named', async () => {
  const shop = await open(
    'time',
    `data-outreach="${WORDS}" data-outreach-after="100" data-outreach-pages="/cart"`,
  );
  const { page } = shop;
  await page.clock.install();
  const notice = page.waitForRequest(/\/assets\/notice-/);
  await page.reload();
  await chat(page).launcher.waitFor();
  await go(page, '/cart');
  await settled(page, (await notice).url());
  await page.clock.runFor(60_000);
  await go(page, '/about');
  await page.clock.runFor(600_000);
  await go(page, '/cart');
  await page.clock.runFor(30_000);
  expect(await card(page, WORDS).count()).toBe(0);
  await expect
    .poll(async () => {
      await page.clock.runFor(5_000);
      return card(page, WORDS).count();
    })
    .toBe(1);
  await shop.close();
  const wrong = await open(
    'wrong',
    `data-outreach="${WORDS}" data-outreach-after="0" data-outreach-pages="cart"`,
  );
  // It counts as not written.
  await card(wrong.page, WORDS).waitFor();
  expect(wrong.console).toEqual([
    'warning: Parley: data-outreach-pages must be patterns of paths, like "/help/*, !/help/old".',
  ]);
  await wrong.close();
});

test('a call says words at once, and once; they are the greeting, and what was sent away stays away', async () => {
  const shop = await open('call', `data-outreach="${WORDS}" data-outreach-after="3600"`);
  const { page } = shop;
  await page.evaluate(() => {
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        for (const node of addedNodes)
          if (node instanceof Element && node.matches('.outreach')) document.title += '!';
    }).observe(document.querySelector('parley-chat')?.shadowRoot ?? document, {
      childList: true,
      subtree: true,
    });
  });
  const title = await page.title();
  for (const _ of [1, 2, 3]) expect(await reachOut(page, 'Your cart is full. May we help?')).toBe('ok');
  await card(page, 'Your cart is full').waitFor();
  expect(await reachOut(page, 'Your cart is full. May we help?')).toBe('ok');
  expect(await page.title()).toBe(`${title}!`);
  await dismiss(page).click();
  await card(page, 'Your cart is full').waitFor({ state: 'detached' });
  expect(await reachOut(page, 'Your cart is full. May we help?')).toBe('unwanted');

  // Others are new, and in the place of those before.
  expect(await reachOut(page, 'Your payment has failed.')).toBe('ok');
  await card(page, 'Your payment has failed.').waitFor();
  expect(await reachOut(page, 'Before you go?')).toBe('ok');
  await card(page, 'Before you go?').waitFor();
  expect(await card(page, 'Your payment has failed.').count()).toBe(0);
  await dismiss(page).click();

  const before = asked(shop);
  await page.reload();
  for (const words of ['Your cart is full. May we help?', 'Before you go?'])
    expect(await reachOut(page, words)).toBe('unwanted');
  expect(await reachOut(page, WORDS)).toBe('ok');
  expect(asked(shop)).toBe(before + 1);
  await card(page, WORDS).click();
  await chat(page).log.getByText(WORDS).waitFor();
  expect(await reachOut(page, 'Anything else?')).toBe('unwanted');
  await page.keyboard.press('Escape');
  await chat(page).window.waitFor({ state: 'hidden' });
  expect(await reachOut(page, 'Anything else?')).toBe('unwanted');
  expect([...shop.console, ...shop.errors]).toEqual([]);
  await shop.close();
});

test('without any option a call fetches no more than it needs, and Escape is heard for this page', async () => {
  const shop = await open('bare');
  const { page } = shop;
  await chat(page).launcher.waitFor();
  expect(await reachOut(page, WORDS)).toBe('ok');
  await card(page, WORDS).waitFor();
  expect(shop.requests.filter(({ path }) => /^\/public\/|\/(?:app|chat)-/.test(path))).toEqual([]);
  await page.keyboard.press('Escape');
  await card(page, WORDS).waitFor({ state: 'detached' });
  expect(await reachOut(page, WORDS)).toBe('unwanted');
  await page.reload();
  expect(await reachOut(page, WORDS)).toBe('ok');
  await card(page, WORDS).waitFor();
  await shop.close();
});

test.each([
  ['unwanted', 'data-storage="memory"', WORDS],
  ['hidden', 'data-pages="/elsewhere"', WORDS],
  ['consent', 'data-connect="allow"', WORDS],
  ['wrong', '', ' '],
  ['wrong', '', undefined],
  ['notLoaded', '', WORDS],
])('that they do not come is told as %s: %s %j', async (kind, attributes, words) => {
  const shop = await open(`no-${kind}`, attributes);
  const { page } = shop;
  if (kind === 'notLoaded') {
    await page.route('**/assets/**/notice-*', (route) => route.abort());
    await page.route('**/assets/notice-*', (route) => route.abort());
  }
  await page.evaluate(() => window.parley?.on('error', ({ kind }) => (document.title = `error: ${kind}`)));
  expect(await reachOut(page, words)).toBe(kind);
  expect(await card(page, WORDS).count()).toBe(0);
  const heard = ['wrong', 'notLoaded'].includes(kind);
  expect((await page.title()) === `error: ${kind}`).toBe(heard);
  if (kind === 'wrong')
    expect(shop.console).toEqual([
      'warning: Parley: reachOut() needs some words, like reachOut("Can we help?").',
    ]);
  await shop.close();
});
