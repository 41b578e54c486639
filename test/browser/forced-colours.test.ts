/** Every state of the chat in the visitor's own few colours, as those see it who need contrast: nothing that is shown is lost. */
import { expect, test } from 'vitest';
import { useShop } from '../support/browser.js';
import { lostIn, signsLostIn } from '../support/forced-colours.js';
import { shared, show, statesOf } from '../support/gallery.js';

const { browser, service } = await useShop();
// Ten thousand messages are drawn as ten are.
const states = (await statesOf(browser, service.url)).filter((state) => state !== 'ten-thousand');

test('with forced colours controls and drawings of every state stand out from their ground, and say how they stand', {
  timeout: 480_000,
}, async () => {
  expect(states.length).toBeGreaterThanOrEqual(30);
  const desk = await browser.newPage();
  const lost: string[] = [];
  const seen = new Set<string>();
  await shared(browser, states, async (page, state) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await show(page, service.url, state, 'ltr');
    const all = [...(await lostIn(desk, page)), ...(await signsLostIn(page, seen))];
    lost.push(...all.map((what) => `${state}: ${what}`));
  });
  // So many different ones are in the gallery: of each, one is looked at.
  expect(seen.size).toBeGreaterThanOrEqual(10);
  expect(lost).toEqual([]);
});
