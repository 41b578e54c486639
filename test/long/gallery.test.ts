/** All combinations of state, scheme, direction and width; sixty of them are in every test run. */
import { expect, test } from 'vitest';
import { launchBrowser, startShopService } from '../support/browser.js';
import { every, objections, statesOf } from '../support/gallery.js';

test('axe finds nothing in any combination', async () => {
  const [browser, service] = await Promise.all([launchBrowser(), startShopService()]);
  try {
    const states = await statesOf(browser, service.url);
    expect(await objections(browser, service.url, every(states))).toEqual([]);
  } finally {
    await browser.close();
    await service.end();
  }
});
