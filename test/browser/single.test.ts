/** The whole chat in one file, pinned by its hash on a page whose policy knows no other script. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { agent, chat, openShop, said, useShop } from '../support/browser.js';

const cdn = join(import.meta.dirname, '../../dist/cdn');
const { files } = z
  .object({ files: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(cdn, 'integrity.json'), 'utf8')));
const integrity = files['parley.single.js'] ?? '';

const { browser, service } = await useShop();

const page = (hash: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src '${hash}';
      connect-src {{origin}} ws: ; img-src {{origin}} data:; require-trusted-types-for 'script'; trusted-types 'none'">
    <title>A bank</title>
    <link rel="icon" href="data:,">
    <script async src="{{origin}}/parley.single.js" integrity="${hash}" crossorigin="anonymous"
      data-base-url="${service.url}" data-inbox-identifier="{{inbox}}"></script>
  </head>
  <body><h1>A bank</h1></body>
</html>`;

test('one script, allowed by its hash alone, is a whole chat', async () => {
  const shop = await openShop(browser, service.url + (await service.page('single', page(integrity))));
  const { field, window } = chat(shop.page);
  await chat(shop.page).open();
  await chat(shop.page).say('All in one');
  const conversation = await agent(service).conversationOf('All in one');
  await agent(service).answer(conversation, 'And **one** for all');
  await expect.poll(() => said(shop.page), { timeout: 30_000 }).toContain('And one for all');
  expect(await said(shop.page)).toEqual(['All in one', 'And one for all']);

  await window.getByRole('button', { name: 'Emoji', exact: true }).click();
  await window.getByRole('searchbox', { name: 'Search emoji' }).fill('sunrise');
  await window.getByRole('button', { name: 'sunrise', exact: true }).click();
  await expect.poll(() => field.inputValue()).toBe('🌅');

  const scripts = shop.requests.filter(({ path }) => path.endsWith('.js'));
  expect(scripts.map(({ path }) => path)).toEqual(['/parley.single.js']);
  expect(await shop.violations()).toEqual([]);
  expect([...shop.console, ...shop.errors]).toEqual([]);
  await shop.close();
});

test('a file that is not what the hash says is not run', async () => {
  const other = `sha384-${Buffer.alloc(48, 7).toString('base64')}`;
  const shop = await openShop(browser, service.url + (await service.page('other', page(other))));
  await expect.poll(() => shop.console.join()).toMatch(/integrity|violates/);
  expect(await chat(shop.page).host.count()).toBe(0);
  await shop.close();
});
