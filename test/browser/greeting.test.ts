/** The owner's first words, and what becomes of them once they are answered. */
import { expect, test } from 'vitest';
import { boxOf, openTagged, pick, say } from '../support/around.js';
import { agent, chat, said, useShop } from '../support/browser.js';
import { still } from '../support/thread.js';

const { browser, service } = await useShop();

const QUESTION = 'What is your order number?';

test('what the owner asks stays above the answer, where it stood, in the conversation that was begun with it', async () => {
  const shop = await openTagged(browser, service, 'asked', `data-greeting="${QUESTION}"`);
  const { page } = shop;
  const { log, window } = chat(page);
  await chat(page).open();
  const question = log.getByText(QUESTION, { exact: true });
  await question.waitFor();
  await still(page);
  const before = await question.boundingBox();
  const conversation = await say(service, page, '4711');
  expect(await question.boundingBox()).toEqual(before);
  await agent(service).answer(conversation, 'It left yesterday.');
  await chat(page).bubble('It left yesterday.').waitFor();
  expect(await question.boundingBox()).toEqual(before);
  // It is there once, so nothing said it again.
  expect(await window.getByText(QUESTION).count()).toBe(1);
  expect(await log.innerText()).toMatch(new RegExp(`^[^]*${QUESTION.replace('?', '\\?')}[^]*4711`));
  await chat(page).close();
  await chat(page).open();
  expect(await question.count()).toBe(1);

  await pick(page, 'New conversation');
  await expect.poll(() => said(page)).toEqual([]);
  await question.waitFor();
  await say(service, page, '4712');
  expect(await question.count()).toBe(1);
  await pick(page, 'Conversations');
  await window.getByRole('button', { name: /It left yesterday/ }).click();
  await chat(page).bubble('4711').waitFor();
  await question.waitFor({ state: 'detached' });
  expect(shop.errors).toEqual([]);
  await shop.close();
});

test('a long conversation takes the greeting up with its beginning, and the end stays in sight', async () => {
  const viewport = { width: 1280, height: 500 };
  const shop = await openTagged(browser, service, 'long', `data-greeting="${QUESTION}"`, { viewport });
  const { page } = shop;
  await chat(page).open();
  const question = chat(page).log.getByText(QUESTION, { exact: true });
  // Who writes before there is one has none.
  await question.waitFor();
  for (let i = 0; i < 6; i++) await say(service, page, `Item ${i}`);
  const last = await chat(page).bubble('Item 5').boundingBox();
  const { y, height } = await boxOf(page, 'window');
  expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThan(y + height);
  expect((await question.boundingBox())?.y).toBeLessThan(y);
  await shop.close();
});

test('a greeting that the service says, too, is not there twice, and an address in it leads there', async () => {
  const words = 'Look at https://shop.example/sizes first';
  const shop = await openTagged(browser, service, 'twice', `data-greeting="${words}"`);
  const { page } = shop;
  await chat(page).open();
  const link = chat(page).log.getByRole('link', { name: 'https://shop.example/sizes' });
  await link.waitFor();
  expect(await link.getAttribute('rel')).toContain('noopener');
  const conversation = await say(service, page, 'Which size am I?');
  expect(await link.count()).toBe(1);
  await agent(service).answer(conversation, words);
  await expect.poll(() => said(page)).toEqual(['Which size am I?', words]);
  expect(await link.count()).toBe(1);
  expect(shop.errors).toEqual([]);
  await shop.close();
});
