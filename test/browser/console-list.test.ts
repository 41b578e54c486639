/** The list of conversations while it is being read: it states nothing that it does not know. */
import type { Response } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chat } from '../support/browser.js';
import { type Console, startConsole } from '../support/console.js';
import { gate } from '../support/gate.js';
import { startMs } from '../support/service.js';

let here: Console;
beforeAll(async () => {
  here = await startConsole();
}, startMs);
afterAll(() => here.end());

const account = '/api/v1/accounts/1';
const list = () => here.desk.getByRole('navigation', { name: 'Conversations' });
const counts = () => list().getByRole('group', { name: 'Counts' });
const row = (words: string) => list().getByRole('button', { name: words });
const isBusy = () => list().getByRole('list', { includeHidden: true }).first().getAttribute('aria-busy');

/**
 * The next reading of the list does not arrive before it is let go.
 * @param wanted in its address; who counts what is unread has the same one, but for that
 * @param isRead it is as it was when it was asked for, not as it is when it is let go
 */
async function holdList(wanted: RegExp, isRead = false) {
  const held = gate();
  const asked = gate();
  await here.desk.route(
    ({ pathname, search }) => /\/conversations$/.test(pathname) && wanted.test(search),
    async (route) => {
      const response = isRead ? await route.fetch() : undefined;
      asked.open();
      await held.opened;
      if (response) await route.fulfill({ response });
      else await route.fallback();
    },
    { times: 1 },
  );
  return { asked: asked.opened, open: held.open };
}

test('that there is no such conversation is said once it is known', async () => {
  const { close } = await here.talk('Still open');
  await row('Still open').waitFor();
  const none = list().getByText('No conversation here.');
  const resolved = await holdList(/status=resolved/);
  await list().getByLabel('Status').selectOption('Resolved');
  await resolved.asked;
  await list().getByText('Loading the conversations …').waitFor();
  expect(await none.count()).toBe(0);
  expect(await isBusy()).toBe('true');
  // How many there are is not known either.
  expect(await counts().locator('b').allTextContents()).toEqual(['–', '–', '–', '–']);
  resolved.open();
  await none.waitFor();
  expect(await isBusy()).toBe('false');
  await list().getByLabel('Status').selectOption('Open');
  await row('Still open').waitFor();
  await close();
});

test('what was found before is not the result of the next search', async () => {
  const { close } = await here.talk('A lamp flickers');
  await list().getByLabel('Status').selectOption('Open');
  await row('A lamp flickers').waitFor();
  const searching = await holdList(/\bq=/);
  const search = list().getByRole('searchbox');
  await search.fill('no such words');
  await searching.asked;
  await list().getByText('Searching …').waitFor();
  expect(await row('A lamp flickers').count()).toBe(0);
  searching.open();
  await list().getByText('No conversation has a message with these words.').waitFor();
  await search.fill('flickers');
  await row('A lamp').waitFor();
  await search.fill('');
  await row('Still open').waitFor();
  await close();
});

test('a list that could not be read says neither that it is empty nor that it is on its way', async () => {
  const failed = '**/conversations?*';
  await here.desk.route(failed, (route) => route.abort());
  await list().getByLabel('Status').selectOption('Resolved');
  await here.done('The conversations could not be loaded');
  expect(await isBusy()).toBe('false');
  expect(
    await list()
      .getByText(/No conversation|Loading/)
      .count(),
  ).toBe(0);
  await here.desk.unroute(failed);
  await here.desk.getByRole('button', { name: 'Try again' }).click();
  await list().getByText('No conversation here.').waitFor();
  await list().getByLabel('Status').selectOption('Open');
  await row('Still open').waitFor();
});

test('a list that was on its way takes nothing back that was told meanwhile', async () => {
  const { conversation, close } = await here.talk('Resolved meanwhile');
  const path = `/api/v1/accounts/1/conversations/${conversation}`;
  await row('Resolved meanwhile').waitFor();
  const reading = await holdList(/assignee_type=unassigned/, true);
  const answers: Response[] = [];
  here.desk.on('response', (response) => {
    if (/conversations\?.*assignee_type=unassigned/.test(response.url())) answers.push(response);
  });
  await list().getByLabel('Assigned to').selectOption('Unassigned');
  await reading.asked;
  const resolved = await here.service.agent('POST', `${path}/toggle_status`, { status: 'resolved' });
  expect(resolved.status).toBe(200);
  const again = here.desk.getByRole('button', { name: 'Reopen' });
  await again.waitFor();
  reading.open();
  // The next one does not tell of it at all.
  await expect.poll(() => answers.length).toBeGreaterThan(1);
  await answers[1]?.finished();
  await row('Resolved meanwhile').waitFor({ state: 'detached' });
  expect(await again.count()).toBe(1);
  // The counts are choices, too.
  await counts().getByRole('button', { name: /All$/, pressed: false }).click();
  await counts().getByRole('button', { name: /All$/, pressed: true }).waitFor();
  expect(await list().getByLabel('Assigned to').inputValue()).toBe('all');
  await close();
});

test('how many a search found is said, and so is what is done twice', async () => {
  const { conversation, close } = await here.talk('A very rare lantern');
  const status = list().getByRole('status');
  await list().getByRole('searchbox').fill('lantern');
  await expect.poll(() => status.textContent()).toBe('1 conversation');
  await list().getByRole('searchbox').fill('lanternfish');
  await expect.poll(() => status.textContent()).toBe('No conversation has a message with these words.');
  await list().getByRole('searchbox').fill('');
  await expect.poll(() => status.textContent()).toBe('');
  for (const title of ['once', 'twice']) {
    await here.service.agent('POST', '/api/v1/accounts/1/labels', { title });
  }
  await here.desk.goto(`${here.service.url}/agent/#/${conversation}`);
  await here.desk.reload();
  const said = here.desk.locator('.status-line [role=status]');
  await here.desk.getByLabel('Add a label').selectOption('once');
  await here.done('Labels changed.');
  const first = await said.locator('span').elementHandle();
  await here.desk.getByLabel('Add a label').selectOption('twice');
  await expect.poll(() => first?.evaluate((span) => span.isConnected)).toBe(false);
  await here.done('Labels changed.');
  await close();
});

test('what is unread and what state it is in are not drawn over each other', async () => {
  const { page, conversation, close } = await here.talk('A pending lamp');
  const path = `/api/v1/accounts/1/conversations/${conversation}`;
  await here.service.agent('POST', `${path}/labels`, { labels: ['once'] });
  await here.service.agent('POST', `${path}/toggle_status`, { status: 'pending' });
  await here.open('contacts', 'Contacts');
  await chat(page).say('Still a pending lamp');
  await here.open('', 'Parley console');
  await list().getByLabel('Status').selectOption('Pending');
  const item = row('Still a pending lamp');
  await item.getByText('1 unread').waitFor();
  expect(await item.locator('.item-labels').count()).toBe(1);
  expect(await item.locator('.status').isVisible()).toBe(false);
  await list().getByLabel('Status').selectOption('Open');
  await close();
});

test('a key walks through all of the list, in sight, page after page, and goes on from what has left it', async () => {
  const { conversation, close } = await here.talk('The first of forty');
  await here.service.db.query(
    `insert into conversations (account_id, display_id, inbox_id, contact_id, contact_inbox_id, status, last_activity_at)
     select account_id, 1000 + n, inbox_id, contact_id, contact_inbox_id, 'open', timestamp '2020-01-01' - n * interval '1 hour'
     from conversations, generate_series(1, 40) n where display_id = $1`,
    [conversation],
  );
  await here.desk.reload();
  const item = (id: number) => here.desk.locator(`#conversation-${id}`);
  const isOpen = async (id: number) => {
    await here.desk.locator(`#conversation-${id}[aria-current=true]`).waitFor();
    await here.desk.locator('#reply').waitFor();
  };
  const inSight = (id: number) =>
    item(id).evaluate((one) => {
      const { top, bottom } = one.getBoundingClientRect();
      const frame = one.closest('.scroller')?.getBoundingClientRect();
      return !!frame && top >= frame.top - 1 && bottom <= frame.bottom + 1;
    });
  const key = (name: string) => here.desk.keyboard.press(`Alt+${name}`);
  await item(1006).click();
  await isOpen(1006);
  await here.desk.getByRole('button', { name: 'Resolve', exact: true }).click();
  await item(1006).waitFor({ state: 'detached' });
  await key('ArrowDown');
  await isOpen(1007);
  await here.desk.getByRole('button', { name: 'Resolve', exact: true }).click();
  await item(1007).waitFor({ state: 'detached' });
  await key('ArrowUp');
  await isOpen(1005);
  for (let n = 1008; n <= 1040; n += 1) {
    await key('ArrowDown');
    await isOpen(n);
    expect(await inSight(n)).toBe(true);
  }
  await key('ArrowDown');
  await isOpen(1040);
  // The last one of what is loaded leaves the list, and another page follows it.
  await here.desk.reload();
  await item(1010).waitFor();
  const last = here.desk.locator('[id^="conversation-"]').last();
  const id = Number((await last.getAttribute('id'))?.split('-').at(-1));
  expect(id).toBeLessThan(1040);
  await last.click();
  await isOpen(id);
  await here.desk.getByRole('button', { name: 'Resolve', exact: true }).click();
  await item(id).waitFor({ state: 'detached' });
  await key('ArrowDown');
  await isOpen(id + 1);
  await close();
});

test('filters stand by their names, and one that is gone is seen where it still filters the list', async () => {
  const { id } = Object((await here.service.agent('POST', `${account}/labels`, { title: 'before' })).body);
  for (const name of ['Zulu', 'Alpha']) await here.service.agent('POST', `${account}/teams`, { name });
  const { close } = await here.talk('Whom a gone filter hides');
  await list().getByText('More filters').click();
  await list().getByLabel('Label').selectOption('before');
  await here.service.agent('PATCH', `${account}/labels/${id}`, { title: 'after' });
  await here.desk.reload();
  await list().getByText('More filters').click();
  const names = (label: string) => list().getByLabel(label).getByRole('option').allTextContents();
  await expect.poll(async () => (await names('Label')).at(-1)).toBe('before');
  expect(await names('Label')).toContain('after');
  expect(await list().getByLabel('Label').inputValue()).toBe('before');
  await expect.poll(() => names('Team')).toEqual(['All', 'Alpha', 'Zulu']);
  await list().getByLabel('Label').selectOption('All');
  await row('Whom a gone filter hides').waitFor();
  expect(await names('Label')).not.toContain('before');
  await close();
});
