/** What tells of a message while nobody looks at the window: preview, title, sound, a notice of the browser. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { goElsewhere, more, openTagged, pick, say as sayIn, setHidden } from '../support/around.js';
import { agent, chat, english, openShop, useShop } from '../support/browser.js';
import { holdFiles, settled } from '../support/held-files.js';
import { objections } from '../support/objections.js';
import { countSounds, soundsOf } from '../support/sounds.js';
import { drawn } from '../support/thread.js';
import { wakeAtOnce } from '../support/wake-at-once.js';

const { browser, service } = await useShop({ whole: true });

const open = (name: string, attributes = '', options: BrowserContextOptions = {}) =>
  openTagged(browser, service, name, attributes, options);
const say = (page: Page, words: string) => sayIn(service, page, words);

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
  const cards = () =>
    page.getByRole('group', { name: 'New messages' }).getByRole('button', { name: /^Ada/ }).count();
  await expect.poll(cards).toBe(2);
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
  expect(await cards()).toBe(0);
  await agent(service).answer(conversation, 'Fourth news');
  await card('Fourth news').waitFor();
  // What draws them comes with this one: those that were dismissed would come with it.
  expect(await cards()).toBe(1);
  await card('Fourth news').click();
  await chat(page).bubble('Fourth news').waitFor();
  expect(await cards()).toBe(0);
  await close();
});

test('a preview in a language without spaces between words says more than its greeting', async () => {
  const { page, close } = await open('preview-chinese');
  await chat(page).open();
  const conversation = await say(page, 'In Chinese, please');
  await chat(page).close();
  const said = `您好 ${'我们已收到您的来信'.repeat(20)}`;
  await agent(service).answer(conversation, said);
  await page.getByRole('button', { name: `Ada ${said.slice(0, 120)}`, exact: true }).waitFor();
  await close();
});

test('notices that the browser does not allow any more are off; who asks anew and goes elsewhere stays there', async () => {
  const { page, close } = await open('withdrawn');
  const context = page.context();
  await context.grantPermissions(['notifications']);
  await chat(page).open();
  const notices = page.getByRole('menuitemcheckbox', { name: english('notifyOn') });
  const isOn = () => notices.getAttribute('aria-checked');
  await pickSwitch(page, english('notifyOn'));
  await more(page).click();
  // The browser is asked first, and may answer once the menu stands open again.
  await expect.poll(isOn).toBe('true');
  await page.keyboard.press('Escape');
  await context.clearPermissions();
  await page.evaluate(() => {
    Object.defineProperty(Notification, 'permission', { value: 'default' });
    Notification.requestPermission = () =>
      new Promise((resolve) => window.addEventListener('asked', () => resolve('denied')));
  });
  await more(page).click();
  expect(await isOn()).toBe('false');
  await notices.click();
  const isThere = await goElsewhere(page);
  await notices.waitFor({ state: 'detached' });
  await page.evaluate(() => void window.dispatchEvent(new Event('asked')));
  await chat(page).window.getByRole('alert').getByText(english('notifyRefused')).waitFor();
  expect(await isThere()).toBe(true);
  await close();
});

test('what the team has taken back is neither previewed nor counted, and nothing is new below it', async () => {
  const { page, close } = await open('taken-back');
  await chat(page).open();
  const conversation = await say(page, 'Who is there?');
  await chat(page).close();
  await agent(service).answer(conversation, 'Oops, for somebody else');
  const card = page.getByRole('button', { name: 'Ada Oops, for somebody else' });
  await card.waitFor();
  const wrong = (await agent(service).messages(conversation)).at(-1)?.id;
  const path = `/api/v1/accounts/1/conversations/${conversation}/messages/${wrong}`;
  expect((await service.agent('DELETE', path)).status).toBe(200);
  await page.getByRole('button', { name: 'Dismiss' }).waitFor({ state: 'detached' });
  await expect.poll(() => chat(page).launcher.getAttribute('aria-label')).toBe('Open chat');
  await chat(page).open();
  await chat(page).log.getByText('This message was deleted').waitFor();
  expect(await chat(page).log.getByText('New messages').count()).toBe(0);
  await close();
});

test('a preview of another conversation says why it is not shown while words wait in this one', async () => {
  const { page, close } = await open('preview-waits');
  await chat(page).open();
  const first = await say(page, 'About a first lamp');
  await pick(page, 'New conversation');
  await say(page, 'About a second lamp');
  await page.route(/\/messages$/, (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 503 }) : route.fallback(),
  );
  await chat(page).say('This waits');
  await chat(page).bubble('This waits').waitFor();
  await chat(page).close();
  await agent(service).answer(first, 'The first lamp is here');
  await page.getByRole('button', { name: 'Ada The first lamp is here' }).click();
  await chat(page).window.getByRole('alert').getByText(english('wordsWait')).waitFor();
  await chat(page).bubble('This waits').waitFor();
  expect(await objections(page, 'preview-waits')).toEqual([]);
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
  // They are seen once it is known what was missed.
  const seen = () => expect.poll(() => page.evaluate(() => window.parley?.unread())).toBe(0);
  await seen();
  // A title that the page sets itself meanwhile is kept.
  await setHidden(page, true);
  await agent(service).answer(conversation, 'Three');
  await expect.poll(title).toBe('(1) A shop  of boots');
  await page.evaluate(() => {
    document.title = 'Another page';
  });
  await setHidden(page, false);
  await expect.poll(title).toBe('Another page');
  await seen();
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
  await drawn(page);
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

declare global {
  interface Window {
    testNotices?: string[];
  }
}

/** What is said from now on comes by its line: nothing is left to look up. */
const listens = (page: Page) =>
  expect.poll(() => page.evaluate(() => window.parley?.status().line)).toBe('live');

test('a chat that its page has hidden neither sounds nor counts, and shows what came once it is shown', async () => {
  const { page, close } = await open('out-of-sight');
  await page.context().addInitScript(countSounds);
  await page.context().addInitScript(wakeAtOnce);
  await page.reload();
  await chat(page).open();
  const conversation = await say(page, 'Make no sound');
  await chat(page).close();
  const second = await page.context().newPage();
  await second.goto(page.url());
  await second.getByRole('heading', { name: 'A shop' }).click();
  await listens(second);
  const unread = (tab: Page) => tab.evaluate(() => window.parley?.unread());
  const title = await page.title();
  // Of the hidden one nothing has been fetched yet, of the other one all that tells of it.
  await page.evaluate(() => window.parley?.hide());
  await setHidden(page, true);
  await agent(service).answer(conversation, 'To whom it may concern');
  await expect.poll(() => soundsOf(second)).toBe(1);
  await expect.poll(() => unread(page)).toBe(1);
  await setHidden(second, true);
  await expect.poll(() => second.title()).toBe(`(1) ${title}`);
  // It has known as long as the other one, and has still nothing to say.
  expect(await page.title()).toBe(title);
  expect(await soundsOf(page)).toBe(0);
  // In the background, too.
  await second.evaluate(() => window.parley?.hide());
  await expect.poll(() => second.title()).toBe(title);
  await second.evaluate(() => window.parley?.show());
  await expect.poll(() => second.title()).toBe(`(1) ${title}`);
  await page.evaluate(() => window.parley?.show());
  await setHidden(page, false);
  expect(await chat(page).badge.textContent()).toBe('1');
  await close();
});

test('a message sounds also in a sandboxed frame that may keep nothing', async () => {
  const shop = await openShop(browser, `${service.url}/no-storage.html`);
  const [, frame] = shop.page.frames();
  const inside = chat(shop.page.frameLocator('iframe'));
  await inside.open();
  await inside.say('Ring in the sandbox');
  const conversation = await agent(service).conversationOf('Ring in the sandbox');
  await inside.close();
  await frame?.evaluate(countSounds);
  await frame?.evaluate(wakeAtOnce);
  await agent(service).answer(conversation, 'Ding in the sandbox');
  await expect.poll(() => frame && soundsOf(frame)).toBe(1);
  expect(shop.errors).toEqual([]);
  await shop.close();
});

test('a message sounds once over two tabs, and not at all once muted; a notice is shown on request', async () => {
  const { page, close } = await open('sound');
  const context = page.context();
  await context.grantPermissions(['notifications']);
  await context.addInitScript(countSounds);
  await context.addInitScript(wakeAtOnce);
  await context.addInitScript(() => {
    window.testNotices = [];
    window.Notification = class extends Notification {
      constructor(title: string, options?: NotificationOptions) {
        super(title, options);
        // That of the switch itself, which tries, is gone at once.
        if (this.silent) return;
        // As the browser has read it: with the tag of one before it takes its place without a sound.
        const quiet = this.tag && Reflect.get(this, 'renotify') !== true ? 'quietly ' : '';
        window.testNotices?.push(`${quiet}${title}: ${options?.body}`);
      }
    };
  });
  await page.reload();
  await chat(page).open();
  const conversation = await say(page, 'Make a sound');
  await pickSwitch(page, 'Browser notifications');
  await chat(page).close();
  const second = await context.newPage();
  await second.goto(page.url());
  await second.getByRole('heading', { name: 'A shop' }).click();
  await listens(second);
  for (const one of [page, second]) await setHidden(one, true);
  const sounds = async () => ((await soundsOf(page)) ?? 0) + ((await soundsOf(second)) ?? 0);
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

test('a chat that goes while its notice is on the way leaves no error behind, whether it comes or not', async () => {
  for (const comes of [true, false]) {
    const shop = await open(`gone-${comes}`);
    const { page } = shop;
    await chat(page).open();
    const conversation = await say(page, `Gone by then, ${comes}`);
    await chat(page).close();
    const files = '**/{assets,again}/notice-*.js*';
    const held = await holdFiles(page, files);
    const asked = page.waitForRequest(files);
    await agent(service).answer(conversation, 'Too late');
    const address = (await asked).url();
    await page.evaluate(() => window.parley?.destroy());
    await (comes ? held.release() : held.fail());
    await settled(page, address);
    expect(shop.errors).toEqual([]);
    await shop.close();
  }
});
