/** What tells of a message while nobody looks at the window: preview, title, sound, a notice of the browser. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { more, openTagged, say as sayIn } from '../support/around.js';
import { agent, chat, openShop, useShop } from '../support/browser.js';
import { objections } from '../support/objections.js';

const { browser, service } = await useShop({ whole: true });

const open = (name: string, attributes = '', options: BrowserContextOptions = {}) =>
  openTagged(browser, service, name, attributes, options);
const say = (page: Page, words: string) => sayIn(service, page, words);

/** Hidden, as a tab behind another one is. */
const setHidden = (page: Page, hidden: boolean) =>
  page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', {
      configurable: true,
      get: () => (value ? 'hidden' : 'visible'),
    });
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => value });
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);

async function pickSwitch(page: Page, name: string) {
  await more(page).click();
  await page.getByRole('menuitemcheckbox', { name }).click();
  await page.keyboard.press('Escape');
}

test('a preview beside the launcher says what is new, opens the window, and stays away once dismissed', async () => {
  const { page, close } = await open('preview');
  await chat(page).open();
  const conversation = await say(page, 'Preview this');
  await chat(page).close();
  await agent(service).answer(conversation, 'First news');
  const card = (words: string) => page.getByRole('button', { name: `Ada ${words}` });
  await card('First news').waitFor();
  expect(await objections(page, 'preview')).toEqual([]);
  await agent(service).answer(conversation, 'Second news');
  // As it will stand in the window, without the marks.
  await agent(service).answer(conversation, '**Third** news');
  await card('Third news').waitFor();
  await expect
    .poll(() =>
      page.getByRole('group', { name: 'New messages' }).getByRole('button', { name: /^Ada/ }).count(),
    )
    .toBe(2);
  // It is still there on the next page, until it is dismissed.
  await page.reload();
  await card('Third news').waitFor();
  const second = await page.context().newPage();
  await second.goto(page.url());
  const there = second.getByRole('button', { name: 'Ada Third news' });
  await there.waitFor();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await card('Third news').waitFor({ state: 'detached' });
  await there.waitFor({ state: 'detached' });
  await second.close();
  await page.reload();
  await expect.poll(() => chat(page).launcher.getAttribute('aria-label')).toBe('Open chat, 3 new messages');
  expect(
    await page.getByRole('group', { name: 'New messages' }).getByRole('button', { name: /^Ada/ }).count(),
  ).toBe(0);
  await agent(service).answer(conversation, 'Fourth news');
  await card('Fourth news').click();
  await chat(page).bubble('Fourth news').waitFor();
  expect(
    await page.getByRole('group', { name: 'New messages' }).getByRole('button', { name: /^Ada/ }).count(),
  ).toBe(0);
  await close();
});

test('at 400 % zoom no preview stands above the upper edge, and the newest is whole', async () => {
  const { page, close } = await open('zoomed', '', { viewport: { width: 320, height: 256 } });
  await chat(page).open();
  const conversation = await say(page, 'Zoom in on this');
  await chat(page).close();
  const long = (words: string) => `${words} and so many words more that one line does not hold them all`;
  await agent(service).answer(conversation, long('First'));
  await agent(service).answer(conversation, long('Second'));
  const cards = page.getByRole('group', { name: 'New messages' }).getByRole('button', { name: /^Ada/ });
  await cards.filter({ hasText: 'Second' }).waitFor();
  const tops = await cards.evaluateAll((all) => all.map((card) => card.getBoundingClientRect().top));
  expect(Math.min(...tops)).toBeGreaterThanOrEqual(0);
  await close();
});

test('the title counts while the page is hidden, and is the page’s own again afterwards', async () => {
  const { page, close } = await open('title');
  const title = () => page.evaluate(() => document.querySelector('title')?.textContent);
  await page.evaluate(() => {
    const title = document.querySelector('title');
    if (title) title.textContent = '  A shop  of boots ';
  });
  await chat(page).open();
  const conversation = await say(page, 'Count this');
  await setHidden(page, true);
  await agent(service).answer(conversation, 'One');
  await expect.poll(title).toBe('(1) A shop  of boots');
  await agent(service).answer(conversation, 'Two');
  await expect.poll(title).toBe('(2) A shop  of boots');
  await setHidden(page, false);
  await expect.poll(title).toBe('  A shop  of boots ');
  // A title that the page sets itself meanwhile is kept.
  await setHidden(page, true);
  await agent(service).answer(conversation, 'Three');
  await expect.poll(title).toBe('(1) A shop  of boots');
  await page.evaluate(() => {
    document.title = 'Another page';
  });
  await setHidden(page, false);
  await expect.poll(title).toBe('Another page');
  // One that counts by itself has said it.
  await page.evaluate(() => {
    document.title = '(1) Shop';
  });
  const told = page.evaluate(
    () => new Promise((resolve) => window.parley?.on('unread', (count) => count && resolve(count))),
  );
  await setHidden(page, true);
  await agent(service).answer(conversation, 'Four');
  expect(await told).toBe(1);
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))));
  expect(await title()).toBe('(1) Shop');
  await setHidden(page, false);
  await close();
});

test('two chats of one page count in its one title, each until it is gone', async () => {
  await service.db.query(
    `insert into inboxes (account_id, identifier, name, hmac_token, working_hours)
     select account_id, 'second', 'The second', 'unused', working_hours from inboxes where id = 1`,
  );
  const head = `<script type="module">
    import { mount } from '{{origin}}/parley.module.js';
    window.second = mount({ baseUrl: '{{origin}}', inboxIdentifier: 'second', locale: 'en', sound: false });
  </script>`;
  const { page, close } = await openTagged(browser, service, 'two-titles', '', {}, { head });
  const title = () => page.evaluate(() => document.title);
  const own = await title();
  await page.waitForFunction(() => 'second' in window && window.parley);
  const call = (name: 'send' | 'destroy') =>
    page.evaluate((name) => Reflect.get(window, 'second')[name]('To the second'), name);
  expect(await page.evaluate(() => window.parley?.send('To the first'))).toEqual({ ok: true });
  await call('send');
  const first = await agent(service).conversationOf('To the first');
  const second = await agent(service).conversationOf('To the second');
  await setHidden(page, true);
  await agent(service).answer(first, 'One');
  await expect.poll(title).toBe(`(1) ${own}`);
  await agent(service).answer(second, 'Two');
  await expect.poll(title).toBe(`(2) ${own}`);
  await agent(service).answer(first, 'Three');
  await expect.poll(title).toBe(`(3) ${own}`);
  await call('destroy');
  await expect.poll(title).toBe(`(2) ${own}`);
  await setHidden(page, false);
  await expect.poll(title).toBe(own);
  await close();
});

test('a preview wears what the page says now', async () => {
  const { page, close } = await open('anew');
  await chat(page).open();
  const conversation = await say(page, 'By day and by night');
  await chat(page).close();
  const ground = () =>
    page
      .getByRole('group', { name: 'New messages' })
      .getByRole('button')
      .first()
      .evaluate((card) => getComputedStyle(card).backgroundColor);
  await agent(service).answer(conversation, 'By day');
  await page.getByRole('button', { name: 'Ada By day' }).waitFor();
  const day = await ground();
  await page.evaluate(() => window.parley?.setTheme({ scheme: 'dark' }));
  await agent(service).answer(conversation, 'By night');
  await page.getByRole('button', { name: 'Ada By night' }).waitFor();
  expect(await ground()).not.toBe(day);
  await close();
});

declare global {
  interface Window {
    testSounds?: number;
    testNotices?: string[];
  }
}

test('a message sounds also in a sandboxed frame that may keep nothing', async () => {
  const shop = await openShop(browser, `${service.url}/no-storage.html`);
  const [, frame] = shop.page.frames();
  const inside = chat(shop.page.frameLocator('iframe'));
  await inside.open();
  await inside.say('Ring in the sandbox');
  const conversation = await agent(service).conversationOf('Ring in the sandbox');
  await inside.close();
  await frame?.evaluate(() => {
    window.testSounds = 0;
    window.AudioContext = class extends AudioContext {
      constructor() {
        super();
        window.testSounds = (window.testSounds ?? 0) + 1;
      }
    };
  });
  await agent(service).answer(conversation, 'Ding in the sandbox');
  await expect.poll(() => frame?.evaluate(() => window.testSounds)).toBe(1);
  expect(shop.errors).toEqual([]);
  await shop.close();
});

test('a message sounds once over two tabs, and not at all once muted; a notice is shown on request', async () => {
  const { page, close } = await open('sound');
  const context = page.context();
  await context.grantPermissions(['notifications']);
  await context.addInitScript(() => {
    window.testSounds = 0;
    window.testNotices = [];
    window.AudioContext = class extends AudioContext {
      constructor() {
        super();
        window.testSounds = (window.testSounds ?? 0) + 1;
      }
    };
    window.Notification = class extends Notification {
      constructor(title: string, options?: NotificationOptions) {
        super(title, options);
        window.testNotices?.push(`${title}: ${options?.body}`);
      }
    };
  });
  await page.reload();
  await chat(page).open();
  const conversation = await say(page, 'Make a sound');
  await pickSwitch(page, 'Browser notifications');
  await chat(page).close();
  const second = await context.newPage();
  const listening = second.waitForEvent('websocket');
  await second.goto(page.url());
  await second.getByRole('heading', { name: 'A shop' }).click();
  await listening;
  await setHidden(page, true);
  await setHidden(second, true);
  const sounds = async () =>
    (await page.evaluate(() => window.testSounds ?? 0)) +
    (await second.evaluate(() => window.testSounds ?? 0));
  const notices = async () =>
    [
      ...(await page.evaluate(() => window.testNotices ?? [])),
      ...(await second.evaluate(() => window.testNotices ?? [])),
    ].sort();
  const rung = () =>
    page.evaluate((key) => localStorage.getItem(key), `parley:${service.url}#demo-inbox:rung`);
  await agent(service).answer(conversation, 'Ding');
  await expect.poll(sounds).toBe(1);
  await expect.poll(notices).toEqual(['Ada: Ding']);
  const before = await rung();
  await agent(service).answer(conversation, 'Dong');
  // The second one has been decided in both tabs once the third sounds.
  await expect.poll(rung).not.toBe(before);
  await expect.poll(sounds).toBe(2);
  await expect.poll(notices).toEqual(['Ada: Ding', 'Ada: Dong']);

  await setHidden(page, false);
  await chat(page).open();
  await pickSwitch(page, 'Sound for new messages');
  await more(page).click();
  const sound = page.getByRole('menuitemcheckbox', { name: 'Sound for new messages' });
  expect(await sound.getAttribute('aria-checked')).toBe('false');
  await page.keyboard.press('Escape');
  await chat(page).close();
  await setHidden(page, true);
  await agent(service).answer(conversation, 'Hush');
  await expect.poll(notices).toEqual(['Ada: Ding', 'Ada: Dong', 'Ada: Hush']);
  expect(await sounds()).toBe(2);
  await close();
});
