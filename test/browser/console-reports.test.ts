/** Pages of the console where an answer did not come: nothing is stated that is not known, nor known of another question. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agent } from '../support/browser.js';
import { type Console, startConsole } from '../support/console.js';
import { startMs } from '../support/service.js';

let here: Console;
beforeAll(async () => {
  here = await startConsole();
}, startMs);
afterAll(() => here.end());

const resolved = () =>
  here.desk.locator('.figures div').filter({ hasText: 'Resolved' }).getByRole('definition').textContent();

test('figures of another question, or of none, do not stand under a report that could not be read', async () => {
  const { conversation, close } = await here.talk('Solve this');
  await agent(here.service).answer(conversation, 'Solved');
  await here.service.agent('POST', `/api/v1/accounts/1/conversations/${conversation}/toggle_status`, {
    status: 'resolved',
  });
  const events = '**/reporting_events?*';
  const teams = /summary_reports/;
  await here.desk.route(events, (route) => route.abort());
  await here.desk.route(teams, (route) => route.abort());
  await here.open('reports', 'Reports');
  const problems = here.desk.getByRole('alert');
  await expect.poll(() => problems.count()).toBe(2);
  expect(await resolved()).toBe('–');
  for (const words of ['Nothing was measured', 'No team yet']) {
    expect(await here.desk.getByText(words).count(), words).toBe(0);
  }
  await here.desk.unrouteAll();
  for (const left of [1, 0]) {
    await problems.first().getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => problems.count()).toBe(left);
  }
  await expect.poll(resolved).toBe('1');
  await here.desk.getByText('No team yet').waitFor();
  await here.desk.route(events, (route) => route.abort());
  await here.desk.getByLabel('Time', { exact: true }).selectOption('Last 7 days');
  await expect.poll(resolved).toBe('–');
  await close();
});

test('people found for other words do not stand under a search that could not be read', async () => {
  const fields = { inbox_id: 1, name: 'Somebody', email: 'somebody@example.org' };
  await here.service.agent('POST', '/api/v1/accounts/1/contacts', fields);
  await here.open('contacts', 'Contacts');
  await here.desk.getByRole('link', { name: 'Somebody' }).waitFor();
  await here.desk.route('**/contacts/search?*', (route) => route.abort());
  await here.desk.getByRole('searchbox').fill('somebody else');
  await here.desk.getByRole('alert').waitFor();
  expect(await here.desk.getByRole('link', { name: 'Somebody' }).count()).toBe(0);
  expect(await here.desk.getByText(/\d contact/).count()).toBe(0);
});
