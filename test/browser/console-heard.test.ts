/** What the console tells who does not see it, in a real browser before a real service. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chat } from '../support/browser.js';
import { type Console, startConsole } from '../support/console.js';
import { startMs } from '../support/service.js';

let here: Console;
beforeAll(async () => {
  here = await startConsole();
}, startMs);
afterAll(() => here.end());

test('what was read out is not met a second time beside the message', async () => {
  const { page, close } = await here.talk('I come back');
  const heard = await here.listen();
  await here.desk.reload();
  await here.log().getByText('I come back', { exact: true }).waitFor();
  await here.desk.clock.install();
  await chat(page).say('Here I am');
  await expect.poll(heard).toEqual([expect.stringMatching(/: Here I am$/)]);
  const standing = here.desk.locator('[aria-live=polite]').filter({ hasText: 'Here I am' });
  expect(await standing.count()).toBe(1);
  await here.desk.clock.fastForward(10_000);
  await expect.poll(() => standing.count()).toBe(0);
  await here.log().getByText('Here I am', { exact: true }).waitFor();
  await close();
});
