/** The oldest browsers that the manual names: what they lack is done without, and nothing that a visitor needs. */
import type { BrowserContextOptions } from 'playwright-core';
import { expect, test } from 'vitest';
import { boxOf, focused, pick, say } from '../support/around.js';
import { agent, chat, hostPage, openShop, type Shop, useShop } from '../support/browser.js';
import { query } from '../support/chat-page.js';
import { makeOlder } from '../support/older.js';
import { photo } from '../support/photo.js';

const { browser, service } = await useShop();

async function open(
  name: string,
  attributes = '',
  options: BrowserContextOptions = {},
  body?: string,
): Promise<Shop> {
  const shop = await openShop(browser, 'about:blank', options);
  await makeOlder(shop.page.context());
  const html = hostPage(service.url, body ? { body } : {}).replace(
    'data-inbox-identifier',
    `${attributes} data-inbox-identifier`,
  );
  await shop.page.goto(service.url + (await service.page(name, html)));
  return shop;
}

test('a conversation from the launcher to an answer, and everything around it', async () => {
  const { page, errors, console, close } = await open('older');
  const { window, field, log, launcher } = chat(page);
  await chat(page).open();
  await expect.poll(() => field.evaluate((element) => element.matches(':focus'))).toBe(true);
  // Its parts stand below each other, and fill it.
  const whole = await boxOf(page, 'window');
  const composer = await field.boundingBox();
  expect(composer?.y ?? 0).toBeGreaterThan(whole.y + whole.height - 100);
  expect((await log.boundingBox())?.height).toBeGreaterThan(whole.height / 2);
  // Whoever looks for the focus sees it.
  const ring = await field.evaluate((element) => {
    const seen = [element, element.parentElement].map((one) => one && getComputedStyle(one));
    return seen.some((style) => style && (style.outlineStyle !== 'none' || style.boxShadow !== 'none'));
  });
  expect(ring).toBe(true);

  await field.fill('One line');
  for (const line of ['two', 'three', 'four', 'five']) {
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.insertText(line);
  }
  expect((await field.boundingBox())?.height).toBeGreaterThan(110);
  await field.fill('Hello from an old browser');
  expect((await field.boundingBox())?.height).toBeLessThan(60);
  await field.press('Enter');
  const conversation = await agent(service).conversationOf('Hello from an old browser');
  await chat(page).bubble('Hello from an old browser').getByText('Sent', { exact: true }).waitFor();
  await agent(service).answer(conversation, 'Hello, **browser**');
  await log.locator('strong', { hasText: 'browser' }).waitFor();

  const emoji = window.getByRole('button', { name: 'Emoji', exact: true });
  await emoji.click();
  await window.getByRole('searchbox', { name: 'Search emoji' }).fill('sunrise');
  await window.getByRole('button', { name: 'sunrise', exact: true }).click();
  await page.keyboard.press('Escape');
  expect(await field.inputValue()).toContain('🌅');
  const chooser = page.waitForEvent('filechooser');
  await window.getByRole('button', { name: 'Attach files' }).click();
  await (await chooser).setFiles({ name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('A note') });
  await window.getByText('note.txt', { exact: true }).waitFor();
  await field.press('Enter');
  await log.getByRole('link', { name: /note\.txt/ }).waitFor();

  await pick(page, 'What we keep');
  await window.getByRole('heading', { name: 'What we keep' }).waitFor();
  await page.keyboard.press('Escape');
  await pick(page, 'Conversations');
  await window.getByRole('heading', { name: 'Conversations' }).waitFor();
  await page.keyboard.press('Escape');

  await chat(page).close();
  await expect.poll(() => launcher.evaluate((button) => button.matches(':focus'))).toBe(true);
  await agent(service).answer(conversation, 'Are you still there?');
  await page.getByRole('button', { name: 'Ada Are you still there?' }).click();
  await chat(page).bubble('Are you still there?').waitFor();
  await page.keyboard.press('Escape');
  await window.waitFor({ state: 'hidden' });
  expect(await focused(page)).toMatch(/^Open chat/);
  expect([...errors, ...console]).toEqual([]);
  await close();
});

test('on a phone the window fills the screen, and holds the focus', async () => {
  const viewport = { width: 390, height: 844 };
  const { page, errors, close } = await open('older-phone', '', { viewport, isMobile: true, hasTouch: true });
  await chat(page).launcher.tap();
  await chat(page).field.waitFor();
  await expect.poll(() => boxOf(page, 'window')).toEqual({ x: 0, y: 0, ...viewport });
  const composer = await chat(page).field.boundingBox();
  expect(composer?.y ?? 0).toBeGreaterThan(viewport.height - 100);
  await chat(page).say('From an old phone');
  await chat(page).bubble('From an old phone').getByText('Sent', { exact: true }).waitFor();
  await chat(page).close();
  expect(errors).toEqual([]);
  await close();
});

test('words on a light accent are black before anything is pointed at, and the page may say otherwise', async () => {
  const words = 'data-launcher-label="Need help?"';
  const colourOf = ({ launcher }: ReturnType<typeof chat>) =>
    launcher.evaluate((button) => getComputedStyle(button).color);
  const { page, errors, close } = await open('older-accent', `data-accent="#ffd400" ${words}`);
  await chat(page).launcher.waitFor();
  expect(await colourOf(chat(page))).toBe('rgb(0, 0, 0)');
  const wear = (theme: object) => page.evaluate((given) => window.parley?.setTheme(given), theme);
  for (const [accent, on] of [
    ['#123', 'rgb(255, 255, 255)'],
    ['hsl(50 100% 60%)', 'rgb(0, 0, 0)'],
  ]) {
    expect(await wear({ accent })).toEqual({ ok: true });
    expect(await colourOf(chat(page))).toBe(on);
  }
  // What the window derives comes after that, and the owner's own before both.
  await chat(page).open();
  await wear({ accent: '#123' });
  expect(await colourOf(chat(page))).toBe('rgb(255, 255, 255)');
  await wear({ onAccent: '#eee' });
  expect(await colourOf(chat(page))).toBe('rgb(238, 238, 238)');
  expect(errors).toEqual([]);
  await close();
});

test('a launcher with words and another icon is as wide as they are, and shows one icon', async () => {
  const { page, errors, close } = await open(
    'older-label',
    'data-launcher-label="Ask us anything" data-launcher-icon="question"',
  );
  const { launcher } = chat(page);
  await launcher.waitFor();
  const { width, height } = await boxOf(page, 'launcher');
  expect(width).toBeGreaterThan(150);
  expect(height).toBe(60);
  const own = () => launcher.evaluate((button) => getComputedStyle(button, '::before').display);
  expect(await own()).toBe('none');
  await chat(page).open();
  expect((await boxOf(page, 'launcher')).width).toBe(60);
  expect(errors).toEqual([]);
  await close();
});

test('an owner’s button in its place leaves none of ours', async () => {
  const { page, errors, close } = await open('older-bare', 'data-launcher="h1"');
  // It is a button of the chat's once it says so.
  await page.locator('h1[aria-expanded=false]').click();
  await chat(page).field.waitFor();
  expect(await chat(page).launcher.isVisible()).toBe(false);
  expect(errors).toEqual([]);
  await close();
});

test('what is said beside the launcher is said as what it is', async () => {
  const words = 'Can we help you choose?';
  const { page, errors, close } = await open(
    'older-notices',
    `data-outreach="${words}" data-outreach-after="0"`,
  );
  await page.locator('parley-chat').getByRole('status').filter({ hasText: words }).waitFor();
  await chat(page).open();
  await chat(page).say('A lamp, please');
  const conversation = await agent(service).conversationOf('A lamp, please');
  await chat(page).bubble('A lamp, please').getByText('Sent', { exact: true }).waitFor();
  await chat(page).close();
  await agent(service).answer(conversation, 'Which one?');
  await page
    .getByRole('group', { name: 'New messages' })
    .getByRole('button', { name: 'Ada Which one?' })
    .waitFor();
  expect(errors).toEqual([]);
  await close();
});

test('chat.html is the chat, and nothing says over it that it could not be loaded', async () => {
  const { page, errors, close } = await openShop(browser, 'about:blank');
  await makeOlder(page.context());
  await page.goto(`${service.url}/chat.html?${query}`);
  await chat(page).field.waitFor();
  // It would be seen after a while.
  const instead = page.locator('body > .instead');
  await expect.poll(() => instead.evaluate((element) => getComputedStyle(element).display)).toBe('none');
  expect(errors).toEqual([]);
  await close();
});

test('a photo is sent smaller and upright where the owner asks for it', async () => {
  const { page, errors, close } = await open('older-photo', 'data-shrink-images="true"');
  await chat(page).open();
  const buffer = await photo(page, 3000, 1500);
  await chat(page)
    .window.locator('input[type=file]')
    .setInputFiles({ name: 'harbour.jpg', mimeType: 'image/jpeg', buffer });
  await chat(page).window.getByText('harbour.jpg', { exact: true }).waitFor();
  await chat(page).say('Here we are');
  await chat(page).bubble('Here we are').getByText('Sent', { exact: true }).waitFor();
  const [row] = await service.db.query<{ width: number; height: number }>(
    "select width, height from attachments where file_name = 'harbour.jpg'",
  );
  expect(row).toEqual({ width: 1024, height: 2048 });
  expect(errors).toEqual([]);
  await close();
});

test('the window lies over what the page lays over itself, and in a part of the page under it', async () => {
  const bar = '<div id="bar" style="position: fixed; inset: 0; z-index: 1000; background: #ccc">A bar</div>';
  const home = '<div id="home" style="block-size: 500px"></div>';
  for (const [attributes, over] of [
    ['', true],
    ['data-inside="#home"', false],
  ] as const) {
    const { page, errors, close } = await open(`older-over-${over}`, attributes, {}, home + bar);
    if (over) await chat(page).open();
    await chat(page).field.waitFor();
    const seen = () =>
      chat(page).field.evaluate((field) => {
        const { x, y, width, height } = field.getBoundingClientRect();
        return document.elementFromPoint(x + width / 2, y + height / 2)?.tagName === 'PARLEY-CHAT';
      });
    expect(await seen()).toBe(over);
    expect(errors).toEqual([]);
    await close();
  }
});

test('a window that was left open comes back without taking the focus of the page', async () => {
  const { page, errors, close } = await open('older-left', '', {}, '<input id="search" autofocus>');
  await chat(page).open();
  await chat(page).say('Before the next page');
  await chat(page).bubble('Before the next page').getByText('Sent', { exact: true }).waitFor();
  await page.reload();
  await chat(page).bubble('Before the next page').waitFor();
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('search');
  await page.keyboard.type('lamp');
  expect(await page.locator('#search').inputValue()).toBe('lamp');
  expect(errors).toEqual([]);
  await close();
});

test('a modal dialog of the page may open it, and the visitor writes', async () => {
  const { page, errors, close } = await open('older-dialog');
  await chat(page).launcher.waitFor();
  await page.evaluate(() => {
    const dialog = document.body.appendChild(document.createElement('dialog'));
    const ask = dialog.appendChild(document.createElement('button'));
    ask.textContent = 'Ask us';
    ask.addEventListener('click', () => window.parley?.open());
    dialog.showModal();
  });
  await page.getByRole('button', { name: 'Ask us' }).click();
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.tagName))
    .toBe('TEXTAREA');
  await page.keyboard.type('From the dialog');
  await page.keyboard.press('Enter');
  await agent(service).conversationOf('From the dialog');
  expect(errors).toEqual([]);
  await close();
});

test('what is printed is the conversation where a frame’s first page is laid aside for another', async () => {
  const { page, errors, close } = await open('older-print');
  await chat(page).open();
  await chat(page).say('On paper, please');
  await chat(page).bubble('On paper, please').getByText('Sent', { exact: true }).waitFor();
  await page.evaluate(() => {
    const { append } = Element.prototype;
    const print = (frame: HTMLIFrameElement) => {
      Object.assign(window, { printed: frame.contentDocument?.body.textContent });
      frame.contentWindow?.dispatchEvent(new Event('afterprint'));
    };
    Element.prototype.append = function (...nodes) {
      const [frame] = nodes;
      if (!(frame instanceof HTMLIFrameElement)) return append.apply(this, nodes);
      const first = (event: Event) => event.stopImmediatePropagation();
      frame.addEventListener('load', first, true);
      append.apply(this, nodes);
      frame.removeEventListener('load', first, true);
      const view = frame.contentWindow;
      // What has not come is printed once it has.
      if (view) view.print = () => frame.addEventListener('load', () => print(frame));
      frame.addEventListener(
        'load',
        () => {
          if (frame.contentWindow) frame.contentWindow.print = () => print(frame);
        },
        true,
      );
      view?.location.replace('about:blank');
    };
  });
  await pick(page, 'Print');
  await expect
    .poll(() => page.evaluate(() => Reflect.get(window, 'printed') as unknown))
    .toContain('On paper, please');
  await expect
    .poll(() => chat(page).host.evaluate((host) => host.shadowRoot?.querySelectorAll('iframe').length))
    .toBe(0);
  expect(errors).toEqual([]);
  await close();
});

test('a line of the list that moves up takes the focus with it', async () => {
  const { page, errors, close } = await open('older-list');
  await chat(page).open();
  const first = await say(service, page, 'Of boots');
  for (const words of ['Of hats', 'Of lamps']) {
    await pick(page, 'New conversation');
    await say(service, page, words);
  }
  await pick(page, 'Conversations');
  const lines = chat(page).window.locator('.lines').getByRole('button');
  await expect.poll(() => lines.count()).toBe(3);
  const last = await lines.last().elementHandle();
  await last?.focus();
  await agent(service).answer(first, 'Which boots?');
  await expect.poll(() => lines.first().textContent()).toContain('Which boots?');
  expect(await last?.evaluate((line) => line.matches('li:first-child > :focus'))).toBe(true);
  expect(errors).toEqual([]);
  await close();
});
