/** What the README writes into a page, written into one: each of its snippets of HTML makes the chat that it promises. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { agent, chat, openShop, useShop } from '../support/browser.js';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const { files } = z
  .object({ files: z.record(z.string(), z.string()) })
  .parse(JSON.parse(read('dist/cdn/integrity.json')));
const { browser, service } = await useShop();

const HOSTS =
  /https:\/\/cdn\.example\.com(?:\/[\d.]+)?|https:\/\/(?:support|your-deployment)\.example\.com|http:\/\/127\.0\.0\.1:3000/g;
const filled = (written: string) =>
  written
    .replace(HOSTS, service.url)
    .replace(/(inbox-identifier(?:="?|', '))[\w-]+/g, '$1{{inbox}}')
    .replace('sha384-…', files['parley.single.js'] ?? '');
const snippets = [...read('README.md').matchAll(/^```html\n([\s\S]*?)^```/gm)].map(
  ([, written = '']) => written,
);
const isCall = (written: string) => written.includes('.push(');
const tags = snippets.filter((written) => !isCall(written));
const [tag = ''] = tags.map(filled);
const [called = '', leaving = ''] = snippets.filter(isCall);

const open = async (name: string, body: string) => {
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A page</title>
    <link rel="icon" href="data:,"></head>
    <body>${body}</body></html>`;
  return openShop(browser, service.url + (await service.page(name, html)));
};

async function converse(page: Page, words: string) {
  await chat(page).say(words);
  const conversation = await agent(service).conversationOf(words);
  await agent(service).answer(conversation, `You said: ${words}`);
  await chat(page).bubble(`You said: ${words}`).waitFor();
  return conversation;
}

test('of the snippets none is left out', () => {
  expect([tags.length, snippets.length]).toEqual([7, 9]);
  for (const written of tags) expect(filled(written)).toMatch(/inbox-identifier(?:="|', ')\{\{inbox\}\}/);
});

test.each(tags.map((written, i) => [written.replace(/\s+/g, ' ').slice(0, 70), written, i] as const))(
  '%s… is a chat in which a visitor is answered',
  async (_, written, i) => {
    const { page, console, errors, close } = await open(`readme-${i}`, filled(written));
    // A chat in its place is open; where a link leads to it, the link opens it.
    if (written.includes('<a ')) {
      // Before the chat has taken it over, the link leads to the page that it names.
      await page.locator('a[aria-expanded=false]').waitFor();
      await page.getByText('Help', { exact: true }).click();
    } else if (!written.includes(' inline')) await chat(page).launcher.click();
    await chat(page).field.waitFor();
    await converse(page, `From snippet ${i}`);
    // And not in a line of it.
    expect((await chat(page).log.boundingBox())?.height).toBeGreaterThan(100);
    expect([...console, ...errors]).toEqual([]);
    await close();
  },
);

test.each([
  ['before the script has come', () => called + tag],
  ['after it', () => tag],
])('the list of what shall be done is done when it is written %s', async (when, body) => {
  const shop = await open(`readme-${when.replaceAll(' ', '-')}`, `<a id="help" href="/">Help</a>${body()}`);
  const { page } = shop;
  await chat(page).open();
  if (!body().includes('.push('))
    await page.evaluate((script) => new Function(script)(), called.replace(/<\/?script>/g, ''));
  const conversation = await converse(page, `Called ${when}`);
  await chat(page).close();
  await agent(service).answer(conversation, 'And one more');
  await expect.poll(() => page.locator('#help').textContent()).toBe('Help (1)');
  await chat(page).open();
  await expect.poll(() => page.locator('#help').textContent()).toBe('Help');
  expect([...shop.console, ...shop.errors]).toEqual([]);
  await shop.close();
});

test('whoever leaves by the top of the page is met once, and never who has sent the words away', async () => {
  const shop = await open('readme-leaving', leaving + tag);
  const { page } = shop;
  const leave = async (y: number) => {
    await page.mouse.move(300, 200);
    await page.mouse.move(300, y);
  };
  const words = page.locator('parley-chat').getByRole('button', { name: 'Before you go: can we help?' });
  await leave(-5);
  await words.waitFor();
  await page.locator('parley-chat').getByRole('button', { name: 'Dismiss', exact: true }).click();
  await words.waitFor({ state: 'detached' });
  await leave(-5);
  // What is called next is answered after it.
  await page.evaluate(() => window.parley?.setTheme({ radius: '9px' }));
  expect(await words.count()).toBe(0);
  expect([...shop.console, ...shop.errors]).toEqual([]);
  await shop.close();
});
