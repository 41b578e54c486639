/** A thread in the agents' console: all that was said is in it, once, in its place; and what its keys and files do. */
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { agent, chat, openShop } from '../support/browser.js';
import { type Console, startConsole } from '../support/console.js';
import { gate } from '../support/gate.js';
import { startMs } from '../support/service.js';

let here: Console;
beforeAll(async () => {
  here = await startConsole();
}, startMs);
afterAll(() => here.end());

const account = '/api/v1/accounts/1';

test('history that was on its way does not bring back the words of a message that was deleted meanwhile', async () => {
  const { page, conversation, close } = await here.talk('These words stay');
  await chat(page).say('These words go');
  await here.log().getByText('These words go').waitFor();
  const gone = (await agent(here.service).messages(conversation)).find(
    ({ content }) => content === 'These words go',
  );
  await here.open('contacts', 'Contacts');
  const held = gate();
  const messages = `**/conversations/${conversation}/messages`;
  await here.desk.route(
    messages,
    async (route) => {
      const response = await route.fetch();
      await held.opened;
      await route.fulfill({ response });
    },
    { times: 1 },
  );
  const asked = here.desk.waitForRequest(messages);
  await here.desk.evaluate((id) => {
    location.hash = `#/${id}`;
  }, conversation);
  await asked;
  const row = here.desk
    .getByRole('navigation', { name: 'Conversations' })
    .getByRole('button', { name: 'These words go' });
  await row.waitFor();
  await here.service.agent('DELETE', `${account}/conversations/${conversation}/messages/${gone?.id}`);
  await row.waitFor({ state: 'detached' });
  held.open();
  await here.log().getByText('These words stay').waitFor();
  expect(await here.log().getByText('These words go').count()).toBe(0);
  await close();
});

test('what was said while the line was cut is all there, though the first reading failed and more was said meanwhile', async () => {
  const { desk } = here;
  let cut = () => {};
  let isCut = false;
  let noticed = () => {};
  const isNoticed = new Promise<void>((done) => {
    noticed = done;
  });
  await desk.routeWebSocket(/\/cable/, (socket) => {
    if (isCut) {
      noticed();
      return void socket.close();
    }
    socket.connectToServer();
    cut = () => void socket.close();
  });
  const { conversation, close } = await here.talk('Before the cut');
  await desk.reload();
  await here.log().getByText('Before the cut', { exact: true }).waitFor();
  isCut = true;
  cut();
  // Only then is nothing heard any more.
  await isNoticed;
  const say = (content: string) =>
    agent(here.service).tell(conversation, { content, message_type: 'incoming' });
  for (let n = 1; n <= 25; n++) await say(`Missed ${n}`);
  const messages = new RegExp(`/conversations/${conversation}/messages`);
  await desk.route(messages, (route) => route.abort());
  isCut = false;
  const again = desk.getByRole('button', { name: 'Try again' });
  await again.waitFor();
  await say('After the cut');
  await here.log().getByText('After the cut', { exact: true }).waitFor();
  expect(await here.log().getByText('Missed 1', { exact: true }).count()).toBe(0);
  await desk.unroute(messages);
  await again.click();
  for (const n of [1, 5, 25]) await here.log().getByText(`Missed ${n}`, { exact: true }).waitFor();
  await close();
});

/** The next history of this address is read at once and does not arrive before it is let go, or lost. */
async function holdHistory(address: RegExp) {
  const held = gate();
  const asked = gate();
  let isLost = false;
  await here.desk.route(
    address,
    async (route) => {
      const response = await route.fetch();
      asked.open();
      await held.opened;
      await (isLost ? route.abort() : route.fulfill({ response }));
    },
    { times: 1 },
  );
  return {
    asked: asked.opened,
    open: held.open,
    lose() {
      isLost = true;
      held.open();
    },
  };
}

test('earlier messages that come after their conversation was left and opened again leave no hole in it', async () => {
  const first = await here.talk('Read in between');
  const { conversation, close } = await here.talk('Said 0');
  for (let n = 1; n <= 45; n += 1) await agent(here.service).tell(conversation, { content: `Said ${n}` });
  await here.desk.reload();
  const say = (n: number) => here.log().getByText(`Said ${n}`, { exact: true });
  await say(45).waitFor();
  const late = await holdHistory(new RegExp(`/conversations/${conversation}/messages\\?before=`));
  await here.desk.getByRole('button', { name: 'Load earlier' }).click();
  await late.asked;
  const list = here.desk.getByRole('navigation', { name: 'Conversations' });
  await list.getByRole('button', { name: 'Read in between' }).click();
  await here.log().getByText('Read in between').waitFor();
  await agent(here.service).tell(conversation, { content: 'Said 46' });
  await list.getByRole('button', { name: 'Said 46' }).click();
  await say(46).waitFor();
  await say(27).waitFor();
  const arrived = here.desk.waitForResponse(/messages\?before=/);
  late.open();
  await (await arrived).finished();
  const earlier = here.desk.getByRole('button', { name: 'Load earlier' });
  for (const first of [20, 1]) {
    await earlier.click();
    await say(first).waitFor();
    for (let n = first; n <= 46; n += 1) expect(await say(n).count(), `Said ${n}`).toBe(1);
  }
  await close();
  await first.close();
});

test('a first reading that fails late says nothing where a later one has brought it all', async () => {
  const { conversation, close } = await here.talk('Read twice');
  const late = await holdHistory(new RegExp(`/conversations/${conversation}/messages`));
  await here.desk.reload();
  await late.asked;
  // The second is asked for when the line is up.
  await here.log().getByText('Read twice', { exact: true }).waitFor();
  const problem = here.desk.getByRole('status').getByText('The conversation could not be loaded');
  const lost = here.desk.waitForEvent('requestfailed');
  late.lose();
  await lost;
  // What is done later is said later.
  await here.desk.getByLabel('Priority', { exact: true }).selectOption('High');
  await here.done('Priority changed.');
  await here.desk.getByText('Priority changed.').waitFor({ state: 'detached' });
  expect(await problem.count()).toBe(0);
  await close();
});

test('files that are too many for one message are not left out without a word', async () => {
  const { close } = await here.talk('Send me everything');
  const file = (n: number) => ({
    name: `page-${n}.txt`,
    mimeType: 'text/plain',
    buffer: Buffer.from(`Page ${n}`),
  });
  await here.desk
    .getByLabel('Files', { exact: true })
    .setInputFiles(Array.from({ length: 16 }, (_, n) => file(n)));
  await here.done('A message takes 15 files: the others were not attached.');
  expect(await here.desk.getByRole('list', { name: 'Attached' }).getByRole('listitem').count()).toBe(15);
  await here.field().press('Enter');
  await here.desk.getByText('A message takes 15 files').waitFor({ state: 'detached' });
  await close();
});

test('a file that is too large is not attached, and the others are', async () => {
  const { close } = await here.talk('Send me the film');
  // By its path: as a buffer it would go through the test's own line to the browser.
  const place = await mkdtemp(join(tmpdir(), 'parley-'));
  const [film, words] = [join(place, 'film.mp4'), join(place, 'fits.txt')];
  await writeFile(film, '');
  await truncate(film, 40 * 1024 * 1024 + 1);
  await writeFile(words, 'Fits');
  await here.desk.getByLabel('Files', { exact: true }).setInputFiles([film, words]);
  await here.done('A file takes 40 MB at most. Not attached: film.mp4.');
  const attached = here.desk.getByRole('list', { name: 'Attached' }).getByRole('listitem');
  expect(await attached.allTextContents()).toEqual(['fits.txt']);
  await here.field().press('Enter');
  await here.desk.getByText('A file takes 40 MB').waitFor({ state: 'detached' });
  await rm(place, { recursive: true });
  await close();
});

test('keys that a field, a dialog or the writing of another language needs are left to it', async () => {
  const { conversation, close } = await here.talk('The visitor at the keyboard');
  const isHere = () => here.desk.evaluate(() => location.hash);
  /** Who opens a conversation begins in the field, a frame after it is there; then the keys are heard, too. */
  const begun = (page: Page) => {
    const field = page.getByRole('textbox', { name: 'Reply', exact: true });
    return expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true);
  };
  await begun(here.desk);
  await here.desk.getByLabel('Priority', { exact: true }).focus();
  await here.desk.keyboard.press('Alt+ArrowDown');
  await here.desk.keyboard.press('Escape');
  expect(await isHere()).toBe(`#/${conversation}`);
  const mode = (page: Page) => page.getByRole('radio', { name: 'Private note' });
  await here.field().press('/');
  await here.dialog().getByRole('combobox').press('Alt+n');
  await here.dialog().getByRole('combobox').press('Alt+ArrowDown');
  await here.desk.keyboard.press('Escape');
  expect(await isHere()).toBe(`#/${conversation}`);
  expect(await mode(here.desk).isChecked()).toBe(false);
  await here.field().press('Alt+n');
  expect(await mode(here.desk).isChecked()).toBe(true);
  await mode(here.desk).press('Alt+n');

  const mac = await openShop(here.browser, here.service.consoleUrl);
  await mac.page.addInitScript(() => Object.defineProperty(navigator, 'platform', { value: 'MacIntel' }));
  await mac.page.reload();
  await mac.page.goto(`${here.service.url}/agent/#/${conversation}`);
  const reply = mac.page.getByRole('textbox', { name: 'Reply', exact: true });
  await begun(mac.page);
  await reply.press('Alt+n');
  expect(await mode(mac.page).isChecked()).toBe(false);
  await reply.press('Control+Shift+N');
  expect(await mode(mac.page).isChecked()).toBe(true);
  // There, Option with an arrow walks through what is written.
  await mac.page.getByRole('textbox', { name: 'Private note', exact: true }).press('Alt+ArrowDown');
  await mac.page.getByRole('textbox', { name: 'Private note', exact: true }).press('Alt+ArrowUp');
  expect(await mac.page.evaluate(() => location.hash)).toBe(`#/${conversation}`);
  await mac.close();

  // A form would be left, and what is in it lost.
  await here.open('settings/automation/new', 'New rule');
  const name = here.desk.getByLabel('Name', { exact: true });
  await name.fill('Half a rule');
  for (const keys of ['Control+k', 'Alt+ArrowDown', 'Alt+ArrowUp']) {
    await name.press(keys);
    expect(await here.desk.evaluate(() => location.hash), keys).toBe('#/settings/automation/new');
  }
  expect(await name.inputValue()).toBe('Half a rule');
  await here.desk.getByRole('link', { name: 'Inbox', exact: true }).focus();
  await here.desk.keyboard.press('Control+k');
  await here.desk.getByRole('searchbox', { name: 'Search conversations' }).waitFor();
  await close();
});

test('an hour begins when it is chosen, however long the conversation has been open', async () => {
  const { conversation, close } = await here.talk('Aside for an hour');
  await here.desk.evaluate(() => {
    const { now } = Date;
    Date.now = () => now() + 7_200_000;
  });
  await here.desk.getByRole('button', { name: 'Put aside' }).click();
  await here.desk.getByRole('menuitem', { name: 'Snooze for an hour' }).click();
  await here.done('Conversation snoozed.');
  const { body } = await here.service.agent('GET', `${account}/conversations/${conversation}`);
  const { snoozed_until: until } = z.object({ snoozed_until: z.number() }).parse(body);
  expect(until - Date.now() / 1000).toBeGreaterThan(10_000);
  await here.desk.reload();
  await close();
});

test('a visitor who is called otherwise meanwhile stands in the thread as one', async () => {
  const { page, conversation, close } = await here.talk('Before I had a name');
  const { body } = await here.service.agent('GET', `/api/v1/accounts/1/conversations/${conversation}`);
  const { meta } = z.object({ meta: z.object({ sender: z.object({ id: z.number() }) }) }).parse(body);
  await here.desk.getByRole('button', { name: 'Quote “Before I had a name”' }).click();
  const contact = `/api/v1/accounts/1/contacts/${meta.sender.id}`;
  await here.service.agent('PUT', contact, { name: 'Vera Named' });
  await here.desk.getByRole('heading', { name: 'Vera Named', level: 2 }).waitFor();
  await chat(page).say('Now I have one');
  await here.log().getByText('Now I have one').waitFor();
  const authors = here.log().locator('.visitor .author');
  await expect.poll(() => authors.allTextContents()).toEqual(['Vera Named', 'Vera Named']);
  expect(await here.log().locator('.visitor.first').count()).toBe(1);
  expect(await here.desk.locator('.quoting bdi').textContent()).toBe('Vera Named');
  await here.desk.getByRole('button', { name: 'Do not quote' }).click();
  await close();
});
