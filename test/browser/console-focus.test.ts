/** Where the keyboard is after what was pressed has gone, in a real browser before a real service. */
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agent, chat, openShop } from '../support/browser.js';
import { type Console, startConsole } from '../support/console.js';
import { startMs } from '../support/service.js';

let here: Console;
beforeAll(async () => {
  here = await startConsole();
}, startMs);
afterAll(() => here.end());

const account = '/api/v1/accounts/1';
const button = (name: string) => here.desk.getByRole('button', { name, exact: true });
const pressed = (place: Locator) => place.press('Enter');

const hasFocus = (place: Locator) => () => place.evaluate((element) => element === document.activeElement);

/** Pressed by key, gone, and the keyboard goes on from there. */
async function leavesTo(going: Locator, heir: Locator) {
  await pressed(going);
  await going.waitFor({ state: 'detached' });
  await expect.poll(hasFocus(heir)).toBe(true);
}

test('a condition and an action that are removed leave it where another is added', async () => {
  await here.open('settings/automation', 'Automation');
  await here.desk.getByRole('link', { name: 'New rule' }).click();
  await pressed(button('Add action'));
  await leavesTo(button('Remove condition 1'), button('Add condition'));
  await leavesTo(button('Remove action 2'), button('Add action'));
});

test('a delivery that is sent again leaves it where one asks how it went', async () => {
  const made = await here.service.agent('POST', `${account}/webhooks`, {
    webhook: { name: 'Shelf', url: `${here.receiver.url}/hook`, subscriptions: ['message_created'] },
  });
  expect(made.status).toBe(200);
  here.receiver.answer = () => 500;
  const { close } = await here.talk('Tell the shelf');
  await here.open('settings/webhooks', 'Webhooks');
  await here.desk.getByRole('link', { name: 'Open Shelf' }).click();
  const again = button('Send again');
  await expect
    .poll(async () => {
      await button('Refresh').click();
      return again.count();
    })
    .toBe(1);
  here.receiver.answer = () => 200;
  await leavesTo(again, button('Refresh'));
  await close();
});

test('in a conversation it stays with the thread', async () => {
  const { page, conversation, close } = await here.talk('The first words');
  for (let n = 1; n <= 25; n += 1) await agent(here.service).tell(conversation, { content: `Said ${n}` });
  await here.desk.reload();
  await here.log().getByText('Said 25').waitFor();
  await leavesTo(button('Load earlier'), here.log());

  await here.log().evaluate((log) => log.scrollTo({ top: 0 }));
  await chat(page).say('Meanwhile');
  await leavesTo(button('New message'), here.log());

  const sending = `**/conversations/${conversation}/messages`;
  const contents = () => agent(here.service).contents(conversation);
  for (const name of ['Try again', 'Discard']) {
    await here.desk.route(sending, (route) => route.abort(), { times: 1 });
    await here.field().fill(`To ${name}`);
    await here.field().press('Enter');
    // What is discarded is the draft again.
    const heir = name === 'Discard' ? here.field() : here.log();
    await leavesTo(here.log().getByRole('button', { name, exact: true }), heir);
    // What is sent again must not be what fails next.
    await expect.poll(contents).toContain('To Try again');
  }
  expect(await contents()).not.toContain('To Discard');
  await close();
});

test('who turns to the last page can turn back', async () => {
  for (let n = 0; n < 16; n += 1) {
    const fields = { inbox_id: 1, name: `Turned ${n}`, email: `turned-${n}@example.org` };
    const made = await here.service.agent('POST', `${account}/contacts`, fields);
    expect(made.status, JSON.stringify(made.body)).toBe(200);
  }
  // Nothing that waits when the page comes turns back what was turned since.
  await here.desk.clock.install();
  await here.open('contacts', 'Contacts');
  const turn = here.desk.getByRole('button', { name: /Next/ });
  await pressed(turn);
  await here.desk.getByText('Page 2 of 2').waitFor();
  await here.desk.clock.runFor(1_000);
  expect(await here.desk.getByText('Page 2 of 2').count()).toBe(1);
  expect(await turn.evaluate((element) => element === document.activeElement)).toBe(true);
  await pressed(turn);
  await here.desk.keyboard.press('Shift+Tab');
  await here.desk.keyboard.press('Enter');
  await here.desk.getByText('Page 1 of 2').waitFor();
});

test('what could not be loaded leaves it with the page once it was', async () => {
  await here.desk.route('**/labels', (route) => route.abort(), { times: 1 });
  await here.open('settings/labels', 'Labels');
  await leavesTo(button('Try again'), here.desk.getByRole('heading', { name: 'Labels', level: 1 }));
});

test('a secret that is hidden leaves it with what can be done on the page', async () => {
  await here.open('settings/webhooks', 'Webhooks');
  await button('New webhook').click();
  await here.dialog().getByLabel('Name').fill('Told once');
  await here.dialog().getByLabel('Address').fill(`${here.receiver.url}/once`);
  await here.dialog().getByRole('button', { name: 'Save webhook' }).click();
  await leavesTo(button('Hide for good'), button('New webhook'));
});

test('the last label that is put on leaves it with the labels', async () => {
  await here.service.agent('POST', `${account}/labels`, { title: 'only' });
  const { close } = await here.talk('Label me');
  const add = here.desk.getByLabel('Add a label');
  await add.focus();
  await add.selectOption('only');
  await add.waitFor({ state: 'detached' });
  await expect.poll(hasFocus(here.desk.getByRole('list', { name: 'Labels' }))).toBe(true);
  await close();
});

test('the last page of conversations leaves it before the first that it brought', async () => {
  const { conversation, close } = await here.talk('One of many');
  await here.service.db.query(
    `insert into conversations (account_id, display_id, inbox_id, contact_id, contact_inbox_id, status, last_activity_at)
     select account_id, 1000 + n, inbox_id, contact_id, contact_inbox_id, 'open', timestamp '2020-01-01' - n * interval '1 hour'
     from conversations, generate_series(1, 30) n where display_id = $1`,
    [conversation],
  );
  await here.open('', 'Parley console');
  await here.desk.reload();
  await leavesTo(
    button('Show more conversations'),
    here.desk.getByRole('navigation', { name: 'Conversations' }).locator('li:nth-child(25) button'),
  );
  await close();
});

test('a token that is not accepted leaves it in its field', async () => {
  const { page, close } = await openShop(here.browser, `${here.service.url}/agent/`);
  const token = page.getByLabel('Access token');
  await token.fill('no-such-token');
  await token.press('Enter');
  await page.getByText('This access token is not accepted.').waitFor();
  await expect.poll(hasFocus(token)).toBe(true);
  await token.fill('no-such-token');
  await page.route('**/api/v1/profile', (route) => route.abort());
  await token.press('Enter');
  await expect.poll(hasFocus(page.getByRole('button', { name: 'Try again' }))).toBe(true);
  await close();
});

test('a conversation that leaves the list leaves it with the next one', async () => {
  const next = await here.talk('The one below');
  const { conversation, close } = await here.talk('The one that goes');
  await next.page.bringToFront();
  const list = here.desk.getByRole('navigation', { name: 'Conversations' });
  await list.getByLabel('Status').selectOption('Open');
  const going = list.getByRole('button', { name: 'The one that goes' });
  await going.focus();
  const resolved = await here.service.agent(
    'POST',
    `${account}/conversations/${conversation}/toggle_status`,
    { status: 'resolved' },
  );
  expect(resolved.status).toBe(200);
  await going.waitFor({ state: 'detached' });
  await expect.poll(hasFocus(list.getByRole('button', { name: 'The one below' }))).toBe(true);
  await close();
  await next.close();
});

test('a link that goes with its page leaves it with the heading of the next', async () => {
  await here.open('settings/automation', 'Automation');
  const heading = (name: string) => here.desk.getByRole('heading', { name, level: 1 });
  await leavesTo(here.desk.getByRole('link', { name: 'New rule' }), heading('New rule'));
  await leavesTo(here.desk.locator('.page-frame > .back-link'), heading('Automation'));
});

test('a link that is hidden by the page it leads to leaves it with the heading', async () => {
  // The settings and the list of them are one at a time on a narrow screen.
  const { page, close } = await openShop(here.browser, here.service.consoleUrl, {
    viewport: { width: 800, height: 800 },
  });
  const heading = (name: string) => page.getByRole('heading', { name, level: 1 });
  await page.getByRole('link', { name: 'Settings' }).press('Enter');
  await heading('Settings').waitFor();
  await page.getByRole('link', { name: 'Labels' }).press('Enter');
  await expect.poll(hasFocus(heading('Labels'))).toBe(true);
  await page.locator('.to-settings').press('Enter');
  await expect.poll(hasFocus(heading('Settings'))).toBe(true);
  await close();
});

test('arrows that choose between the attributes of contacts and of conversations keep it', async () => {
  await here.open('settings/attributes', 'Attributes');
  const choice = (name: string) => here.desk.getByRole('radio', { name });
  await choice('Contacts').press('ArrowRight');
  await here.desk.getByText('Order number').waitFor();
  await expect.poll(hasFocus(choice('Conversations'))).toBe(true);
  expect(await choice('Conversations').isChecked()).toBe(true);
  await choice('Conversations').press('ArrowLeft');
  await here.desk.getByText('Order number').waitFor({ state: 'detached' });
  await expect.poll(hasFocus(choice('Contacts'))).toBe(true);
});

test('a conversation that cannot be opened from a contact’s page says so where the keyboard is', async () => {
  const { conversation, close } = await here.talk('Not for you');
  await here.service.agent('POST', `${account}/conversations/${conversation}/toggle_status`, {
    status: 'resolved',
  });
  const { body } = await here.service.agent('GET', `${account}/conversations/${conversation}`);
  const { id } = Object(body).meta.sender;
  await here.service.agent('PUT', `${account}/contacts/${id}`, { name: 'Nora Nowhere' });
  await here.open(`contacts/${id}`, 'Nora Nowhere');
  // What was known of it is forgotten, and nobody tells of it anew.
  await here.desk.reload();
  await here.desk.route(new RegExp(`/conversations/${conversation}$`), (route) =>
    route.fulfill({ status: 404, json: { error: 'Resource could not be found' } }),
  );
  await here.desk.getByRole('link', { name: 'Not for you' }).press('Enter');
  const heading = here.desk.getByRole('heading', { name: 'The conversation could not be opened' });
  await heading.waitFor();
  expect(await hasFocus(heading)()).toBe(true);
  await here.desk.unrouteAll();
  await close();
});

test('who signs out is at the head of the sign-in page, and the title tells of nothing that waits', async () => {
  const { page, close } = await openShop(here.browser, here.service.consoleUrl);
  await page.getByText('signed in as Ada').waitFor();
  await page.getByRole('link', { name: 'Contacts' }).press('Enter');
  await expect.poll(() => page.title()).toContain('Contacts');
  await page.getByRole('button', { name: 'Sign out' }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).press('Enter');
  await page.getByLabel('Access token').waitFor();
  await expect.poll(hasFocus(page.getByRole('heading', { name: 'Parley', level: 1 }))).toBe(true);
  await expect.poll(() => page.title()).toBe('Parley console');
  await page.reload();
  await page.getByLabel('Access token').waitFor();
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true);
  await close();
});

test('a person who could be read at the second try has it with their name', async () => {
  const fields = { inbox_id: 1, name: 'Second Try', email: 'second-try@example.org' };
  const made = await here.service.agent('POST', `${account}/contacts`, fields);
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  await here.open('contacts', 'Contacts');
  await here.desk.getByRole('searchbox').fill('Second Try');
  await here.desk.route(/\/contacts\/\d+$/, (route) => route.abort(), { times: 1 });
  await here.desk.getByRole('link', { name: 'Second Try' }).click();
  await leavesTo(button('Try again'), here.desk.getByRole('heading', { name: 'Second Try', level: 1 }));
});

test('a page of contacts that does not come leaves the keyboard where it can turn back', async () => {
  await here.open('contacts', 'Contacts');
  await here.desk.route(/[?&]page=2\b/, (route) => route.abort());
  const turn = here.desk.getByRole('button', { name: /Next/ });
  await pressed(turn);
  await here.desk.getByRole('alert').waitFor();
  expect(await hasFocus(turn)()).toBe(true);
  await here.desk.getByRole('button', { name: /Previous/ }).press('Enter');
  await here.desk.getByText('Page 1 of 2').waitFor();
  await here.desk.getByRole('alert').waitFor({ state: 'detached' });
  await here.desk.unrouteAll();
});

test('a page that is loaded leaves the keyboard where the browser begins', async () => {
  const { page, close } = await openShop(here.browser, here.service.consoleUrl);
  await page.goto(`${here.service.url}/agent/#/contacts/1`);
  await page.reload();
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.locator('.page-frame form, .page-frame .card').first().waitFor();
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true);
  await close();
});

test('a key opens a list that acts at once, and asks for nothing on its way to the choice', async () => {
  for (const title of ['passed', 'wanted']) {
    await here.service.agent('POST', `${account}/labels`, { title });
  }
  const { conversation, close } = await here.talk('Label me by key');
  const asked: string[] = [];
  here.desk.on('request', (request) => {
    if (request.method() !== 'GET' && /labels/.test(request.url())) asked.push(request.postData() ?? '');
  });
  const add = here.desk.getByLabel('Add a label');
  // Those of before may be shown until these have been read.
  await add.locator('option', { hasText: 'wanted' }).waitFor({ state: 'attached' });
  const names = await add.locator('option').allTextContents();
  await add.focus();
  for (let step = 0; step <= names.indexOf('wanted'); step += 1) await here.desk.keyboard.press('ArrowDown');
  await here.desk.keyboard.press('Enter');
  const labels = async () => {
    const { body } = await here.service.agent('GET', `${account}/conversations/${conversation}/labels`);
    return Object(body).payload;
  };
  await expect.poll(labels).toEqual(['wanted']);
  expect(asked).toHaveLength(1);
  await close();
});
