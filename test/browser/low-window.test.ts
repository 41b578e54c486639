/** A window with little height, and much below its conversation: zoomed in, beside a keyboard, on a low screen. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { english as en } from '../../src/text/english.js';
import { more, openTagged, say } from '../support/around.js';
import { chat, launchBrowser, useShop } from '../support/browser.js';

const { browser, service } = await useShop();

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
const attach = (page: Page, count: number) =>
  page.locator('parley-chat input[type=file]').setInputFiles(
    Array.from({ length: count }, (_, i) => ({
      name: `a picture of stair ${i}.png`,
      mimeType: 'image/png',
      buffer: picture,
    })),
  );

/** Of the window: what is in sight of the conversation, and whether what is written and what sends it are. */
const seen = (page: Page) =>
  page.evaluate(() => {
    const root = document.querySelector('parley-chat')?.shadowRoot;
    const panel = root?.querySelector('.panel')?.getBoundingClientRect();
    const box = (what: string) => root?.querySelector(what)?.getBoundingClientRect();
    const [log, send, field] = ['.scroll-area', '.send', '.composer textarea'].map(box);
    const bottom = Math.min(panel?.bottom ?? 0, innerHeight);
    return {
      log: Math.round((log?.height ?? 0) * (log && panel && log.top >= panel.top - 1 ? 1 : 0)),
      send: !!send && send.bottom <= bottom && send.height > 0,
      field: !!field && field.bottom <= bottom && field.top >= (panel?.top ?? 0),
      moved: root?.querySelector('.panel')?.scrollTop,
    };
  });

const LINES = Array.from({ length: 9 }, (_, i) => `Line ${i + 1} of a long question`).join('\n');

test.each([
  ['320 × 256', { width: 320, height: 256 }, 40],
  ['853 × 480', { width: 853, height: 480 }, 60],
  ['640 × 430', { width: 640, height: 430 }, 50],
  ['1280 × 600', { width: 1280, height: 600 }, 90],
])(
  '%s: with files and many lines, ended and without a line, the conversation and the field are in sight',
  async (name, viewport, least) => {
    const { page, close } = await openTagged(browser, service, `low-${viewport.width}`, '', { viewport });
    await chat(page).open();
    const conversation = await say(service, page, `How low is ${name}?`);
    await service.agent('POST', `/api/v1/accounts/1/conversations/${conversation}/toggle_status`, {
      status: 'resolved',
    });
    await chat(page).window.locator('.ended').waitFor();
    const whole = { field: true, send: true, moved: 0 };
    await attach(page, 3);
    await chat(page).window.locator('.tray li').nth(2).waitFor();
    await chat(page).field.pressSequentially('a');
    await chat(page).field.fill(LINES);
    await expect.poll(() => seen(page)).toMatchObject(whole);
    expect((await seen(page)).log).toBeGreaterThanOrEqual(least);
    await page.context().setOffline(true);
    await chat(page).window.getByText(en.offline).waitFor();
    await expect.poll(() => seen(page)).toMatchObject(whole);
    expect((await seen(page)).log).toBeGreaterThanOrEqual(least);
    await page.context().setOffline(false);
    await chat(page).window.getByRole('button', { name: en.emoji, exact: true }).click();
    const grid = chat(page).window.locator('.emoji-grid');
    await grid.waitFor();
    await expect.poll(() => seen(page)).toMatchObject(whole);
    const picker = await chat(page).window.locator('.emoji').boundingBox();
    const field = await chat(page).window.locator('.field').boundingBox();
    expect((field?.y ?? 0) - (picker?.y ?? 0)).toBeGreaterThan(70);
    await close();
  },
);

test.each([
  ['inside the page, in a low element', 'data-inside="#help"', '<div id="help" style="height: 400px"></div>'],
  [
    'beside a high bar',
    'data-launcher-avoids="#bar"',
    '<div id="bar" style="position: fixed; inset: auto 0 0; height: 320px">We use cookies</div>',
  ],
])('%s, a pointer reaches all of the menu', async (where, attributes, body) => {
  const { page, close } = await openTagged(
    browser,
    service,
    `low-menu-${attributes.length}`,
    attributes,
    {},
    { body },
  );
  if (attributes.includes('avoids')) await chat(page).open();
  await say(service, page, `How do I save this ${where}?`);
  await more(page).click();
  const menu = page.getByRole('menu', { name: en.menu });
  const inSight = (what: string) =>
    menu.evaluate((menu, what) => {
      const panel = menu.closest('dialog')?.getBoundingClientRect();
      const box = menu.querySelector(what)?.getBoundingClientRect();
      return !!panel && !!box && box.top >= panel.top && box.bottom <= panel.bottom;
    }, what);
  await expect.poll(() => inSight('button:first-child')).toBe(true);
  expect(await inSight('button:last-child')).toBe(false);
  await menu.hover();
  await page.mouse.wheel(0, 900);
  await expect.poll(() => inSight('button:last-child')).toBe(true);
  await close();
});

test('on a narrow phone a recording can be heard, and each file taken away again', async () => {
  const viewport = { width: 320, height: 568 };
  const { page, close } = await openTagged(browser, service, 'narrow-tray', '', { viewport });
  await chat(page).open();
  const files = page.locator('parley-chat input[type=file]');
  await files.setInputFiles([
    { name: 'voice-message.webm', mimeType: 'audio/webm', buffer: Buffer.from('GkXfow==', 'base64') },
    { name: 'a picture of the stairs.png', mimeType: 'image/png', buffer: picture },
  ]);
  const away = chat(page).window.getByRole('button', { name: /^Remove/ });
  await away.nth(1).waitFor();
  await chat(page).window.locator('.tray audio').waitFor();
  for (const button of await away.all()) {
    const box = await button.boundingBox();
    expect((box?.x ?? 320) + (box?.width ?? 0)).toBeLessThanOrEqual(320);
  }
  const over = await chat(page)
    .window.locator('.tray')
    .evaluate((tray) => tray.scrollWidth - tray.clientWidth);
  expect(over).toBe(0);
  await close();
});

test('the line that is written in is in sight, however many there are above it', async () => {
  const { page, close } = await openTagged(browser, service, 'last-line', '', {
    viewport: { width: 390, height: 400 },
  });
  await chat(page).open();
  const { field } = chat(page);
  for (const line of LINES.split('\n')) {
    await field.pressSequentially(line.slice(0, 6));
    await page.keyboard.press('Shift+Enter');
  }
  await field.pressSequentially('the last');
  // Ten pixels at each edge fade away.
  const below = () => field.evaluate((it) => it.scrollHeight - it.clientHeight - it.scrollTop);
  expect(await field.evaluate((it) => it.scrollHeight - it.clientHeight)).toBeGreaterThan(20);
  await expect.poll(below).toBeLessThanOrEqual(1);
  await close();
});

test.each([
  ['over all of it', 400, ''],
  ['beside the page, as large as may be', 500, ''],
  ['in another corner', 500, 'data-position="top-start"'],
])(
  'where the page has a scrollbar that takes room, the window is in what is left: %s',
  async (_, width, tag) => {
    const classic = await launchBrowser({ without: ['--hide-scrollbars'] });
    try {
      for (const dir of ['ltr', 'rtl']) {
        const { page, close } = await openTagged(
          classic,
          service,
          `classic-${width}-${dir}`,
          tag,
          { viewport: { width, height: 700 } },
          {
            dir,
            head: '<style>parley-chat { --parley-width: 720px; --parley-inset: 4px }</style>',
            body: `<main>${'<p>Much to read.</p>'.repeat(120)}</main>`,
          },
        );
        await chat(page).open();
        const [left, right, whole] = await chat(page).window.evaluate((dialog) => {
          const box = dialog.getBoundingClientRect();
          return [box.left, box.right, dialog.ownerDocument.documentElement.clientWidth] as const;
        });
        expect(whole).toBeLessThan(width);
        expect([left >= 0, right <= whole], `${dir}: ${left} to ${right} of ${whole}`).toEqual([true, true]);
        await close();
      }
    } finally {
      await classic.close();
    }
  },
);
