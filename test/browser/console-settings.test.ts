/**
 * What an administrator sets in the console, from end to end: each page does its job, and axe objects to nothing on any
 * of all the console's pages, by day and by night.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { agent, chat, openShop } from '../support/browser.js';
import { type Console, startConsole } from '../support/console.js';
import { isSigned } from '../support/receiver.js';
import { inboxPath, startMs } from '../support/service.js';

let here: Console;
beforeAll(async () => {
  here = await startConsole();
}, startMs);
afterAll(() => here.end());

const account = '/api/v1/accounts/1';

test('a rule made in the console runs, is seen on the conversation that sets it off, switched, renamed and deleted', async () => {
  await here.service.agent('POST', `${account}/labels`, { title: 'returns' });
  await here.service.agent('POST', `${account}/teams`, { name: 'Parcels' });
  await here.open('settings/automation', 'Automation');
  await here.desk.getByRole('link', { name: 'New rule' }).click();
  await here.desk.getByLabel('Name').fill('Returns go to parcels');
  await here.desk.getByLabel('Value of condition 1').fill('send it back');
  await here.desk.getByLabel('What action 1 takes').selectOption('returns');
  await here.desk.getByRole('button', { name: 'Add action' }).click();
  await here.desk.getByLabel('Action 2', { exact: true }).selectOption('Give it to the team');
  await here.desk.getByLabel('What action 2 takes').selectOption('Parcels');
  await here.desk.getByRole('button', { name: 'Save rule' }).click();
  await here.desk.getByText('words contains “send it back”').waitFor();

  const { close } = await here.talk('May I send it back?');
  await here.desk.getByRole('button', { name: 'Remove the label returns' }).waitFor();
  const team = here.desk
    .locator('.assignment')
    .getByRole('combobox', { name: 'Team' })
    .locator('option:checked');
  await expect.poll(() => team.textContent()).toBe('Parcels');
  await close();

  await here.open('settings/automation', 'Automation');
  await here.desk.getByRole('switch', { name: 'Returns go to parcels is on' }).uncheck();
  await here.done('The rule is off.');
  await here.desk.getByRole('link', { name: 'Edit Returns go to parcels' }).click();
  await here.desk.getByLabel('Name').fill('Returns');
  await here.desk.getByRole('button', { name: 'Save rule' }).click();
  await here.desk.getByRole('button', { name: 'Delete Returns' }).click();
  await here.dialog().getByRole('button', { name: 'Delete rule' }).click();
  await here.desk.getByText('No rule yet').waitFor();
});

test('a webhook made in the console tells its secret once, and its log shows what was sent and sends again', async () => {
  here.receiver.answer = () => 500;
  await here.open('settings/webhooks', 'Webhooks');
  await here.desk.getByRole('button', { name: 'New webhook' }).click();
  await here.dialog().getByLabel('Name').fill('Warehouse');
  await here.dialog().getByLabel('Address').fill(`${here.receiver.url}/hook`);
  await here.dialog().getByRole('button', { name: 'Save webhook' }).click();
  await here.done('The webhook is saved. The secret is shown once, above the list.');
  const secret = await here.desk.getByRole('textbox', { name: 'Secret' }).inputValue();
  expect(secret.length).toBeGreaterThan(20);

  const visitor = await openShop(here.browser, `${here.service.url}/`);
  await chat(visitor.page).open();
  await chat(visitor.page).say('Tell the warehouse');
  await agent(here.service).conversationOf('Tell the warehouse');
  await expect.poll(() => here.receiver.of('message_created').length).toBeGreaterThan(0);
  expect(here.receiver.of('message_created').every((one) => isSigned(one, secret))).toBe(true);

  await here.desk.getByRole('link', { name: 'Open Warehouse' }).click();
  await here.desk.getByRole('heading', { name: 'Warehouse', level: 1 }).waitFor();
  expect(await here.desk.getByText(secret).count()).toBe(0);
  const rows = here.desk.getByRole('row').filter({ hasText: 'message_created' });
  const given = rows.filter({ hasText: 'Given up' });
  await expect
    .poll(async () => {
      await here.desk.getByRole('button', { name: 'Refresh' }).click();
      return given.count();
    })
    .toBeGreaterThan(0);
  here.receiver.answer = () => 200;
  await given.first().getByRole('button', { name: 'Send again' }).click();
  await here.done('It is sent again.');
  await expect
    .poll(async () => {
      await here.desk.getByRole('button', { name: 'Refresh' }).click();
      return rows.filter({ hasText: 'Delivered' }).count();
    })
    .toBeGreaterThan(0);
  await here.desk.getByLabel('State').selectOption('Delivered');
  await here.desk.getByText('200').first().waitFor();
  await visitor.close();
});

test('what is changed in the settings of an inbox is what the widget is told, and what visitors hear', async () => {
  await here.service.agent('PATCH', `${account}/inboxes/1`, {
    allow_messages_after_resolved: false,
    enable_auto_assignment: true,
  });
  await here.open('settings/inboxes', 'Inboxes');
  await here.desk.getByRole('link', { name: /Demo shop/ }).click();
  // Each of them does something: what the account API only keeps for others has no switch.
  await here.desk.getByRole('switch', { name: 'Greet visitors' }).waitFor();
  expect(await here.desk.getByRole('switch').count()).toBe(5);
  await here.desk.getByRole('switch', { name: 'Greet visitors' }).check();
  await here.desk.getByLabel('Greeting').fill('Welcome to the lamps');
  await here.desk.getByRole('switch', { name: 'Keep working hours' }).check();
  await here.desk.getByLabel('Time zone').selectOption('Europe/Oslo');
  await here.desk.getByRole('combobox', { name: 'Saturday' }).selectOption('Open');
  await here.desk.getByLabel('Saturday from').fill('10:30');
  await here.desk.getByLabel('Saturday until').fill('14:00');
  await here.desk.getByRole('combobox', { name: 'Monday' }).selectOption('Closed');
  await here.desk.getByRole('switch', { name: 'Ask for a rating' }).check();
  await here.desk.getByRole('button', { name: 'Save inbox' }).click();
  await here.done('Inbox saved.');
  const told = await here.service.call('GET', inboxPath);
  // Saving the rest leaves them as they are.
  const { body: kept } = await here.service.agent('GET', `${account}/inboxes/1`);
  expect(kept).toMatchObject({ allow_messages_after_resolved: false, enable_auto_assignment: true });
  expect(told.body).toMatchObject({
    timezone: 'Europe/Oslo',
    working_hours_enabled: true,
    greeting_enabled: true,
    csat_survey_enabled: true,
    working_hours: expect.arrayContaining([
      expect.objectContaining({
        day_of_week: 6,
        open_hour: 10,
        open_minutes: 30,
        close_hour: 14,
        close_minutes: 0,
      }),
      expect.objectContaining({ day_of_week: 1, closed_all_day: true, open_hour: null }),
    ]),
  });
  const { page, close } = await here.talk('Anybody there?');
  await chat(page).bubble('Welcome to the lamps').waitFor();
  await here.log().getByText('Welcome to the lamps').waitFor();
  await here.desk.getByRole('button', { name: 'Resolve' }).click();
  await chat(page).bubble('Please rate the conversation').waitFor();
  await close();
  await here.service.agent('PATCH', `${account}/inboxes/1`, {
    greeting_enabled: false,
    csat_survey_enabled: false,
  });
});

test('labels, canned answers, teams, agents and attributes are made, changed and deleted', async () => {
  const save = (noun: string) =>
    here
      .dialog()
      .getByRole('button', { name: `Save ${noun}` })
      .click();
  const remove = async (name: string, noun: string) => {
    await here.desk.getByRole('button', { name: `Delete ${name}`, exact: true }).click();
    await here
      .dialog()
      .getByRole('button', { name: `Delete ${noun}` })
      .click();
    await here.done(`The ${noun} is gone.`);
    // Its row has gone, and the keyboard goes on from the head of the list.
    const heir = here.desk.getByRole('button', { name: `New ${noun}` });
    await expect.poll(() => heir.evaluate((button) => button === document.activeElement)).toBe(true);
  };
  await here.open('settings/labels', 'Labels');
  await here.desk.getByRole('button', { name: 'New label' }).click();
  await here.dialog().getByLabel('Word').fill('gone-soon');
  await save('label');
  await here.done('The label is saved.');
  await here.desk.getByRole('button', { name: 'Edit gone-soon' }).click();
  await here.dialog().getByLabel('Description').fill('Of no use');
  await save('label');
  await here.desk.getByText('Of no use').waitFor();
  await remove('gone-soon', 'label');

  await here.open('settings/canned', 'Canned answers');
  await here.desk.getByRole('button', { name: 'New canned answer' }).click();
  await here.dialog().getByLabel('Short code').fill('bye');
  await here.dialog().getByLabel('Words').fill('Good-bye');
  await save('answer');
  await remove('bye', 'canned answer');

  await here.open('settings/teams', 'Teams');
  await here.desk.getByRole('button', { name: 'New team' }).click();
  await here.dialog().getByLabel('Name').fill('night');
  await here.dialog().getByRole('checkbox', { name: 'Grace Agent' }).check();
  await save('team');
  await here.desk.getByRole('button', { name: 'Edit night' }).click();
  await expect
    .poll(() => here.dialog().getByRole('checkbox', { name: 'Grace Agent' }).isChecked())
    .toBe(true);
  await here.dialog().getByRole('button', { name: 'Cancel' }).click();
  await remove('night', 'team');

  await here.open('settings/agents', 'Agents');
  const engage = async (name: string, email: string) => {
    await here.desk.getByRole('button', { name: 'New agent' }).click();
    await here.dialog().getByLabel('Name').fill(name);
    await here.dialog().getByLabel('E-mail').fill(email);
    await save('agent');
    await here.done('The agent is saved. The link is shown once, above the list.');
  };
  const shownTo = (name: string) =>
    here.desk.getByRole('region', { name: `Shown once: ${name}` }).getByRole('textbox', { name: 'Secret' });
  await engage('Lin Late', 'lin@demo.example');
  const link = await shownTo('Lin Late').inputValue();
  // Another one's does not take its place.
  await engage('Mia Morning', 'mia@demo.example');
  expect(await shownTo('Mia Morning').inputValue()).not.toBe(link);
  expect(await shownTo('Lin Late').inputValue()).toBe(link);
  const lin = await openShop(here.browser, link);
  await lin.page.getByRole('navigation', { name: 'Conversations' }).waitFor();
  expect(await lin.page.getByRole('link', { name: 'Reports' }).count()).toBe(0);
  await lin.close();
  await here.desk
    .getByRole('region', { name: 'Shown once: Mia Morning' })
    .getByRole('button', { name: 'Hide for good' })
    .click();
  await shownTo('Mia Morning').waitFor({ state: 'detached' });
  expect(await shownTo('Lin Late').count()).toBe(1);
  await remove('Mia Morning', 'agent');
  await remove('Lin Late', 'agent');

  await here.open('settings/attributes', 'Attributes');
  await here.desk.getByRole('radio', { name: 'Conversations' }).check();
  await here.desk.getByRole('button', { name: 'New attribute' }).click();
  await here.dialog().getByLabel('Name').fill('Shelf size');
  await here.dialog().getByLabel('Type').selectOption('List');
  await here.dialog().getByLabel('Values, one a line').fill('S\nL');
  await save('attribute');
  await here.desk.getByText('shelf_size').waitFor();
  await remove('Shelf size', 'attribute');
});

const findings = z.array(z.string());

test('axe objects to nothing on any page, by day, by night, on a phone and on a desk; nothing is cut off', {
  timeout: 480_000,
}, async () => {
  const words = 'Look at me closely';
  const { conversation, close } = await here.talk(words);
  const off = await here.service.agent('POST', `${account}/automation_rules`, {
    name: 'Off since May',
    event_name: 'message_created',
    conditions: [],
    actions: [{ action_name: 'add_label', action_params: ['returns'] }],
    active: false,
  });
  expect(off.status, JSON.stringify(off.body)).toBe(200);
  const places = [
    '',
    `${conversation}`,
    `${conversation}/details`,
    'contacts',
    'contacts/1',
    'reports',
    'settings',
    'settings/automation',
    'settings/automation/new',
    'settings/webhooks',
    'settings/webhooks/1',
    'settings/inboxes',
    'settings/inboxes/1',
    'settings/attributes',
    'settings/labels',
    'settings/canned',
    'settings/teams',
    'settings/notifications',
    'settings/agents',
  ];
  const { page, errors } = await openShop(here.browser, here.service.consoleUrl, { reducedMotion: 'reduce' });
  await page.getByRole('navigation', { name: 'Conversations' }).waitFor();
  await page.evaluate(here.axe);
  const all: string[] = [];
  const look = async (where: string) => {
    for (const [width, colorScheme] of [
      [320, 'light'],
      [1280, 'light'],
      [1280, 'dark'],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      const found = await page.evaluate(`(async () => {
        const { violations } = await axe.run(document, { resultTypes: ['violations'] });
        const wide = document.documentElement.scrollWidth - innerWidth;
        return [
          ...violations.flatMap(({ id, nodes }) =>
            nodes.map(({ target, failureSummary }) => id + ' at ' + JSON.stringify(target) + ' ' + failureSummary)),
          ...(wide > 0 ? ['wider than the page by ' + wide] : []),
        ];
      })()`);
      all.push(...findings.parse(found).map((one) => `${where}, ${colorScheme}, ${width} px: ${one}`));
    }
  };
  for (const place of places) {
    await page.evaluate((hash) => {
      location.hash = hash;
    }, `#/${place}`);
    await page.locator('h1').first().waitFor({ state: 'attached' });
    if (place === 'settings/automation') {
      await page.locator('.off').getByRole('link', { name: 'Off since May', exact: true }).waitFor();
    }
    await look(`#/${place}`);
  }
  await page.getByRole('button', { name: 'New agent' }).click();
  await look('a dialog');
  await page.keyboard.press('Escape');
  expect(all).toEqual([]);
  expect(errors).toEqual([]);
  await page.context().close();
  await close();
});
