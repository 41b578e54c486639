/** What a visitor meets while a file of the chat is on its way, or does not come: nothing is taken from them. */
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openTagged, say } from '../support/around.js';
import { agent, arabic, chat, english, useShop } from '../support/browser.js';
import { holdFiles, settled } from '../support/held-files.js';
import { objections } from '../support/objections.js';
import { drawn } from '../support/thread.js';

const { browser, service } = await useShop();

declare global {
  interface Window {
    heardOf?: string;
    alerts: string[];
  }
}

const CHAT = `document.querySelector('parley-chat')`;
const WINDOW = '**/{assets,again}/{app,kit}-*.js*';
const body = '<main><h1>A shop</h1><input id="search" aria-label="Search"></main>';
const open = (name: string, attributes = '', width = 1280) =>
  openTagged(browser, service, `between-${name}`, attributes, { viewport: { width, height: 800 } }, { body });

const lost = (page: Page) => page.getByText('The chat did not load. Please try again.');
const inSearch = (page: Page) => page.evaluate(() => document.activeElement?.id === 'search');
const busy = (page: Page) => chat(page).host.locator('button[part=launcher][aria-busy]');
const go = (page: Page) => chat(page).window.getByRole('button', { name: english('askGo') });
/** The page is told once the visitor has been. */
const hear = (page: Page) =>
  page.evaluate(() => {
    window.parley?.on('error', ({ kind }) => {
      window.heardOf = kind;
    });
  });

test.each([
  ['its first file', '**/{assets,again}/stage-*.js*'],
  ['its code', WINDOW],
])(
  'who closes the window while %s is on its way is not called back when that does not come',
  async (_, late) => {
    const { page, close } = await open('closed');
    const files = await holdFiles(page, late);
    await hear(page);
    await chat(page).launcher.click();
    await expect.poll(files.count).toBeGreaterThan(0);
    // The pointer alone has it fetched, too; the window is there once the press has asked for it.
    if (late === WINDOW) await chat(page).field.waitFor();
    await chat(page).launcher.click();
    await page.locator('#search').click();
    await page.keyboard.type('boots');
    await files.fail();
    await expect.poll(() => page.evaluate(() => window.heardOf)).toBe('notLoaded');
    expect(await inSearch(page)).toBe(true);
    expect(await lost(page).count()).toBe(0);
    await files.release();
    await chat(page).open();
    await close();
  },
);

test('who is writing in a window that was left open is told why it closes', async () => {
  const { page, close } = await open('left-open');
  await chat(page).open();
  await chat(page).window.getByRole('button', { name: 'More' }).waitFor();
  const files = await holdFiles(page, WINDOW);
  await page.reload();
  await hear(page);
  await chat(page).field.click();
  await page.keyboard.type('Are you');
  await files.fail();
  await lost(page).waitFor();
  await expect.poll(() => page.evaluate(() => window.heardOf)).toBe('notLoaded');
  expect(await chat(page).launcher.evaluate((button) => button.matches(':focus'))).toBe(true);
  await files.release();
  await chat(page).open();
  expect(await lost(page).count()).toBe(0);
  expect(await chat(page).field.inputValue()).toBe('Are you');
  await close();
});

test('a window that was left open and cannot be fetched calls nobody away from the page', async () => {
  const { page, close } = await open('left-alone');
  await chat(page).open();
  await chat(page).window.getByRole('button', { name: 'More' }).waitFor();
  const files = await holdFiles(page, WINDOW);
  await page.reload();
  await hear(page);
  await chat(page).field.waitFor();
  await page.locator('#search').click();
  await files.fail();
  await expect.poll(() => page.evaluate(() => window.heardOf)).toBe('notLoaded');
  expect(await inSearch(page)).toBe(true);
  expect(await lost(page).count()).toBe(0);
  await close();
});

test.each([
  ['its first file', '**/{assets,again}/stage-*.js*', ''],
  ['the code of its questions', WINDOW, `data-pre-chat='[{"name":"order"}]'`],
])(
  'what was typed while %s was on its way is there after the window was closed',
  async (_, late, attributes) => {
    const { page, close } = await open(attributes ? 'asked' : 'typed', attributes);
    const files = await holdFiles(page, late);
    await chat(page).launcher.click();
    await busy(page).waitFor();
    await expect.poll(files.count).toBeGreaterThan(0);
    await page.keyboard.type('Is the lamp');
    await chat(page).launcher.click();
    const addresses = files.addresses();
    await files.release();
    for (const address of addresses) await settled(page, address);
    await busy(page).waitFor({ state: 'detached' });
    await drawn(page);
    expect(await chat(page).window.count()).toBe(0);
    await page.evaluate(() => window.parley?.open());
    if (attributes) {
      await chat(page).window.getByRole('textbox', { name: 'order' }).fill('7');
      await go(page).click();
    }
    await expect.poll(() => chat(page).field.inputValue()).toBe('Is the lamp');
    await close();
  },
);

test('what was sent before the first file came is sent, though the window was closed meanwhile', async () => {
  const { page, close } = await open('sent');
  const files = await holdFiles(page, '**/{assets,again}/stage-*.js*');
  await chat(page).launcher.click();
  await busy(page).waitFor();
  await page.keyboard.type('Sent and gone');
  await page.keyboard.press('Enter');
  await page.keyboard.type('And more');
  await chat(page).launcher.click();
  await files.release();
  await agent(service).conversationOf('Sent and gone');
  expect(await chat(page).field.isVisible()).toBe(false);
  await chat(page).open();
  await expect.poll(() => chat(page).field.inputValue()).toBe('And more');
  await close();
});

test('what was sent before the first file came waits for the questions, also where the window was closed meanwhile', async () => {
  const consent = `data-pre-chat='[{"name":"order","required":true}]'`;
  const { page, close } = await open('asked', consent);
  const files = await holdFiles(page, '**/{assets,again}/stage-*.js*');
  await chat(page).launcher.click();
  await busy(page).waitFor();
  await page.keyboard.type('Not without my answer');
  await page.keyboard.press('Enter');
  await page.keyboard.type('And more');
  await chat(page).launcher.click();
  await files.release();
  await busy(page).waitFor({ state: 'detached' });
  await page.evaluate(() => window.parley?.open());
  await chat(page).window.getByRole('textbox', { name: 'order' }).fill('7');
  const [row] = await service.db.query<{ count: number }>(
    "select count(*)::int as count from messages where content like 'Not without%'",
  );
  expect(row?.count).toBe(0);
  await go(page).click();
  await expect.poll(() => chat(page).field.inputValue()).toBe('Not without my answer\nAnd more');
  await chat(page).field.press('Enter');
  await agent(service).conversationOf('Not without my answer\nAnd more');
  await close();
});

test('a window whose questions are on their way is given up at once', async () => {
  const { page, close } = await open('given-up', `data-pre-chat='[{"name":"order"}]'`);
  const files = await holdFiles(page, WINDOW);
  await chat(page).launcher.press('Enter');
  await expect.poll(files.count).toBeGreaterThan(0);
  await chat(page).host.locator('dialog').waitFor({ state: 'attached' });
  await busy(page).waitFor();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await busy(page).waitFor({ state: 'detached' });
  expect(await chat(page).launcher.evaluate((button) => button.matches(':focus'))).toBe(true);
  await page.keyboard.press('Tab');
  expect(await chat(page).host.evaluate((host) => host.shadowRoot?.activeElement)).toBe(null);
  await close();
});

test('while the engine is on its way or does not come the window says so, and words wait for it', async () => {
  const { page, close } = await open('engine');
  const files = await holdFiles(page, '**/{assets,again}/chat-*.js*');
  const said = (words: string) => chat(page).window.getByRole('status').filter({ hasText: words });
  await chat(page).open();
  await chat(page).say('Waits for it');
  await said(english('connecting')).waitFor();
  await files.abort();
  await said(english('down')).waitFor();
  expect(await objections(page, 'without its engine', CHAT)).toEqual([]);
  // Tried again by itself, and said once.
  await expect.poll(files.count).toBeGreaterThan(0);
  expect(await said(english('down')).count()).toBe(1);
  await files.release();
  await agent(service).conversationOf('Waits for it');
  await said(english('down')).waitFor({ state: 'detached' });
  await chat(page).bubble('Waits for it').waitFor();
  await close();
});

test('while the thread is on its way or does not come the window says so, and takes words all the same', async () => {
  const { page, close } = await open('thread');
  const files = await holdFiles(page, '**/{assets,again}/thread-*.js*');
  const said = (words: string) => chat(page).window.getByRole('status').filter({ hasText: words });
  await chat(page).open();
  await said(english('connecting')).waitFor();
  await files.abort();
  await said(english('unavailable')).waitFor();
  expect(await objections(page, 'without its thread', CHAT)).toEqual([]);
  await chat(page).say('Written unseen');
  await agent(service).conversationOf('Written unseen');
  await expect.poll(files.count).toBeGreaterThan(0);
  await files.release();
  await chat(page).bubble('Written unseen').waitFor();
  await said(english('unavailable')).waitFor({ state: 'detached' });
  await close();
});

test('that a conversation has ended is shown though the file that shows it failed at first', async () => {
  const { page, close } = await open('ended');
  await chat(page).open();
  const conversation = await say(service, page, 'Thank you');
  let tries = 0;
  await page.route('**/{assets,again}/more-*.js*', (route) => (tries++ ? route.continue() : route.abort()));
  await service.agent('POST', `/api/v1/accounts/1/conversations/${conversation}/toggle_status`, {
    status: 'resolved',
  });
  await chat(page)
    .window.getByRole('button', { name: english('startNew') })
    .waitFor();
  expect(tries).toBe(2);
  await close();
});

/** What alerts of the window say, each time that one of them says it. */
async function alerts(page: Page) {
  await page.evaluate(() => {
    const heard: string[] = [];
    window.alerts = heard;
    const root = document.querySelector('parley-chat')?.shadowRoot;
    if (!root) return;
    new MutationObserver((changes) => {
      for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
        const alert = node instanceof Element ? node.closest('[role=alert]') : undefined;
        if (alert?.textContent) heard.push(alert.textContent);
      }
    }).observe(root, { childList: true, subtree: true });
  });
  return () => page.evaluate(() => window.alerts);
}

test.each([
  ['the menu', 'more', english('menu'), english('partNotLoaded')],
  ['the emoji picker', 'emoji', english('emoji'), english('partNotLoaded')],
])(
  'each time that %s does not come it is said, and no longer once it is asked for again',
  async (_, file, name, words) => {
    const { page, close } = await open(`again-${file}`);
    await chat(page).open();
    await chat(page).log.waitFor();
    const heard = await alerts(page);
    const files = await holdFiles(page, `**/{assets,again}/${file}-*.js*`);
    const button = chat(page).window.getByRole('button', { name, exact: true });
    const told = chat(page).window.getByRole('alert').filter({ hasText: words });
    for (const times of [1, 2]) {
      await button.click();
      await expect.poll(files.count).toBe(1);
      await expect.poll(() => told.count()).toBe(0);
      expect(await button.getAttribute('aria-busy')).toBe('true');
      // The pointer has asked for it before the press, which asks after the next frame.
      await page.evaluate(() => new Promise((asked) => requestAnimationFrame(() => setTimeout(asked))));
      await files.abort();
      await expect.poll(heard).toEqual(Array(times).fill(words));
      expect(await button.getAttribute('aria-busy')).toBe(null);
    }
    await button.click();
    await files.release();
    await expect.poll(() => button.getAttribute('aria-expanded')).toBe('true');
    await expect.poll(() => button.getAttribute('aria-busy')).toBe(null);
    expect(await told.count()).toBe(0);
    await close();
  },
);

test('while what makes files ready is on its way, that is written and said', async () => {
  const { page, close } = await open('files', '', 390);
  await chat(page).open();
  await chat(page).log.waitFor();
  const files = await holdFiles(page, '**/{assets,again}/parts-*.js*');
  const chosen = page.waitForEvent('filechooser');
  await chat(page)
    .window.getByRole('button', { name: english('attach') })
    .click();
  await (await chosen).setFiles([{ name: 'one.txt', mimeType: 'text/plain', buffer: Buffer.from('1') }]);
  const said = chat(page).window.getByText(english('readying'));
  await said.waitFor();
  expect(await said.evaluate((words) => words.closest('[aria-live]') !== null)).toBe(true);
  expect((await said.boundingBox())?.height).toBeGreaterThan(10);
  expect(await objections(page, 'files that wait', CHAT)).toEqual([]);
  await files.release();
  await chat(page)
    .window.getByRole('list', { name: english('chosenFiles') })
    .getByText('one.txt')
    .waitFor();
  expect(await said.count()).toBe(0);
  await close();
});

test('a full window that is opened again while the browser still goes back from it stays', async () => {
  const { page, close } = await open('quickly', '', 390);
  await chat(page).open();
  await chat(page).log.waitFor();
  await page.evaluate(async () => {
    const back = new Promise((resolve) => addEventListener('popstate', resolve, { once: true }));
    void window.parley?.close();
    // After the window has asked for the way back, and before the browser has gone it.
    setTimeout(() => window.parley?.open());
    await back;
  });
  await expect
    .poll(() => page.evaluate(() => [window.parley?.status().open, history.state]))
    .toEqual([true, { parley: true }]);
  expect(await chat(page).field.isVisible()).toBe(true);
  await page.goBack();
  await chat(page).window.waitFor({ state: 'hidden' });
  expect(await page.evaluate(() => history.state)).toBe(null);
  await close();
});

test('a window whose language is on its way has no heading without words', async () => {
  const { page, close } = await open('heading', 'data-locale="ar"');
  const files = await holdFiles(page, WINDOW);
  await chat(page).launcher.click();
  await chat(page).host.locator('dialog textarea').waitFor();
  expect(await objections(page, 'before its language', CHAT)).toEqual([]);
  await files.release();
  await chat(page, arabic)
    .window.getByRole('heading', { name: arabic('title') })
    .waitFor();
  await close();
});

test('at 400 % zoom what stands where messages will be covers nothing', async () => {
  const { page, close } = await open('zoomed', '', 320);
  await page.setViewportSize({ width: 320, height: 256 });
  await page.route('**/{assets,again}/chat-*.js*', (route) => route.abort());
  const files = await holdFiles(page, '**/{assets,again}/thread-*.js*');
  await chat(page).open();
  const sentence = chat(page).window.getByText(english('down'));
  await sentence.waitFor();
  expect(files.count()).toBe(1);
  const covering = (place: Locator) =>
    place.evaluate((element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      const root = element.getRootNode();
      if (!(root instanceof ShadowRoot)) return 'not in the window';
      for (let x = left + 5; x < right; x += 10)
        for (let y = top + 2; y < bottom; y += 4) {
          const there = root.elementFromPoint(x, y);
          if (!element.contains(there)) return there?.outerHTML;
        }
      return undefined;
    });
  expect(await covering(sentence)).toBe(undefined);
  expect(await covering(chat(page).window.locator('.header'))).toBe(undefined);
  await close();
});

test('what is asked for besides stays on its way when the other thing comes', async () => {
  const { page, close } = await open('both');
  await chat(page).open();
  await chat(page).log.waitFor();
  // With its engine the badge's looks have come, too.
  await expect.poll(() => page.evaluate(() => window.parley?.status().line)).toBe('idle');
  const emoji = await holdFiles(page, '**/{assets,again}/emoji-*.js*');
  await holdFiles(page, '**/{assets,again}/parts-*.js*');
  const busy = (name: string) =>
    chat(page).window.getByRole('button', { name, exact: true }).getAttribute('aria-busy');
  await chat(page)
    .window.getByRole('button', { name: english('emoji'), exact: true })
    .click();
  await chat(page)
    .window.getByRole('button', { name: english('record'), exact: true })
    .click();
  await expect.poll(() => busy(english('record'))).toBe('true');
  const sheets = () => chat(page).host.evaluate(({ shadowRoot }) => shadowRoot?.adoptedStyleSheets.length);
  const before = (await sheets()) ?? 0;
  await emoji.release();
  // Its looks come with it.
  await expect.poll(sheets).toBe(before + 1);
  await drawn(page);
  expect(await busy(english('record'))).toBe('true');
  await close();
});
