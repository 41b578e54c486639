/** A page that moves an open chat, as frameworks do with what they keep: the thread stands where it was read. */
import { afterEach, expect, test } from 'vitest';
import { say } from '../support/around.js';
import { agent, chat, hostPage, openShop, type Shop, useShop } from '../support/browser.js';
import { fill, readerUp, view } from '../support/thread.js';

const { browser, service } = await useShop();
let shop: Shop;
afterEach(() => shop.close());

const written = (
  more: string,
) => `<!doctype html><html lang="en"><head><title>A page</title><link rel="icon" href="data:,">
  <script async src="{{origin}}/parley.element.js"></script><style>main, footer { height: 30rem }</style></head><body><main>
  <parley-chat base-url="${service.url}" inbox-identifier="{{inbox}}" ${more}></parley-chat></main><footer></footer></body></html>`;

/** The page puts it elsewhere; what has a place of its own is put back there. */
const move = () =>
  shop.page.evaluate(() => {
    const element = document.querySelector('parley-chat');
    const to = document.querySelector(element?.parentElement?.localName === 'footer' ? 'main' : 'footer');
    if (!element || !to) throw new Error('there is no chat on this page');
    to.append(element);
  });
const takeAway = () => shop.page.evaluate(() => document.querySelector('parley-chat')?.remove());

/** As a framework does that draws its page anew. */
const replacePlace = () =>
  shop.page.evaluate(() => {
    const next = Object.assign(document.createElement('main'), { id: 'place' });
    document.querySelector('#place')?.replaceWith(next);
  });
const inPlace = () =>
  hostPage(service.url, {
    body: '<main id="place"></main>',
    head: '<style>#place { height: 30rem }</style>',
  }).replace('data-inbox-identifier', 'data-inside="#place" data-inbox-identifier');

test.each([
  ['beside the page', 1280, written(''), move],
  ['over the page', 390, written(''), move],
  ['in the page', 1280, written('inline'), move],
  ['in a place of the page that is another one', 1280, inPlace(), replacePlace],
  ['taken away and put back', 1280, hostPage(service.url), takeAway],
])(
  '%s, the newest words stay in sight, and so does the row of a reader further up',
  async (name, width, html, away) => {
    const path = await service.page(`moved-${name.replaceAll(' ', '-')}`, html);
    shop = await openShop(browser, service.url + path, { viewport: { width, height: 800 } });
    const { page } = shop;
    if (!name.startsWith('in ')) await chat(page).open();
    const conversation = await say(service, page, `Read ${name}`);
    await fill(service, conversation, 60);
    // Twice, because the first time all of it is new.
    for (let visit = 0; visit < 2; visit++) {
      await page.reload();
      await chat(page)
        .log.getByText(/^Line 60\b/)
        .waitFor({ state: 'attached' });
    }
    await expect.poll(async () => (await view(page)).left).toBeLessThanOrEqual(1);
    await away();
    await expect.poll(async () => (await view(page)).left).toBeLessThanOrEqual(1);
    await agent(service).answer(conversation, 'Said after that');
    await chat(page).bubble('Said after that').waitFor();
    await expect.poll(async () => (await view(page)).left).toBeLessThanOrEqual(1);
    expect(
      await chat(page)
        .window.getByRole('button', { name: /^Jump to latest/ })
        .count(),
    ).toBe(0);
    const place = await readerUp(page, 600);
    await away();
    await place.stays();
    await agent(service).answer(conversation, 'Said further down');
    await chat(page).window.getByRole('button', { name: 'Jump to latest, 1 new message' }).waitFor();
    await place.stays();
    expect([...shop.console, ...shop.errors]).toEqual([]);
  },
);
