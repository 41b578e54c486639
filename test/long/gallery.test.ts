/** All combinations of state, scheme, direction and width; sixty of them are in every test run. */
import { expect, test } from 'vitest';
import { launchBrowser, startShopService } from '../support/browser.js';
import { every, objectionsHere, shared, show, statesOf } from '../support/gallery.js';

test('axe finds nothing in any combination', async () => {
  const [browser, service] = await Promise.all([launchBrowser(), startShopService()]);
  try {
    const states = await statesOf(browser, service.url);
    const objections: string[] = [];
    await shared(browser, every(states), async (page, combination) => {
      // The size comes first: a chat of a small screen is not that of a large one made small.
      await page.setViewportSize({ width: combination.width, height: 800 });
      await show(page, service.url, combination.state, combination.dir);
      objections.push(...(await objectionsHere(page, combination)));
    });
    expect(objections).toEqual([]);
  } finally {
    await browser.close();
    await service.end();
  }
});
