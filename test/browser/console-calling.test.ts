/** What calls an agent who looks elsewhere: the title, the list, a notification and a sound, in a real browser. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { setHidden } from '../support/around.js';
import { agent, chat, openShop } from '../support/browser.js';
import { type Console, startConsole } from '../support/console.js';
import { startMs } from '../support/service.js';
import { inside } from '../support/talk.js';
import { wakeAtOnce } from '../support/wake-at-once.js';

let here: Console;
beforeAll(async () => {
  here = await startConsole({ whole: true });
}, startMs);
afterAll(() => here.end());

declare global {
  interface Window {
    testCalls?: { sounds: number; notifications: Notification[]; asked: number };
  }
}

/** The console has told the service that it was read. */
const isRead = (conversation: number) =>
  expect
    .poll(async () => {
      const { body } = await here.service.agent('GET', `/api/v1/accounts/1/conversations/${conversation}`);
      return z.object({ unread_count: z.number() }).parse(body).unread_count;
    })
    .toBe(0);

const title = () => here.desk.title();
const list = () => here.desk.getByRole('navigation', { name: 'Conversations' });
const go = (place: string, page = here.desk) =>
  page.evaluate((hash) => {
    location.hash = hash;
  }, `#/${place}`);

test('the title counts what is unread in the account, on every page and through every filter', async () => {
  const first = await here.talk('Read at once');
  await isRead(first.conversation);
  await expect.poll(title).toBe('Parley console');
  await setHidden(here.desk, true);
  await chat(first.page).say('Said behind another tab');
  await expect.poll(title).toBe('(1) Parley console');
  const row = list().getByRole('button', { name: 'Said behind another tab' });
  await row.getByText('1 unread').waitFor();
  await setHidden(here.desk, false);
  await isRead(first.conversation);
  await expect.poll(title).toBe('Parley console');
  await row.getByText('1 unread').waitFor({ state: 'detached' });

  await go('contacts');
  await expect.poll(title).toBe('Contacts – Parley console');
  await chat(first.page).say('Said while the contacts are open');
  await expect.poll(title).toBe('(1) Contacts – Parley console');
  // The mark in the rail is the same number, whoever has the conversation.
  await here.desk.getByRole('link', { name: 'Inbox 1 unread', exact: true }).waitFor();
  await go('');
  await list().getByLabel('Status').selectOption('Resolved');
  await list().getByText('No conversation here.').waitFor();
  await chat(first.page).say('Said beside the filter');
  await expect.poll(title).toBe('(2) Parley console');
  // From the beginning, too: the filter is kept, and the frames of before are not sent again.
  await here.desk.reload();
  await list().getByText('No conversation here.').waitFor();
  await expect.poll(title).toBe('(2) Parley console');
  await list().getByLabel('Status').selectOption('Open');
  await list().getByRole('button', { name: 'Said beside the filter' }).click();
  await expect.poll(title).toBe('Parley console');
  await first.close();
});

test('what a colleague has read is not counted once the page is seen again', async () => {
  const { page, conversation, close } = await here.talk('Read by a colleague');
  await isRead(conversation);
  await go('contacts');
  const path = `/api/v1/accounts/1/conversations/${conversation}`;
  const readElsewhere = async (words: string) => {
    await chat(page).say(words);
    await expect.poll(title).toBe('(1) Contacts – Parley console');
    await setHidden(here.desk, true);
    // Nobody is told of it.
    expect((await here.service.agent('POST', `${path}/update_last_seen`, {})).status).toBe(200);
    await setHidden(here.desk, false);
    await expect.poll(title).toBe('Contacts – Parley console');
  };
  await readElsewhere('Read it, somebody');
  // What could not be counted is counted a little later.
  const counting = /\/conversations\?.*status=open/;
  await here.desk.route(counting, (route) => route.abort(), { times: 1 });
  await readElsewhere('And this');
  await here.desk.unroute(counting);
  await close();
});

test('one message that brings back a conversation of somebody else’s is one', async () => {
  // 1. The conversation is open again, and told with the message in it. 2. The message is told.
  const visitor = await here.talk('I shall be back');
  await isRead(visitor.conversation);
  const path = `/api/v1/accounts/1/conversations/${visitor.conversation}`;
  await here.service.agent('POST', `${path}/assignments`, { assignee_id: 2 });
  await here.service.agent('POST', `${path}/toggle_status`, { status: 'snoozed' });
  const other = await here.talk('Meanwhile here');
  await list().getByLabel('Assigned to').selectOption('Mine');
  await list().getByText('No conversation here.').waitFor();
  await chat(visitor.page).say('Here I am');
  await expect.poll(() => agent(here.service).count('Here I am')).toBe(1);
  // What is told before this has come before it.
  await agent(here.service).tell(other.conversation, { content: 'Told after that' });
  await here.log().getByText('Told after that').waitFor();
  await expect.poll(title).toBe('(1) Parley console');
  await here.service.agent('POST', `${path}/toggle_status`, { status: 'resolved' });
  await expect.poll(title).toBe('Parley console');
  await list().getByLabel('Assigned to').selectOption('All');
  await visitor.close();
  await other.close();
});

test('what is written to a conversation that is read beside its filter is seen', async () => {
  const { page, conversation, close } = await here.talk('Who takes me?');
  await list().getByLabel('Assigned to').selectOption('Unassigned');
  await here.desk.getByRole('button', { name: 'Take it' }).click();
  await list().getByRole('button', { name: 'Who takes me?' }).waitFor({ state: 'detached' });
  await chat(page).say('You do');
  await here.log().getByText('You do').waitFor();
  await isRead(conversation);
  await list().getByLabel('Assigned to').selectOption('All');
  await close();
});

test('who is taken out of an inbox is not called to what waits in it', async () => {
  const { page, close } = await here.talk('Who works here?');
  const fields = { name: 'Tim', email: 'tim@demo.example', role: 'agent' };
  const made = await here.service.agent('POST', '/api/v1/accounts/1/agents', fields);
  const tim = z.object({ id: z.number(), access_token: z.string() }).parse(made.body);
  const membership = { inbox_id: 1, user_ids: [tim.id] };
  await here.service.agent('POST', '/api/v1/accounts/1/inbox_members', membership);
  const desk = await openShop(here.browser, `${here.service.url}/agent#token=${tim.access_token}`);
  await desk.page.getByRole('button', { name: 'Who works here?' }).waitFor();
  await setHidden(desk.page, true);
  await chat(page).say('Tim, perhaps?');
  await expect.poll(() => desk.page.title()).toMatch(/^\(\d+\) Parley console$/);
  await here.service.agent('DELETE', '/api/v1/accounts/1/inbox_members', membership);
  // Its socket is taken away, and comes again in its own time.
  await expect.poll(() => desk.page.title(), { timeout: 90_000 }).toBe('Parley console');
  await desk.close();
  await close();
});

const topics = {
  content: 'Which topic?',
  content_type: 'input_select',
  content_attributes: { items: ['Billing', 'Delivery'].map((title) => ({ title, value: title })) },
};

test('an answer to a question is told as a message is, and stays unread until it is looked at', async () => {
  const second = await here.talk('The visitor before');
  const first = await here.talk('I shall answer later');
  await agent(here.service).tell(first.conversation, topics);
  await agent(here.service).answer(first.conversation, 'Take your time');
  await inside(first.page, 'Which topic?').getByRole('button', { name: 'Delivery' }).waitFor();
  await list().getByRole('button', { name: 'The visitor before' }).click();
  await here.log().getByText('The visitor before').waitFor();
  await chat(second.page).say('And now the newest');
  await here.log().getByText('And now the newest').waitFor();

  await inside(first.page, 'Which topic?').getByRole('button', { name: 'Delivery' }).click();
  await list().getByRole('listitem').first().getByText('Answered: Delivery', { exact: true }).waitFor();
  await expect.poll(title).toBe('(1) Parley console');
  // The service, which counts no answers, is asked again after each message.
  const counted = here.desk.waitForResponse(/\/conversations\/meta/);
  await chat(second.page).say('Something else');
  await counted;
  await list().getByRole('button', { name: 'Something else' }).waitFor();
  const row = list().getByRole('button', { name: 'Answered: Delivery' });
  await row.getByText('1 unread').waitFor();
  await row.click();
  await expect.poll(title).toBe('Parley console');
  await row.getByText('1 unread').waitFor({ state: 'detached' });
  // It is still the last word after a reload, as long as nothing was said since.
  await agent(here.service).tell(first.conversation, { ...topics, content: 'And which now?' });
  await inside(first.page, 'And which now?').getByRole('button', { name: 'Billing' }).click();
  const again = list().getByRole('button', { name: 'Answered: Billing' });
  await again.waitFor();
  await here.desk.reload();
  await again.waitFor();
  await first.close();
  await second.close();
});

test('an answer that a colleague has replied to, or seen, is unread no more', async () => {
  const { page, conversation, close } = await here.talk('Ask me twice');
  await go('contacts');
  const answer = async (content: string) => {
    await agent(here.service).tell(conversation, { ...topics, content });
    await inside(page, content).getByRole('button', { name: 'Billing' }).press('Enter');
    await expect.poll(title).toBe('(1) Contacts – Parley console');
  };
  await answer('Who replies?');
  await agent(here.service).answer(conversation, 'Billing it is');
  await expect.poll(title).toBe('Contacts – Parley console');

  const colleague = await openShop(here.browser, here.service.consoleUrl);
  await colleague.page.goto(`${here.service.url}/agent/#/${conversation}`);
  await colleague.page.getByText(/^Live, signed in as/).waitFor();
  await colleague.page.getByRole('log').getByText('Billing it is').waitFor();
  const seen = colleague.page.waitForResponse(/update_last_seen$/);
  await answer('Who looks?');
  await seen;
  await setHidden(here.desk, true);
  await setHidden(here.desk, false);
  await expect.poll(title).toBe('Contacts – Parley console');
  await go('');
  const row = list().getByRole('button', { name: 'Answered: Billing' }).first();
  await row.waitFor();
  expect(await row.getByText('1 unread').count()).toBe(0);
  await colleague.close();
  await close();
});

/** For a page: what has called, and what was asked for. */
function keepCalls() {
  const calls: NonNullable<Window['testCalls']> = { sounds: 0, notifications: [], asked: 0 };
  window.testCalls = calls;
  const { createOscillator } = AudioContext.prototype;
  // Two tones are a sound.
  AudioContext.prototype.createOscillator = function () {
    if (this.state === 'running') calls.sounds += 0.5;
    return createOscillator.call(this);
  };
  window.Notification = class extends Notification {
    constructor(title: string, options?: NotificationOptions) {
      super(title, options);
      calls.notifications.push(this);
    }
  };
  const ask = Notification.requestPermission;
  Notification.requestPermission = () => {
    calls.asked++;
    return ask.call(Notification);
  };
}

const callsOf = (page: Page) =>
  page.evaluate(() => ({
    sounds: window.testCalls?.sounds,
    asked: window.testCalls?.asked,
    told: window.testCalls?.notifications.map(({ body }) => body),
  }));

test('a notification and a sound are there on the agent’s request alone, and lead to the conversation', async () => {
  const context = here.desk.context();
  await context.addInitScript(wakeAtOnce);
  await context.addInitScript(keepCalls);
  await here.desk.reload();
  const calls = () => callsOf(here.desk);
  const visitor = await here.talk('Nobody asked for calls');
  await isRead(visitor.conversation);
  await setHidden(here.desk, true);
  await chat(visitor.page).say('Still nobody');
  await expect.poll(title).toBe('(1) Parley console');
  expect(await calls()).toEqual({ sounds: 0, asked: 0, told: [] });
  await setHidden(here.desk, false);
  await isRead(visitor.conversation);

  await go('settings/notifications');
  const notifications = here.desk.getByRole('switch', { name: 'Notifications of your browser' });
  await notifications.click();
  await here.desk.getByRole('alert').getByText('The browser does not allow it.').waitFor();
  expect(await notifications.isChecked()).toBe(false);
  await context.grantPermissions(['notifications']);
  await notifications.click();
  await expect.poll(() => notifications.isChecked()).toBe(true);
  expect(await here.desk.getByRole('alert').count()).toBe(0);
  await here.desk.getByRole('switch', { name: 'Sound for new messages' }).click();
  await expect.poll(calls).toEqual({ sounds: 1, asked: 2, told: [] });

  // What is seen as it comes needs no call.
  await chat(visitor.page).say('Seen as it comes');
  await expect.poll(title).toBe('(1) Notifications – Parley console');
  await setHidden(here.desk, true);
  await chat(visitor.page).say('Please look');
  await expect.poll(async () => (await calls()).told).toEqual(['Please look']);
  await expect.poll(async () => (await calls()).sounds).toBe(2);

  await setHidden(here.desk, false);
  await agent(here.service).tell(visitor.conversation, topics);
  await inside(visitor.page, 'Which topic?').getByRole('button', { name: 'Billing' }).waitFor();
  await setHidden(here.desk, true);
  await inside(visitor.page, 'Which topic?').getByRole('button', { name: 'Billing' }).click();
  await expect.poll(async () => (await calls()).told).toEqual(['Please look', 'Answered: Billing']);

  // A colleague's conversation is the colleague's to hear.
  const grace = await openShop(here.browser, `${here.service.url}/`);
  await here.service.agent('POST', `/api/v1/accounts/1/conversations/${visitor.conversation}/assignments`, {
    assignee_id: 2,
  });
  await chat(visitor.page).say('For Grace alone');
  await chat(grace.page).open();
  await chat(grace.page).say('I am new here');
  await expect
    .poll(async () => (await calls()).told)
    .toEqual(['Please look', 'Answered: Billing', 'I am new here']);
  // Where the colleague does not see it, it is everybody's.
  const tom = { name: 'Tom', email: 'tom@demo.example', role: 'agent' };
  const made = await here.service.agent('POST', '/api/v1/accounts/1/agents', tom);
  const { id } = z.object({ id: z.number() }).parse(made.body);
  await here.service.agent('POST', `/api/v1/accounts/1/conversations/${visitor.conversation}/assignments`, {
    assignee_id: id,
  });
  await chat(visitor.page).say('For whoever sees it');
  await expect
    .poll(async () => (await calls()).told)
    .toEqual(['Please look', 'Answered: Billing', 'I am new here', 'For whoever sees it']);
  await here.desk.evaluate(() => window.testCalls?.notifications[0]?.dispatchEvent(new Event('click')));
  await setHidden(here.desk, false);
  await here.log().getByText('Please look').waitFor();

  // The wish is the browser's, and stays.
  await isRead(visitor.conversation);
  await here.desk.reload();
  await go('settings/notifications');
  await expect.poll(() => notifications.isChecked()).toBe(true);
  await notifications.click();
  await setHidden(here.desk, true);
  const counted = async () => Number(/^\((\d+)\) Notifications/.exec(await title())?.[1]);
  await expect.poll(counted).toBeGreaterThan(0);
  const before = await counted();
  await chat(grace.page).say('No longer told');
  await expect.poll(counted).toBe(before + 1);
  expect((await calls()).told).toEqual([]);
  await setHidden(here.desk, false);
  await grace.close();
  await visitor.close();
});

test('a tab behind calls nobody who looks at the console in another one', async () => {
  const visitor = await here.talk('Who sits here?');
  const { page: front, close } = await openShop(here.browser, here.service.consoleUrl);
  await front.getByRole('button', { name: 'Who sits here?' }).waitFor();
  const context = front.context();
  await context.addInitScript(keepCalls);
  await context.grantPermissions(['notifications']);
  const behind = await context.newPage();
  await behind.goto(here.service.consoleUrl);
  await behind.getByRole('button', { name: 'Who sits here?' }).waitFor();
  await go('settings/notifications', behind);
  await behind.getByRole('switch', { name: 'Notifications of your browser' }).click();
  await go('', behind);
  await setHidden(behind, true);
  const told = async () => (await callsOf(behind)).told;
  await chat(visitor.page).say('Seen in front');
  await behind.getByRole('button', { name: 'Seen in front' }).waitFor();
  await setHidden(front, true);
  await chat(visitor.page).say('Is nobody there?');
  await expect.poll(told).toEqual(['Is nobody there?']);
  await close();
  await visitor.close();
});
