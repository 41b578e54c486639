/**
 * What becomes of a form's answer when its form is gone, of a second refusal, and of what a colleague changes meanwhile,
 * in a real browser before a real service.
 */
import type { Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
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
    await said.getByText('The label may have been saved').waitFor();
  }
  await here.desk.keyboard.press('Escape');
});

test('what may have been made, though its answer was lost, is looked for before it is made again', async () => {
  await here.open('settings/labels', 'Labels');
  await button('New label').click();
  await here.desk.route(
    /labels$/,
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await here.dialog().getByLabel('Word').fill('made-once');
  await here.dialog().getByRole('button', { name: 'Save label' }).click();
  const words = 'The label may have been saved: the service does not answer. Look before you try again.';
  await here.dialog().getByRole('alert').getByText(words).waitFor();
  await here.dialog().getByRole('button', { name: 'Cancel' }).click();
  await button('Edit made-once').waitFor();
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

/** Makes it, and gives what a colleague does with it and how it is by then. */
async function shared(path: string, fields: object, query = '') {
  const made = await here.service.agent('POST', `${account}/${path}`, fields);
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  const { id } = z.object({ id: z.number() }).parse(made.body);
  return {
    id,
    async change(changed: object) {
      const answer = await here.service.agent('PATCH', `${account}/${path}/${id}`, changed);
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    },
    async stored() {
      const listed = await here.service.agent('GET', `${account}/${path}${query}`);
      const rows = z.array(z.looseObject({ id: z.number() }));
      const all = z
        .union([
          rows,
          z.object({ payload: z.union([rows, z.object({ webhooks: rows })]) }).transform(({ payload }) => {
            return 'webhooks' in payload ? payload.webhooks : payload;
          }),
        ])
        .parse(listed.body);
      return all.find((one) => one.id === id);
    },
  };
}

const agentFields = { name: 'Tim Twice', email: 'tim@demo.example', role: 'agent' };

test.each([
  {
    path: 'labels',
    heading: 'Labels',
    made: { title: 'shared', description: 'Before' },
    name: 'shared',
    theirs: { description: 'By a colleague' },
    field: 'Word',
    words: 'mine',
    becomes: { title: 'mine', description: 'By a colleague' },
  },
  {
    path: 'canned_responses',
    page: 'canned',
    heading: 'Canned answers',
    made: { short_code: 'shared', content: 'Before' },
    name: 'shared',
    theirs: { content: 'By a colleague' },
    field: 'Short code',
    words: 'mine',
    becomes: { short_code: 'mine', content: 'By a colleague' },
  },
  {
    path: 'webhooks',
    heading: 'Webhooks',
    made: { name: 'Shared', url: 'https://hooks.example/one', subscriptions: ['message_created'] },
    name: 'Shared',
    theirs: { subscriptions: ['contact_created'] },
    field: 'Name',
    words: 'Mine',
    becomes: { name: 'Mine', subscriptions: ['contact_created'] },
  },
  {
    path: 'agents',
    heading: 'Agents',
    made: agentFields,
    name: 'Tim Twice',
    theirs: { role: 'administrator' },
    field: 'Name',
    words: 'Tim Once',
    becomes: { name: 'Tim Once', role: 'administrator' },
  },
  {
    path: 'custom_attribute_definitions',
    query: '?attribute_model=1',
    page: 'attributes',
    heading: 'Attributes',
    made: {
      attribute_display_name: 'Wattage',
      attribute_key: 'wattage',
      attribute_display_type: 0,
      attribute_model: 1,
    },
    name: 'Wattage',
    theirs: { attribute_description: 'By a colleague' },
    field: 'Name',
    words: 'Power',
    becomes: { attribute_display_name: 'Power', attribute_description: 'By a colleague' },
  },
  {
    path: 'teams',
    heading: 'Teams',
    made: { name: 'shared', description: 'Before' },
    name: 'shared',
    theirs: { description: 'By a colleague' },
    field: 'Name',
    words: 'mine',
    becomes: { name: 'mine', description: 'By a colleague' },
  },
])('saving $heading changes what was changed here alone', async (one) => {
  const thing = await shared(one.path, one.made, one.query);
  await here.open(`settings/${one.page ?? one.path}`, one.heading);
  await button(`Edit ${one.name}`).click();
  const field = here.dialog().getByLabel(one.field, { exact: true });
  await field.waitFor();
  await thing.change(one.theirs);
  await field.fill(one.words);
  await here.dialog().getByRole('button', { name: 'Save' }).click();
  await here.dialog().waitFor({ state: 'detached' });
  expect(await thing.stored()).toMatchObject(one.becomes);
});

test('a form shows its thing as it is when it is opened, and takes over what nobody touched here', async () => {
  const label = await shared('labels', { title: 'moving', description: 'When the page was entered' });
  await here.open('settings/labels', 'Labels');
  await button('Edit moving').waitFor();
  await label.change({ description: 'When the form was opened' });
  await button('Edit moving').click();
  const field = here.dialog().getByLabel('Description');
  await expect.poll(() => field.inputValue()).toBe('When the form was opened');
  await here.desk.keyboard.press('Escape');
});

test('of the people of a team and of an inbox those are changed who were ticked or unticked here', async () => {
  const grace = 2;
  const colleague = z.object({ id: z.number() }).parse(
    (
      await here.service.agent('POST', `${account}/agents`, {
        ...agentFields,
        name: 'Cleo',
        email: 'c@demo.example',
      })
    ).body,
  ).id;
  const ids = async (path: string) => {
    const people = z.array(z.object({ id: z.number() }));
    const { body } = await here.service.agent('GET', `${account}/${path}`);
    const all = z
      .union([people, z.object({ payload: people }).transform(({ payload }) => payload)])
      .parse(body);
    return all.map(({ id }) => id).sort((a, b) => a - b);
  };
  const team = await shared('teams', { name: 'night watch' });
  const ofTeam = `teams/${team.id}/team_members`;
  await here.service.agent('POST', `${account}/${ofTeam}`, { user_ids: [1] });
  await here.open('settings/teams', 'Teams');
  await button('Edit night watch').click();
  await here.dialog().getByRole('checkbox', { name: 'Grace Agent' }).check();
  await here.dialog().getByRole('checkbox', { name: 'Ada' }).uncheck();
  await here.service.agent('POST', `${account}/${ofTeam}`, { user_ids: [colleague] });
  await here.dialog().getByRole('button', { name: 'Save team' }).click();
  await here.dialog().waitFor({ state: 'detached' });
  expect(await ids(ofTeam)).toEqual([grace, colleague]);

  await here.service.agent('PATCH', `${account}/inbox_members`, { inbox_id: 1, user_ids: [1, grace] });
  await here.open('settings/inboxes/1', 'Demo shop');
  const people = here.desk.getByRole('group', { name: 'Who works here' });
  await people.getByRole('checkbox', { name: 'Grace Agent' }).uncheck();
  await here.service.agent('POST', `${account}/inbox_members`, { inbox_id: 1, user_ids: [colleague] });
  await button('Save people').click();
  await here.done('People saved.');
  expect(await ids('inbox_members/1')).toEqual([1, colleague]);
  // What the colleague did is seen, and stays when these are saved again.
  await expect.poll(() => people.getByRole('checkbox', { name: 'Cleo' }).isChecked()).toBe(true);
  await people.getByRole('checkbox', { name: 'Grace Agent' }).check();
  await button('Save people').click();
  await expect.poll(() => ids('inbox_members/1')).toEqual([1, grace, colleague]);
});

test('a time that is taken away to write another one is kept until that one is whole', async () => {
  const hours = async () => {
    const { body } = await here.service.agent('GET', `${account}/inboxes/1`);
    const days = z.object({ working_hours: z.array(z.looseObject({ day_of_week: z.number() })) }).parse(body);
    return days.working_hours.find(({ day_of_week }) => day_of_week === 1);
  };
  await here.open('settings/inboxes/1', 'Demo shop');
  await here.desk.getByRole('switch', { name: 'Keep working hours' }).check();
  await here.desk.getByRole('combobox', { name: 'Monday' }).selectOption('Open');
  const from = here.desk.getByLabel('Monday from');
  await from.fill('09:30');
  await from.press('Backspace');
  expect(await from.inputValue()).toBe('');
  await from.press('Tab');
  await here.desk.getByLabel('Monday until').focus();
  expect(await from.inputValue()).toBe('09:30');
  await button('Save inbox').click();
  await here.done('Inbox saved.');
  expect(await hours()).toMatchObject({ open_hour: 9, open_minutes: 30 });
});

test('a rule whose yes or no was not chosen is not kept as a no', async () => {
  await here.open('settings/automation/new', 'New rule');
  await here.desk.getByLabel('Name').fill('For notes');
  await here.desk.getByLabel('What condition 1 asks').selectOption('Private note');
  await here.desk.getByLabel('Action 1', { exact: true }).selectOption('resolve_conversation');
  await button('Save rule').click();
  await here.desk.getByText(/names no value/).waitFor();
  await here.desk.getByLabel('Value of condition 1').selectOption('Yes');
  await button('Save rule').click();
  await here.desk.getByText('private note is yes').waitFor();
});
