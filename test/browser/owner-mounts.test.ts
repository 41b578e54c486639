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

async function openTwo() {
  const path = await service.page(
    'module',
    `<!doctype html><html lang="en"><head><title>An app</title><link rel="icon" href="data:,"></head><body>
      <script type="module">
        import { mount } from '{{origin}}/parley.module.js';
        window.again = (more) =>
          mount({ baseUrl: '{{origin}}', inboxIdentifier: '{{inbox}}', locale: 'en', sound: false, ...more });
        window.chats = [window.again(), window.again()];
      </script></body></html>`,
  );
  return openShop(browser, service.url + path);
}

test('a program mounts several chats on one page, and anew after they were destroyed', async () => {
  const shop = await openTwo();
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

test('two chats of one inbox on one page agree on what was seen and what is being written, and not on being open', async () => {
  const { page, errors, close } = await openTwo();
  const unread = () => page.evaluate(() => window.chats.map((one) => one.unread()));
  const isOpen = () => page.evaluate(() => window.chats.map((one) => one.status().open));
  const press = async (which: 0 | 1, call: 'open' | 'close') => {
    await page.evaluate(([which, call]) => window.chats[which]?.[call](), [which, call] as const);
    // What fades away has a field, too.
    if (call === 'close') await expect.poll(() => chat(page).window.count()).toBe(0);
  };
  await page.waitForFunction(() => window.chats);
  await press(1, 'open');
  await chat(page).field.waitFor();
  expect(await isOpen()).toEqual([false, true]);
  await chat(page).say('Who of you has read it?');
  const conversation = await agent(service).conversationOf('Who of you has read it?');
  await chat(page).log.getByText('Sent', { exact: true }).waitFor();
  await press(1, 'close');
  // The other one learns by itself that there is a conversation, when it is opened at the latest.
  await press(0, 'open');
  await chat(page).bubble('Who of you has read it?').waitFor();
  await press(0, 'close');
  await agent(service).answer(conversation, 'Either');
  await expect.poll(unread).toEqual([1, 1]);
  await press(1, 'open');
  await expect.poll(unread).toEqual([0, 0]);
  expect(await isOpen()).toEqual([false, true]);
  await chat(page).field.fill('Begun in the one');
  await press(1, 'close');
  await press(0, 'open');
  await expect.poll(() => chat(page).field.inputValue()).toBe('Begun in the one');
  await chat(page).field.fill('');
  await press(0, 'close');
  await press(1, 'open');
  await expect.poll(() => chat(page).field.inputValue()).toBe('');
  expect(errors).toEqual([]);
  await close();
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

test('a chat that is destroyed while it opens says so, however far it has come', async () => {
  const shop = await openTwo();
  const { page } = shop;
  await page.waitForFunction(() => window.chats);
  const outcomes = await page.evaluate(async () => {
    const again: () => Parley = Reflect.get(window, 'again');
    const outcome = async (chat: Parley, turns: number) => {
      let over = false;
      const opening = chat.open().finally(() => {
        over = true;
      });
      for (let turn = 0; turn < turns; turn++) await null;
      const before = over;
      chat.destroy();
      const { ok, ...no } = await opening;
      return [before, ok || Reflect.get(no, 'error').kind];
    };
    // The files of the first one come while it opens; those of the others are there.
    const all = [await outcome(again(), 0)];
    const [warm] = window.chats;
    await warm?.open();
    await warm?.close();
    if (warm) all.push(await outcome(warm, 0));
    for (let turns = 0; turns < 60; turns++) all.push(await outcome(again(), turns));
    return all;
  });
  expect(outcomes).toEqual(outcomes.map(([before]) => [before, before ? true : 'destroyed']));
  expect([...shop.console, ...shop.errors]).toEqual([]);
  await shop.close();
});

test('ready is told to whoever listens to a chat, also to one that has no leave yet, and of none that is destroyed', async () => {
  const shop = await openTwo();
  const { page } = shop;
  await page.waitForFunction(() => window.chats);
  const heard = await page.evaluate(async () => {
    const again: (options?: object) => Parley = Reflect.get(window, 'again');
    const told: string[] = [];
    const note = (chat: Parley, which: string) => chat.on('ready', () => void told.push(which));
    note(again(), 'late');
    note(again({ connect: 'allow' }), 'unasked');
    const short = again();
    note(short, 'before its end');
    short.destroy();
    note(short, 'after its end');
    // After all that they have put off.
    await new Promise((resolve) => setTimeout(resolve));
    note(short, 'long after its end');
    await new Promise((resolve) => setTimeout(resolve));
    return told;
  });
  expect(heard).toEqual(['late', 'unasked']);
  expect([...shop.console, ...shop.errors]).toEqual([]);
  await shop.close();
});

test('an element of a program is a place as long as it is on the page, also within a component', async () => {
  const path = await service.page(
    'component',
    `<!doctype html><html lang="en"><head><title>An app</title><link rel="icon" href="data:,"></head><body>
      <div id="component"></div>
      <script type="module">
        import { mount } from '{{origin}}/parley.module.js';
        const inside = document.createElement('div');
        inside.style.height = '400px';
        window.place = inside;
        document.querySelector('#component').attachShadow({ mode: 'open' }).append(inside);
        window.parley = mount({ baseUrl: '{{origin}}', inboxIdentifier: '{{inbox}}', inside });
      </script></body></html>`,
  );
  const shop = await openShop(browser, service.url + path);
  const { page } = shop;
  const isOpen = () => page.evaluate(() => window.parley?.status().open);
  await chat(page).field.waitFor();
  for (const parent of ['#component', 'body']) {
    await page.evaluate(() => Reflect.get(window, 'place').remove());
    await expect.poll(isOpen).toBe(false);
    await page.evaluate((selector) => {
      const found = document.querySelector(selector);
      (found?.shadowRoot ?? found)?.append(Reflect.get(window, 'place'));
    }, parent);
    await chat(page).field.waitFor();
    expect(await isOpen()).toBe(true);
  }
  expect([...shop.console, ...shop.errors]).toEqual([]);
  await shop.close();
});

test('a chat in the page that is closed before its files have come stays closed until it is opened', async () => {
  const { page, errors, close } = await openTwo();
  expect(
    await page.evaluate(async () => {
      for (const one of window.chats) one.destroy();
      const again: (more: object) => Parley = Reflect.get(window, 'again');
      const one = again({ inside: 'body' });
      window.chats = [one];
      return [await one.close(), await one.identify({ identifier: 'closed-at-once' }), await one.perf()];
    }),
  ).toMatchObject([{ ok: true }, { ok: true }, { ok: true }]);
  expect(await page.evaluate(() => window.chats[0]?.status().open)).toBe(false);
  // To hide it and show it again opens nothing that was closed.
  await page.evaluate(() => {
    window.chats[0]?.hide();
    window.chats[0]?.show();
  });
  expect(await page.evaluate(() => window.chats[0]?.setLocale('en'))).toEqual({ ok: true });
  expect(await page.evaluate(() => window.chats[0]?.status().open)).toBe(false);
  expect(await page.evaluate(() => window.chats[0]?.open())).toEqual({ ok: true });
  await chat(page).field.waitFor();
  await page.evaluate(() => window.chats[0]?.hide());
  await chat(page).window.waitFor({ state: 'hidden' });
  await page.evaluate(() => window.chats[0]?.show());
  await chat(page).field.waitFor();
  expect(errors).toEqual([]);
  await close();
});
