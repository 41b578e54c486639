/** Every state of the chat, as the gallery shows it: for everyone, on every screen, at every size of text. */
import { expect, test } from 'vitest';
import { useShop } from '../support/browser.js';
import {
  directions,
  doubleText,
  objectionsHere,
  resize,
  shared,
  show,
  smallTargets,
  spacedOut,
  spread,
  statesOf,
  unjudged,
  unreadable,
} from '../support/gallery.js';

const { browser, service } = await useShop();
const states = await statesOf(browser, service.url);

test('axe finds nothing in sixty combinations; in every state a finger meets each control, and no word is lost however it is enlarged', {
  timeout: 480_000,
}, async () => {
  expect(states.length).toBeGreaterThanOrEqual(30);
  const combinations = spread(states, 60);
  let seen = 0;
  const objections: string[] = [];
  const small: string[] = [];
  const lost: string[] = [];
  await shared(browser, states, async (page, state) => {
    const own = combinations.filter((combination) => combination.state === state);
    const read = async (how: string) =>
      lost.push(...(await unreadable(page)).map((words) => `${state}, ${how}: ${words}`));
    const [first] = own;
    // Half of the states are read from the right, and only a few in both directions.
    for (const dir of directions) {
      const here = own.filter((combination) => combination.dir === dir);
      if (!here.length) continue;
      await resize(page, here[0]?.width ?? 390, 844);
      await show(page, service.url, state, dir);
      for (const combination of here) {
        seen++;
        objections.push(...(await objectionsHere(page, combination)));
      }
      await resize(page, 390, 844);
      if (dir === first?.dir) {
        small.push(...(await smallTargets(page)).map((target) => `${state}: ${target}`));
        await resize(page, 320, 568);
        await read('at 320 px');
        // 1280 by 1024 at 400 %.
        await resize(page, 320, 256);
        await read('at 400 %');
        await resize(page, 390, 844);
        await spacedOut(page, () => read('spaced out'));
        await doubleText(page);
        await read('with text twice as large');
      }
    }
  });
  expect(seen).toBe(60);
  expect(unjudged.length, unjudged.join('\n')).toBeLessThan(seen / 10);
  expect({ objections, small, lost }).toEqual({ objections: [], small: [], lost: [] });
});
