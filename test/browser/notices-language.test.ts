/** The launcher of somebody who is known, and what tells of a message while the window is closed, speak their language. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Parley } from '../../src/parley.js';
import { english as en } from '../../src/text/english.js';
import ar from '../../src/text/locales/ar.js';
import de from '../../src/text/locales/de.js';
import { createSay, type Say, type Sentences } from '../../src/text/text.js';
import { openTagged } from '../support/around.js';
import { agent, chat, hostPage, type Shop, useShop } from '../support/browser.js';
import { holdFiles, settled } from '../support/held-files.js';
import { objections } from '../support/objections.js';
import { waitLonger } from '../support/patience.js';
import { drawn } from '../support/thread.js';

const german = createSay('de', de, en);
const arabic = createSay('ar', ar, en);
const { browser, service } = await useShop();

/** A visitor who has written, on a new page with the window closed; and the number of their conversation. */
async function returned(
  name: string,
  say: Say,
  host: { lang: string; dir?: string },
  own: Partial<Sentences> = {},
  patient = false,
  before = (_: Page): Promise<unknown> => Promise.resolve(),
) {
  const sentences = Object.keys(own).length ? `data-sentences='${JSON.stringify(own)}'` : '';
  const shop = await openTagged(browser, service, name, sentences, {}, host);
  await chat(shop.page, say).open();
  await chat(shop.page, say).say(name);
  const conversation = await agent(service).conversationOf(name);
  await chat(shop.page, say).bubble(name).getByText(say('sent'), { exact: true }).waitFor();
  await chat(shop.page, say).close();
  // However slow this machine is, the language comes within its second, or is known not to come.
  if (patient) await waitLonger(shop.page, 1_000);
  await before(shop.page);
  shop.requests.length = 0;
  const line = shop.page.waitForEvent('websocket');
  await shop.page.reload();
  await line;
  return { ...shop, conversation };
}

const languagesOf = (shop: Pick<Shop, 'requests'>) =>
  shop.requests.flatMap(({ path }) => /\/(locales|de|ar)-[^/]*\.js$/.exec(path)?.[1] ?? []).sort();
/** What the launcher needs for its words. */
const speakers = ({ requests }: Pick<Shop, 'requests'>) =>
  requests.filter(({ path }) => /\/(?:notice|locales|de)-[^/]*\.js$/.test(path));
const spoken = (page: Page) => page.locator('parley-chat .sr').textContent();
const nameOf = (page: Page) => chat(page).launcher.getAttribute('aria-label');
const cards = (page: Page, say: Say) => page.getByRole('group', { name: say('noticeNews'), exact: true });

test.each([
  ['German', german, { lang: 'de' }, 'de', 'ltr'],
  ['Arabic', arabic, { lang: 'ar', dir: 'rtl' }, 'ar', 'rtl'],
])(
  'on a page in %s launcher, badge and preview speak it though the window was never opened, and it comes once',
  async (name, say, host, tag, dir) => {
    const shop = await returned(`News in ${name}`, say, host, {}, true);
    const { page, conversation } = shop;
    await expect.poll(() => nameOf(page)).toBe(say('openChat'));
    expect(await chat(page).launcher.getAttribute('lang')).toBe(tag);
    const file = new FormData();
    file.append('attachments[]', new Blob(['x'], { type: 'text/plain' }), 'x.txt');
    await agent(service).tell(conversation, file);
    await cards(page, say)
      .getByRole('button', { name: `Ada ${say('attachment')}` })
      .waitFor();
    expect(await nameOf(page)).toBe(`${say('openChat')}, ${say('unread', { count: 1 })}`);
    expect(await spoken(page)).toBe(say('unread', { count: 1 }));
    const dismiss = page.getByRole('button', { name: say('noticeDismiss'), exact: true });
    expect(await dismiss.evaluate((button) => getComputedStyle(button).direction)).toBe(dir);
    expect(await objections(page, name)).toEqual([]);
    await dismiss.click();
    await chat(page, say).open();
    await chat(page, say)
      .window.getByRole('heading', { name: say('title') })
      .waitFor();
    expect(languagesOf(shop)).toEqual([tag, 'locales'].sort());
    expect([...shop.console, ...shop.errors]).toEqual([]);
    await shop.close();
  },
);

test('the owner’s sentences are said by badge and preview, and in English no language is fetched for them', async () => {
  const own = {
    noticeDismiss: 'Not now',
    openChat: 'Ask us',
    unread: { one: '{count} word for you', other: '{count} words for you' },
  };
  const shop = await returned('Own words', createSay('en', own, en), { lang: 'en' }, own);
  await expect.poll(() => nameOf(shop.page)).toBe('Ask us');
  await agent(service).answer(shop.conversation, 'One');
  await shop.page.getByRole('button', { name: 'Not now', exact: true }).waitFor();
  expect(await nameOf(shop.page)).toBe('Ask us, 1 word for you');
  expect(languagesOf(shop)).toEqual([]);
  // A badge alone speaks as they do, too.
  await shop.page.getByRole('button', { name: 'Not now', exact: true }).click();
  await shop.page.reload();
  await expect.poll(() => nameOf(shop.page)).toBe('Ask us, 1 word for you');
  await shop.close();
});

test('a language that does not come is English, and asked for again with the next message; setLocale is obeyed', async () => {
  const shop = await returned('Late words', german, { lang: 'de' }, {}, true, (page) =>
    page.route('**/{assets,again}/de-*.js*', (route) => route.abort()),
  );
  const { page, conversation } = shop;
  await expect.poll(() => languagesOf(shop)).toContain('de');
  await agent(service).answer(conversation, 'One');
  await cards(page, createSay('en', en)).getByRole('button', { name: 'Dismiss' }).waitFor();
  expect(await nameOf(page)).toBe('Open chat, 1 new message');
  await page.unroute('**/{assets,again}/de-*.js*');
  await agent(service).answer(conversation, 'Two');
  await cards(page, german)
    .getByRole('button', { name: german('noticeDismiss') })
    .waitFor();
  expect(await nameOf(page)).toBe(`${german('openChat')}, ${german('unread', { count: 2 })}`);
  await page.evaluate(() => window.parley?.setLocale('ar'));
  await cards(page, arabic)
    .getByRole('button', { name: arabic('noticeDismiss') })
    .waitFor();
  await page.evaluate(() => window.parley?.setLocale('en'));
  await expect.poll(() => nameOf(page)).toBe('Open chat, 2 new messages');
  await shop.close();
});

test('what the launcher says comes after the service was asked, and once there is a launcher of ours', async () => {
  const shop = await returned('Own button', german, { lang: 'de' });
  const { page } = shop;
  await expect.poll(() => nameOf(page)).toBe(german('openChat'));
  const [first] = shop.requests.filter(({ path }) => path.startsWith('/public/'));
  expect(shop.requests.find((request) => request === first || speakers(shop).includes(request))).toBe(first);
  const live = async () => {
    await expect.poll(() => page.evaluate(() => window.parley?.status().line)).toBe('live');
    await drawn(page);
  };
  // Hidden by the page.
  await page.addInitScript(() => {
    Object.assign(window, { parley: [(chat: Parley) => chat.hide()] });
  });
  shop.requests.length = 0;
  await page.reload();
  await live();
  expect(speakers(shop)).toEqual([]);
  await page.evaluate(() => window.parley?.show());
  await expect.poll(() => nameOf(page)).toBe(german('openChat'));
  // A button of the page, of which the owner's file knows.
  const body = '<main><button id="help">Hilfe</button></main>';
  const html = hostPage(service.url, { lang: 'de', body }).replace(
    'data-inbox-identifier',
    'data-launcher="#help" data-inbox-identifier',
  );
  const path = await service.page('own-button', html);
  const owner = await holdFiles(page, '**/assets/owner-*');
  await page.addInitScript(() => Object.assign(window, { parley: [] }));
  shop.requests.length = 0;
  await page.goto(service.url + path);
  await live();
  const [address = ''] = owner.addresses();
  await owner.release();
  await settled(page, address);
  expect(speakers(shop)).toEqual([]);
  // News is told there, too.
  await agent(service).answer(shop.conversation, 'One');
  await cards(page, german)
    .getByRole('button', { name: german('noticeDismiss') })
    .waitFor();
  await shop.close();
});

test('with data-connect="load" no language is fetched for visitors who are not known', async () => {
  const shop = await openTagged(browser, service, 'load-unknown', 'data-connect="load"', {}, { lang: 'de' });
  const engine = shop.page.waitForRequest(/\/assets\/chat-/);
  await shop.page.reload();
  await settled(shop.page, (await engine).url());
  expect(speakers(shop)).toEqual([]);
  await shop.close();
});
