/** Options of the launcher and of where the chat stands, written on the tag as the README says it. */
import type { BrowserContextOptions } from 'playwright-core';
import { expect, test } from 'vitest';
import { boxOf, openTagged, say, setHidden } from '../support/around.js';
import { agent, chat, hostPage, openShop, useShop } from '../support/browser.js';

const { browser, service } = await useShop();

/** A shop whose tag has these attributes, too. */
const open = (
  name: string,
  attributes: string,
  body = '<main><h1>A shop</h1></main>',
  options: BrowserContextOptions = {},
) => openTagged(browser, service, name, attributes, { reducedMotion: 'reduce', ...options }, { body });

test('the chat stands in the corner, at the distances and in the colours that the tag says, on phones others', async () => {
  const shop = await open(
    'corner',
    `data-position="top-start" data-offset-x="32" data-offset-y="48" data-phone-offset-x="8" data-phone-offset-y="72"
     data-z-index="1234" data-accent="#0b6e4f" data-scheme="dark"`,
  );
  const { page } = shop;
  await chat(page).launcher.waitFor();
  expect(await boxOf(page, 'launcher')).toMatchObject({ x: 32, y: 48, width: 60, height: 60 });
  const look = () =>
    chat(page).launcher.evaluate((button) => {
      const { backgroundColor } = getComputedStyle(button);
      return [backgroundColor, getComputedStyle(button.parentElement ?? button).zIndex];
    });
  expect(await look()).toEqual(['rgb(11, 110, 79)', '1234']);
  await chat(page).open();
  const at = await boxOf(page, 'window');
  expect([Math.round(at.x), Math.round(at.y)]).toEqual([32, 48 + 60 + 16]);
  expect(await chat(page).window.evaluate((dialog) => getComputedStyle(dialog).colorScheme)).toBe('dark');
  await chat(page).close();
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await boxOf(page, 'launcher')).toMatchObject({ x: 8, y: 72 });
  await chat(page).open();
  await expect.poll(() => boxOf(page, 'window')).toMatchObject({ x: 0, y: 0, width: 390 });
  expect([...shop.console, ...shop.errors]).toEqual([]);
  await shop.close();
});

test('the window stands beyond a launcher that is farther from the edges, in the usual corner, too', async () => {
  const shop = await open('distances', 'data-offset-x=" 40 " data-offset-y="0x48"');
  const { page } = shop;
  await chat(page).launcher.waitFor();
  await chat(page).open();
  const [launcher, frame] = [await boxOf(page, 'launcher'), await boxOf(page, 'window')];
  expect([launcher.x + launcher.width, launcher.y + launcher.height]).toEqual([1280 - 40, 800 - 72]);
  expect([Math.round(frame.x + frame.width), Math.round(frame.y + frame.height)]).toEqual([
    1280 - 40,
    launcher.y - 16,
  ]);
  expect(frame.y).toBeGreaterThanOrEqual(0);
  await shop.close();
});

test('a program that opens it at once finds it where and as the tag says', async () => {
  const head = '<script>window.parley = [(chat) => chat.open()]</script>';
  const body = '<main><h1>A shop</h1><div id="chat" style="width:360px;height:480px"></div></main>';
  const red = await openTagged(browser, service, 'at-once', 'data-accent="#b00020"', {}, { head, body });
  await chat(red.page).field.waitFor();
  const header = red.page.locator('parley-chat .header');
  expect(await header.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe(
    'rgb(176, 0, 32)',
  );
  await red.close();
  const inside = await openTagged(
    browser,
    service,
    'at-once-inside',
    'data-inside="#chat"',
    {},
    { head, body },
  );
  await chat(inside.page).field.waitFor();
  expect(await boxOf(inside.page, 'window')).toEqual(await inside.page.locator('#chat').boundingBox());
  await inside.close();
});

test('pages that the owner named show the chat, also when the address changes without a new page', async () => {
  const shop = await open('pages', 'data-pages="/pages/*, !/pages/secret*"');
  const { page } = shop;
  await chat(page).launcher.waitFor();
  await chat(page).open();
  await page.evaluate(() => history.pushState(null, '', '/pages/secret/door'));
  await chat(page).host.waitFor({ state: 'hidden' });
  expect(await chat(page).window.isVisible()).toBe(false);
  expect(await page.evaluate(() => window.parley?.open())).toMatchObject({
    ok: false,
    error: { kind: 'hidden' },
  });
  // What the owner shows is shown where it may be.
  await page.evaluate(() => window.parley?.show());
  expect(await chat(page).launcher.isVisible()).toBe(false);
  await page.evaluate(() => history.back());
  await chat(page).launcher.waitFor({ state: 'attached' });
  // As the visitor has left it.
  await chat(page).field.waitFor();
  await page.evaluate(() => window.parley?.hide());
  await chat(page).launcher.waitFor({ state: 'hidden' });
  await page.evaluate(() => history.pushState(null, '', '/pages/other'));
  expect(await chat(page).launcher.isVisible()).toBe(false);
  await page.evaluate(() => window.parley?.show());
  await chat(page).launcher.waitFor();
  expect(await chat(page).window.isVisible()).toBe(false);
  expect([...shop.console, ...shop.errors]).toEqual([]);
  await shop.close();
});

test('inside an element the window is a part of the page, and goes with it and comes back', async () => {
  const shop = await open(
    'inside',
    'data-inside="#chat"',
    '<main><h1>A shop</h1><input aria-label="Search" autofocus><div id="chat" style="width:360px;height:480px;border-radius:12px"></div></main>',
  );
  const { page } = shop;
  const field = chat(page).field;
  await field.waitFor();
  const sizes = await page.evaluate(() =>
    [
      document.querySelector('#chat'),
      document.querySelector('parley-chat')?.shadowRoot?.querySelector('dialog'),
    ].map((element) => {
      const { x, y, width, height } = element?.getBoundingClientRect() ?? new DOMRect();
      return [x, y, width, height];
    }),
  );
  expect(sizes[1]).toEqual(sizes[0]);
  expect(await chat(page).launcher.isVisible()).toBe(false);
  // It did not take the focus from the page, and is not closed by a key.
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Search');
  await field.press('Escape');
  expect(await chat(page).window.isVisible()).toBe(true);
  // What lies over it is.
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menu').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  expect(await chat(page).window.isVisible()).toBe(true);
  await chat(page).say('From within the page');
  const conversation = await agent(service).conversationOf('From within the page');
  await page.evaluate(() => {
    const main = document.querySelector('main');
    const anew = document.createElement('div');
    anew.id = 'chat';
    anew.style.height = '400px';
    main?.replaceChildren(anew);
  });
  await chat(page).bubble('From within the page').waitFor();
  await agent(service).answer(conversation, 'And back');
  await chat(page).bubble('And back').waitFor();
  // Other pages do not find it open.
  expect(
    await page.evaluate(() => Object.keys(localStorage).filter((name) => name.endsWith(':open'))),
  ).toEqual([]);
  expect(await page.evaluate(() => window.parley?.close())).toEqual({ ok: true });
  await chat(page).window.waitFor({ state: 'hidden' });
  await page.evaluate(() => window.parley?.open());
  await chat(page).window.waitFor();
  // Hidden by the page, nothing of it is shown, nor said of it.
  await page.evaluate(() => window.parley?.hide());
  await agent(service).answer(conversation, 'While it is hidden');
  await expect.poll(() => page.evaluate(() => window.parley?.unread())).toBe(1);
  expect(await chat(page).host.evaluate((host) => getComputedStyle(host).display)).toBe('none');
  await page.evaluate(() => window.parley?.show());
  await chat(page).bubble('While it is hidden').waitFor();
  await expect.poll(() => page.evaluate(() => window.parley?.unread())).toBe(0);
  // While its place is away nobody looks at what comes.
  await page.evaluate(() => document.querySelector('#chat')?.remove());
  await agent(service).answer(conversation, 'While it has no place');
  await expect.poll(() => page.evaluate(() => window.parley?.unread())).toBe(1);
  expect(await page.evaluate(() => window.parley?.status().open)).toBe(false);
  await page.evaluate(() => {
    const again = document.createElement('div');
    again.id = 'chat';
    again.style.height = '400px';
    document.body.append(again);
  });
  await chat(page).bubble('While it has no place').waitFor();
  await expect.poll(() => page.evaluate(() => window.parley?.unread())).toBe(0);
  expect([...shop.console, ...shop.errors]).toEqual([]);
  await shop.close();
});

test('each wrong option is named in one sentence that says what to write, and nothing else is printed', async () => {
  const shop = await open(
    'typos',
    `data-position="left" data-offset-x="wide" data-z-index="1.5" data-accent="blu" data-connect="now"
     data-launcher-icon="star" data-attachments="yes" data-max-files="20" data-file-types="jpg" data-locale="British English" data-sentences="{"
     data-outside-hours="maybe" data-pages=" " data-turbo-track="reload"`,
  );
  const { page } = shop;
  await chat(page).launcher.waitFor();
  await chat(page).open();
  const wanted = [
    'data-position must be "bottom-end", "bottom-start", "top-end" or "top-start".',
    'data-offset-x must be a number of pixels, like "20".',
    'data-z-index must be a whole number, like "1000".',
    'data-accent must be a colour without transparency, as #…, rgb(), hsl(), hwb() or a name: of others, like oklch(), the chat does not know how to derive its own.',
    'data-connect must be "intent", "load" or "allow".',
    'data-launcher-icon must be "talk", "dots", "question" or "mail".',
    'data-attachments must be "true" or "false".',
    'data-max-files must be a number from 1 to 15, like "5".',
    'data-file-types must be kinds of files, like "image/*,.pdf".',
    'data-locale must be a language tag like "de" or "pt-BR".',
    'data-sentences must be JSON like {"title":"Ask us"}.',
    'data-outside-hours must be "say", "show" or "hide".',
    'data-pages must be patterns of paths, like "/help/*, !/help/old".',
  ].map((sentence) => `warning: Parley: ${sentence}`);
  await expect.poll(() => [...shop.console].sort()).toEqual(wanted.sort());
  // What is wrong is left out.
  expect((await boxOf(page, 'launcher')).x).toBe(1280 - 20 - 60);
  await shop.close();
});

test('who asks for it reads every event in the console, without words and without who the visitor is', async () => {
  const shop = await open('debug', 'data-debug');
  const { page } = shop;
  await page.evaluate(() => window.parley?.identify({ identifier: 'ada@secret.example' }));
  await chat(page).open();
  const conversation = await say(service, page, 'My secret is 77');
  await agent(service).answer(conversation, 'Mine is 78');
  const lines = () => shop.console.filter((line) => line.startsWith('debug: Parley: '));
  await expect.poll(() => lines().filter((line) => line.includes('Parley: message'))).toHaveLength(2);
  for (const event of ['open', 'status', 'conversation', 'identify'])
    expect(lines().join('\n')).toContain(`Parley: ${event}`);
  expect(lines().filter((line) => line.includes('Parley: ready'))).toEqual(lines().slice(0, 1));
  expect(shop.console.join('\n')).not.toMatch(/secret|7[78]/);
  expect(lines()).toEqual(shop.console);
  await shop.close();
});

test('an owner who counts by other means keeps the title of the page', async () => {
  const shop = await open('uncounted', 'data-count-in-title="false"');
  const { page } = shop;
  await chat(page).open();
  const conversation = await say(service, page, 'Hello');
  await setHidden(page, true);
  await page.evaluate(() => {
    document.title = 'A shop';
  });
  await agent(service).answer(conversation, 'Welcome');
  await expect.poll(() => page.evaluate(() => window.parley?.unread())).toBe(1);
  // The file that counts has come: its list is there once it has counted.
  await chat(page).host.locator('.preview').waitFor({ state: 'attached' });
  expect(await page.title()).toBe('A shop');
  await shop.close();
});

test('what the tag says of one chat comes before what a style sheet says of all', async () => {
  const shop = await openTagged(
    browser,
    service,
    'sheet',
    'data-offset-x="40" data-z-index="12"',
    {},
    { head: '<style>parley-chat { --parley-inset: 8px; --parley-z: 7 }</style>' },
  );
  const { page } = shop;
  await chat(page).launcher.waitFor();
  const { x, y } = await boxOf(page, 'launcher');
  expect([1280 - 60 - x, 800 - 60 - y]).toEqual([40, 8]);
  expect(
    await chat(page).launcher.evaluate((button) => getComputedStyle(button.parentElement ?? button).zIndex),
  ).toBe('12');
  await shop.close();
});

test('an option that others obey is named, too, when it alone is wrong', async () => {
  const wrong = [
    ['connect="alow"', 'data-connect must be "intent", "load" or "allow".'],
    ['storage="none"', 'data-storage must be "persistent", "session" or "memory".'],
    ['consent="yes"', 'data-consent must be "message" or "call".'],
    ['reconnect="slow"', 'data-reconnect must be "usual" or "calm".'],
  ];
  for (const [option = '', sentence] of wrong) {
    const shop = await open('alone', `data-${option}`);
    await chat(shop.page).open();
    await expect.poll(() => shop.console).toEqual([`warning: Parley: ${sentence}`]);
    await shop.close();
  }
});

test('a program writes options as what they are; a name that is none is said, a nonce goes on', async () => {
  const path = await service.page(
    'program',
    `<!doctype html><html lang="en"><head><title>An app</title><link rel="icon" href="data:,"></head><body>
      <script type="module">
        import { mount } from '{{origin}}/parley.module.js';
        const options = {
          baseUrl: '{{origin}}', inboxIdentifier: '{{inbox}}', nonce: 'r4nd0m', maxFiles: 2, sound: false,
          title: 'Ask the shop', sentences: { placeholder: 'Ask us' }, preChat: [], pages: ['/pages/*'],
          launcherIcon: 'mail', titel: 'Ask',
        };
        window.chats = [mount(options)];
      </script></body></html>`,
  );
  const shop = await openShop(browser, service.url + path);
  const { page } = shop;
  const nonces: (string | undefined)[] = [];
  await page.route('**/{assets,again}/app-*', async (route) => {
    nonces.push(
      await page.evaluate(
        () => document.querySelector<HTMLLinkElement>('link[rel=modulepreload][href*="/app-"]')?.nonce,
      ),
    );
    await route.continue();
  });
  await chat(page).launcher.locator('svg').waitFor();
  await chat(page).open();
  // The field is there before the file that it belongs to.
  await expect.poll(() => nonces).toEqual(['r4nd0m']);
  await chat(page).window.getByRole('heading', { name: 'Ask the shop' }).waitFor();
  expect(await chat(page).field.getAttribute('placeholder')).toBe('Ask us');
  const file = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) });
  await chat(page)
    .window.locator('input[type=file]')
    .setInputFiles([file('a.txt'), file('b.txt'), file('c.txt')]);
  await chat(page).window.getByRole('alert').getByText('c.txt').waitFor();
  await expect
    .poll(() => shop.console)
    .toEqual(['warning: Parley: there is no option "titel": remove it, or write it as the README does.']);
  await shop.close();
});

test('a page that takes the chat away gets it back, open as it was', async () => {
  const shop = await open('taken', '');
  const { page } = shop;
  await chat(page).open();
  await chat(page).field.fill('Half a sentence');
  await page.evaluate(() => document.querySelector('parley-chat')?.remove());
  await chat(page).field.waitFor();
  expect(await chat(page).field.inputValue()).toBe('Half a sentence');
  await page.evaluate(() => {
    const { documentElement } = document;
    const anew = document.createElement('html');
    anew.append(...documentElement.childNodes);
    for (const chat of anew.querySelectorAll('parley-chat')) chat.remove();
    document.replaceChild(anew, documentElement);
  });
  await chat(page).field.waitFor();
  expect(await chat(page).host.count()).toBe(1);
  await chat(page).say('Still here');
  await agent(service).conversationOf('Still here');
  // The browser looks for an icon of the new document.
  expect([...shop.console.filter((line) => line.includes('Parley')), ...shop.errors]).toEqual([]);
  await shop.close();
});

test('a page that does not show the chat closes it neither in another tab nor on the next page', async () => {
  const shop = await open('two-tabs', 'data-pages="/pages/*, !/pages/no-chat*"');
  const { page } = shop;
  const html = hostPage(service.url).replace(
    'data-inbox-identifier',
    'data-pages="/pages/*, !/pages/no-chat*" data-inbox-identifier',
  );
  const without = service.url + (await service.page('no-chat', html));
  const other = await page.context().newPage();
  await other.goto(without);
  await chat(other).host.waitFor({ state: 'attached' });
  const kept = () =>
    page.evaluate(() =>
      Object.entries(localStorage).flatMap(([key, value]) => (key.endsWith(':open') ? value : [])),
    );
  await chat(page).open();
  await chat(page).field.fill('half a thought');
  await other.reload();
  await chat(other).host.waitFor({ state: 'attached' });
  // The other one has heard that it is open, and answered what it had to.
  await expect
    .poll(() => other.evaluate(() => window.parley?.open()))
    .toMatchObject({
      ok: false,
      error: { kind: 'hidden' },
    });
  expect(await kept()).toEqual(['true']);
  expect(await chat(page).window.isVisible()).toBe(true);
  const { url } = { url: page.url() };
  await page.goto(without);
  await chat(page).host.waitFor({ state: 'attached' });
  await page.goto(url);
  await chat(page).field.waitFor();
  expect(await chat(page).field.inputValue()).toBe('half a thought');
  await shop.close();
});
