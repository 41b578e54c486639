/** The owner's one colour on a real page: before the window is there, in it, and when the page changes its mind. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { agent, chat, hostPage, openShop, useShop } from '../support/browser.js';

const { browser, service } = await useShop();

async function shopWith(
  name: string,
  css: string,
  colorScheme: 'light' | 'dark' = 'light',
  attributes = '',
  body?: string,
) {
  const html = hostPage(service.url, { head: `<style>${css}</style>`, ...(body && { body }) });
  const tagged = html.replace('data-inbox-identifier', `${attributes} data-inbox-identifier`);
  const path = await service.page(name, tagged);
  const shop = await openShop(browser, service.url + path, { colorScheme, reducedMotion: 'reduce' });
  await chat(shop.page).host.waitFor({ state: 'attached' });
  if (!body) await chat(shop.page).launcher.waitFor();
  return shop;
}

/** What is painted, in eight bits, whatever notation the browser answers in. */
const painted = (page: Page, selector: string, property: 'color' | 'backgroundColor') =>
  page
    .locator(`parley-chat ${selector}`)
    .first()
    .evaluate((element, name) => {
      const canvas = document.createElement('canvas').getContext('2d');
      if (!canvas) return '';
      canvas.fillStyle = getComputedStyle(element)[name];
      canvas.fillRect(0, 0, 1, 1);
      return String([...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3));
    }, property);

test('the icon can be read on a light brand before anything is fetched, and on a dark one', async () => {
  const yellow = await shopWith('yellow', 'parley-chat { --parley-accent: #ff0 }');
  expect(await painted(yellow.page, '.launcher', 'color')).toBe('0,0,0');
  await yellow.close();
  const blue = await shopWith('blue', 'parley-chat { --parley-accent: #00f }');
  expect(await painted(blue.page, '.launcher', 'color')).toBe('255,255,255');
  await blue.close();
});

test('the icon can be read on whatever brand, before anything is fetched', async () => {
  // Where white and black are read as well there are many brands.
  const given = ['#198754', '#767676', '#db2777', '#e11d48', '#d80db0', '#757575', '#777777', '#ef4444'];
  const random = Array.from(
    { length: 2_000 },
    () =>
      `#${Math.floor(Math.random() * 0x1000000)
        .toString(16)
        .padStart(6, '0')}`,
  );
  const shop = await shopWith('any-brand', '');
  const unread = await shop.page.locator('parley-chat').evaluate(
    (host, accents) => {
      const button = host.shadowRoot?.querySelector('.launcher');
      const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
      if (!button || !(host instanceof HTMLElement) || !canvas) return ['nothing'];
      const luminance = (colour: string) => {
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
        const [r = 0, g = 0, b = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map((eight) =>
          eight <= 10 ? eight / 255 / 12.92 : ((eight / 255 + 0.055) / 1.055) ** 2.4,
        );
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      return accents.filter((accent) => {
        host.style.setProperty('--parley-accent', accent);
        const { color, backgroundColor } = getComputedStyle(button);
        const [less = 0, more = 0] = [luminance(color), luminance(backgroundColor)].sort((a, b) => a - b);
        return (more + 0.05) / (less + 0.05) < 4.5;
      });
    },
    [...given, ...random],
  );
  expect(unread).toEqual([]);
  await shop.close();
});

test('header and own bubbles wear the accent, in whatever notation the owner wrote it', async () => {
  const shop = await shopWith(
    'named',
    ':root { --brand: hsl(348 83% 47%) } parley-chat { --parley-accent: var(--brand) }',
  );
  const { page } = shop;
  await chat(page).open();
  await chat(page).say('What a red');
  await chat(page).bubble('What a red').waitFor();
  expect(await painted(page, '.header', 'backgroundColor')).toBe('219,20,60');
  expect(await painted(page, '.mine .bubble', 'backgroundColor')).toBe('219,20,60');
  expect(await painted(page, '.mine .bubble', 'color')).toBe('255,255,255');
  expect(shop.console.filter((line) => line.includes('Parley'))).toEqual([]);
  await shop.close();
});

test('a brand too dark for the night is lifted there, in the window and on the launcher', async () => {
  const shop = await shopWith('dark', 'parley-chat { --parley-accent: #0a0a0a }');
  const { page } = shop;
  await chat(page).open();
  await page.mouse.move(1, 1);
  expect(await painted(page, '.header', 'backgroundColor')).toBe('10,10,10');
  await page.emulateMedia({ colorScheme: 'dark' });
  const header = () => painted(page, '.header', 'backgroundColor');
  await expect.poll(async () => Number((await header()).split(',')[0])).toBeGreaterThan(60);
  expect(await painted(page, '.launcher', 'backgroundColor')).toBe(await header());
  await shop.close();
});

test('what is no colour is said in the console, with what to write; the window wears ours', async () => {
  const shop = await shopWith('typo', 'parley-chat { --parley-accent: blu }');
  await chat(shop.page).open();
  expect(shop.console.filter((line) => line.includes('Parley'))).toEqual([
    'warning: Parley: --parley-accent is no colour of a screen. Write a colour like "#3a4fd8", not "blu".',
  ]);
  expect(await painted(shop.page, '.header', 'backgroundColor')).toBe('58,79,216');
  await shop.close();
});

test('the page may decide between day and night, and change its mind', async () => {
  const shop = await shopWith(
    'switch',
    'parley-chat { --parley-scheme: light } .night parley-chat { --parley-scheme: dark }',
    'dark',
  );
  const { page } = shop;
  const brightness = async () => Number((await painted(page, '.composer', 'backgroundColor')).split(',')[0]);
  await chat(page).open();
  await chat(page).log.waitFor();
  const sheets = () => chat(page).host.evaluate((host) => host.shadowRoot?.adoptedStyleSheets.length);
  // With its engine the badge's looks have come, too.
  await expect.poll(() => page.evaluate(() => window.parley?.status().line)).toBe('idle');
  const before = await sheets();
  expect(await brightness()).toBeGreaterThan(240);
  for (const night of [true, false, true]) {
    await chat(page).close();
    await page.evaluate((on) => document.documentElement.classList.toggle('night', on), night);
    await chat(page).open();
    if (night) expect(await brightness()).toBeLessThan(40);
    else expect(await brightness()).toBeGreaterThan(240);
  }
  expect(await sheets()).toBe(before);
  await shop.close();
});

test('an open window follows the page by day and night, and one that is closed looks at nothing', async () => {
  const shop = await shopWith(
    'follows',
    `.dark parley-chat { --parley-scheme: dark; --parley-accent: #8ab4f8; --parley-surface: #111; --parley-text: #eee }
    body.sale + parley-chat { --parley-accent: #b00020 }`,
  );
  const { page } = shop;
  await page.addInitScript(() => {
    const { getComputedStyle } = window;
    window.getComputedStyle = (element, pseudo) => {
      if (element.localName === 'parley-chat') document.title += '.';
      return getComputedStyle(element, pseudo);
    };
  });
  await page.reload();
  await chat(page).open();
  await chat(page).say('Is it late?');
  await chat(page).bubble('Is it late?').getByText('Sent', { exact: true }).waitFor();
  await page.mouse.move(1, 1);
  const put = (on: boolean, where: 'documentElement' | 'body', name: string) =>
    page.evaluate(([on, where, name]) => document[where].classList.toggle(name, on), [
      on,
      where,
      name,
    ] as const);
  const worn = async () => [
    await painted(page, '.mine .bubble', 'backgroundColor'),
    await painted(page, '.launcher', 'backgroundColor'),
    await chat(page).window.evaluate((dialog) => getComputedStyle(dialog).colorScheme),
  ];
  const day = ['58,79,216', '58,79,216', 'light'];
  expect(await worn()).toEqual(day);
  await put(true, 'documentElement', 'dark');
  await expect.poll(worn).toEqual(['138,180,248', '138,180,248', 'dark']);
  await put(false, 'documentElement', 'dark');
  await expect.poll(worn).toEqual(day);
  await put(true, 'body', 'sale');
  await expect.poll(worn).toEqual(['176,0,32', '176,0,32', 'light']);
  await put(false, 'body', 'sale');
  await chat(page).close();
  const looks = await page.title();
  await put(true, 'documentElement', 'dark');
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
  expect(await page.title()).toBe(looks);
  await chat(page).open();
  await page.mouse.move(1, 1);
  await expect.poll(worn).toEqual(['138,180,248', '138,180,248', 'dark']);
  expect(shop.errors).toEqual([]);
  await shop.close();
});

test('what this chat was told of day and night comes before the style sheet, at each opening and for previews', async () => {
  const sheet = 'parley-chat { --parley-scheme: light }';
  const shop = await shopWith('told', sheet, 'light', 'data-scheme="dark"');
  const { page } = shop;
  const scheme = () => chat(page).window.evaluate((dialog) => getComputedStyle(dialog).colorScheme);
  const wear = (theme: object) => page.evaluate((given) => window.parley?.setTheme(given), theme);
  await chat(page).open();
  expect(await scheme()).toBe('dark');
  await chat(page).say('Is it dark?');
  await chat(page).bubble('Is it dark?').getByText('Sent', { exact: true }).waitFor();
  await chat(page).close();
  const conversation = await agent(service).conversationOf('Is it dark?');
  await agent(service).answer(conversation, 'It is');
  await page.locator('parley-chat .news').waitFor();
  expect(await painted(page, '.news', 'color')).toMatch(/^2\d\d,2\d\d,2\d\d$/);
  // With the owner's file, and without.
  await wear({ radius: '8px' });
  await chat(page).open();
  expect(await scheme()).toBe('dark');
  await wear({ scheme: 'light' });
  expect(await scheme()).toBe('light');
  await wear({ scheme: '' });
  expect(await scheme()).toBe('dark');
  await shop.close();
  // What is written wrong is not written, with the owner's file and without.
  for (const [name, more] of [
    ['told-wrong', ''],
    ['told-wrong-placed', 'data-offset-x="20"'],
  ] as const) {
    const attributes = `data-scheme="drak" ${more}`;
    const wrong = await shopWith(name, sheet.replace('light', 'dark'), 'light', attributes);
    await chat(wrong.page).open();
    expect(await painted(wrong.page, '.panel', 'backgroundColor')).toMatch(/^\d\d,\d\d,\d\d$/);
    await wrong.close();
  }
});

test('a window in a part of the page follows that part', async () => {
  const shop = await shopWith(
    'follows-part',
    '.dark parley-chat { --parley-scheme: dark }',
    'light',
    `data-inside="#help"`,
    '<main><section id="help" style="block-size: 500px"></section></main>',
  );
  const { page } = shop;
  await page.evaluate(() => window.parley?.open());
  await chat(page).log.waitFor();
  const scheme = () => chat(page).window.evaluate((dialog) => getComputedStyle(dialog).colorScheme);
  expect(await scheme()).toBe('light');
  await page.locator('main').evaluate((main) => main.classList.add('dark'));
  await expect.poll(scheme).toBe('dark');
  await shop.close();
});

test('the colours of the press count, and not those of the pointer that came near before it', async () => {
  const shop = await shopWith('near', '.sale parley-chat { --parley-accent: #b00020 }');
  const { page } = shop;
  await chat(page).launcher.hover();
  await page.locator('parley-chat dialog').waitFor({ state: 'attached' });
  await page.evaluate(() => document.documentElement.classList.add('sale'));
  await chat(page).open();
  expect(await painted(page, '.header', 'backgroundColor')).toBe('176,0,32');
  await shop.close();
});

test('the host overrides a single token', async () => {
  const shop = await shopWith('single', 'parley-chat { --parley-bubble: #fec; --parley-danger: #a00 }');
  const { page } = shop;
  await chat(page).open();
  await chat(page).say('Which lamp is it?');
  await chat(page).bubble('Which lamp is it?').waitFor();
  const conversation = await agent(service).conversationOf('Which lamp is it?');
  await agent(service).answer(conversation, 'The pendant');
  await chat(page).bubble('The pendant').waitFor();
  expect(await painted(page, '.theirs .bubble', 'backgroundColor')).toBe('255,238,204');
  await shop.close();
});

/** Of what is painted there, the contrast between its lightest and its darkest. */
async function spread(page: Page, clip: { x: number; y: number; width: number; height: number }) {
  const png = (await page.screenshot({ clip })).toString('base64');
  return page.evaluate(async (picture) => {
    const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${picture}`)).blob());
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    if (!canvas) return 0;
    canvas.drawImage(bitmap, 0, 0);
    const { data } = canvas.getImageData(0, 0, bitmap.width, bitmap.height);
    const linear = (byte = 0) => (byte > 10 ? ((byte / 255 + 0.055) / 1.055) ** 2.4 : byte / 255 / 12.92);
    const lights = Array.from({ length: data.length / 4 }, (_, i) => {
      const [red, green, blue] = data.subarray(i * 4, i * 4 + 3);
      return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
    });
    return (Math.max(...lights) + 0.05) / (Math.min(...lights) + 0.05);
  }, png);
}

test('words on the launcher are read under the pointer, too', async () => {
  const shop = await shopWith('pointed', '', 'light', 'data-launcher-label="Need help with it?"');
  const { page } = shop;
  // Whatever changes under the pointer has come.
  await chat(page).open();
  await chat(page).log.waitFor();
  await expect.poll(() => page.evaluate(() => window.parley?.status().line)).toBe('idle');
  await chat(page).close();
  const words = chat(page).launcher.locator('.label');
  const clip = (await words.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const unread: unknown[] = [];
  for (const accent of [
    '#3a4fd8',
    '#00f',
    '#198754',
    '#757575',
    '#e11d48',
    '#ffd400',
    '#0a0a0a',
    '#fafafa',
  ]) {
    await page.evaluate((accent) => window.parley?.setTheme({ accent }), accent);
    await page.mouse.move(1, 1);
    const without = await painted(page, '.launcher', 'backgroundColor');
    await words.hover();
    const seen = await spread(page, clip);
    const pointed = await painted(page, '.launcher', 'backgroundColor');
    if (seen < 4.5 || pointed === without) unread.push([accent, seen, without, pointed]);
  }
  expect(unread).toEqual([]);
  await shop.close();
});

test.each(['light', 'dark'] as const)(
  'where the system chooses the colours, icon and focus are seen in its %s ones',
  async (scheme) => {
    const shop = await shopWith(`forced-${scheme}`, '', scheme);
    const { page } = shop;
    await page.emulateMedia({ forcedColors: 'active', colorScheme: scheme });
    const icon = async () => {
      const box = await chat(page).launcher.boundingBox();
      return spread(page, { x: (box?.x ?? 0) + 16, y: (box?.y ?? 0) + 16, width: 28, height: 28 });
    };
    expect(await icon()).toBeGreaterThan(4.5);
    await chat(page).open();
    await page.mouse.move(1, 1);
    await expect.poll(icon).toBeGreaterThan(4.5);
    const beside = async () => {
      const box = await chat(page).window.locator('.field').boundingBox();
      const middle = Math.round((box?.y ?? 0) + (box?.height ?? 0) / 2);
      return spread(page, { x: Math.round((box?.x ?? 0) - 6), y: middle, width: 5, height: 2 });
    };
    expect(await beside()).toBeGreaterThan(4.5);
    await chat(page).window.getByRole('button', { name: 'More', exact: true }).focus();
    expect(await beside()).toBe(1);
    expect(shop.errors).toEqual([]);
    await shop.close();
  },
);
