/**
 * Files in a real browser, over a line that is slow or cut, to a service that does not know a repeat from a new
 * message: what is chosen, dropped, pasted or photographed arrives once, or not at all when it was taken back.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { goElsewhere, openTagged } from '../support/around.js';
import {
  agent,
  chat,
  hostPage,
  launchBrowser,
  openShop,
  type Shop,
  type ShopService,
  startShopService,
} from '../support/browser.js';
import {
  dropAfter,
  type Fault,
  type FaultProxy,
  type ProxiedRequest,
  startFaultProxy,
  status,
  times,
} from '../support/fault-proxy.js';
import { startMs } from '../support/service.js';

let browser: Browser;
const MB = 1024 * 1024;
let service: ShopService;
let folder: string;
/** On disk, as theirs are. */
let large: string;
let tooLarge: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-files-'));
  [large, tooLarge] = [join(folder, 'large.bin'), join(folder, 'too large.bin')];
  await writeFile(large, Buffer.alloc(30 * MB, 7));
  await writeFile(tooLarge, Buffer.alloc(41 * MB));
  [browser, service] = await Promise.all([launchBrowser(), startShopService({ forgetEchoId: true })]);
}, startMs);
afterAll(async () => {
  await browser.close();
  await service.end();
  await rm(folder, { recursive: true });
});

let proxy: FaultProxy;
let shop: Shop;
let page: Page;
async function open(url: string) {
  shop = await openShop(browser, url);
  page = shop.page;
  await chat(page).open();
}
beforeEach(async () => {
  proxy = await startFaultProxy(service.url);
});
afterEach(async () => {
  expect(shop.errors).toEqual([]);
  await shop.close();
  await proxy.stop();
});

const text = (name: string, words: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(words) });

const choose = (files: Parameters<Locator['setInputFiles']>[0]) =>
  chat(page).window.locator('input[type=file]').setInputFiles(files);
const tray = () => chat(page).window.getByRole('list', { name: 'Files to be sent' });
const names = () => tray().locator('bdi').allTextContents();
const bar = () => chat(page).log.getByRole('progressbar', { name: 'Upload' });

interface Stored {
  name: string;
  size: number;
}
/** What the service has of the files of the message that says this. */
const stored = (words: string) =>
  service.db.query<Stored & Record<string, unknown>>(
    `select a.file_name as name, a.file_size::int as size
     from attachments a join messages m on m.id = a.message_id where m.content = $1 order by a.id`,
    [words],
  );

/** From now on. @returns the values that the bar has shown, and how each of them was said */
async function watchBar(): Promise<() => Promise<{ values: number[]; said: string[] }>> {
  const watch = await page.evaluateHandle(() => {
    const root = document.querySelector('parley-chat')?.shadowRoot;
    if (!root) throw new Error('there is no chat on this page');
    const seen: { values: number[]; said: string[] } = { values: [], said: [] };
    new MutationObserver(() => {
      const bar = root.querySelector<HTMLProgressElement>('[role=log] progress');
      if (!bar || bar.value === seen.values.at(-1)) return;
      seen.values.push(bar.value);
      seen.said.push(`${bar.ariaLabel}: ${bar.ariaValueText}`);
    }).observe(root, { attributes: true, childList: true, subtree: true });
    return seen;
  });
  return () => watch.jsonValue();
}

test('30 MB over a slow line: the bar moves, and the message arrives once', async () => {
  await open(`${proxy.url}/`);
  proxy.slow(4 * MB);
  await choose(large);
  const seen = await watchBar();
  await chat(page).say('A large one');
  await chat(page).bubble('A large one').getByText('Sent', { exact: true }).waitFor({ timeout: 90_000 });
  const { values, said } = await seen();
  expect(values.length).toBeGreaterThanOrEqual(5);
  expect(values).toEqual(values.toSorted((a, b) => a - b));
  expect(said.filter((words) => !/^Upload: \d+%$/.test(words))).toEqual([]);
  expect(await stored('A large one')).toEqual([{ name: 'large.bin', size: 30 * MB }]);
  expect(await agent(service).count('A large one')).toBe(1);
  expect(await bar().count()).toBe(0);
  expect(await tray().count()).toBe(0);
});

test('Cancel ends an upload: nothing is stored, and words and files are back', async () => {
  await open(`${proxy.url}/`);
  await chat(page).say('Before');
  const conversation = await agent(service).conversationOf('Before');
  proxy.slow(2 * MB);
  await choose(large);
  const seen = await watchBar();
  await chat(page).say('Better not');
  await expect.poll(async () => (await seen()).values.at(-1) ?? 0).toBeGreaterThan(0);
  await chat(page).bubble('Better not').getByRole('button', { name: 'Cancel' }).click();
  await chat(page).bubble('Better not').waitFor({ state: 'detached' });
  await expect.poll(() => chat(page).field.inputValue()).toBe('Better not');
  await expect.poll(names).toEqual(['large.bin']);
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.tagName))
    .toBe('TEXTAREA');
  // The line works, and brings what is sent instead and nothing else.
  proxy.slow();
  await tray().getByRole('button', { name: 'Remove large.bin' }).click();
  await chat(page).say('Without it');
  await chat(page).bubble('Without it').getByText('Sent', { exact: true }).waitFor();
  expect(await agent(service).contents(conversation)).toEqual(['Before', 'Without it']);
  expect(await stored('Better not')).toEqual([]);
});

test('who cancels and goes on in the page is left there when the upload ends', async () => {
  await open(`${proxy.url}/`);
  proxy.slow(0.3 * MB);
  // Too little to be sure that it has not all left: the wish waits for the end.
  await choose(text('small.txt', 'x'.repeat(7 * MB)));
  await chat(page).say('Stalled');
  const cancel = chat(page).bubble('Stalled').getByRole('button', { name: 'Cancel' });
  await cancel.click();
  const isThere = await goElsewhere(page);
  proxy.offline();
  proxy.slow();
  // Where all of it had left already, it is looked for first.
  proxy.online();
  await cancel.waitFor({ state: 'detached' });
  expect(await isThere()).toBe(true);
});

test('where the service lets nobody read its headers, the console of the page says nothing of them', async () => {
  proxy.rule(() => async ({ forward, answer }) => {
    const { headers, ...given } = await forward();
    const { 'access-control-expose-headers': _, ...others } = headers;
    answer({ ...given, headers: others });
  });
  await open(service.url + (await service.page(`mute-${new URL(proxy.url).port}`, hostPage(proxy.url))));
  await choose(text('note.txt', 'a note'));
  await chat(page).say('Read this');
  await chat(page).bubble('Read this').getByText('Sent', { exact: true }).waitFor();
  expect(shop.console.filter((line) => line.includes('header'))).toEqual([]);
});

test('a service that says when it takes files again is heard', async () => {
  const busy = status(429, { retryAfter: '1' });
  const isUpload = ({ method, path }: ProxiedRequest) => method === 'POST' && path.endsWith('/messages');
  proxy.rule(times(1, (asked) => (isUpload(asked) ? busy : undefined)));
  await open(`${proxy.url}/`);
  await choose(text('later.txt', 'a note'));
  await chat(page).say('In a second');
  await chat(page).bubble('In a second').getByText('Sent', { exact: true }).waitFor();
  // Unheard, it would be ten at least.
  const [first, second] = proxy.requests.filter(isUpload);
  expect((second?.at ?? Infinity) - (first?.at ?? 0)).toBeLessThan(10_000);
  expect(await stored('In a second')).toEqual([{ name: 'later.txt', size: 6 }]);
});

test('a line that is cut in the middle of an upload: it waits, is tried again, and arrives once', async () => {
  await open(`${proxy.url}/`);
  proxy.slow(3 * MB);
  await choose(large);
  const seen = await watchBar();
  await chat(page).say('Through the tunnel');
  await expect.poll(async () => (await seen()).values.length).toBeGreaterThanOrEqual(3);
  proxy.offline();
  const row = chat(page).bubble('Through the tunnel');
  await row.getByText('Waiting to be sent').waitFor();
  expect(await agent(service).count('Through the tunnel')).toBe(0);
  proxy.slow();
  proxy.online();
  // No proof of absence is waited for: it is sure.
  await row.getByText('Sent', { exact: true }).waitFor({ timeout: 90_000 });
  expect(await agent(service).count('Through the tunnel')).toBe(1);
  expect((await stored('Through the tunnel')).map(({ size }) => size)).toEqual([30 * MB]);
});

test.each([
  ['a small file', () => text('small.txt', 'small')],
  ['a large one', () => large],
])('%s that arrived, and whose answer was lost, is not sent again', async (which, file) => {
  await open(`${proxy.url}/`);
  await chat(page).say('Hello');
  await chat(page).bubble('Hello').getByText('Sent', { exact: true }).waitFor();
  const isUpload = ({ method, headers }: ProxiedRequest) =>
    method === 'POST' && headers['content-type']?.startsWith('multipart/') === true;
  proxy.rule(times(1, (request) => (isUpload(request) ? dropAfter : undefined)));
  await choose(file());
  await chat(page).say(which);
  await chat(page).bubble(which).getByText('Sent', { exact: true }).waitFor({ timeout: 90_000 });
  expect(await agent(service).count(which)).toBe(1);
  expect(proxy.requests.filter(isUpload)).toHaveLength(1);
});

test('a small file that arrived, and was answered by another address, is neither called refused nor sent again', async () => {
  // A frame would tell that it is there.
  proxy.refuseSockets();
  await open(`${proxy.url}/`);
  await chat(page).say('Hello');
  await chat(page).bubble('Hello').getByText('Sent', { exact: true }).waitFor();
  const isUpload = ({ method, path }: ProxiedRequest) => method === 'POST' && path.endsWith('/messages');
  proxy.rule(({ path }) => (path === '/elsewhere' ? status(413) : undefined));
  const sendOn: Fault = async ({ forward, answer }) => {
    const { headers, ...given } = await forward();
    answer({ ...given, status: 303, headers: { ...headers, location: '/elsewhere' } });
  };
  proxy.rule((asked) => (isUpload(asked) ? sendOn : undefined));
  await choose(text('note.txt', 'a note'));
  await chat(page).say('Sent on');
  await chat(page).bubble('Sent on').getByText('Sent', { exact: true }).waitFor({ timeout: 90_000 });
  expect(await chat(page).log.getByText('Not delivered').count()).toBe(0);
  expect(proxy.requests.filter(({ path }) => path === '/elsewhere')).toHaveLength(1);
  expect(await agent(service).count('Sent on')).toBe(1);
});

test('from the launcher to a sent file without a mouse', async () => {
  shop = await openShop(browser, `${proxy.url}/`);
  page = shop.page;
  const focused = () =>
    page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.getAttribute('aria-label') ?? '');
  const tabTo = async (name: string, key = 'Tab') => {
    for (let step = 0; step < 60 && (await focused()) !== name; step++) await page.keyboard.press(key);
    expect(await focused()).toBe(name);
  };
  await chat(page).launcher.waitFor();
  // From the beginning: who asks for it in the moment of the key may be too late, and the picker is a real one then.
  const chosen = page.waitForEvent('filechooser');
  await tabTo('Open chat');
  await page.keyboard.press('Enter');
  await chat(page).field.waitFor();
  await expect.poll(focused).toBe('Message');
  // The field is there before what stands beside it.
  await chat(page).window.getByRole('button', { name: 'Attach files' }).waitFor();
  await tabTo('Attach files', 'Shift+Tab');
  await page.keyboard.press('Enter');
  await (await chosen).setFiles([text('one.txt', 'first'), text('two.txt', 'second')]);
  await expect.poll(names).toEqual(['one.txt', 'two.txt']);
  await chat(page).window.getByText('2 files added').waitFor({ state: 'attached' });
  await expect.poll(focused).toBe('Message');
  await tabTo('Remove two.txt', 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect.poll(names).toEqual(['one.txt']);
  await expect.poll(focused).toBe('Message');
  await page.keyboard.type('By keyboard');
  await page.keyboard.press('Enter');
  await chat(page).bubble('By keyboard').getByText('Sent', { exact: true }).waitFor();
  expect(await stored('By keyboard')).toEqual([{ name: 'one.txt', size: 5 }]);
  // Whoever reads on by the arrows meets no files that have gone.
  expect(await chat(page).window.locator('.composer [aria-live]').textContent()).toBe('');
});

test('what waits outlives a closed window, and a file without words is a message', async () => {
  await open(`${proxy.url}/`);
  await choose(text('alone.txt', 'alone'));
  await expect.poll(names).toEqual(['alone.txt']);
  await chat(page).close();
  await chat(page).launcher.click();
  expect(await names()).toEqual(['alone.txt']);
  await chat(page).send.click();
  await chat(page).log.getByText('Sent', { exact: true }).waitFor();
  expect(await stored('')).toHaveLength(0);
  const [row] = await service.db.query<{ count: number }>(
    "select count(*)::int as count from attachments where file_name = 'alone.txt'",
  );
  expect(row?.count).toBe(1);
});

/** As a hand with a mouse would: files over an element, and let go there. */
const dropOn = (target: Locator, type: 'dragover' | 'drop', kind: 'files' | 'words' = 'files') =>
  target.evaluate(
    (element, [type, kind]) => {
      const data = new DataTransfer();
      if (kind === 'files') data.items.add(new File(['dropped'], 'dropped.txt', { type: 'text/plain' }));
      else data.setData('text/plain', 'dragged words');
      const event = new DragEvent(type, {
        dataTransfer: data,
        bubbles: true,
        cancelable: true,
        composed: true,
      });
      return element.dispatchEvent(event);
    },
    [type, kind] as const,
  );

test('files dropped anywhere on the window wait to be sent; beside it the page has them', async () => {
  await open(`${proxy.url}/`);
  const { log, window, field } = chat(page);
  const sentence = window.getByText('Drop your files here');
  expect(await dropOn(page.locator('body'), 'drop')).toBe(true);
  expect(await dropOn(log, 'dragover', 'words')).toBe(true);
  expect(await sentence.count()).toBe(0);
  expect(await dropOn(log, 'dragover')).toBe(false);
  await sentence.waitFor();
  await window.getByText('Up to 15 files of 40 MB each').waitFor();
  await dropOn(log, 'drop');
  await expect.poll(names).toEqual(['dropped.txt']);
  expect(await sentence.count()).toBe(0);
  await field.evaluate((element) => {
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File(['pasted'], 'pasted.txt', { type: 'text/plain' }));
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  });
  await expect.poll(names).toEqual(['dropped.txt', 'pasted.txt']);
  await chat(page).say('Both');
  await chat(page).bubble('Both').getByText('Sent', { exact: true }).waitFor();
  expect((await stored('Both')).map(({ name }) => name)).toEqual(['dropped.txt', 'pasted.txt']);
});

test('files beyond the limits are left out, each with its reason, before anything leaves', async () => {
  await open(`${proxy.url}/`);
  await choose(tooLarge);
  await chat(page)
    .window.getByRole('alert')
    .getByText(/too large\.bin.* was left out: it is 41 MB/)
    .waitFor();
  await choose(Array.from({ length: 17 }, (_, i) => text(`${i}.txt`, 'x')));
  await expect.poll(async () => (await names()).length).toBe(15);
  await chat(page)
    .window.getByRole('alert')
    .getByText(/up to 15 files\. Left out: .*15\.txt.*16\.txt/)
    .waitFor();
  expect(proxy.requests.filter(({ method }) => method === 'POST')).toEqual([]);
});

test('however many files are too many, the field stays in sight, and a few of them are named', async () => {
  const viewport = { width: 1280, height: 440 };
  shop = await openTagged(browser, service, 'many', 'data-max-file-mb="1"', { viewport });
  page = shop.page;
  await chat(page).open();
  const alert = chat(page).window.getByRole('alert');
  const film = 'x'.repeat(1.05 * MB);
  await choose(Array.from({ length: 8 }, (_, i) => text(`a film of the summer at the sea ${i}.txt`, film)));
  await alert.getByText(/sea 7\.txt.* was left out: it is/).waitFor({ state: 'attached' });
  const box = await chat(page).field.boundingBox();
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(viewport.height);
  await choose(Array.from({ length: 90 }, (_, i) => text(`${i}.txt`, 'x')));
  await alert.getByText(/Left out: \S*15\.txt\S* \S*16\.txt\S* \S*17\.txt\S*, …$/).waitFor();
});

test('words whose file is refused as they are sent stay, with the sentence that says why', async () => {
  await open(`${proxy.url}/`);
  await chat(page).field.fill('Here is the film');
  await chat(page).window.locator('input[type=file]').waitFor({ state: 'attached' });
  await page.evaluate((bytes) => {
    const root = document.querySelector('parley-chat')?.shadowRoot;
    const input = root?.querySelector<HTMLInputElement>('input[type=file]');
    const chosen = new DataTransfer();
    chosen.items.add(new File([new Uint8Array(bytes)], 'film.mp4', { type: 'video/mp4' }));
    if (input) input.files = chosen.files;
    input?.dispatchEvent(new Event('change', { bubbles: true }));
    // Before it can have been looked at.
    root?.querySelector('.composer')?.dispatchEvent(new CustomEvent('submit', { cancelable: true }));
  }, 41 * MB);
  const why = chat(page)
    .window.getByRole('alert')
    .getByText(/film\.mp4.* was left out: it is 41 MB/);
  await why.waitFor();
  expect(await chat(page).field.inputValue()).toBe('Here is the film');
  expect(await chat(page).bubble('Here is the film').count()).toBe(0);
  await chat(page).field.press('Enter');
  await chat(page).bubble('Here is the film').waitFor();
  await why.waitFor({ state: 'detached' });
});
