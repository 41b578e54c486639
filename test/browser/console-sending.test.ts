/** Words that an agent sends, between conversations that go on at the same time, in a real browser before a real service. */
import type { Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { limitMs } from '../../demo/console/api/call.js';
import { agent, chat } from '../support/browser.js';
import { type Console, holdMessageTo, startConsole } from '../support/console.js';
import { graceToken, letGraceIn } from '../support/grace.js';
import { startMs } from '../support/service.js';

let here: Console;
beforeAll(async () => {
  here = await startConsole();
}, startMs);
afterAll(() => here.end());

const row = (words: string) =>
  here.desk.getByRole('navigation', { name: 'Conversations' }).getByRole('button', { name: words });

test('a reply that fails after its conversation was left says so, with a way back to it', async () => {
  const first = await here.talk('The first visitor');
  const second = await here.talk('The second visitor');
  await row('The first visitor').click();
  await here.log().getByText('The first visitor').waitFor();
  const [held] = await holdMessageTo(here.desk, first.conversation);
  await here.field().fill('Never arrives at once');
  await here.field().press('Enter');
  const route = await held;
  await row('The second visitor').click();
  await here.log().getByText('The second visitor').waitFor();
  await route?.abort();
  await here.done('The reply was not sent: the service does not answer. It waits in the conversation with');

  // It is said on every page, and no more once the bubble itself says it.
  await here.desk.getByRole('link', { name: 'Contacts' }).click();
  await here.desk.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor();
  await here.done('It waits in the conversation with');
  await here.desk.getByRole('button', { name: 'Show it' }).click();
  await here.log().getByText('Never arrives at once').waitFor();
  const said = here.desk.getByRole('status').getByText('It waits in the conversation');
  await said.waitFor({ state: 'detached' });
  await here.log().getByRole('button', { name: 'Try again' }).click();
  await chat(first.page).bubble('Never arrives at once').waitFor();
  await row('The second visitor').click();
  await here.log().getByText('The second visitor').waitFor();
  expect(await said.count()).toBe(0);
  expect(await agent(here.service).count('Never arrives at once')).toBe(1);
  await first.close();
  await second.close();
});

test('a file on its way to one visitor does not hold up a reply to another', async () => {
  const slow = await here.talk('The visitor who waits for a file');
  const other = await here.talk('The visitor beside');
  await row('The visitor who waits for a file').click();
  await here.log().getByText('The visitor who waits for a file').waitFor();
  const [held] = await holdMessageTo(here.desk, slow.conversation);
  await here.desk
    .getByLabel('Files', { exact: true })
    .setInputFiles({ name: 'long.txt', mimeType: 'text/plain', buffer: Buffer.from('A long file') });
  await here.field().press('Enter');
  const route = await held;
  await here.field().fill('After the file');
  await here.field().press('Enter');
  await row('The visitor beside').click();
  await here.log().getByText('The visitor beside').waitFor();
  await here.field().fill('Past the file');
  await here.field().press('Enter');
  await chat(other.page).bubble('Past the file').waitFor();
  expect(await chat(slow.page).bubble('After the file').count()).toBe(0);
  await route?.continue();
  await chat(slow.page).bubble('After the file').waitFor();
  // Within a conversation the order is the order of sending.
  const [words, file] = (await agent(here.service).messages(slow.conversation)).reverse();
  expect([words?.content, file?.content || '']).toEqual(['After the file', '']);
  await slow.close();
  await other.close();
});

test('what was sent behind a reply that failed waits with it, and goes with it in its order', async () => {
  const { page, conversation, close } = await here.talk('The visitor who reads in order');
  const [held] = await holdMessageTo(here.desk, conversation);
  const bubble = (words: string) => here.log().getByRole('listitem').filter({ hasText: words });
  const send = async (words: string) => {
    await here.field().fill(words);
    await here.field().press('Enter');
    await bubble(words).waitFor();
  };
  await send('Take the first left');
  const route = await held;
  await send('Then turn right');
  await send('You are there');
  const note = here.desk.getByRole('textbox', { name: 'Private note' });
  await here.desk.getByRole('radio', { name: 'Private note' }).check();
  await note.fill('They are on their way');
  await note.press('Enter');
  await route?.abort();
  await bubble('Take the first left').getByText('The reply was not sent').waitFor();
  await bubble('Then turn right').getByText('It waits, because').waitFor();
  await bubble('You are there').getByText('It waits, because').waitFor();
  // What the team alone reads does not wait.
  await expect.poll(() => agent(here.service).count('They are on their way')).toBe(1);
  expect(await agent(here.service).count('Then turn right')).toBe(0);
  await bubble('Take the first left').getByRole('button', { name: 'Try again' }).click();
  await chat(page).bubble('You are there').waitFor();
  const contents = await agent(here.service).contents(conversation);
  expect(contents.filter((words) => / (left|right|there)$/.test(words ?? ''))).toEqual([
    'Take the first left',
    'Then turn right',
    'You are there',
  ]);
  await close();
});

test('a large file has the time that a poor line needs for it', () => {
  const form = new FormData();
  form.append('content', '');
  form.append('attachments[]', new File([new Uint8Array(40_000_000)], 'forty.mp4'));
  // 2 Mbit/s
  expect(limitMs(form)).toBeGreaterThan((40_000_000 / 250_000) * 1000);
  expect(limitMs({ content: 'Words' })).toBeLessThan(30_000);
});

test('another conversation begins as a reply, and a note that was begun waits where it was begun', async () => {
  const first = await here.talk('The visitor with a note');
  const second = await here.talk('The visitor with a reply');
  const note = here.desk.getByRole('textbox', { name: 'Private note', exact: true });
  const come = async (words: string) => {
    await row(words).click();
    await here.log().getByText(words).waitFor();
  };
  await come('The visitor with a note');
  await here.desk.getByRole('radio', { name: 'Private note' }).check();
  await note.fill('Ask Grace first');
  await come('The visitor with a reply');
  expect(await here.field().inputValue()).toBe('');
  await here.field().fill('A hurried reply');
  await here.field().press('Enter');
  await chat(second.page).bubble('A hurried reply').waitFor();
  await come('The visitor with a note');
  expect(await note.inputValue()).toBe('Ask Grace first');
  await here.desk.reload();
  await note.waitFor();
  await note.press('Enter');
  await here.log().getByText('Ask Grace first').waitFor();
  await here.desk.reload();
  await here.field().waitFor();
  expect(await chat(first.page).bubble('Ask Grace first').count()).toBe(0);
  await first.close();
  await second.close();
});

test('words that are discarded unsent are the draft of their mode again, before what was begun since', async () => {
  const { conversation, close } = await here.talk('The visitor who is not reached');
  const messages = `**/conversations/${conversation}/messages`;
  await here.desk.route(messages, (route) =>
    route.request().method() === 'POST' ? route.abort() : route.fallback(),
  );
  const bubble = (words: string) => here.log().getByRole('listitem').filter({ hasText: words });
  const discard = async (words: string) => {
    await bubble(words).getByRole('button', { name: 'Discard' }).click();
    await bubble(words).waitFor({ state: 'detached' });
  };
  const send = async (words: string, box = here.field()) => {
    await box.fill(words);
    await box.press('Enter');
    await bubble(words).getByRole('button', { name: 'Discard' }).waitFor();
  };
  await send('A long paragraph');
  await here.desk.getByRole('radio', { name: 'Private note' }).check();
  const note = here.desk.getByRole('textbox', { name: 'Private note' });
  await send('Nobody is there', note);
  await note.fill('Begun meanwhile');
  await discard('Nobody is there');
  expect(await note.inputValue()).toBe('Nobody is there\n\nBegun meanwhile');
  await discard('A long paragraph');
  await expect.poll(() => here.field().inputValue()).toBe('A long paragraph');
  expect(await here.field().evaluate((box) => box === document.activeElement)).toBe(true);
  await here.field().fill('');
  await here.desk.unroute(messages);
  await close();
});

test('files and a quote wait where they were begun, and go with what is sent there', async () => {
  const first = await here.talk('The visitor with files');
  const second = await here.talk('The visitor without');
  const come = async (words: string) => {
    await row(words).click();
    await here.log().getByText(words, { exact: true }).first().waitFor();
  };
  await come('The visitor with files');
  await here.log().getByRole('button', { name: 'Quote “The visitor with files”' }).click();
  await here.desk
    .getByLabel('Files', { exact: true })
    .setInputFiles({ name: 'waits.txt', mimeType: 'text/plain', buffer: Buffer.from('I wait') });
  const tray = here.desk.getByRole('list', { name: 'Attached' });
  const quoting = here.desk.getByRole('button', { name: 'Do not quote' });
  await tray.getByText('waits.txt').waitFor();
  await come('The visitor without');
  expect(await tray.count()).toBe(0);
  expect(await quoting.count()).toBe(0);
  await here.field().fill('Nothing beside');
  await here.field().press('Enter');
  await chat(second.page).bubble('Nothing beside').waitFor();
  await here.desk.getByRole('link', { name: 'Contacts' }).click();
  await here.desk.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor();
  await here.desk.goBack();
  await come('The visitor with files');
  await tray.getByText('waits.txt').waitFor();
  await quoting.waitFor();
  await here.field().fill('With both');
  await here.field().press('Enter');
  await chat(first.page).bubble('With both').waitFor();
  expect(await tray.count()).toBe(0);
  expect(await quoting.count()).toBe(0);
  await first.close();
  await second.close();
});

test('who signs in after another finds neither their drafts nor what they could not send', async () => {
  const { conversation, close } = await here.talk('Who answers me?');
  const [held] = await holdMessageTo(here.desk, conversation);
  await here.field().fill('Sent by Ada');
  await here.field().press('Enter');
  const route = await held;
  await here.field().fill('Begun by Ada');
  await here.desk.getByRole('radio', { name: 'Private note' }).check();
  const note = here.desk.getByRole('textbox', { name: 'Private note', exact: true });
  await note.fill('Between us');
  await letGraceIn(here.service);
  const kept = () => here.desk.evaluate(() => JSON.stringify({ ...sessionStorage }));
  expect(await kept()).toContain('Begun by Ada');

  // Her link, opened in the same tab.
  await here.desk.goto(`${here.service.url}/agent/#token=${graceToken}`);
  await here.desk.getByText('signed in as Grace').waitFor();
  await here.desk.goto(`${here.service.url}/agent/#/${conversation}`);
  await here.log().getByText('Who answers me?', { exact: true }).waitFor();
  await route?.abort();
  for (const words of ['Sent by Ada', 'Begun by Ada', 'Between us']) {
    expect(await kept()).not.toContain(words);
    expect(await here.desk.getByText(words).count()).toBe(0);
  }
  expect(await here.field().inputValue()).toBe('');
  await close();
  await here.desk.goto(here.service.consoleUrl);
});

test('of two links that are opened at once, the later one says who is at the desk', async () => {
  await letGraceIn(here.service);
  await here.desk.getByText('signed in as Ada').waitFor();
  const asked: Route[] = [];
  await here.desk.route('**/api/v1/profile', (route) => void asked.push(route));
  const follow = (token: string) =>
    here.desk.evaluate((hash) => {
      location.hash = hash;
    }, `token=${token}`);
  await follow(here.service.apiAccessToken);
  await expect.poll(() => asked.length).toBe(1);
  await follow(graceToken);
  await expect.poll(() => asked.length).toBe(2);
  for (const route of asked) {
    const answered = here.desk.waitForResponse('**/api/v1/profile');
    await route.fulfill({ response: await route.fetch() });
    await (await answered).finished();
  }
  await here.desk.getByText('signed in as Grace').waitFor();
  await here.desk.unroute('**/api/v1/profile');
  await here.desk.goto(here.service.consoleUrl);
  await here.desk.getByText('signed in as Ada').waitFor();
});

test('words with a picture of them are words; dragged words go where they are dropped', async () => {
  const talk = await here.talk('Paste something');
  await row('Paste something').click();
  /** @returns whether the browser does with it what it always does */
  const give = (type: 'paste' | 'drop', kinds: readonly string[]) =>
    here.field().evaluate(
      (field, [type, kinds]) => {
        const data = new DataTransfer();
        for (const kind of kinds)
          if (kind === 'file') data.items.add(new File(['picture'], 'picture.png', { type: 'image/png' }));
          else data.setData(kind, 'words');
        const how = { bubbles: true, cancelable: true };
        return field.dispatchEvent(
          type === 'paste'
            ? new ClipboardEvent('paste', { ...how, clipboardData: data })
            : new DragEvent('drop', { ...how, dataTransfer: data }),
        );
      },
      [type, kinds] as const,
    );
  const picture = here.desk.getByText('picture.png', { exact: true });
  expect(await give('paste', ['text/plain', 'text/html', 'file'])).toBe(true);
  expect(await give('drop', ['text/plain'])).toBe(true);
  expect(await picture.count()).toBe(0);
  expect(await give('paste', ['file'])).toBe(false);
  await picture.waitFor();
  await talk.close();
});

test('a reply begins with a slash after a second one, and with a canned answer after a search', async () => {
  const { conversation, close } = await here.talk('Where is the file?');
  await here.field().press('/');
  const search = here.dialog().getByRole('combobox');
  await search.waitFor();
  await search.press('/');
  await here.dialog().waitFor({ state: 'detached' });
  await here.desk.keyboard.type('var/log');
  expect(await here.field().inputValue()).toBe('/var/log');
  await here.field().press('Enter');
  await expect.poll(() => agent(here.service).contents(conversation)).toContain('/var/log');
  await here.field().press('/');
  await search.fill('a');
  await search.press('/');
  expect(await search.inputValue()).toBe('a/');
  await here.desk.keyboard.press('Escape');
  await close();
});

test('files of a note stay with the note: they are not in the reply, nor seen by the visitor', async () => {
  const { page, conversation, close } = await here.talk('The visitor who must not see');
  const mode = (name: string) => here.desk.getByRole('radio', { name });
  const tray = here.desk.getByRole('list', { name: 'Attached' });
  await mode('Private note').check();
  await here.desk
    .getByLabel('Files', { exact: true })
    .setInputFiles({ name: 'internal.txt', mimeType: 'text/plain', buffer: Buffer.from('For us') });
  await here.desk.getByRole('link', { name: 'Contacts' }).click();
  await here.desk.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor();
  await here.desk.goBack();
  await tray.getByText('internal.txt').waitFor();
  expect(await mode('Private note').isChecked()).toBe(true);
  await mode('Reply').check();
  expect(await tray.count()).toBe(0);
  await here.field().fill('For your eyes');
  await here.field().press('Enter');
  await chat(page).bubble('For your eyes').waitFor();
  await mode('Private note').check();
  await tray.getByText('internal.txt').waitFor();
  await here.desk.getByRole('button', { name: 'Add note' }).click();
  const sent = async () =>
    (await agent(here.service).messages(conversation)).flatMap((message) =>
      message.attachments?.length ? message.private : [],
    );
  await expect.poll(sent).toEqual([true]);
  await close();
});
