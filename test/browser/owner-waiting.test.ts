/** Calls that wait for a visitor who has not opened the chat yet: what sets them off, and what leaves them alone. */
import { expect, test } from 'vitest';
import { agent, chat, openShop, useShop } from '../support/browser.js';

const { browser, service } = await useShop();

test('a look that is given and a cost that is asked for leave alone what waits for the visitor', async () => {
  const shop = await openShop(browser, `${service.url}/`);
  const { page } = shop;
  await page.waitForFunction(() => window.parley !== undefined);
  const outcomes = await page.evaluate(async () => {
    const { parley } = window;
    await parley?.identify({ identifier: 'patient', name: 'Patience' });
    return [(await parley?.setTheme({ accent: '#0b6e4f' }))?.ok, (await parley?.perf())?.ok];
  });
  expect(outcomes).toEqual([true, true]);
  await page.evaluate(() => window.parley?.setAttributes({ contact: { shelf: 7 } }));
  expect(shop.requests.filter(({ path }) => /\/(chat-|public\/)/.test(path))).toEqual([]);
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
  await chat(page).open();
  await chat(page).say('It was worth the wait');
  await agent(service).conversationOf('It was worth the wait');
  const known = () =>
    service.db.query('select name, custom_attributes from contacts where identifier = $1', ['patient']);
  await expect.poll(known).toEqual([{ name: 'Patience', custom_attributes: { shelf: 7 } }]);
  await shop.close();
});

test('what does not come is tried again after five seconds, then less often, and once a minute in the end', async () => {
  const shop = await openShop(browser, `${service.url}/`);
  const { page } = shop;
  await page.addInitScript(() => {
    const later = window.setTimeout.bind(window);
    const waits: number[] = [];
    // Time goes by faster for those who wait so long.
    const timer = (work: () => void, ms = 0) => {
      const isLong = ms >= 5_000 && ms % 5_000 === 0;
      if (isLong) waits.push(ms);
      return later(work, isLong ? 50 : ms);
    };
    Object.assign(window, { setTimeout: timer, testWaits: waits });
  });
  let asked = 0;
  await page.route(/\/(?:assets|again)\/(?:owner|chat)-/, (route) => {
    if (route.request().url().includes('/owner-')) asked++;
    return route.abort();
  });
  await page.reload();
  await page.waitForFunction(() => window.parley !== undefined);
  await page.evaluate(() => window.parley?.on('message', () => {}));
  await chat(page).open();
  await expect.poll(() => asked).toBeGreaterThan(20);
  const waits = await page.evaluate((): number[] => Reflect.get(window, 'testWaits') ?? []);
  expect(waits).toContain(5_000);
  expect(waits.slice(-5)).toEqual(Array(5).fill(60_000));
  // Two wait: the engine, and those who listen.
  expect(waits.length).toBeLessThan(4 * asked);
  await shop.close();
});
