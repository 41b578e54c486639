/** An agent says in the console whether they can be talked to. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openShop } from '../support/browser.js';
import { type Console, startConsole } from '../support/console.js';
import { startMs } from '../support/service.js';

let here: Console;
beforeAll(async () => {
  here = await startConsole();
}, startMs);
afterAll(() => here.end());

/** As the service has it, for everybody. */
const stored = async () => {
  const { body } = await here.service.agent('GET', '/api/v1/profile');
  return Object(body).accounts[0].availability;
};

test('who says that they are busy is so for all, in their other tab and after a reload', async () => {
  const { desk } = here;
  const choice = desk.getByLabel('Availability');
  await desk.getByText(/^Live, signed in as/).waitFor();
  await expect.poll(() => choice.inputValue()).toBe('online');
  const other = await openShop(here.browser, here.service.consoleUrl);
  const there = other.page.getByLabel('Availability');
  await expect.poll(() => there.inputValue()).toBe('online');

  await choice.selectOption('Busy');
  await expect.poll(stored).toBe('busy');
  await desk.reload();
  await expect.poll(() => choice.inputValue()).toBe('busy');
  // With the next beat of its heart.
  await expect.poll(() => there.inputValue()).toBe('busy');
  await choice.selectOption('Online');
  await expect.poll(stored).toBe('online');
  await other.close();
});

test('what the service did not hear is taken back, said, and can be tried again', async () => {
  const { desk } = here;
  const choice = desk.getByLabel('Availability');
  await expect.poll(() => choice.inputValue()).toBe('online');
  await desk.route('**/profile/availability', (route) => route.abort());
  await choice.selectOption('Offline');
  await here.desk.getByText('You are still shown as online').waitFor();
  await expect.poll(() => choice.inputValue()).toBe('online');
  await desk.unroute('**/profile/availability');
  await desk.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(stored).toBe('offline');
  expect(await choice.inputValue()).toBe('offline');
});
