/** What came while nobody looked, in a real browser: below a line, which is where the visitor comes back to. */
import type { Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { english as en } from '../../src/text/english.js';
import { drawLate, pick, say, setHidden } from '../support/around.js';
import { agent, chat, type Shop, useShop } from '../support/browser.js';
import type { FaultProxy } from '../support/fault-proxy.js';
import { drawn, enterThread, fill, readerUp, view } from '../support/thread.js';

const { browser, service } = await useShop();
let proxy: FaultProxy;
let shop: Shop;
let conversation: number;

async function enter(count: number) {
  ({ proxy, shop, conversation } = await enterThread(browser, service, count));
}
afterEach(async () => {
  await shop.close();
  await proxy.stop();
});
const answer = (words: string) => agent(service).answer(conversation, words);

test('what came behind another page stands below a line of its own each time, and is where one comes back to', async () => {
  await enter(30);
  const { page } = shop;
  const line = chat(page).log.locator('.new');
  const above = () => line.evaluate((one) => one.closest('.row')?.querySelector('.content')?.textContent);
  const unread = () => page.evaluate(() => window.parley?.unread());
  await setHidden(page, true);
  for (let i = 0; i < 15; i++) await answer(`Behind a page ${i}`);
  await expect.poll(unread).toBe(15);
  await setHidden(page, false);
  await drawn(page);
  const { at, row } = await view(page);
  expect([await above(), row, at < 40]).toEqual(['Behind a page 0', 'Behind a page 0', true]);
  // Seen once it is in sight.
  expect(await unread()).toBe(15);
  await chat(page)
    .window.getByRole('button', { name: en.latestNew.other.replace('{count}', '15') })
    .click();
  await expect.poll(unread).toBe(0);
  await setHidden(page, true);
  await answer('Behind a page again');
  await expect.poll(unread).toBe(1);
  await setHidden(page, false);
  await expect.poll(above).toBe('Behind a page again');
  await expect.poll(unread).toBe(0);
  // The reader who has gone up is not moved by it.
  const place = await readerUp(page, 600);
  await setHidden(page, true);
  await answer('Further down');
  await chat(page).bubble('Further down').waitFor({ state: 'attached' });
  await setHidden(page, false);
  await place.stays();
  expect(await above()).toBe('Further down');
});

test('what came while the window was closed stands below a line, which stays until it is closed again or answered', async () => {
  await enter(30);
  await chat(shop.page).close();
  const line = chat(shop.page).log.locator('.new');
  for (let i = 0; i < 15; i++) await answer(`While you were away ${i}`);
  await expect.poll(() => chat(shop.page).badge.textContent()).toBe('15');
  await chat(shop.page).open();
  await line.waitFor();
  const above = () => line.evaluate((one) => one.closest('.row')?.querySelector('.content')?.textContent);
  expect(await above()).toBe('While you were away 0');
  // The view begins with it.
  await drawn(shop.page);
  const { at, row } = await view(shop.page);
  expect([row, at < 40]).toEqual(['While you were away 0', true]);
  await answer('While you look on');
  await chat(shop.page).bubble('While you look on').waitFor({ state: 'attached' });
  expect(await line.count()).toBe(1);
  expect(await above()).toBe('While you were away 0');
  // Seen once it is in sight.
  await chat(shop.page)
    .window.getByRole('button', { name: /^Jump to latest/ })
    .click();
  await expect.poll(() => shop.page.evaluate(() => window.parley?.unread())).toBe(0);
  await chat(shop.page).close();
  await chat(shop.page).open();
  await chat(shop.page).bubble('While you look on').waitFor();
  expect(await line.count()).toBe(0);
  await expect.poll(async () => (await view(shop.page)).left).toBeLessThanOrEqual(1);
  // Who answers has read it.
  await chat(shop.page).close();
  await answer('And one more');
  await expect.poll(() => chat(shop.page).badge.textContent()).toBe('1');
  await chat(shop.page).open();
  await line.waitFor();
  await chat(shop.page).say('Thank you for all of these');
  await line.waitFor({ state: 'detached' });
});

test('what was missed behind another page, and comes once one is back, stands below a line, too', async () => {
  await enter(30);
  const { page } = shop;
  await setHidden(page, true);
  proxy.offline();
  for (let i = 0; i < 15; i++) await answer(`Missed meanwhile ${i}`);
  await setHidden(page, false);
  await expect.poll(() => page.evaluate(() => window.parley?.status().line)).not.toBe('live');
  expect(await chat(page).bubble('Missed meanwhile 0').count()).toBe(0);
  proxy.online();
  await chat(page).bubble('Missed meanwhile 14').waitFor({ state: 'attached' });
  await drawn(page);
  const { row, at } = await view(page);
  expect([row, at < 40]).toEqual(['Missed meanwhile 0', true]);
  expect(await page.evaluate(() => window.parley?.unread())).toBe(15);
  await chat(page)
    .window.getByRole('button', { name: en.latestNew.other.replace('{count}', '15') })
    .click();
  await expect.poll(() => page.evaluate(() => window.parley?.unread())).toBe(0);
  // From now on they look on.
  await answer('Seen as it comes');
  await chat(page).bubble('Seen as it comes').waitFor();
  await expect.poll(() => page.evaluate(() => window.parley?.unread())).toBe(0);
});

test('what came behind another page and was read in another tab meanwhile is not new any more', async () => {
  await enter(30);
  const { page } = shop;
  const other = await page.context().newPage();
  await other.goto(page.url());
  await chat(other).bubble('The newest').waitFor();
  const unread = (of: Page) => of.evaluate(() => window.parley?.unread());
  for (const one of [page, other]) await setHidden(one, true);
  for (let i = 0; i < 15; i++) await answer(`Read over there ${i}`);
  for (const one of [page, other]) await expect.poll(() => unread(one)).toBe(15);
  const line = chat(page).log.locator('.new');
  await line.waitFor({ state: 'attached' });
  await setHidden(other, false);
  await chat(other)
    .window.getByRole('button', { name: en.latestNew.other.replace('{count}', '15') })
    .click();
  for (const one of [page, other]) await expect.poll(() => unread(one)).toBe(0);
  await line.waitFor({ state: 'detached' });
  await setHidden(page, false);
  await drawn(page);
  await expect.poll(async () => (await view(page)).left).toBeLessThanOrEqual(1);
});

/*
 * 1. An answer comes behind another page. The view shall begin with it, once more when it has been drawn.
 * 2. In another tab the visitor goes to another conversation, and this one follows.
 * 3. They come back, and only now is anything drawn: the row of that answer is not here any more.
 */
test('what was to be drawn of a conversation does not move another one that was chosen in another tab meanwhile', async () => {
  await enter(30);
  const { page } = shop;
  await pick(page, en.newConversation);
  await fill(service, await say(service, page, 'Of another lamp'), 30);
  const other = await page.context().newPage();
  await other.goto(page.url());
  const choose = async (words: string) => {
    await pick(other, en.conversations);
    await chat(other).window.locator('.lines').getByRole('button').filter({ hasText: words }).click();
  };
  await choose('The newest');
  await drawLate(page);
  await page.reload();
  await chat(page).bubble('The newest').waitFor();
  await expect.poll(() => page.evaluate(() => window.parley?.status().line)).toBe('live');
  // What was seen over there would not be new here.
  for (const one of [page, other]) await setHidden(one, true);
  for (let i = 0; i < 15; i++) await answer(`Behind a page ${i}`);
  await chat(page).log.locator('.new').waitFor({ state: 'attached' });
  await choose('Line 30');
  await chat(page)
    .log.getByText(/^Line 30\b/)
    .last()
    .waitFor({ state: 'attached' });
  await chat(page).bubble('Behind a page 0').waitFor({ state: 'detached' });
  await setHidden(page, false);
  for (let i = 0; i < 3; i++) await drawn(page);
  await expect.poll(async () => (await view(page)).left).toBeLessThanOrEqual(1);
  expect(
    await chat(page)
      .window.getByRole('button', { name: /^Jump to latest/ })
      .count(),
  ).toBe(0);
});

const wheel = (page: Page) => page.mouse.wheel(0, -400);
/** As what reads aloud moves a page, too. */
const byProgram = (page: Page) => chat(page).log.evaluate((log) => log.scrollBy(0, -400));

test.each([
  ['by a wheel', wheel],
  ['by a program', byProgram],
])(
  'what is led to what is new does not move a reader who was gone elsewhere before it was drawn, %s',
  async (_, goUp) => {
    await enter(30);
    const { page } = shop;
    await drawLate(page);
    await page.reload();
    await chat(page).bubble('The newest').waitFor();
    await expect.poll(() => page.evaluate(() => window.parley?.status().line)).toBe('live');
    await setHidden(page, true);
    for (let i = 0; i < 15; i++) await answer(`Behind a page ${i}`);
    await chat(page).log.locator('.new').waitFor({ state: 'attached' });
    // Until there is more than a view of it, each one that comes leads there anew.
    await chat(page).bubble('Behind a page 14').waitFor({ state: 'attached' });
    const at = await chat(page).log.boundingBox();
    if (!at) throw new Error('the log is not in sight');
    await page.mouse.move(at.x + at.width / 2, at.y + at.height / 2);
    const { top } = await view(page);
    await goUp(page);
    await expect.poll(async () => (await view(page)).top).toBeLessThan(top - 300);
    await setHidden(page, false);
    const place = await readerUp(page, 0);
    await place.stays();
    expect((await view(page)).top).toBeLessThan(top - 300);
  },
);
