/**
 * All combinations of state, scheme, direction and width, and text twice as large in both directions; sixty of them are
 * in every test run.
 */
import { expect, test } from 'vitest';
import { launchBrowser, startShopService } from '../support/browser.js';
import {
  directions,
  doubleText,
  every,
  objectionsHere,
  resize,
  schemes,
  shared,
  show,
  statesOf,
  unjudged,
  unreadable,
  widths,
} from '../support/gallery.js';

test('axe finds nothing in any combination, and no word is lost that is twice as large', async () => {
  const [browser, service] = await Promise.all([launchBrowser(), startShopService()]);
  try {
    const states = await statesOf(browser, service.url);
    expect(states.length).toBeGreaterThanOrEqual(30);
    let seen = 0;
    const objections: string[] = [];
    const lost: string[] = [];
    await shared(browser, every(states), async (page, combination) => {
      // The size comes first: a chat of a small screen is not that of a large one made small.
      await resize(page, combination.width, 800);
      await show(page, service.url, combination.state, combination.dir);
      seen++;
      objections.push(...(await objectionsHere(page, combination)));
      const { state, scheme, dir, width } = combination;
      if (width !== 390 || scheme !== 'light') return;
      await resize(page, width, 844);
      await doubleText(page);
      lost.push(...(await unreadable(page)).map((words) => `${state}, ${dir}: ${words}`));
    });
    expect(seen).toBe(states.length * schemes.length * directions.length * widths.length);
    expect(unjudged.length, unjudged.join('\n')).toBeLessThan(seen / 10);
    expect({ objections, lost }).toEqual({ objections: [], lost: [] });
  } finally {
    await browser.close();
    await service.end();
  }
});
