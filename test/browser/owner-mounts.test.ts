/** Chats that a program mounts and destroys: several, again and again, and while their files are on the way. */
import { expect, test } from 'vitest';
import type { Parley } from '../../src/parley.js';
import { agent, chat, hostPage, openShop, useShop } from '../support/browser.js';

const { browser, service } = await useShop();

declare global {
  interface Window {
    chats: Parley[];
  }
}

test('a program mounts several chats on one page, and anew after they were destroyed', async () => {
  const path = await service.page(
    'module',
    `<!doctype html><html lang="en"><head><title>An app</title><link rel="icon" href="data:,"></head><body>
      <script type="module">
        import { mount } from '{{origin}}/parley.module.js';
        window.again = () => mount({ baseUrl: '{{origin}}', inboxIdentifier: '{{inbox}}', locale: 'en', sound: false });
        window.chats = [window.again(), window.again()];
      </script></body></html>`,
  );
  const shop = await openShop(browser, service.url + path);
  const { page } = shop;
  await expect.poll(() => chat(page).host.count()).toBe(2);
  expect(await page.evaluate(() => 'parley' in window)).toBe(false);
  expect(await page.evaluate(() => window.chats[1]?.open())).toEqual({ ok: true });
  await chat(page).field.waitFor();
  expect(await page.evaluate(() => window.chats.map((one) => one.status().open))).toEqual([false, true]);
  await page.evaluate(() => {
    for (const one of window.chats) one.destroy();
  });
  expect(await chat(page).host.count()).toBe(0);
  // What was on its way comes, and its link goes then.
  await expect
    .poll(() => page.evaluate(() => document.querySelectorAll('link[rel=modulepreload]').length))
    .toBe(0);
  await page.evaluate(() => {
    const again: () => Parley = Reflect.get(window, 'again');
    window.chats = [again()];
    return window.chats[0]?.open();
  });
  await chat(page).field.waitFor();
  await chat(page).say('Mounted again');
  await agent(service).conversationOf('Mounted again');
  expect([...shop.console, ...shop.errors]).toEqual([]);
  await shop.close();
});

test('a chat that is destroyed while its files come is on the page no more, and answers', async () => {
  const path = await service.page(
    'short',
    hostPage(service.url, {
      body: `<main><div id="place" style="block-size: 30rem"></div></main>
        <script type="module">import { mount } from '{{origin}}/parley.module.js'; window.makeChat = mount</script>`,
    }),
  );
  const shop = await openShop(browser, service.url + path);
  const { page } = shop;
  await page.waitForFunction(() => 'makeChat' in window);
  const outcome = await page.evaluate(async () => {
    const mount: (options: object) => Parley = Reflect.get(window, 'makeChat');
    const tag = document.querySelector('script[data-inbox-identifier]');
    if (!(tag instanceof HTMLElement)) throw new Error('there is no tag');
    const { baseUrl, inboxIdentifier } = tag.dataset;
    const options = { baseUrl, inboxIdentifier, inside: '#place' };
    const first = mount(options);
    const sent = first.send('Of no use');
    first.destroy();
    const late = mount(options);
    // Its files are there, and not yet what sends words.
    await late.open();
    const said = late.send('Of no use either');
    late.destroy();
    Reflect.set(window, 'last', mount(options));
    return [await sent, await said];
  });
  for (const one of outcome) expect(one).toMatchObject({ ok: false, error: { kind: 'destroyed' } });
  await page.locator('#place').getByRole('textbox', { name: 'Message' }).waitFor();
  await expect.poll(() => page.locator('#place parley-chat').count()).toBe(1);
  await shop.close();
});

test('mounted and destroyed again and again, as strict frameworks do, nothing is left', async () => {
  const path = await service.page(
    'strict',
    `<!doctype html><html lang="en"><head><title>An app</title><link rel="icon" href="data:,"></head><body>
      <script type="module">
        import { mount } from '{{origin}}/parley.module.js';
        const options = { baseUrl: '{{origin}}', inboxIdentifier: '{{inbox}}', position: 'top-end', pages: '/*' };
        window.again = () => mount(options);
      </script></body></html>`,
  );
  const shop = await openShop(browser, service.url + path);
  const { page } = shop;
  await page.waitForFunction(() => 'again' in window);
  const before = await page.evaluate(() => Object.keys(window).sort());
  await page.evaluate(async () => {
    const again: () => Parley = Reflect.get(window, 'again');
    for (let i = 0; i < 5; i++) {
      again().destroy();
      const opened = again();
      const opening = opened.open();
      if (i % 2) await opening;
      opened.destroy();
      await opening;
    }
  });
  expect(
    await page.evaluate(() => [...document.documentElement.children].map((child) => child.localName)),
  ).toEqual(['head', 'body']);
  expect(await page.evaluate(() => Object.keys(window).sort())).toEqual(before);
  await page.evaluate(() => {
    const again: () => Parley = Reflect.get(window, 'again');
    window.chats = [again()];
  });
  // It was left open, and is so again.
  await chat(page).field.waitFor();
  expect([...shop.console, ...shop.errors]).toEqual([]);
  await shop.close();
});
