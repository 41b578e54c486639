/** An emoji from the picker into the words, at the caret, and what the picker remembers. */
import { type BrowserContextOptions, devices, type Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { openTagged, pick, say } from '../support/around.js';
import { agent, chat, openShop, useShop } from '../support/browser.js';

const { browser, service } = await useShop();

test('an emoji goes where the caret was, and is remembered after a reload', async () => {
  const { page, errors, close } = await openShop(browser, `${service.url}/`);
  const { field, window } = chat(page);
  await chat(page).open();
  await field.fill('Good morning');
  for (let step = 0; step < 8; step++) await page.keyboard.press('ArrowLeft');
  const button = window.getByRole('button', { name: 'Emoji', exact: true });
  await button.press('Enter');
  const search = window.getByRole('searchbox', { name: 'Search emoji' });
  await search.waitFor();
  expect(await button.getAttribute('aria-expanded')).toBe('true');
  await page.keyboard.type('sunrise');
  await window.getByRole('button', { name: 'sunrise', exact: true }).click();
  await page.keyboard.press('Escape');
  await search.waitFor({ state: 'detached' });
  expect(await window.isVisible()).toBe(true);
  expect(await field.inputValue()).toBe('Good🌅 morning');
  await expect.poll(() => field.evaluate((element) => element.matches(':focus'))).toBe(true);
  await page.keyboard.type('!');
  await page.keyboard.press('Enter');
  await agent(service).conversationOf('Good🌅! morning');
  await page.reload();
  await button.click();
  await window.getByText('Recently used').waitFor();
  await window.getByRole('button', { name: 'sunrise', exact: true }).first().waitFor();
  expect(errors).toEqual([]);
  await close();
});

test('emoji are called and found in the language of the visitor, whose names come with the picker alone', async () => {
  const shop = await openTagged(browser, service, 'emoji-german', 'data-locale="de-AT"');
  const { page, requests } = shop;
  const window = page.locator('parley-chat dialog');
  const asked = () =>
    requests.filter(({ path }) => path.startsWith('/assets/names-')).map(({ path }) => path);
  await chat(page).launcher.click();
  await window.getByRole('button', { name: 'Emoji', exact: true }).click();
  const heart = window.getByRole('button', { name: 'rotes Herz', exact: true });
  await heart.waitFor();
  expect(asked()).toEqual([expect.stringMatching(/^\/assets\/names-de-[\w-]{6}\.js$/)]);
  expect(await heart.evaluate((element) => element.closest('[lang]')?.getAttribute('lang'))).toBe('de-AT');
  await window.getByRole('searchbox').fill('Kaffee');
  await window.getByRole('button', { name: 'Heißgetränk', exact: true }).click();
  await expect.poll(() => window.locator('.composer textarea').inputValue()).toBe('☕');
  expect(shop.errors).toEqual([]);
  await shop.close();
});

test('while the picker is on its way its button says so', async () => {
  const { page, close } = await openTagged(browser, service, 'emoji-slow');
  await chat(page).open();
  let come = () => {};
  const held = new Promise<void>((resolve) => {
    come = resolve;
  });
  await page.route('**/{assets,again}/emoji-*', async (route) => {
    await held;
    await route.continue();
  });
  const button = chat(page).window.getByRole('button', { name: 'Emoji', exact: true });
  await button.click();
  await expect.poll(() => button.getAttribute('aria-busy')).toBe('true');
  come();
  await chat(page).window.getByRole('searchbox', { name: 'Search emoji' }).waitFor();
  expect(await button.getAttribute('aria-busy')).toBeNull();
  await close();
});

const inside = ['data-inside="#chat"', '<main><div id="chat" style="width:360px;height:480px"></div></main>'];

test.each([
  ['400 % zoom', 320, 256, []],
  ['a phone on its side', 844, 390, []],
  ['a page of middling height', 1280, 500, []],
  ['a small element of a large page', 1280, 900, inside],
])(
  'where there is little height, the picker leaves the field in sight: %s',
  async (_, width, height, [attributes, body]) => {
    const viewport = { width, height };
    const host = body ? { body } : {};
    const { page, close } = await openTagged(
      browser,
      service,
      `emoji-${height}`,
      attributes,
      { viewport },
      host,
    );
    if (body) await chat(page).field.waitFor();
    else await chat(page).open();
    const emoji = chat(page).window.getByRole('button', { name: 'Emoji', exact: true });
    await emoji.click();
    const picker = chat(page).window.getByRole('dialog', { name: 'Emoji', exact: true });
    await picker.waitFor();
    const bottom = async (what: Locator) => {
      const box = await what.boundingBox();
      return (box?.y ?? Infinity) + (box?.height ?? 0);
    };
    const left = async () => (await bottom(chat(page).window)) - (await bottom(chat(page).field));
    await expect.poll(left).toBeGreaterThanOrEqual(0);
    expect(await bottom(chat(page).window)).toBeLessThanOrEqual(height);
    // Some rows of them are in sight, and what is picked is seen to arrive.
    expect((await picker.boundingBox())?.height).toBeGreaterThan(110);
    await picker.getByRole('button', { name: 'grinning face', exact: true }).click();
    expect(await chat(page).field.inputValue()).toBe('😀');
    await close();
  },
);

test.each([
  ['400 % zoom', 256],
  ['less height than that', 200],
])('an emoji that has the focus is in sight in each row: %s', async (_, height) => {
  const viewport = { width: 320, height };
  const { page, close } = await openTagged(browser, service, `emoji-focus-${height}`, '', { viewport });
  await chat(page).open();
  await chat(page).window.getByRole('button', { name: 'Emoji', exact: true }).press('Enter');
  await chat(page).window.locator('.emoji-grid').waitFor();
  const found = () =>
    page.evaluate(() => {
      const root = document.querySelector('parley-chat')?.shadowRoot;
      const focused = root?.activeElement;
      const { x = 0, y = 0, width = 0, height = 0 } = focused?.getBoundingClientRect() ?? {};
      const there = root?.elementFromPoint(x + width / 2, y + height / 2);
      const name = (one?: Element | null) => one?.getAttribute('aria-label') ?? one?.className;
      return { emoji: focused?.closest('td') && name(focused), seen: name(there) };
    });
  let before: string | null | undefined;
  for (let row = 1; row <= 8; row++) {
    await page.keyboard.press('ArrowDown');
    await expect.poll(async () => (await found()).emoji ?? before).not.toBe(before);
    before = (await found()).emoji;
    await expect.poll(found).toEqual({ emoji: before, seen: before });
  }
  await close();
});

test('Enter on a tone chooses it and sends nothing; Escape in the field takes the picker before the window', async () => {
  const { page, errors, close } = await openShop(browser, `${service.url}/`);
  const { field, window } = chat(page);
  await chat(page).open();
  await field.fill('Half a thought');
  const button = window.getByRole('button', { name: 'Emoji', exact: true });
  await button.press('Enter');
  const tone = window.getByRole('radio').nth(2);
  await tone.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Space');
  expect(await tone.isChecked()).toBe(true);
  expect(await field.inputValue()).toBe('Half a thought');
  await field.focus();
  await page.keyboard.press('Escape');
  await window.getByRole('searchbox').waitFor({ state: 'detached' });
  expect(await window.isVisible()).toBe(true);
  await page.keyboard.press('Escape');
  await window.waitFor({ state: 'hidden' });
  expect(errors).toEqual([]);
  await close();
});

test('after an emoji by mouse the words go on in the field, and what is sent takes the picker along', async () => {
  const { page, errors, close } = await openShop(browser, `${service.url}/`);
  const { field, window } = chat(page);
  await chat(page).open();
  await page.keyboard.type('Thanks !');
  await page.keyboard.press('ArrowLeft');
  await window.getByRole('button', { name: 'Emoji', exact: true }).click();
  const search = window.getByRole('searchbox', { name: 'Search emoji' });
  await search.waitFor();
  const smile = window.getByRole('button', { name: 'grinning face', exact: true });
  await smile.click();
  await smile.click();
  await page.keyboard.type(' see you');
  expect(await field.inputValue()).toBe('Thanks 😀😀 see you!');
  expect(await search.inputValue()).toBe('');
  await smile.click();
  await page.keyboard.press('Enter');
  await agent(service).conversationOf('Thanks 😀😀 see you😀!');
  await search.waitFor({ state: 'detached' });
  expect(await field.inputValue()).toBe('');
  expect(await field.evaluate((element) => element.matches(':focus'))).toBe(true);
  expect(errors).toEqual([]);
  await close();
});

test('on a touch screen an emoji brings no keyboard up, and by keyboard the next one is at hand', async () => {
  const picked = async (options: BrowserContextOptions, press: (emoji: Locator) => Promise<void>) => {
    const shop = await openShop(browser, `${service.url}/`, options);
    const { field, window } = chat(shop.page);
    await chat(shop.page).open();
    await window.getByRole('button', { name: 'Emoji', exact: true }).click();
    const smile = window.getByRole('button', { name: 'grinning face', exact: true });
    await smile.waitFor();
    await press(smile);
    await expect.poll(() => field.inputValue()).toBe('😀');
    const left = await smile.evaluate((element) => element.matches(':focus'));
    await shop.close();
    return left;
  };
  expect(await picked(devices['Pixel 7'], (smile) => smile.tap())).toBe(true);
  expect(await picked({}, (smile) => smile.press('Enter'))).toBe(true);
});

test('the picker goes with the window, and with the conversation it was opened in', async () => {
  const { page, close } = await openShop(browser, `${service.url}/`);
  const { window, launcher } = chat(page);
  const button = window.getByRole('button', { name: 'Emoji', exact: true });
  const picker = window.getByRole('searchbox', { name: 'Search emoji' });
  await chat(page).open();
  await say(service, page, 'A first conversation');
  await button.click();
  await picker.waitFor();
  await launcher.click();
  await window.waitFor({ state: 'hidden' });
  await chat(page).open();
  await picker.waitFor({ state: 'detached' });
  await button.click();
  await picker.waitFor();
  await pick(page, 'New conversation');
  await picker.waitFor({ state: 'detached' });
  expect(await window.isVisible()).toBe(true);
  await close();
});
