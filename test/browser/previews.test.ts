/** How the preview of a message looks beside the launcher, whatever is in it and around it. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { openTagged, pick, say as sayIn } from '../support/around.js';
import { agent, chat, useShop } from '../support/browser.js';

const { browser, service } = await useShop({ whole: true });

const open = (name: string, attributes = '', options: BrowserContextOptions = {}) =>
  openTagged(browser, service, name, attributes, options);
const say = (page: Page, words: string) => sayIn(service, page, words);

test('the name of who answers stays within the card, however long it is', async () => {
  const { page, close } = await open('long-name', '', { viewport: { width: 320, height: 640 } });
  await chat(page).open();
  const conversation = await say(page, 'Who are you?');
  await chat(page).close();
  const name = `${'ada.of.the.very.long.address'.repeat(2)}@support.example`;
  const made = await service.agent('POST', '/api/v1/accounts/1/agents', {
    name,
    email: 'long@support.example',
    role: 'administrator',
  });
  const { access_token } = z.object({ access_token: z.string() }).parse(made.body);
  await fetch(`${service.url}/api/v1/accounts/1/conversations/${conversation}/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'api-access-token': access_token },
    body: JSON.stringify({ content: 'Me' }),
  });
  const card = page.locator('parley-chat .news');
  await card.getByText(name.slice(0, 40)).waitFor();
  expect(await card.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0);
  await close();
});

test('what has no words of its own is known by those that it shows, beside the launcher and in the list', async () => {
  const { page, close } = await open('gist');
  await chat(page).open();
  const conversation = await say(page, 'Show me boots');
  await chat(page).close();
  await agent(service).tell(conversation, {
    content_type: 'cards',
    content_attributes: {
      items: [
        {
          actions: [{ type: 'postback', text: 'These', payload: '1' }],
          description: 'Of leather',
          title: '靴 Boots',
        },
      ],
    },
  });
  await page.getByRole('button', { name: 'Ada 靴 Boots' }).click();
  await chat(page).log.getByText('靴 Boots').waitFor();
  await pick(page, 'Conversations');
  const line = chat(page).window.locator('.lines').getByRole('button');
  await expect.poll(() => line.textContent()).toContain('靴 Boots');
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

test('a preview whose file did not come the first time comes with the next message', async () => {
  const { page, close } = await open('late-file');
  await chat(page).open();
  const conversation = await say(page, 'Is anybody there?');
  await chat(page).close();
  const files = '**/notice-*.js*';
  const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('/notice-'));
  await page.route(files, (route) => route.abort());
  await agent(service).answer(conversation, 'The first answer');
  await failed;
  await expect.poll(() => page.evaluate(() => window.parley?.unread())).toBe(1);
  await page.unroute(files);
  await agent(service).answer(conversation, 'The second answer');
  await page.locator('parley-chat .news').getByText('The second answer').waitFor();
  await close();
});
