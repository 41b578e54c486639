/** What comes late finds the visitor where they are by then: on in the page, or on with the next words. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { english as en } from '../../src/text/english.js';
import { focused, goElsewhere, openTagged, pick, say } from '../support/around.js';
import { agent, chat, said, useShop } from '../support/browser.js';
import { gate } from '../support/gate.js';
import { inside, talk } from '../support/talk.js';

const { browser, service } = await useShop();

/** @returns lets what fits go on */
async function hold(page: Page, address: RegExp): Promise<() => void> {
  const held = gate();
  await page.route(address, async (route) => {
    await held.opened;
    await route.continue();
  });
  return held.open;
}

/** The service is asked at once. @returns lets its answers go on */
async function holdAnswers(page: Page, address: RegExp): Promise<() => void> {
  const held = gate();
  await page.route(address, async (route) => {
    const response = await route.fetch();
    await held.opened;
    await route.fulfill({ response });
  });
  return held.open;
}
const attach = (page: Page, name: string) =>
  page
    .locator('parley-chat input[type=file]')
    .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from('An invoice') });
const sentTo = async (words: string) =>
  (await agent(service).messages(await agent(service).conversationOf(words))).map(({ content }) => content);

test('what is sent while its file is made ready is what stood there at the press, and who goes on stays there', async () => {
  const { page, close } = await openTagged(browser, service, 'late-file');
  await chat(page).open();
  const go = await hold(page, /\/parts-[^/]*\.js$/);
  await attach(page, 'invoice.txt');
  const { field } = chat(page);
  await field.fill('Here is my invoice');
  await field.press('Enter');
  await field.pressSequentially(' and the card');
  await field.press('Enter');
  await field.pressSequentially(' is not');
  const isThere = await goElsewhere(page);
  go();
  await expect.poll(() => said(page)).toEqual(['Here is my invoice', 'and the card']);
  expect(await field.inputValue()).toBe(' is not');
  expect(await isThere()).toBe(true);
  await chat(page).bubble('Here is my invoice').getByText('invoice.txt').waitFor();
  await expect.poll(() => sentTo('and the card')).toEqual(['Here is my invoice', 'and the card']);
  await close();
});

test('words that were sent with a file, and are written anew before it is ready, wait for another press', async () => {
  const { page, close } = await openTagged(browser, service, 'late-anew');
  await chat(page).open();
  const go = await hold(page, /\/parts-[^/]*\.js$/);
  await attach(page, 'bill.txt');
  await chat(page).say('Here is my bil');
  await chat(page).field.fill('There is my bill');
  go();
  await chat(page).window.locator('.tray').getByText('bill.txt').waitFor();
  expect(await said(page)).toEqual([]);
  await chat(page).field.press('Enter');
  await chat(page).bubble('There is my bill').getByText('bill.txt').waitFor();
  expect(await said(page)).toEqual(['There is my bill']);
  await close();
});

test('a picture that is ready before the engine is goes once, however often it is sent', async () => {
  const { page, close } = await openTagged(browser, service, 'late-engine');
  const [engine, parts] = [
    await hold(page, /\/assets\/(?:again\/)?chat-[^/]*\.js$/),
    await hold(page, /\/parts-[^/]*\.js$/),
  ];
  await chat(page).open();
  await attach(page, 'once.txt');
  await chat(page).say('Only once');
  parts();
  await chat(page).window.locator('.tray').getByText('once.txt').waitFor();
  await chat(page).field.press('Enter');
  engine();
  await chat(page).bubble('Only once').getByText('once.txt').waitFor();
  await chat(page).say('And that is all');
  await expect.poll(() => sentTo('Only once')).toEqual(['Only once', 'And that is all']);
  await close();
});

test('a chat that ends, and a conversation that is chosen, late leave the focus in the page', async () => {
  const { page, close } = await openTagged(browser, service, 'late-end');
  await chat(page).open();
  await say(service, page, 'I shall go elsewhere');
  const ended = await hold(page, /\/toggle_status$/);
  await pick(page, 'End chat');
  await chat(page).window.getByRole('button', { name: en.endChat, exact: true }).click();
  const isThere = await goElsewhere(page);
  ended();
  await chat(page).window.getByRole('button', { name: en.startNew }).waitFor();
  expect(await isThere()).toBe(true);
  // Who stays goes on in the chat.
  await chat(page).window.getByRole('button', { name: en.startNew }).click();
  await expect.poll(() => focused(page)).toBe('Message');
  await close();
});

test('a microphone that is granted late takes no focus from the page', async () => {
  const { page, close } = await openTagged(
    browser,
    service,
    'late-microphone',
    '',
    {},
    {
      head: `<script>
        let granted; const waits = new Promise((go) => { granted = go; });
        MediaDevices.prototype.getUserMedia = async () => { await waits; return new AudioContext().createMediaStreamDestination().stream; };
        addEventListener('grant', () => granted());
      </script>`,
    },
  );
  await chat(page).open();
  await chat(page).window.getByRole('button', { name: en.record }).click();
  await chat(page).window.getByRole('button', { name: en.discardRecording }).waitFor();
  const isThere = await goElsewhere(page);
  await page.evaluate(() => dispatchEvent(new Event('grant')));
  await chat(page).window.getByRole('button', { name: en.stopRecording }).waitFor();
  expect(await isThere()).toBe(true);
  await close();
});

test('a rating that a frame has told is changed, whenever the answer to the one before comes', async () => {
  const { page, hear, kept, close } = await talk(browser, service, 'Rate me late');
  await hear('input_csat', 'Was it late?', { display_type: 'emoji' });
  const answered = await holdAnswers(page, /\/messages\/\d+$/);
  const question = inside(page, 'Was it late?');
  await question.getByTitle('Okay').click();
  await question.getByRole('button', { name: 'Send' }).click();
  await question.getByText('Thank you for your rating!').waitFor();
  await question.getByRole('button', { name: 'Change' }).click();
  await question.getByTitle('Very good').click();
  const came = page.waitForResponse(/\/messages\/\d+$/);
  answered();
  await came;
  // It says that it can be sent now: the answer was heard.
  const send = question.getByRole('button', { name: 'Send' });
  await expect.poll(() => send.getAttribute('aria-disabled')).toBe('false');
  await send.click();
  await question.getByText('Thank you for your rating!').waitFor();
  const response = { csat_survey_response: { rating: 5, feedback_message: '' } };
  await expect.poll(() => kept('Was it late?')).toEqual(response);
  await close();
});
