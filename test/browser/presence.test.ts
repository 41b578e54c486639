/** The header says who answered last, and within its hours that the team is here, unless nobody is. */
import { expect, test } from 'vitest';
import { english as en } from '../../src/text/english.js';
import { openTagged, say } from '../support/around.js';
import { agent, chat, useShop } from '../support/browser.js';
import { drawn, still } from '../support/thread.js';

const { browser, service } = await useShop();

test('who writes when nobody of the team is online is not told that they are here, and is once somebody is', async () => {
  const hours = [0, 1, 2, 3, 4, 5, 6].map((day) => ({ day_of_week: day, open_all_day: true }));
  await service.db.query(
    'update inboxes set working_hours = $1::jsonb, working_hours_enabled = true, timezone = $2',
    [JSON.stringify(hours), 'UTC'],
  );
  const shop = await openTagged(browser, service, 'present');
  const { page } = shop;
  const { window } = chat(page);
  await chat(page).open();
  // Nobody has said who is there.
  await window.getByText(en.weAreHere).waitFor();
  await say(service, page, 'Is anybody there?');
  await window.getByText(en.subtitle).waitFor();
  expect(await window.getByText(en.weAreHere).count()).toBe(0);
  // Who never goes offline by themselves is there.
  const path = '/api/v1/accounts/1/agents/1';
  const settings = { auto_offline: false, availability: 'online' };
  expect((await service.agent('PATCH', path, settings)).status).toBe(200);
  await window.getByText(en.weAreHere).waitFor();
  await page.reload();
  await window.getByText(en.weAreHere).waitFor();
  expect([...shop.console, ...shop.errors]).toEqual([]);
  await shop.close();
});

test('whoever answers has a face and a name in the header, which shifts nothing', async () => {
  const shop = await openTagged(browser, service, 'faces', 'data-outside-hours="show"');
  const { page } = shop;
  const header = chat(page).window.locator('.header');
  await chat(page).open();
  const conversation = await say(service, page, 'Who is there?');
  await still(page);
  const shifts = await page.evaluateHandle(() => {
    const all: PerformanceEntry[] = [];
    new PerformanceObserver((list) => all.push(...list.getEntries())).observe({ type: 'layout-shift' });
    return all;
  });
  await agent(service).tell(conversation, { content: 'A first one' });
  await chat(page).bubble('A first one').waitFor();
  await header.getByText('Ada', { exact: true }).waitFor();
  await still(page);
  await drawn(page);
  expect(await shifts.jsonValue()).toEqual([]);
  expect(await header.locator('.avatar').textContent()).toBe('A');
  await page.setViewportSize({ width: 320, height: 568 });
  expect(await header.locator('.avatar').isVisible()).toBe(false);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await header.locator('.avatar').isVisible()).toBe(true);
  expect([...shop.console, ...shop.errors]).toEqual([]);
  await shop.close();
});
