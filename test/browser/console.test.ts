/**
 * Agents at work in a real browser before a real service: questions that a visitor's window answers, replies, lists,
 * contacts and reports.
 */
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { agent, chat } from '../support/browser.js';
import { type Console, startConsole } from '../support/console.js';
import { png } from '../support/media.js';
import { inboxPath, startMs } from '../support/service.js';

let here: Console;
beforeAll(async () => {
  here = await startConsole();
}, startMs);
afterAll(() => here.end());

const account = '/api/v1/accounts/1';

const isFocused = (place: Locator) => place.evaluate((element) => element === document.activeElement);

test('each question is sent from the console, answered in a visitor’s window, and its answer is in the console', async () => {
  const { page, close } = await here.talk('Ask me everything');
  const inWindow = (words: string) => chat(page).bubble(words);

  await here.ask('Quick replies', 'Which colour?', async (box) => {
    await box.getByRole('textbox', { name: 'Choice 1' }).fill('Red');
    await box.getByRole('textbox', { name: 'Choice 2' }).fill('Blue');
  });
  await inWindow('Which colour?').getByRole('button', { name: 'Blue' }).click();
  await here.asked('Which colour?').getByText('Blue (the visitor’s answer)').waitFor();

  await here.ask('Form', 'Where to?', async (box) => {
    await box.getByRole('group', { name: 'Question 1' }).getByLabel('Label').fill('City');
    await box.getByRole('switch', { name: 'Required' }).first().check();
    await box.getByRole('group', { name: 'Question 2' }).getByLabel('Label').fill('Size');
    await box.getByLabel('Answer').nth(1).selectOption('List');
    await box.getByLabel('Options, one a line').fill('Small\nLarge');
  });
  await inWindow('Where to?').getByLabel('City').fill('Oslo');
  await inWindow('Where to?').getByLabel('Size').selectOption('Large');
  await inWindow('Where to?').getByRole('button', { name: 'Send' }).click();
  await here.asked('Where to?').getByText('Oslo').waitFor();
  expect(await here.asked('Where to?').getByRole('definition').allTextContents()).toEqual(['Oslo', 'Large']);

  await here.ask('Ask for e-mail', 'Your address?');
  await inWindow('Your address?').getByLabel('Email address').fill('ask@console.example');
  // By key: where the last “Send” has just been, a pointer would be taken for the second half of that press.
  await inWindow('Your address?').getByRole('button', { name: 'Send' }).press('Enter');
  await here.asked('Your address?').getByText('ask@console.example').waitFor();
  expect(await here.asked('Your address?').getByRole('term').allTextContents()).toEqual(['E-mail']);

  await here.ask('Rating', 'How was it?');
  await inWindow('How was it?').getByTitle('Good', { exact: true }).click();
  await inWindow('How was it?').getByRole('button', { name: 'Send' }).click();
  await here.asked('How was it?').getByText('Rated 4 of 5').waitFor();

  await here.ask('Cards', 'Have a look', async (box) => {
    await box.getByRole('group', { name: 'Card 1' }).getByLabel('Title').fill('Tide lamp');
    await box.getByRole('button', { name: 'Send' }).click();
    await box.getByText('A card needs a link.').waitFor();
    await box.getByLabel('Link').first().fill('https://shop.example/tide');
    await box.getByLabel('Button').first().fill('See it');
  });
  expect(await inWindow('Have a look').getByRole('link', { name: 'See it' }).getAttribute('href')).toBe(
    'https://shop.example/tide',
  );
  await here.ask('Articles', 'Read on', async (box) => {
    await box.getByRole('group', { name: 'Article 1' }).getByLabel('Title').fill('Care for brass');
    await box.getByLabel('Link').first().fill('https://shop.example/brass');
  });
  await inWindow('Read on').getByRole('link', { name: 'Care for brass' }).waitFor();
  await close();
});

test('a question that is being made stays with its conversation until it is sent or discarded', async () => {
  const { conversation, close } = await here.talk('Which one shall I take?');
  const begin = () => here.desk.getByRole('button', { name: 'Ask the visitor' }).click();
  const card = here.dialog().getByRole('group', { name: 'Card 1' });
  await begin();
  await here.dialog().getByRole('radio', { name: 'Cards' }).check();
  await here.dialog().getByLabel('Words').fill('These two');
  await card.getByLabel('Title').fill('Tide lamp');
  await here.desk.keyboard.press('Escape');
  await here.desk.reload();
  await begin();
  expect(await here.dialog().getByLabel('Words').inputValue()).toBe('These two');
  expect(await card.getByLabel('Title').inputValue()).toBe('Tide lamp');
  await here.dialog().getByRole('button', { name: 'Remove card 2' }).click();
  await expect.poll(() => isFocused(here.dialog().getByRole('button', { name: 'Add card' }))).toBe(true);
  await card.getByLabel('Link').fill('https://shop.example/tide');
  await here.desk.keyboard.press('Control+Enter');
  await here.asked('These two').getByRole('link', { name: 'Tide lamp' }).waitFor();
  await begin();
  expect(await here.dialog().getByLabel('Words').inputValue()).toBe('');
  await here.dialog().getByLabel('Words').fill('Never mind');
  await here.dialog().getByRole('button', { name: 'Discard' }).click();
  await begin();
  expect(await here.dialog().getByLabel('Words').inputValue()).toBe('');
  await here.desk.keyboard.press('Escape');
  expect(await agent(here.service).contents(conversation)).not.toContain('Never mind');
  await close();
});

test('a dialog begins at its first field, leads to what is missing, and has its buttons in sight', async () => {
  const { close } = await here.talk('What do you need of me?');
  const box = here.dialog();
  const field = (name: string) => box.getByRole('group', { name }).getByLabel('Title');
  await here.desk.getByRole('button', { name: 'Ask the visitor' }).press('Enter');
  await expect.poll(() => isFocused(box.getByRole('radio', { name: 'Quick replies' }))).toBe(true);
  await box.getByRole('radio', { name: 'Cards' }).check();
  await box.getByRole('button', { name: 'Add card' }).press('Enter');
  await expect.poll(() => isFocused(field('Card 3'))).toBe(true);
  const send = box.getByRole('button', { name: 'Send' });
  await send.press('Enter');
  await box.getByRole('alert').getByText('Write the words that stand above it.').waitFor();
  await expect.poll(() => isFocused(box.getByLabel('Words'))).toBe(true);
  await box.getByLabel('Words').fill('These');
  await send.press('Enter');
  await expect.poll(() => isFocused(field('Card 1'))).toBe(true);
  await field('Card 2').fill('Tide lamp');
  await send.press('Enter');
  const link = box.getByRole('group', { name: 'Card 2' }).getByLabel('Link');
  await expect.poll(() => isFocused(link)).toBe(true);
  await link.fill('/tide');
  await send.press('Enter');
  await box.getByRole('alert').getByText('Card 2 is not complete.').waitFor();
  await box.getByText('Nobody could open this.').waitFor();
  await expect.poll(() => isFocused(link)).toBe(true);
  await box.getByRole('radio', { name: 'Form' }).check();
  await box.getByLabel('Answer').nth(1).selectOption('List');
  await send.press('Enter');
  await box.getByText('Write at least one option.').waitFor();
  await expect.poll(() => isFocused(box.getByLabel('Options, one a line'))).toBe(true);
  const { top, bottom, height } = await send.evaluate((button) => ({
    ...button.getBoundingClientRect().toJSON(),
    height: innerHeight,
  }));
  expect(top).toBeGreaterThan(0);
  expect(bottom).toBeLessThanOrEqual(height);
  await box.getByRole('button', { name: 'Discard' }).click();
  await close();
});

test('a reply takes files, a quote and a canned answer; a note stays with the team; a message can go', async () => {
  await here.service.agent('POST', `${account}/canned_responses`, {
    short_code: 'hi',
    content: 'Hello from a can',
  });
  const { page, conversation, close } = await here.talk('Quote these words');
  await here.field().press('/');
  await here.dialog().getByRole('combobox').fill('hi');
  await here.dialog().getByRole('option', { name: 'Hello from a can' }).waitFor();
  await here.dialog().getByRole('combobox').press('Enter');
  await here.log().getByRole('listitem').filter({ hasText: 'Quote these words' }).hover();
  await here.desk.getByRole('button', { name: 'Quote “Quote these words”' }).click();
  await here.desk.getByLabel('Files', { exact: true }).setInputFiles({
    name: 'lamp.png',
    mimeType: 'image/png',
    buffer: png(40, 30, [200, 120, 40]),
  });
  await here.desk.getByRole('list', { name: 'Attached' }).getByText('lamp.png').waitFor();
  await here.field().press('Enter');
  const bubble = chat(page).bubble('Hello from a can');
  await bubble.getByRole('button', { name: /Quote these words/ }).waitFor();
  await bubble.getByRole('img').first().waitFor();
  await here.log().getByRole('img', { name: 'lamp.png' }).waitFor();

  await here.desk.getByRole('radio', { name: 'Private note' }).check();
  await here.desk.getByRole('textbox', { name: 'Private note' }).fill('Only between us');
  await here.desk.getByRole('textbox', { name: 'Private note' }).press('Enter');
  await here.log().getByText('Only between us').waitFor();
  await here.desk.getByRole('radio', { name: 'Reply' }).check();
  await here.field().fill('A slip of the hand');
  await here.field().press('Enter');
  await chat(page).bubble('A slip of the hand').waitFor();
  expect(await chat(page).bubble('Only between us').count()).toBe(0);
  const takeBack = async () => {
    await here.log().getByText('A slip of the hand').hover();
    await here.desk.getByRole('button', { name: 'Delete “A slip of the hand”' }).click();
    await here.dialog().getByRole('button', { name: 'Delete', exact: true }).click();
  };
  const deletion = '**/messages/*';
  await here.desk.route(deletion, (route) => route.abort());
  await takeBack();
  const problem = here.desk.getByText('The message was not deleted');
  await problem.waitFor();
  await here.desk.unroute(deletion);
  await takeBack();
  await problem.waitFor({ state: 'detached' });
  await chat(page).bubble('A slip of the hand').waitFor({ state: 'detached' });
  // What was focused has gone: whoever has no pointer goes on from the thread, not from the top of the page.
  await expect.poll(() => isFocused(here.log())).toBe(true);
  expect(await agent(here.service).contents(conversation)).not.toContain('A slip of the hand');
  await close();
});

test('conversations are assigned, labelled, put aside and found again by their filters', async () => {
  await here.service.agent('POST', `${account}/labels`, { title: 'slow' });
  const { conversation, close } = await here.talk('Find me by my label');
  const send = here.desk.getByRole('button', { name: 'Send reply' });
  const before = await send.boundingBox();
  await here.desk.getByRole('button', { name: 'Take it' }).click();
  await here.done('The conversation is yours.');
  // Nothing moves away from under the pointer.
  expect(await send.boundingBox()).toEqual(before);
  // The button has gone, and the keyboard goes on from the field that tells what it did.
  await expect
    .poll(() => isFocused(here.desk.getByRole('region', { name: 'Visitor' }).getByLabel('Assigned to')))
    .toBe(true);
  await here.desk.getByLabel('Add a label').selectOption('slow');
  await here.done('Labels changed.');
  await here.desk.getByLabel('Priority', { exact: true }).selectOption('Urgent');
  await here.done('Priority changed.');
  // The keyboard finds the field at once, each time, and its way back.
  const change = here.desk.getByRole('button', { name: 'Change Order number' });
  await change.press('Enter');
  await here.desk.keyboard.press('Escape');
  await expect.poll(() => isFocused(change)).toBe(true);
  await change.press('Enter');
  await here.desk.keyboard.type('4711');
  await here.desk.keyboard.press('Enter');
  await here.done('Attribute changed.');
  await expect.poll(() => isFocused(change)).toBe(true);
  await here.desk.getByRole('button', { name: 'Put aside' }).click();
  await here.desk.getByRole('menuitem', { name: /until tomorrow/ }).click();
  await here.done('Conversation snoozed.');
  const shown = await here.service.agent('GET', `${account}/conversations/${conversation}`);
  expect(shown.body).toMatchObject({
    status: 'snoozed',
    labels: ['slow'],
    priority: 'urgent',
    custom_attributes: { order_number: '4711' },
    meta: { assignee: { id: 1 } },
  });
  const list = here.desk.getByRole('navigation', { name: 'Conversations' });
  await list.getByLabel('Status').selectOption('Snoozed');
  await list.getByText('More filters').click();
  await list.getByLabel('Label').selectOption('slow');
  await list.getByRole('button', { name: 'Find me by my label' }).waitFor();
  await expect.poll(() => list.getByRole('listitem').count()).toBe(1);
  // Nobody has to resolve it first to have it back.
  await here.desk.getByRole('button', { name: 'Open now' }).click();
  await here.done('Conversation is open again.');
  await here.desk.getByRole('button', { name: 'Open now' }).waitFor({ state: 'detached' });
  await expect.poll(() => isFocused(here.desk.getByRole('button', { name: 'Put aside' }))).toBe(true);
  await here.desk.getByRole('button', { name: 'Remove the label slow' }).click();
  await here.done('Labels changed.');
  await expect.poll(() => isFocused(here.desk.getByRole('list', { name: 'Labels' }))).toBe(true);
  await here.desk.getByRole('button', { name: 'Put aside' }).click();
  await here.desk.getByRole('menuitem', { name: 'Mark as pending' }).click();
  await here.done('Conversation is pending.');
  await here.desk.getByRole('button', { name: 'Open now' }).click();
  await here.done('Conversation is open again.');
  const again = await here.service.agent('GET', `${account}/conversations/${conversation}`);
  expect(again.body).toMatchObject({ status: 'open' });
  await list.getByLabel('Label').selectOption('All');
  await list.getByLabel('Status').selectOption('Open');
  await close();
});

test('nobody is blocked and nothing begun is lost by one press', async () => {
  const { conversation, close } = await here.talk('I mean no harm');
  const press = (name: string) => here.dialog().getByRole('button', { name, exact: true }).click();
  const stored = async () =>
    (await here.service.agent('GET', `${account}/conversations/${conversation}`)).body;
  const block = async () => {
    await here.desk.getByRole('button', { name: 'Put aside' }).click();
    await here.desk.getByRole('menuitem', { name: 'Mute and block' }).click();
  };
  await block();
  await press('Cancel');
  expect(await stored()).toMatchObject({ status: 'open', meta: { sender: { blocked: false } } });
  await block();
  await press('Mute and block');
  await here.done('Conversation muted.');
  expect(await stored()).toMatchObject({ status: 'resolved', meta: { sender: { blocked: true } } });

  await here.field().fill('Half a reply');
  await here.desk.getByRole('button', { name: 'Sign out' }).click();
  await here.desk.keyboard.press('Escape');
  expect(await here.field().inputValue()).toBe('Half a reply');
  await here.desk.setViewportSize({ width: 390, height: 800 });
  await here.desk.goto(`${here.service.url}/agent/#/`);
  await here.desk.getByRole('button', { name: 'Sign out' }).click();
  await here.dialog().getByText('You need your link to come back.').waitFor();
  await press('Sign out');
  await here.desk.getByLabel('Access token').waitFor();
  expect(await here.desk.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain('Half a reply');
  await here.desk.setViewportSize({ width: 1280, height: 800 });
  await here.desk.goto(here.service.consoleUrl);
  await close();
});

test('contacts are made, searched, sorted, turned over, and changed with a picture and attributes', async () => {
  for (let n = 0; n < 16; n += 1) {
    await here.service.call('POST', `${inboxPath}/contacts`, {
      name: `Sorted ${String.fromCharCode(97 + n)}`,
      email: `sorted-${String.fromCharCode(97 + n)}@example.org`,
    });
  }
  await here.open('contacts', 'Contacts');
  await here.desk.getByRole('button', { name: 'New contact' }).click();
  await here.dialog().getByLabel('E-mail').fill('no address');
  await here.dialog().getByRole('button', { name: 'Create contact' }).click();
  await here.dialog().getByText('Is not an e-mail address.', { exact: true }).waitFor();
  await here.dialog().getByLabel('Name').fill('Sorted zoe');
  await here.dialog().getByLabel('E-mail').fill('zoe@example.org');
  await here.dialog().getByRole('button', { name: 'Create contact' }).click();
  await here.desk.getByRole('heading', { name: 'Sorted zoe', level: 1 }).waitFor();
  // What is typed and not saved yet stays while a picture and an attribute are saved.
  await here.desk.getByLabel('Phone').fill('+12025550199');
  await here.desk.getByLabel('Picture').setInputFiles({
    name: 'zoe.png',
    mimeType: 'image/png',
    buffer: png(20, 20, [10, 120, 90]),
  });
  await here.done('Picture changed.');
  await here.desk.getByRole('button', { name: 'Change Plan' }).click();
  await here.desk.getByRole('combobox', { name: 'Plan' }).selectOption('Team');
  await here.desk.getByRole('button', { name: 'Save Plan' }).click();
  await here.done('Attribute changed.');
  await here.desk.getByRole('button', { name: 'Change Plan' }).waitFor();
  expect(await here.desk.getByLabel('Phone').inputValue()).toBe('+12025550199');
  const save = here.desk.getByRole('button', { name: 'Save contact' });
  await save.press('Enter');
  await here.done('Contact saved.');
  await expect.poll(() => isFocused(save)).toBe(true);
  const found = await here.service.agent('GET', `${account}/contacts/search?q=zoe`);
  const [zoe] = z
    .object({ payload: z.array(z.looseObject({ thumbnail: z.url() })) })
    .parse(found.body).payload;
  expect(zoe).toMatchObject({ phone_number: '+12025550199', custom_attributes: { plan: 'Team' } });
  const picture = await fetch(zoe?.thumbnail ?? '');
  expect(picture.headers.get('content-type')).toBe('image/png');

  await here.open('contacts', 'Contacts');
  const names = () => here.desk.getByRole('rowheader').getByRole('link').allTextContents();
  await here.desk.getByRole('searchbox', { name: 'Search contacts' }).fill('sorted');
  await here.desk.getByText('17 contacts').waitFor();
  await here.desk.getByRole('button', { name: 'Name' }).click();
  await expect.poll(async () => (await names())[0]).toBe('Sorted a');
  await here.desk.getByRole('button', { name: 'Name' }).click();
  await expect.poll(async () => (await names())[0]).toBe('Sorted zoe');
  await here.desk.getByRole('button', { name: 'Next' }).click();
  await expect.poll(names).toEqual(['Sorted b', 'Sorted a']);
});

test('reports draw what was measured, by day and by team', async () => {
  const { page, close } = await here.talk('Measure me');
  await here.field().fill('Measured');
  await here.field().press('Enter');
  await chat(page).bubble('Measured').waitFor();
  await here.open('reports', 'Reports');
  const chart = here.desk.getByRole('table', { name: 'Measurements a day' });
  const today = chart.getByRole('row').last();
  await expect
    .poll(async () => Number(await today.getByRole('cell').first().textContent()))
    .toBeGreaterThan(0);
  // Drawn by a library onto a canvas, axes and all.
  await expect.poll(() => here.desk.locator('.u-wrap canvas').count()).toBe(2);
  await here.desk.getByRole('region', { name: 'Measurements' }).getByText('First response').first().waitFor();
  await here.desk.getByLabel('Time').selectOption('Last 7 days');
  await expect.poll(() => chart.getByRole('row').count()).toBe(8);
  await close();
});
