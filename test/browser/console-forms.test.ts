/** What becomes of a form's answer when its form is gone, and of a second refusal, in a real browser before a real service. */
import type { Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Console, startConsole } from '../support/console.js';
import { startMs } from '../support/service.js';

let here: Console;
beforeAll(async () => {
  here = await startConsole();
}, startMs);
afterAll(() => here.end());

const account = '/api/v1/accounts/1';
const button = (name: string) => here.desk.getByRole('button', { name, exact: true });

/** The next request of this method to such an address, held until somebody lets it go. */
async function hold(method: string, address: RegExp) {
  let take: ((route: Route) => void) | undefined;
  const held = new Promise<Route>((resolve) => {
    take = resolve;
  });
  await here.desk.route(address, (route) => {
    if (!take || route.request().method() !== method) return route.fallback();
    take(route);
    take = undefined;
  });
  return async () => {
    const route = await held;
    return {
      abort: () => route.abort(),
      /** Until the page has its answer. */
      async go() {
        const answered = here.desk.waitForResponse((response) => response.request() === route.request());
        await route.continue();
        await (await answered).finished();
        await here.desk.evaluate(() => new Promise(requestAnimationFrame));
      },
    };
  };
}

test('who leaves a form that is being saved is not called back', async () => {
  await here.open('settings/automation/new', 'New rule');
  await here.desk.getByLabel('Name', { exact: true }).fill('Saved in leaving');
  await here.desk.getByLabel('Value of condition 1').fill('refund');
  await here.desk.getByLabel('Action 1', { exact: true }).selectOption('resolve_conversation');
  const rule = await hold('POST', /automation_rules$/);
  await button('Save rule').click();
  const saving = await rule();
  await here.desk.getByRole('link', { name: 'Contacts' }).click();
  await here.desk.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor();
  await saving.go();
  expect(await here.desk.evaluate(() => location.hash)).toBe('#/contacts');

  await button('New contact').click();
  await here.dialog().getByLabel('Name').fill('Left behind');
  await here.dialog().getByLabel('E-mail').fill('left@example.org');
  const contact = await hold('POST', /contacts$/);
  await here.dialog().getByRole('button', { name: 'Create contact' }).click();
  const making = await contact();
  await here.desk.keyboard.press('Escape');
  await here.dialog().waitFor({ state: 'detached' });
  await making.go();
  expect(await here.desk.evaluate(() => location.hash)).toBe('#/contacts');

  await here.open('settings/automation', 'Automation');
  await here.desk.getByRole('link', { name: 'Saved in leaving', exact: true }).waitFor();
});

test('an answer to a dialog that was closed closes no other, and a refusal of it is told', async () => {
  for (const title of ['first', 'second']) {
    const made = await here.service.agent('POST', `${account}/labels`, { title });
    expect(made.status).toBe(200);
  }
  await here.open('settings/labels', 'Labels');
  const saveFirst = async () => {
    await button('Edit first').click();
    const label = await hold('PATCH', /labels\/\d+$/);
    await here.dialog().getByRole('button', { name: 'Save label' }).click();
    const saving = await label();
    await here.desk.keyboard.press('Escape');
    await here.dialog().waitFor({ state: 'detached' });
    return saving;
  };
  const saving = await saveFirst();
  await button('Edit second').click();
  await here.dialog().getByLabel('Description').fill('Half written');
  await saving.go();
  expect(await here.dialog().getByLabel('Description').inputValue()).toBe('Half written');
  await here.desk.keyboard.press('Escape');

  const failing = await saveFirst();
  await failing.abort();
  await here.done('The label was not saved: the service does not answer.');
  await here.desk.getByRole('contentinfo').getByRole('button', { name: 'Dismiss' }).press('Enter');
  const told = here.desk.getByRole('status').getByText('The label was not saved');
  await told.waitFor({ state: 'detached' });
  // Where the keyboard came from.
  await expect
    .poll(() => button('Edit first').evaluate((element) => element === document.activeElement))
    .toBe(true);
});

test('a second failure with the same words is a new one', async () => {
  await here.open('settings/labels', 'Labels');
  await button('New label').click();
  // Blank, it is not shown.
  const said = here.dialog().locator('[role=alert]');
  for (let n = 1; n <= 2; n += 1) {
    const label = await hold('POST', /labels$/);
    await here.dialog().getByLabel('Word').fill('third');
    await here.dialog().getByRole('button', { name: 'Save label' }).click();
    const saving = await label();
    expect(await said.textContent()).toBe('');
    await saving.abort();
    await said.getByText('The label was not saved').waitFor();
  }
  await here.desk.keyboard.press('Escape');
});

test('an attribute that is kept late closes no other that is being changed', async () => {
  for (const name of ['Size', 'Tone'])
    await here.service.agent('POST', `${account}/custom_attribute_definitions`, {
      attribute_display_name: name,
      attribute_key: name.toLowerCase(),
      attribute_display_type: 0,
      attribute_model: 0,
    });
  const { close } = await here.talk('Change me');
  await button('Change Size').click();
  const attribute = await hold('POST', /custom_attributes$/);
  await here.desk.getByRole('textbox', { name: 'Size' }).fill('Large');
  await button('Save Size').click();
  const saving = await attribute();
  await button('Cancel').click();
  await button('Change Tone').click();
  const tone = here.desk.getByRole('textbox', { name: 'Tone' });
  await tone.fill('Warm');
  await saving.go();
  await here.done('Attribute changed.');
  expect(await tone.inputValue()).toBe('Warm');
  await close();
});
