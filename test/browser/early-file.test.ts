/**
 * A message may be told of before its file is in the storage of the service, which answers then that there is none. In
 * a real browser, from a real service whose files come through a proxy.
 */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { say } from '../support/around.js';
import {
  agent,
  chat,
  launchBrowser,
  openShop,
  type Shop,
  type ShopService,
  startShopService,
} from '../support/browser.js';
import { type FaultProxy, startFaultProxy, status, times } from '../support/fault-proxy.js';
import { freePort } from '../support/free-port.js';
import { png, wav } from '../support/media.js';
import { startMs } from '../support/service.js';
import { inside } from '../support/talk.js';

let browser: Browser;
let service: ShopService;
let proxy: FaultProxy;
beforeAll(async () => {
  const port = await freePort();
  proxy = await startFaultProxy(`http://127.0.0.1:${port}`);
  [browser, service] = await Promise.all([launchBrowser(), startShopService({ port, publicUrl: proxy.url })]);
}, startMs);
afterAll(async () => {
  await browser.close();
  await proxy.stop();
  await service.end();
});

let shop: Shop;
let page: Page;
beforeEach(async () => {
  shop = await openShop(browser, `${proxy.url}/`);
  page = shop.page;
  await chat(page).open();
});
afterEach(async () => {
  expect(shop.errors).toEqual([]);
  await shop.close();
  proxy.clear();
});

const answersTo = (name: string) =>
  proxy.requests.filter(({ path }) => path.endsWith(name)).map(({ status }) => status);
/** As long as the storage has nothing: so many requests for the file. */
const late = (name: string, requests: number) =>
  proxy.rule(times(requests, ({ path }) => (path.endsWith(name) ? status(404) : undefined)));

/** An agent's message with a file. */
async function hear(conversation: number, words: string, name: string, bytes: Buffer<ArrayBuffer>) {
  const form = new FormData();
  form.append('content', words);
  form.append('attachments[]', new File([bytes], name));
  await agent(service).tell(conversation, form);
}
const widthIn = (words: string) =>
  inside(page, words)
    .getByRole('img')
    .evaluateAll((all: HTMLImageElement[]) => all[0]?.naturalWidth);

test('pictures and voices whose files come after their message are shown once they are there', async () => {
  const conversation = await say(service, page, 'Pictures, please');
  late('harbour.png', 2);
  late('voice.wav', 1);
  await hear(conversation, 'The harbour', 'harbour.png', png(64, 40, [40, 120, 220]));
  await hear(conversation, 'In my words', 'voice.wav', wav(1));
  // It can be seen meanwhile what it is.
  await inside(page, 'The harbour')
    .getByRole('link', { name: /^harbour\.png/ })
    .waitFor();
  const player = inside(page, 'In my words').locator('audio');
  await player.waitFor({ state: 'detached' });
  await expect.poll(() => player.evaluateAll(([one]) => one?.checkVisibility())).toBe(true);
  // It is there before it is known how long it is.
  await expect.poll(() => player.evaluate((one: HTMLAudioElement) => one.duration)).toBe(1);
  await expect.poll(() => widthIn('The harbour')).toBe(64);
  expect(answersTo('harbour.png')).toEqual([404, 404, 200]);
  expect(await inside(page, 'The harbour').locator('.file').count()).toBe(0);
});
