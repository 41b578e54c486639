/** Within its hours the window says that the team is here, unless the service has told that nobody is. */
import { expect, test } from 'vitest';
import { english as en } from '../../src/text/english.js';
import { openTagged, say } from '../support/around.js';
import { chat, useShop } from '../support/browser.js';

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
