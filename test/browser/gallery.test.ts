/** Every state of the chat, as the gallery shows it: for everyone, on every screen, at every size of text. */
import { expect, test } from 'vitest';
import { useShop } from '../support/browser.js';
import {
  doubleText,
  objections,
  show,
  smallTargets,
  spaceOut,
  spread,
  statesOf,
  unreadable,
} from '../support/gallery.js';

const { browser, service } = await useShop();
const states = await statesOf(browser, service.url);

test('axe finds nothing in sixty combinations of state, scheme, direction and width', {
  timeout: 180_000,
}, async () => {
  expect(states.length).toBeGreaterThanOrEqual(30);
  expect(await objections(browser, service.url, spread(states, 60))).toEqual([]);
});

test('in every state a finger meets each control, and no word is lost however it is enlarged', {
  timeout: 180_000,
}, async () => {
  const left = [...states.entries()];
  const small: string[] = [];
  const lost: string[] = [];
  async function look() {
    const page = await browser.newPage({ reducedMotion: 'reduce' });
    for (let next = left.shift(); next; next = left.shift()) {
      const [index, state] = next;
      const read = async (how: string) =>
        lost.push(...(await unreadable(page)).map((words) => `${state}, ${how}: ${words}`));
      await page.setViewportSize({ width: 390, height: 844 });
      await show(page, service.url, state, index % 2 ? 'rtl' : 'ltr');
      small.push(...(await smallTargets(page)).map((target) => `${state}: ${target}`));
      await page.setViewportSize({ width: 320, height: 568 });
      await read('at 320 px');
      // 1280 by 1024 at 400 %.
      await page.setViewportSize({ width: 320, height: 256 });
      await read('at 400 %');
      await page.setViewportSize({ width: 390, height: 844 });
      await spaceOut(page);
      await read('spaced out');
      await show(page, service.url, state, index % 2 ? 'ltr' : 'rtl');
      await doubleText(page);
      await read('with text twice as large');
    }
    await page.close();
  }
  await Promise.all([look(), look()]);
  expect({ small, lost }).toEqual({ small: [], lost: [] });
});
