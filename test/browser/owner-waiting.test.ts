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
