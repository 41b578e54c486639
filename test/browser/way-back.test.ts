/** The way back of a phone, as a wish of the browser's: a dialog that is asked to close, whatever lies over it. */
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Parley } from '../../src/parley.js';
import { english as en } from '../../src/text/english.js';
import { item, more, openTagged } from '../support/around.js';
import { chat, openShop, useShop } from '../support/browser.js';

const { browser, service } = await useShop();

async function openPhone(name: string) {
  const shop = await openTagged(browser, service, name, '', {
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
  });
  // A page that keeps the keys to itself: Escape is then what the gesture of a phone is, a wish of the browser's.
  await shop.page.evaluate(() =>
    globalThis.addEventListener('keydown', (event) => event.stopImmediatePropagation(), true),
  );
  return { ...shop, back: () => shop.page.keyboard.press('Escape') };
}

test('however often one goes back without a press, one thing closes at a time', async () => {
  const { page, back, close } = await openPhone('back-and-back');
  await chat(page).launcher.tap();
  await chat(page).field.waitFor();
  const { window } = chat(page);
  const keep = window.getByRole('heading', { name: en.keep });
  await more(page).tap();
  await item(page, en.keep).tap();
  await back();
  await keep.waitFor({ state: 'detached' });
  // As a screen reader presses: no press for the browser, which gives way once more and then closes the dialog itself.
  for (const button of [more(page), item(page, en.keep), window.getByRole('button', { name: en.forget })])
    await button.dispatchEvent('click');
  const question = window.getByRole('button', { name: en.forgetNot });
  await question.waitFor();
  await back();
  await question.waitFor({ state: 'detached' });
  await back();
  await keep.waitFor({ state: 'detached' });
  expect(await window.isVisible()).toBe(true);
  await back();
  await window.waitFor({ state: 'hidden' });
  await expect.poll(() => chat(page).launcher.evaluate((element) => element.matches(':focus'))).toBe(true);
  await expect.poll(() => page.evaluate(() => history.state?.parley)).toBe(undefined);
  await chat(page).launcher.tap();
  await chat(page).field.waitFor();
  await close();
});

test('where the browser itself has closed the window, the focus goes where what lay over it leaves it', async () => {
  const { page, back, close } = await openPhone('back-focus');
  const { field, launcher, window } = chat(page);
  const isFocused = (what: Locator) => what.evaluate((element) => element.matches(':focus'));
  const before = await page.evaluate(() => history.length);
  await launcher.tap();
  await field.waitFor();
  const search = window.getByRole('searchbox', { name: 'Search emoji' });
  const emoji = window.getByRole('button', { name: 'Emoji', exact: true });
  await emoji.tap();
  const closed = await window.evaluateHandle((dialog) => {
    const report = { times: 0 };
    dialog.addEventListener('close', () => report.times++);
    return report;
  });
  // As a screen reader presses: no press for the browser, which gives way twice and then closes the dialog itself.
  for (let times = 0; times < 3; times++) {
    if (times) await emoji.dispatchEvent('click');
    await search.waitFor();
    await back();
    await search.waitFor({ state: 'detached' });
    expect(await window.isVisible()).toBe(true);
    await expect.poll(() => isFocused(field)).toBe(true);
  }
  expect(await closed.jsonValue()).toEqual({ times: 1 });
  await page.keyboard.type('Written on');
  expect(await field.inputValue()).toBe('Written on');
  await back();
  await window.waitFor({ state: 'hidden' });
  await expect.poll(() => isFocused(launcher)).toBe(true);
  // One entry for the way back, however often it was shown again, and it is left.
  expect(await page.evaluate(() => history.length)).toBe(before + 1);
  await expect.poll(() => page.evaluate(() => history.state?.parley)).toBe(undefined);
  await close();
});

test('a chat that is destroyed leaves no entry behind, and one that takes its place takes it over', async () => {
  const path = await service.page(
    'taken-over',
    `<!doctype html><html lang="en"><head><title>An app</title><link rel="icon" href="data:,">
      <meta name="viewport" content="width=device-width, initial-scale=1"></head><body>
      <script type="module">
        import { mount } from '{{origin}}/parley.module.js';
        window.again = () => mount({ baseUrl: '{{origin}}', inboxIdentifier: '{{inbox}}', locale: 'en' });
        window.parley = window.again();
      </script></body></html>`,
  );
  const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
  const { page, errors, close } = await openShop(browser, service.url + path, phone);
  const { field, launcher, window } = chat(page);
  const entries = () => page.evaluate(() => [history.length, history.state?.parley]);
  const [before] = await entries();
  await launcher.tap();
  await field.waitFor();
  expect(await entries()).toEqual([before + 1, true]);
  const mountAgain = () =>
    page.evaluate(() => {
      globalThis.window.parley?.destroy();
      const again: () => Parley = Reflect.get(globalThis, 'again');
      globalThis.window.parley = again();
    });
  await mountAgain();
  // It was left open, and is so again.
  await field.waitFor();
  expect(await entries()).toEqual([before + 1, true]);
  await page.evaluate(() => history.back());
  await window.waitFor({ state: 'hidden' });
  expect(await entries()).toEqual([before + 1, undefined]);
  await launcher.tap();
  await field.waitFor();
  expect(await entries()).toEqual([before + 1, true]);
  await page.evaluate(() => globalThis.window.parley?.destroy());
  await expect.poll(entries).toEqual([before + 1, undefined]);

  // A browser that takes its time on the way back finds the next one open, and that stays.
  await mountAgain();
  await field.waitFor();
  await page.evaluate(() => {
    const { back } = history;
    const after = new Promise<void>((resolve) => {
      addEventListener('late', () => resolve(), { once: true });
    });
    history.back = () => {
      document.title = 'On its way back';
      void after.then(() => back.call(history));
    };
    globalThis.window.parley?.destroy();
  });
  await expect.poll(() => page.title()).toBe('On its way back');
  await mountAgain();
  await field.waitFor();
  await page.evaluate(() => {
    addEventListener('popstate', () => {
      document.title = 'Back';
    });
    dispatchEvent(new Event('late'));
  });
  await expect.poll(() => page.title()).toBe('Back');
  await expect.poll(entries).toEqual([before + 1, true]);
  expect(await window.isVisible()).toBe(true);
  await page.evaluate(() => Reflect.deleteProperty(history, 'back') && history.back());
  await window.waitFor({ state: 'hidden' });
  expect(errors).toEqual([]);
  await close();
});

/** Here no page is drawn beforehand: what is told is told by us, and as there a pushed entry takes the place of the page's. */
test('a page that was drawn beforehand with the window left open is not left when the window closes', async () => {
  const { page, close } = await openPhone('prerendered');
  const { field, launcher, window } = chat(page);
  await launcher.tap();
  await field.waitFor();
  await page.context().addInitScript(() => {
    let early = true;
    Object.defineProperty(document, 'prerendering', { get: () => early });
    const push = history.pushState.bind(history);
    history.pushState = (...given) => (early ? history.replaceState(...given) : push(...given));
    document.addEventListener(
      'prerenderingchange',
      () => {
        early = false;
      },
      true,
    );
  });
  // By an address of its own, as a link of the page before.
  await page.goto(`${page.url()}?beforehand`);
  await field.waitFor();
  const before = await page.evaluate(() => history.length);
  await page.evaluate(() => document.dispatchEvent(new Event('prerenderingchange')));
  await window.getByRole('button', { name: en.closeChat }).tap();
  await window.waitFor({ state: 'hidden' });
  await expect
    .poll(() => page.evaluate(() => [history.length, history.state?.parley]))
    .toEqual([before + 1, undefined]);
  expect(page.url()).toContain('?beforehand');
  await close();
});
