/** A page that goes, closes or writes before our files have come: what its owner asked for is done all the same. */
import type { Page, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { agent, chat, hostPage, openShop, said, useShop } from '../support/browser.js';
import { prototype16 } from '../support/hostile/old-libraries.js';

const { browser, service } = await useShop();

/** What this profile keeps of the chat, by the names below its own. */
const facts = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).map((key) => key.replace(/^[^#]*#[^:]*:?/, '')));

// 1. Alice writes and is answered. 2. On a page whose files have not come, she logs out, and the page goes at once.
// 3. Bob opens the chat on the next page.
test.each(['reset', 'forget'] as const)(
  '%s() and away at once: on the next page nothing of the one before is shown, and the new words are for nobody else',
  async (leave) => {
    const shop = await openShop(browser, `${service.url}/`);
    const { page } = shop;
    const secret = `For my eyes only, ${leave}`;
    await chat(page).open();
    await chat(page).say(secret);
    const before = await agent(service).conversationOf(secret);
    await chat(page).bubble(secret).getByText('Sent').waitFor();
    await chat(page).field.fill('Half a sentence');
    await page.reload();
    await page.waitForFunction(() => window.parley !== undefined);
    await Promise.all([
      page.waitForEvent('load'),
      page.evaluate((name) => {
        void window.parley?.[name]();
        location.reload();
      }, leave),
    ]);
    await page.waitForFunction(() => window.parley !== undefined);
    await page.evaluate(() => window.parley?.open());
    await chat(page).field.waitFor();
    expect(await chat(page).field.inputValue()).toBe('');
    await chat(page).say(`Somebody else, ${leave}`);
    const after = await agent(service).conversationOf(`Somebody else, ${leave}`);
    expect(after).not.toBe(before);
    await chat(page).bubble(`Somebody else, ${leave}`).getByText('Sent').waitFor();
    expect(await said(page)).toEqual([`Somebody else, ${leave}`]);
    expect(await facts(page)).not.toContain('leave');
    await page.reload();
    await page.waitForFunction(() => window.parley !== undefined);
    await page.evaluate(() => window.parley?.open());
    await chat(page).bubble(`Somebody else, ${leave}`).waitFor();
    expect(await said(page)).toEqual([`Somebody else, ${leave}`]);
    expect([...shop.console, ...shop.errors]).toEqual([]);
    await shop.close();
  },
);

test('who left a page that keeps nothing, and was not known, takes nothing along of who writes next', async () => {
  const html = hostPage(service.url, {
    head: '<script>Object.defineProperty(navigator, "globalPrivacyControl", { value: true })</script>',
  });
  const shop = await openShop(browser, service.url + (await service.page('left-private', html)));
  const { page } = shop;
  await page.waitForFunction(() => window.parley !== undefined);
  const scope = await page.evaluate(() => {
    const { baseUrl = location.origin, inboxIdentifier } =
      document.querySelector<HTMLElement>('[data-inbox-identifier]')?.dataset ?? {};
    return `parley:${baseUrl}#${inboxIdentifier}`;
  });
  // A habit of an earlier visit is there, and nobody.
  await page.evaluate((key) => localStorage.setItem(key, '["🙂"]'), `${scope}:emoji`);
  await Promise.all([
    page.waitForEvent('load'),
    page.evaluate(() => {
      void window.parley?.reset();
      location.reload();
    }),
  ]);
  await page.waitForFunction(() => window.parley !== undefined);
  expect(await facts(page)).toContain('leave');
  await chat(page).open();
  await expect.poll(() => facts(page)).toEqual(['emoji']);
  expect(await page.evaluate(() => window.parley?.status().storage)).toBe('memory');
  await chat(page).say('Whoever comes next');
  await chat(page).bubble('Whoever comes next').getByText('Sent', { exact: true }).waitFor();
  await page.reload();
  await chat(page).bubble('Whoever comes next').waitFor();
  expect([...shop.console, ...shop.errors]).toEqual([]);
  await shop.close();
});

test('reset() on a page where nothing is kept keeps nothing', async () => {
  const shop = await openShop(browser, `${service.url}/`);
  await shop.page.waitForFunction(() => window.parley !== undefined);
  expect(await shop.page.evaluate(() => window.parley?.reset())).toEqual({ ok: true });
  expect(await facts(shop.page)).not.toContain('leave');
  await shop.close();
});

test('a draft of the page stands before what the visitor types meanwhile', async () => {
  const shop = await openShop(browser, `${service.url}/`);
  const { page } = shop;
  const held: Route[] = [];
  await page.route('**/{assets,again}/owner-*.js', (route) => void held.push(route));
  await page.waitForFunction(() => window.parley !== undefined);
  expect(await page.evaluate(() => window.parley?.draft('About order 77'))).toEqual({ ok: true });
  await page.evaluate(() => void window.parley?.on('open', () => {}));
  await chat(page).open();
  await chat(page).field.press('End');
  await page.keyboard.type(', please');
  await expect.poll(() => held.length).toBe(1);
  await Promise.all(held.map((route) => route.continue()));
  // The owner's file is there once it tells the colours.
  expect(await page.evaluate(() => window.parley?.setTheme({ accent: '#0b6e4f' }))).toEqual({ ok: true });
  expect(await chat(page).field.inputValue()).toBe('About order 77, please');
  await shop.close();
});

test.each([['with somebody who listens'], ['with nobody who listens']])(
  'close() on a page that finds the window left open closes it, and answers are heard there, %s',
  async (who) => {
    const listens = who.startsWith('with somebody');
    const shop = await openShop(browser, `${service.url}/`);
    const { page } = shop;
    const words = `Left open ${who}`;
    await chat(page).open();
    await chat(page).say(words);
    const conversation = await agent(service).conversationOf(words);
    await chat(page).bubble(words).getByText('Sent').waitFor();
    await page.addInitScript((listening) => {
      window.parley ??= Object.assign([], window.parley);
      (window.parley as unknown as ((chat: NonNullable<typeof window.parley>) => void)[]).push((chat) => {
        if (listening) chat.on('unread', () => {});
        void chat.close();
      });
    }, listens);
    await page.reload();
    await chat(page).launcher.waitFor();
    await agent(service).answer(conversation, 'Are you there?');
    await expect.poll(() => page.evaluate(() => window.parley?.unread())).toBe(1);
    expect(await page.evaluate(() => window.parley?.status().open)).toBe(false);
    expect(await chat(page).window.isVisible()).toBe(false);
    expect((await facts(page)).includes('open')).toBe(true);
    await shop.close();
  },
);

test('whoever listens to errors hears that our files do not come', async () => {
  const shop = await openShop(browser, `${service.url}/`);
  const { page } = shop;
  await page.route('**/{assets,again}/*.js', (route) => route.abort());
  await page.waitForFunction(() => window.parley !== undefined);
  const heard = await page.evaluate(async () => {
    const kinds: string[] = [];
    window.parley?.on('error', ({ kind }) => kinds.push(kind));
    await window.parley?.open();
    await window.parley?.send('Hello');
    return kinds;
  });
  expect(heard).toEqual(['notLoaded', 'notLoaded']);
  await shop.close();
});

test('a chat that was destroyed leaves room for another one, and takes only itself away', async () => {
  const path = await service.page(
    'declared',
    hostPage(service.url, { head: '<script>var parley = parley || [];</script>' }),
  );
  const shop = await openShop(browser, service.url + path);
  const { page } = shop;
  await chat(page).launcher.waitFor();
  await page.evaluate(
    (url) =>
      new Promise<void>((resolve) => {
        const old = window.parley;
        old?.destroy();
        const tag = document.createElement('script');
        const before = document.querySelector<HTMLElement>('script[data-base-url]');
        Object.assign(tag.dataset, before?.dataset);
        tag.src = `${url}/parley.js`;
        tag.onload = () => {
          old?.destroy();
          resolve();
        };
        document.head.append(tag);
      }),
    service.url,
  );
  await chat(page).launcher.waitFor();
  expect(await page.evaluate(() => window.parley?.status().open)).toBe(false);
  expect(shop.console).toEqual([]);
  await shop.close();
});

test('a policy that blocks the service is explained where all is in one file, too', async () => {
  const html = hostPage(service.url, {
    head: `<meta http-equiv="Content-Security-Policy" content="connect-src 'none'">`,
  }).replace('parley.js', 'parley.single.js');
  const shop = await openShop(browser, service.url + (await service.page('single-policy', html)));
  await chat(shop.page).launcher.waitFor();
  expect(await shop.page.evaluate(() => window.parley?.open())).toEqual({ ok: true });
  await expect
    .poll(() => shop.console.filter((line) => line.includes('Parley')))
    .toEqual([`warning: Parley: your policy must allow ${service.url} in connect-src.`]);
  await shop.close();
});

test('a policy that only reports blocks nothing, and what is blocked beside it is explained', async () => {
  const html = hostPage(service.url, {
    head: `<meta http-equiv="Content-Security-Policy" content="connect-src 'none'">`,
  });
  const path = await service.page('reported', html, {
    'content-security-policy-report-only': "script-src 'none'; connect-src 'none'",
  });
  const shop = await openShop(browser, service.url + path);
  await chat(shop.page).launcher.waitFor();
  expect(await shop.page.evaluate(() => window.parley?.open())).toEqual({ ok: true });
  await chat(shop.page).say('Into a report');
  await expect
    .poll(() => shop.console.filter((line) => line.includes('Parley:')))
    .toEqual([`warning: Parley: your policy must allow ${service.url} in connect-src.`]);
  await shop.close();
});

test('a browser that asks for nothing to be kept, and was once allowed to keep it for the tab, still knows the visitor', async () => {
  const html = hostPage(service.url, {
    head: '<script>Object.defineProperty(navigator, "globalPrivacyControl", { value: true })</script>',
  }).replace('data-inbox-identifier', 'data-consent="call" data-inbox-identifier');
  const shop = await openShop(browser, service.url + (await service.page('private-tab', html)));
  const { page } = shop;
  await chat(page).open();
  expect(await page.evaluate(() => window.parley?.allow('session'))).toEqual({ ok: true });
  await chat(page).say('Kept for this tab');
  await chat(page).bubble('Kept for this tab').getByText('Sent', { exact: true }).waitFor();
  await page.reload();
  await chat(page).bubble('Kept for this tab').waitFor();
  expect(await page.evaluate(() => window.parley?.status().storage)).toBe('session');
  await shop.close();
});

test.each([
  ['reset', ['', 'emoji', 'inbox', 'open', 'wishes'], ['emoji', 'inbox', 'open', 'wishes']],
  ['forget', ['', 'emoji', 'inbox', 'open', 'wishes'], []],
] as const)(
  '%s() on a page that may keep less reaches what was kept before, and leaves no note behind',
  async (leave, before, after) => {
    const words = `Kept in the browser, ${leave}`;
    const shop = await openShop(browser, `${service.url}/`);
    const { page } = shop;
    await chat(page).open();
    await chat(page).say(words);
    await chat(page).bubble(words).getByText('Sent', { exact: true }).waitFor();
    // Habits of this browser, as the window writes them.
    await page.evaluate(() => {
      const scope = Object.keys(localStorage).find((key) => /#[^:]*$/.test(key));
      localStorage.setItem(`${scope}:wishes`, '[true,false,false]');
      localStorage.setItem(`${scope}:emoji`, '["🙂"]');
    });
    // What else is kept comes and goes with what is said.
    const lasting = async () =>
      (await facts(page)).filter((name) => /^(?:|emoji|inbox|leave|open|wishes)$/.test(name)).sort();
    await expect.poll(lasting).toEqual([...before]);
    // Whoever was known here has gone already.
    expect(await page.evaluate(() => window.parley?.reset())).toEqual({ ok: true });
    const less = hostPage(service.url).replace(
      'data-inbox-identifier',
      'data-storage="session" data-inbox-identifier',
    );
    await page.goto(service.url + (await service.page(`less-${leave}`, less)));
    await page.waitForFunction(() => window.parley !== undefined);
    expect(await page.evaluate((name) => window.parley?.[name](), leave)).toEqual({ ok: true });
    expect(await lasting()).toEqual([...after]);
    if (leave === 'forget') expect(await facts(page)).toEqual([]);
    expect([...shop.console, ...shop.errors]).toEqual([]);
    await shop.close();
  },
);

test('a chat that is no more logs nobody out, says that it is closed, and counts nothing', async () => {
  const shop = await openShop(browser, `${service.url}/`);
  const { page } = shop;
  await chat(page).open();
  await chat(page).say('Still here');
  await chat(page).bubble('Still here').getByText('Sent', { exact: true }).waitFor();
  const told = await page.evaluate(async () => {
    const { parley } = window;
    parley?.destroy();
    const outcome = await parley?.reset();
    return { outcome: outcome?.ok, open: parley?.status().open, unread: parley?.unread() };
  });
  expect(told).toEqual({ outcome: false, open: false, unread: 0 });
  expect(await facts(page)).not.toContain('leave');
  await page.reload();
  await chat(page).bubble('Still here').waitFor();
  await shop.close();
});

test('words for whoever is named first are theirs, and whoever leaves by the window or in another tab is told of', async () => {
  const shop = await openShop(browser, `${service.url}/`);
  const { page } = shop;
  await page.waitForFunction(() => window.parley !== undefined);
  await page.evaluate(() => {
    const told: unknown[] = [];
    Object.assign(window, { told });
    window.parley?.on('identify', ({ identifier }) => told.push(identifier ?? null));
    window.parley?.on('conversation', (detail) =>
      told.push(detail.id === undefined ? 'none' : (detail.status ?? 'begun')),
    );
  });
  const told = () => page.evaluate(() => Reflect.get(window, 'told'));
  await page.evaluate(() => window.parley?.identify({ identifier: 'alice' }));
  await chat(page).open();
  await chat(page).say('As Alice');
  // Its state comes with the line.
  const one = ['begun', 'open'];
  await expect.poll(told).toEqual(['alice', ...one]);
  await page.evaluate(() => {
    void window.parley?.identify({ identifier: 'bob' });
    void window.parley?.draft('About order 7');
  });
  await expect.poll(() => chat(page).field.inputValue()).toBe('About order 7');
  await chat(page).field.press('Enter');
  const [alice, bob] = [
    ['alice', ...one],
    ['none', 'bob', ...one],
  ];
  await expect.poll(told).toEqual([...alice, ...bob]);
  expect(await said(page)).toEqual(['About order 7']);

  // In another tab, by the visitor.
  const other = await page.context().newPage();
  await other.goto(`${service.url}/`);
  await chat(other).bubble('About order 7').waitFor();
  await chat(other).window.getByRole('button', { name: 'More' }).click();
  await other.getByRole('menuitem', { name: 'What we keep' }).click();
  await other.getByRole('button', { name: 'Forget me' }).click();
  await other.getByRole('button', { name: 'Forget me' }).click();
  await expect.poll(told).toEqual([...alice, ...bob, 'none', null]);
  await shop.close();
});

test('a chat that never began is destroyed on a page whose library removes nothing that is nowhere', async () => {
  const html = hostPage(service.url, { head: `<script>${prototype16}</script>` }).replace(
    'data-inbox-identifier',
    'data-connect="allow" data-inbox-identifier',
  );
  const shop = await openShop(browser, service.url + (await service.page('never-began', html)));
  const { page } = shop;
  await page.waitForFunction(() => window.parley !== undefined);
  await page.evaluate(() => window.parley?.destroy());
  expect(await page.evaluate(() => 'parley' in window)).toBe(false);
  expect([...shop.console, ...shop.errors]).toEqual([]);
  await shop.close();
});
