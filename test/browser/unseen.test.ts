/** What comes into an open window and is not seen there: the reader is further up, or something lies over it. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { focused, openTagged, pick, say } from '../support/around.js';
import { agent, chat, useShop } from '../support/browser.js';
import { drawn, fill, scrollBy } from '../support/thread.js';

const { browser, service } = await useShop();

const unread = (page: Page) => page.evaluate(() => window.parley?.unread());
/** What the visitor has looked at, as agents are told. */
const readBy = async (conversation: number) => {
  const rows = await service.db.query<{ content: string }>(
    `select content from messages where sender_type = 'User' and status = 'read'
       and conversation_id = (select id from conversations where display_id = $1) order by id`,
    [conversation],
  );
  return rows.map(({ content }) => content);
};

test('answers below a reader who is further up are new until they go there, and above what came later', async () => {
  const { page, close } = await openTagged(browser, service, 'up');
  await chat(page).open();
  const conversation = await say(service, page, 'Where are you?');
  // Before that it still asks what it has missed, and would see what is new.
  await expect.poll(() => page.evaluate(() => window.parley?.status().line)).toBe('live');
  await fill(service, conversation, 60);
  await page.reload();
  await chat(page)
    .log.getByText(/^Line 60\b/)
    .waitFor();
  await chat(page)
    .window.getByRole('button', { name: /^Jump to latest/ })
    .click();
  await expect.poll(() => unread(page)).toBe(0);
  await scrollBy(page, -600);
  const answers = ['One', 'Two', 'Three'];
  for (const words of answers) await agent(service).answer(conversation, words);
  await expect.poll(() => unread(page)).toBe(3);
  await chat(page).window.getByRole('button', { name: 'Jump to latest, 3 new messages' }).waitFor();
  expect(await readBy(conversation)).not.toContain('One');

  await chat(page).close();
  await agent(service).answer(conversation, 'Four');
  const name = () => chat(page).launcher.getAttribute('aria-label');
  await expect.poll(name).toBe('Open chat, 4 new messages');
  await agent(service).answer(conversation, 'A slip');
  const aloud = page.locator('parley-chat .dock > [role=status]');
  await expect.poll(() => aloud.textContent()).toBe('5 new messages');
  const slip = (await agent(service).messages(conversation)).at(-1)?.id;
  const path = `/api/v1/accounts/1/conversations/${conversation}/messages/${slip}`;
  expect((await service.agent('DELETE', path)).status).toBe(200);
  await expect.poll(name).toBe('Open chat, 4 new messages');
  expect(await aloud.textContent()).toBe('');
  await chat(page).open();
  const divider = chat(page).log.getByRole('listitem').filter({ hasText: 'New messages' });
  await divider.waitFor();
  expect(await divider.locator('.content').textContent()).toBe('One');
  await expect.poll(() => unread(page)).toBe(0);
  await expect.poll(() => readBy(conversation)).toEqual(expect.arrayContaining([...answers, 'Four']));

  // And without the window being closed, at its end.
  await scrollBy(page, -600);
  await agent(service).answer(conversation, 'Five');
  await expect.poll(() => unread(page)).toBe(1);
  await chat(page).window.getByRole('button', { name: 'Jump to latest, 1 new message' }).click();
  await expect.poll(() => unread(page)).toBe(0);
  await close();
});

test('an answer below a screen that lies over the conversation is new until that has gone', async () => {
  const { page, requests, close } = await openTagged(browser, service, 'covered');
  await chat(page).open();
  const conversation = await say(service, page, 'What do you keep?');
  await pick(page, 'What we keep');
  await chat(page).window.getByRole('heading', { name: 'What we keep' }).waitFor();
  await agent(service).answer(conversation, 'Only your words');
  await expect.poll(() => unread(page)).toBe(1);
  await drawn(page);
  expect(requests.filter(({ path }) => path.endsWith('/update_last_seen'))).toEqual([]);
  await page.keyboard.press('Escape');
  await expect.poll(() => unread(page)).toBe(0);
  await expect.poll(() => readBy(conversation)).toEqual(['Only your words']);
  await close();
});

test('the first answer of all, to words of the visitor, is marked as new when they open the window again', async () => {
  const { page, close } = await openTagged(browser, service, 'first-answer');
  await chat(page).open();
  const conversation = await say(service, page, 'Is somebody there?');
  await chat(page).close();
  await agent(service).answer(conversation, 'I am');
  await expect.poll(() => unread(page)).toBe(1);
  await chat(page).open();
  const divider = chat(page).log.getByRole('listitem').filter({ hasText: 'New messages' });
  await divider.waitFor();
  expect(await divider.locator('.content').textContent()).toBe('I am');
  await close();
});

test('a history that this browser has not seen before is opened at its end, and nothing of it is new', async () => {
  const { page, close } = await openTagged(browser, service, 'elsewhere-before');
  await chat(page).open();
  const conversation = await say(service, page, 'I write from another device');
  await chat(page).close();
  await fill(service, conversation, 40);
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage))
      if (/:(?:seen|open)$/.test(key)) localStorage.removeItem(key);
  });
  await page.reload();
  await chat(page).open();
  await chat(page)
    .log.getByText(/^Line 40\b/)
    .waitFor();
  await drawn(page);
  const distance = () =>
    chat(page).log.evaluate((log) => log.scrollHeight - log.clientHeight - log.scrollTop);
  await expect.poll(distance).toBeLessThan(4);
  expect(await chat(page).log.getByText('New messages').count()).toBe(0);
  await close();
});

test('a preview of another conversation leaves what is new in this one unread, and its count to the launcher', async () => {
  const { page, close } = await openTagged(browser, service, 'pressed');
  await chat(page).open();
  const first = await say(service, page, 'Of a first lamp');
  await pick(page, 'New conversation');
  const second = await say(service, page, 'Of a second lamp');
  await chat(page).close();
  await agent(service).answer(second, 'The second lamp is here');
  await agent(service).answer(first, 'The first lamp is here');
  await page.getByRole('button', { name: 'Ada The second lamp is here' }).waitFor();
  await page.getByRole('button', { name: 'Ada The first lamp is here' }).click();
  await chat(page).bubble('The first lamp is here').waitFor();
  await expect.poll(() => focused(page)).toBe('Message');
  await expect.poll(() => readBy(first)).toEqual(['The first lamp is here']);
  expect(await readBy(second)).toEqual([]);
  await chat(page).close();
  const card = page.getByRole('button', { name: 'Ada The second lamp is here' });
  await card.click();
  await chat(page).bubble('The second lamp is here').waitFor();
  await expect.poll(() => readBy(second)).toEqual(['The second lamp is here']);
  await chat(page).close();
  expect(await chat(page).launcher.getAttribute('aria-label')).toBe('Open chat');
  await close();
});
