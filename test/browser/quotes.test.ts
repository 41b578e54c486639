/** Answers to what was said before: the quote above them says what that was, and leads there. */
import { afterEach, expect, test } from 'vitest';
import { english as en } from '../../src/text/english.js';
import { agent, chat, hostPage, type Shop, useShop } from '../support/browser.js';
import { type FaultProxy, status } from '../support/fault-proxy.js';
import { enterThread, fill, pageBack } from '../support/thread.js';

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

test('a quote leads up the conversation alone, to the middle of it: a page around a chat in it stays where it is', async () => {
  await enter(4);
  const { page } = shop;
  const [first] = await agent(service).messages(conversation);
  await fill(service, conversation, 110);
  const body =
    '<main style="height:90rem"></main><div id="chat" style="height:30rem"></div><main style="height:90rem"></main>';
  const html = hostPage(proxy.url, { body }).replace(
    'data-inbox-identifier',
    'data-inside="#chat" data-inbox-identifier',
  );
  await page.goto(proxy.url + (await service.page('quoted', html)));
  await page.evaluate(() => document.querySelector('#chat')?.scrollIntoView({ block: 'end' }));
  await chat(page)
    .log.getByText(/^Line 110\b/)
    .waitFor({ state: 'attached' });
  await pageBack(page, 116);
  await chat(page)
    .window.getByRole('button', { name: /^Jump to latest/ })
    .click();
  const answer = { content: 'As you said', content_attributes: { in_reply_to: first?.id } };
  await agent(service).tell(conversation, answer);
  const quote = chat(page)
    .bubble('As you said')
    .getByRole('button', { name: /^In reply to You/ });
  // The driver leads to it first, by the page, too.
  await quote.hover();
  const scrolled = () => page.evaluate(() => window.scrollY);
  const before = await scrolled();
  await quote.click();
  const target = chat(page).log.locator('.bubble:focus');
  await target.waitFor();
  expect(await scrolled()).toBe(before);
  // As near to the middle as the beginning of it all lets it come.
  const isThere = () => target.evaluate((element) => (element.closest('[role=log]')?.scrollTop ?? 1) < 1);
  await expect.poll(isThere).toBe(true);
});

test('what is quoted from further back than has been fetched is fetched when it is asked for, and a failure is said', async () => {
  await enter(4);
  const { page } = shop;
  const [first] = await agent(service).messages(conversation);
  await fill(service, conversation, 110);
  await page.reload();
  const answer = { content: 'Long ago', content_attributes: { in_reply_to: first?.id } };
  await agent(service).tell(conversation, answer);
  const row = chat(page).bubble('Long ago');
  const earlier = row.getByRole('button', { name: en.older });
  await earlier.waitFor();
  const up = proxy.rule(({ path }) => (path.includes('before=') ? status(500) : undefined));
  await earlier.press('Enter');
  const again = row.getByRole('button', { name: en.olderFailed });
  await again.waitFor();
  up();
  await again.press('Enter');
  const target = chat(page).log.locator('.bubble:focus');
  await target.waitFor();
  expect(await target.locator('[data-id]').getAttribute('data-id')).toBe(`${first?.id}`);
  await row
    .getByRole('button', { name: /^In reply to You: Hello from visitor/ })
    .waitFor({ state: 'attached' });

  // With all of it here, what is not among it is not looked for.
  await agent(service).tell(conversation, { content: 'From afar', content_attributes: { in_reply_to: 0 } });
  await chat(page).bubble('From afar').waitFor({ state: 'attached' });
  expect(await chat(page).bubble('From afar').getByRole('button', { name: en.older }).count()).toBe(0);
});
