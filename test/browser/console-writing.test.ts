/** What an agent writes with, in a real browser before a real service: quotes, canned answers, questions, the keys. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agent, chat } from '../support/browser.js';
import { type Console, holdMessageTo, startConsole } from '../support/console.js';
import { startMs } from '../support/service.js';

let here: Console;
beforeAll(async () => {
  here = await startConsole();
}, startMs);
afterAll(() => here.end());

const account = '/api/v1/accounts/1';
const quoting = () => here.desk.getByRole('button', { name: 'Do not quote' });

test('what was deleted meanwhile is not quoted, wherever the agent was', async () => {
  const other = await here.talk('The visitor beside');
  const { conversation, close } = await here.talk('Which lamp?');
  const say = async (content: string) => {
    await agent(here.service).tell(conversation, { content });
    await here.log().getByText(content).waitFor();
    const told = await agent(here.service).messages(conversation);
    return told.find((one) => one.content === content)?.id;
  };
  const quote = async (content: string) => {
    await here.desk.getByRole('button', { name: `Quote “${content}”` }).click();
    await quoting().waitFor();
  };
  const take = (id: number | undefined) =>
    here.service.agent('DELETE', `${account}/conversations/${conversation}/messages/${id}`);
  const first = await say('The secret price');
  await quote('The secret price');
  await quoting().focus();
  await take(first);
  await quoting().waitFor({ state: 'detached' });
  await here.done('What you quoted was deleted');
  expect(await here.field().evaluate((box) => box === document.activeElement)).toBe(true);

  const second = await say('The other price');
  await quote('The other price');
  const list = here.desk.getByRole('navigation', { name: 'Conversations' });
  await list.getByRole('button', { name: 'The visitor beside' }).click();
  await here.log().getByText('The visitor beside').waitFor();
  await here.desk.context().setOffline(true);
  await take(second);
  await here.desk.context().setOffline(false);
  await here.desk.evaluate((id) => {
    location.hash = `#/${id}`;
  }, conversation);
  await expect.poll(() => here.log().getByText('This message was deleted').count()).toBe(2);
  await expect.poll(() => quoting().count()).toBe(0);
  await other.close();
  await close();
});

test('a keyboard on glass says that its Enter sends', async () => {
  const { close } = await here.talk('Do you write on glass?');
  expect(await here.field().evaluate((field: HTMLElement) => field.enterKeyHint)).toBe('send');
  await close();
});

test('a canned answer goes where the caret is, and the keyboard goes on behind it', async () => {
  await here.service.agent('POST', `${account}/canned_responses`, {
    short_code: 'hours',
    content: 'We open at nine.',
  });
  const { close } = await here.talk('When do you open?');
  await here.field().fill('Hello, Bye.');
  for (let n = 0; n < 4; n += 1) await here.field().press('ArrowLeft');
  await here.desk.getByRole('button', { name: 'Canned answers' }).click();
  await here.dialog().getByRole('option', { name: 'We open at nine.' }).click();
  await here.dialog().waitFor({ state: 'detached' });
  await here.desk.keyboard.type('!');
  await expect.poll(() => here.field().inputValue()).toBe('Hello, We open at nine.! Bye.');
  // In place of what is selected.
  await here.field().press('ControlOrMeta+a');
  await here.desk.getByRole('button', { name: 'Canned answers' }).press('Enter');
  await here.dialog().getByRole('option', { name: 'We open at nine.' }).waitFor();
  await here.dialog().getByRole('combobox').press('Enter');
  await here.dialog().waitFor({ state: 'detached' });
  await here.desk.keyboard.type(' Come in.');
  await expect.poll(() => here.field().inputValue()).toBe('We open at nine. Come in.');
  await here.field().fill('');
  await close();
});

test('Enter in a question leads on to its next field or row, and sends nothing', async () => {
  const { page, conversation, close } = await here.talk('What can I choose?');
  await here.desk.getByRole('button', { name: 'Ask the visitor' }).click();
  const box = here.dialog();
  await box.getByRole('radio', { name: 'Quick replies' }).press('Enter');
  await box.getByLabel('Words').fill('Which one?');
  await box.getByLabel('Choice 1', { exact: true }).click();
  for (const choice of ['Red', 'Green', 'Blue']) {
    await here.desk.keyboard.type(choice);
    await here.desk.keyboard.press('Enter');
  }
  const fourth = box.getByLabel('Choice 4', { exact: true });
  await expect.poll(() => fourth.evaluate((one) => one === document.activeElement)).toBe(true);
  // An empty row has none after it.
  await here.desk.keyboard.press('Enter');
  expect(await box.getByLabel(/^Choice \d$/).count()).toBe(4);
  expect(await agent(here.service).contents(conversation)).not.toContain('Which one?');
  await here.desk.keyboard.press('Control+Enter');
  await box.waitFor({ state: 'detached' });
  const asked = chat(page).bubble('Which one?');
  await asked.getByRole('button', { name: 'Blue' }).waitFor();
  expect(await asked.getByRole('button', { name: /^(Red|Green|Blue)$/ }).count()).toBe(3);
  await close();
});

test('who deletes a note is told of no visitor’s window', async () => {
  const { conversation, close } = await here.talk('What do you say of me?');
  await agent(here.service).tell(conversation, { content: 'Handle with care', private: true });
  const about = async (name: string) => {
    await here.desk.getByRole('button', { name: `Delete “${name}”` }).click();
    const words = await here.dialog().textContent();
    await here.dialog().getByRole('button', { name: 'Cancel' }).click();
    return words;
  };
  expect(await about('Handle with care')).not.toContain('visitor');
  await agent(here.service).answer(conversation, 'Only the best');
  expect(await about('Only the best')).toContain('in the visitor’s window');
  await close();
});

test('what waits behind a reply goes where that one did arrive, and says so where it was discarded', async () => {
  const { page, conversation, close } = await here.talk('The visitor whose line is bad');
  const bubble = (words: string) => here.log().getByRole('listitem').filter({ hasText: words });
  const waits = (words: string) => bubble(words).getByText('It waits, because').waitFor();
  const sendBehind = async (words: string, ...behind: string[]) => {
    const [held] = await holdMessageTo(here.desk, conversation);
    for (const each of [words, ...behind]) {
      await here.field().fill(each);
      await here.field().press('Enter');
      await bubble(each).waitFor();
    }
    return held;
  };
  // Stored, and its answer lost: the line tells of it later.
  const lost = await sendBehind('The parcel left on Monday', 'It comes on Friday');
  await lost?.abort();
  await waits('It comes on Friday');
  await here.service.agent(
    'POST',
    `/api/v1/accounts/1/conversations/${conversation}/messages`,
    lost?.request().postDataJSON(),
  );
  await chat(page).bubble('It comes on Friday').waitFor();
  await bubble('It comes on Friday').getByText('It waits').waitFor({ state: 'detached' });
  expect(await agent(here.service).count('The parcel left on Monday')).toBe(1);

  const failed = await sendBehind('It is red', 'And round', 'And warm');
  await failed?.abort();
  await waits('And warm');
  await bubble('It is red').getByRole('button', { name: 'Discard' }).click();
  await bubble('And round').getByText('What was sent before it was discarded.').waitFor();
  // Also after the page was loaded anew.
  await here.desk.reload();
  await waits('And warm');
  await bubble('And round').getByRole('button', { name: 'Try again' }).click();
  await chat(page).bubble('And warm').waitFor();
  expect(await agent(here.service).count('It is red')).toBe(0);
  await close();
});
