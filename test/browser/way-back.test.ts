/** The way back of a phone, as a wish of the browser's: a dialog that is asked to close, whatever lies over it. */
import { expect, test } from 'vitest';
import { english as en } from '../../src/text/english.js';
import { item, more, openTagged } from '../support/around.js';
import { chat, useShop } from '../support/browser.js';

const { browser, service } = await useShop();

test('however often one goes back without a press, one thing closes at a time', async () => {
  const { page, close } = await openTagged(browser, service, 'back-and-back', '', {
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
  });
  // A page that keeps the keys to itself: Escape is then what the gesture of a phone is, a wish of the browser's.
  await page.evaluate(() =>
    globalThis.addEventListener('keydown', (event) => event.stopImmediatePropagation(), true),
  );
  await chat(page).launcher.tap();
  await chat(page).field.waitFor();
  const { window } = chat(page);
  const keep = window.getByRole('heading', { name: en.keep });
  const back = () => page.keyboard.press('Escape');
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
  await chat(page).launcher.tap();
  await chat(page).field.waitFor();
  await close();
});
