/** What an owner writes wrong is named, each thing by itself, with what may be written in its place. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openTagged } from '../support/around.js';
import { chat, openShop, useShop } from '../support/browser.js';

const { browser, service } = await useShop();

const warnings = (...sentences: string[]) => sentences.map((one) => `warning: Parley: ${one}`);

/** With whatever a program may hand over. */
const setTheme = (page: Page, theme: object) =>
  page.evaluate((given) => window.parley?.setTheme(given), theme);

test('setTheme() takes corners and a font that browsers take, and says how others are written', async () => {
  const shop = await openShop(browser, `${service.url}/`);
  const { page } = shop;
  await page.waitForFunction(() => window.parley !== undefined);
  const radius = 'setTheme() needs a length, like "8px", as radius.';
  const font = 'setTheme() needs a font, like "Georgia, serif", as font.';
  const wrong: [object, string][] = [
    [{ radius: 8 }, radius],
    [{ radius: '8' }, radius],
    [{ radius: 'banana' }, radius],
    [{ font: 16 }, font],
    [{ font: '16px' }, font],
    [{ muted: 'gray-500' }, 'setTheme() needs a colour, like "#3a4fd8", as muted.'],
    [{ scheme: 'dusk' }, 'setTheme() needs "auto", "light" or "dark" as scheme.'],
  ];
  for (const [theme, message] of wrong)
    expect(await setTheme(page, theme)).toEqual({ ok: false, error: { kind: 'wrong', message } });
  expect(shop.console).toEqual(warnings(...wrong.map(([, message]) => message)));
  for (const theme of [
    { radius: '8px', font: '"Fira Sans", sans-serif' },
    { radius: '0', font: 'var(--shop-font)' },
    { radius: 'calc(16px - 2px)', font: '' },
  ])
    expect(await setTheme(page, theme)).toEqual({ ok: true });
  await chat(page).open();
  expect(await chat(page).window.evaluate((dialog) => getComputedStyle(dialog).borderRadius)).toBe('14px');
  await shop.close();
});

test('a wrong question before the chat is named, with what is wrong of it', async () => {
  const questions = [
    { name: 'email', type: 'email' },
    { name: 'phone', type: 'phone', required: true },
  ];
  const shop = await openTagged(
    browser,
    service,
    'questions',
    `data-pre-chat='${JSON.stringify(questions)}'`,
  );
  const types = '"type" must be "text", "email", "tel", "select", "checkbox" or "consent"';
  await chat(shop.page).open();
  await expect.poll(() => shop.console).toEqual(warnings(`data-pre-chat, question 2: ${types}.`));
  // Without questions the field is there at once.
  await chat(shop.page).field.waitFor();
  await shop.close();
});

test('a listener that is no function is named, before the owner’s file is there and after, and nothing is thrown', async () => {
  const shop = await openShop(browser, `${service.url}/`);
  const { page } = shop;
  await page.waitForFunction(() => window.parley !== undefined);
  const listen = () =>
    page.evaluate(() => {
      const { parley } = window;
      if (parley) Reflect.apply(parley.on, parley, ['open']);
      if (parley) Reflect.apply(parley.on, parley, ['error', 'x']);
    });
  const said = 'on() needs a function, like on("open", () => {}).';
  await listen();
  await chat(page).open();
  await expect.poll(() => shop.console).toEqual(warnings(said, said));
  await listen();
  await expect.poll(() => shop.console).toEqual(warnings(said, said, said, said));
  await chat(page).close();
  expect(shop.errors).toEqual([]);
  await shop.close();
});
