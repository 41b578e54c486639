/** Changes made in the console: none is lost over another one, and none looks done that was not. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { ratioOf } from '../../demo/playground/model/contrast.js';
import { type Console, startConsole } from '../support/console.js';
import { gate } from '../support/gate.js';
import { startMs } from '../support/service.js';

let here: Console;
beforeAll(async () => {
  here = await startConsole();
}, startMs);
afterAll(() => here.end());

const account = '/api/v1/accounts/1';

const shown = async (conversation: number) =>
  (await here.service.agent('GET', `${account}/conversations/${conversation}`)).body;

/** The next change at this address does not arrive. */
const loseNext = (address: string) => here.desk.route(address, (route) => route.abort(), { times: 1 });

test('a change that is tried again is one of the conversation it was made in, whichever is open by then', async () => {
  const other = await here.talk('The visitor who did nothing');
  const first = await here.talk('The visitor who is to be muted');
  await loseNext('**/mute');
  await here.desk.getByRole('button', { name: 'Put aside' }).click();
  await here.desk.getByRole('menuitem', { name: 'Mute and block' }).click();
  await here.dialog().getByRole('button', { name: 'Mute and block' }).click();
  await here.done('The conversation was not muted');
  const list = here.desk.getByRole('navigation', { name: 'Conversations' });
  await list.getByRole('button', { name: 'The visitor who did nothing' }).click();
  await here.log().getByText('The visitor who did nothing').waitFor();
  await here.desk.getByRole('button', { name: 'Try again' }).click();
  await here.done('Conversation muted.');
  expect(await shown(other.conversation)).toMatchObject({
    status: 'open',
    meta: { sender: { blocked: false } },
  });
  expect(await shown(first.conversation)).toMatchObject({
    status: 'resolved',
    meta: { sender: { blocked: true } },
  });
  await other.close();
  await first.close();
});

test('labels changed one upon the other are all there, and those that a colleague has put on, too', async () => {
  for (const title of ['first', 'second']) await here.service.agent('POST', `${account}/labels`, { title });
  const { conversation, close } = await here.talk('The visitor with labels');
  const labels = `**/conversations/${conversation}/labels`;
  const add = here.desk.getByLabel('Add a label');
  const held = gate();
  const asked = here.desk.waitForRequest(labels);
  await here.desk.route(labels, async (route) => {
    await held.opened;
    await route.fallback();
  });
  await add.selectOption('first');
  await asked;
  await here.service.agent('POST', `${account}/conversations/${conversation}/labels`, { labels: ['theirs'] });
  await add.selectOption('second');
  held.open();
  await expect
    .poll(async () =>
      z
        .object({ labels: z.array(z.string()) })
        .parse(await shown(conversation))
        .labels.sort(),
    )
    .toEqual(['first', 'second', 'theirs']);
  await here.desk.getByRole('button', { name: 'Remove the label first' }).click();
  await here.desk.getByRole('button', { name: 'Remove the label first' }).waitFor({ state: 'detached' });
  await expect.poll(() => shown(conversation)).toMatchObject({ labels: ['theirs', 'second'] });
  await close();
});

test('a control whose change was refused shows what is so', async () => {
  const { close } = await here.talk('The visitor whom nobody takes');
  const assigned = here.desk.locator('.assignment').getByLabel('Assigned to', { exact: true });
  await loseNext('**/assignments');
  await assigned.selectOption({ index: 1 });
  await here.done('The conversation was not assigned');
  await expect.poll(() => assigned.locator('option:checked').textContent()).toBe('Nobody');
  await close();
  await here.service.agent('POST', `${account}/automation_rules`, {
    name: 'Never off',
    event_name: 'message_created',
    conditions: [],
    actions: [{ action_name: 'add_label', action_params: ['first'] }],
  });
  await here.open('settings/automation', 'Automation');
  const isOn = here.desk.getByRole('switch', { name: 'Never off is on' });
  await loseNext('**/automation_rules/*');
  await isOn.click();
  await here.done('The rule was not switched');
  await expect.poll(() => isOn.isChecked()).toBe(true);
});

test('a switch shows what was asked for and what came of it, whatever was on its way meanwhile', async () => {
  const rule = (name: string) =>
    here.service.agent('POST', `${account}/automation_rules`, {
      name,
      event_name: 'message_created',
      conditions: [],
      actions: [{ action_name: 'add_label', action_params: ['first'] }],
    });
  await rule('On and off');
  await here.open('settings/labels', 'Labels');
  await here.open('settings/automation', 'Automation');
  const isOn = here.desk.getByRole('switch', { name: 'On and off is on' });
  await isOn.waitFor();

  /** The page, whose rules were read and arrive once the gate is opened. */
  const comeBack = async () => {
    const read = gate();
    const list = gate();
    await here.desk.getByRole('link', { name: 'Labels' }).click();
    await here.desk.route(
      '**/automation_rules',
      async (route) => {
        const response = await route.fetch();
        read.open();
        await list.opened;
        await route.fulfill({ response });
      },
      { times: 1 },
    );
    await here.desk.getByRole('link', { name: 'Automation' }).click();
    await read.opened;
    return list;
  };

  await rule('A colleague’s first');
  const older = await comeBack();
  await isOn.click();
  await here.done('The rule is off.');
  older.open();
  await here.desk.getByRole('link', { name: 'A colleague’s first', exact: true }).waitFor();
  expect(await isOn.isChecked()).toBe(false);

  await rule('A colleague’s second');
  const newer = await comeBack();
  const change = gate();
  await here.desk.route(
    '**/automation_rules/*',
    async (route) => {
      await change.opened;
      await route.fallback();
    },
    { times: 1 },
  );
  await isOn.click();
  newer.open();
  await here.desk.getByRole('link', { name: 'A colleague’s second', exact: true }).waitFor();
  expect(await isOn.isChecked()).toBe(true);
  change.open();
  await here.done('The rule is on.');
  expect(await isOn.isChecked()).toBe(true);
});

test('what went wrong does not look like what was done, by day, by night and without colours', async () => {
  const { close } = await here.talk('Somebody take me');
  const line = here.desk.locator('.status-line');
  const look = async (words: string) => {
    await here.done(words);
    const seen = await line.evaluate((one) => ({
      ground: getComputedStyle(one).backgroundColor,
      drawing: one.querySelector('path')?.getAttribute('d'),
    }));
    const button = line.getByRole('button');
    const texts = [line.getByRole('status'), ...((await button.count()) ? [button] : [])];
    const style = (of: typeof line) =>
      of.evaluate((one) => [getComputedStyle(one).color, getComputedStyle(one).backgroundColor] as const);
    for (const text of texts) expect(ratioOf((await style(text))[0], seen.ground)).toBeGreaterThan(4.5);
    if (await button.count()) {
      await button.hover();
      // Its colours are on their way for a moment.
      await expect.poll(async () => ratioOf(...(await style(button)))).toBeGreaterThan(4.5);
    }
    return seen;
  };
  const assigned = here.desk.locator('.assignment').getByLabel('Assigned to', { exact: true });
  for (const colorScheme of ['light', 'dark'] as const) {
    await here.desk.emulateMedia({ colorScheme });
    await loseNext('**/assignments');
    await assigned.selectOption({ index: 1 });
    const wrong = await look('The conversation was not assigned');
    await line.getByRole('button', { name: 'Try again' }).click();
    const done = await look('Assignment changed.');
    expect(wrong.ground).not.toBe(done.ground);
    expect(wrong.drawing).not.toBe(done.drawing);
    await assigned.selectOption({ index: 0 });
    await line.getByText('Assignment changed.').waitFor({ state: 'detached' });
  }
  await close();
});

test('saving a contact changes what was changed here, and nothing that happened to them meanwhile', async () => {
  const made = await here.service.agent('POST', `${account}/contacts`, { name: 'Left open', blocked: false });
  const { id } = z.object({ payload: z.object({ contact: z.object({ id: z.number() }) }) }).parse(made.body)
    .payload.contact;
  const contact = `${account}/contacts/${id}`;
  await here.open(`contacts/${id}`, 'Left open');
  const name = here.desk.getByLabel('Name', { exact: true });
  const email = here.desk.getByLabel('E-mail');
  const phone = here.desk.getByLabel('Phone');
  await name.fill('Typed here');
  await here.service.agent('PUT', contact, {
    name: 'Told elsewhere',
    email: 'left@example.org',
    blocked: true,
  });
  // What nobody touched here is taken over, and what is typed stays.
  await expect.poll(() => email.inputValue()).toBe('left@example.org');
  expect(await name.inputValue()).toBe('Typed here');
  // Nor does it depend on what this page has heard.
  await here.desk.context().setOffline(true);
  await here.service.agent('PUT', contact, { identifier: 'proved-meanwhile' });
  await phone.fill('+12025550177');
  await here.desk.context().setOffline(false);
  await here.desk.getByRole('button', { name: 'Save contact' }).click();
  await here.done('Contact saved.');
  const { body } = await here.service.agent('GET', contact);
  expect(body).toMatchObject({
    payload: {
      name: 'Typed here',
      email: 'left@example.org',
      phone_number: '+12025550177',
      identifier: 'proved-meanwhile',
      blocked: true,
    },
  });
});

test('a rule made through the API keeps what a field cannot tell when another part of it is changed', async () => {
  await here.service.agent('POST', `${account}/custom_attribute_definitions`, {
    attribute_display_name: 'Renewed on',
    attribute_display_type: 'date',
    attribute_model: 'contact_attribute',
    attribute_key: 'renewed_on',
  });
  const conditions = [
    {
      attribute_key: 'content',
      filter_operator: 'contains',
      values: ['refund, please'],
      query_operator: 'and',
    },
    {
      attribute_key: 'status',
      filter_operator: 'equal_to',
      values: ['open', 'pending'],
      query_operator: 'and',
    },
    { attribute_key: 'inbox_id', filter_operator: 'equal_to', values: [1, 2], query_operator: 'and' },
    {
      attribute_key: 'renewed_on',
      filter_operator: 'is_less_than',
      values: ['2026-01-31'],
      query_operator: null,
    },
  ];
  const actions = [{ action_name: 'add_label', action_params: ['billing', 'urgent'] }];
  const made = await here.service.agent('POST', `${account}/automation_rules`, {
    name: 'By a program',
    event_name: 'message_created',
    conditions,
    actions,
  });
  const { id } = z.object({ payload: z.object({ id: z.number() }) }).parse(made.body).payload;
  const save = () => here.desk.getByRole('button', { name: 'Save rule' }).click();
  const stored = async () => (await here.service.agent('GET', `${account}/automation_rules/${id}`)).body;
  await here.open(`settings/automation/${id}`, 'By a program');
  const chosen = here.desk.getByLabel('Value of condition 2').locator('option:checked');
  expect(await chosen.textContent()).toBe('Open, Pending');
  // Another condition is taken away, so that all are sent.
  await here.desk.getByRole('button', { name: 'Add condition' }).click();
  await here.desk.getByLabel('Value of condition 5').fill('gone');
  await here.desk.getByRole('button', { name: 'Remove condition 5' }).click();
  await here.desk.getByLabel('Value of condition 4').fill('2026-02-28');
  await here.desk.getByRole('button', { name: 'Add action' }).click();
  await here.desk.getByLabel('Action 2', { exact: true }).selectOption('Resolve it');
  await save();
  await here.done('Rule saved.');
  const [words, status, inbox, date] = conditions;
  expect(await stored()).toMatchObject({
    payload: {
      conditions: [words, status, inbox, { ...date, values: ['2026-02-28'] }],
      actions: [...actions, { action_name: 'resolve_conversation' }],
    },
  });
});

test('a list that could not be loaded is said where it is used, and is tried again there', async () => {
  for (let n = 10; n < 40; n += 1) {
    await here.service.agent('POST', `${account}/canned_responses`, {
      short_code: `can${n}`,
      content: `Words ${n}`,
    });
  }
  const { close } = await here.talk('The visitor who waits for a canned answer');
  await loseNext('**/canned_responses');
  await here.field().press('/');
  await here.dialog().getByText('This could not be loaded').waitFor();
  await here.dialog().getByRole('button', { name: 'Try again' }).click();
  // The chosen one stays in sight.
  const last = here.dialog().getByRole('option', { name: 'Words 39' });
  await last.waitFor();
  for (let n = 10; n < 39; n += 1) await here.dialog().getByRole('combobox').press('ArrowDown');
  expect(await last.getAttribute('aria-selected')).toBe('true');
  const isInSight = () =>
    last.evaluate((option) => {
      const { bottom } = option.getBoundingClientRect();
      return (
        bottom <= (option.parentElement?.getBoundingClientRect().bottom ?? 0) + 1 && bottom <= innerHeight
      );
    });
  await expect.poll(isInSight).toBe(true);
  await here.desk.keyboard.press('Escape');
  await close();
  await here.open('settings/inboxes/1', 'Demo shop');
  // The page before asks for it, too, whenever something changes.
  await here.desk.route('**/inboxes', (route) => route.abort());
  await here.desk.reload();
  await here.desk.getByText('This could not be loaded').waitFor();
  await here.desk.unroute('**/inboxes');
  await here.desk.getByRole('button', { name: 'Try again' }).click();
  await here.desk.getByRole('button', { name: 'Save inbox' }).waitFor();
});

test('a team whose members were not kept is made once, and is whole after another try', async () => {
  await here.open('settings/teams', 'Teams');
  await here.desk.getByRole('button', { name: 'New team' }).click();
  await here.dialog().getByLabel('Name').fill('nightly');
  await here.dialog().getByRole('checkbox', { name: 'Grace Agent' }).check();
  const save = here.dialog().getByRole('button', { name: 'Save team' });
  await loseNext('**/team_members');
  await save.click();
  await here.dialog().getByText('The team was not saved').waitFor();
  await save.click();
  await here.dialog().waitFor({ state: 'detached' });
  await here.desk.getByRole('button', { name: 'Edit nightly' }).click();
  await expect
    .poll(() => here.dialog().getByRole('checkbox', { name: 'Grace Agent' }).isChecked())
    .toBe(true);
  await here.dialog().getByRole('button', { name: 'Cancel' }).click();
});

test('an attribute that nobody has defined stays of its kind', async () => {
  const { conversation, close } = await here.talk('The visitor on the fourth floor');
  const path = `${account}/conversations/${conversation}/custom_attributes`;
  await here.service.agent('POST', path, { custom_attributes: { floor: 4, cart: { lamps: 2 } } });
  await here.desk.getByRole('button', { name: 'Change Floor' }).click();
  await here.desk.getByRole('spinbutton', { name: 'Floor' }).fill('42');
  await here.desk.getByRole('button', { name: 'Save Floor' }).click();
  await here.done('Attribute changed.');
  expect(await here.desk.getByRole('button', { name: 'Change Cart' }).count()).toBe(0);
  expect(await shown(conversation)).toMatchObject({ custom_attributes: { floor: 42, cart: { lamps: 2 } } });
  await close();
});

test('the conversation that somebody had before they were named is one press away', async () => {
  const before = await here.talk('Nobody in particular');
  const { conversation, close } = await here.talk('Somebody by now');
  const path = `${account}/conversations/${conversation}/custom_attributes`;
  await here.service.agent('POST', path, {
    custom_attributes: { previous_conversation: before.conversation },
  });
  await here.desk.getByRole('link', { name: `#${before.conversation}`, exact: true }).click();
  await here.log().getByText('Nobody in particular', { exact: true }).waitFor();
  await before.close();
  await close();
});
