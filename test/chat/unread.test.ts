/** What counts as new to a visitor who has read it on another device, and what was said elsewhere while they were away. */
import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/service.js';
import { newProfile, openTab, type Profile, type Tab, until } from '../support/tab.js';

let service: TestService;
let key = '';
const tabs: Tab[] = [];
beforeAll(async () => {
  service = await startTestService();
  const [inbox] = await service.db.query<{ hmac_token: string }>(
    'select hmac_token from inboxes where id = 1',
  );
  key = inbox?.hmac_token ?? '';
});
afterEach(() => {
  for (const tab of tabs.splice(0)) tab.close();
});
afterAll(() => service.end());

function open(profile: Profile): Tab {
  const { url: baseUrl, inboxIdentifier } = service;
  const tab = openTab(profile, { baseUrl, inboxIdentifier });
  tabs.push(tab);
  return tab;
}

const proven = (tab: Tab, identifier: string) =>
  tab.chat.identify({
    identifier,
    identifier_hash: createHmac('sha256', key).update(identifier).digest('hex'),
  });

/** Sends, and waits until it has arrived. */
async function say(tab: Tab, words: string): Promise<number> {
  await tab.chat.send(words);
  const is = (row: { content: string; state: string }) => row.content === words && row.state === 'sent';
  const rows = await until(tab.chat.$rows, (all) => !!all?.some(is));
  return rows?.find(is)?.message?.conversation_id ?? 0;
}
const reads = (tab: Tab, words: string[]) =>
  until(tab.chat.$rows, (rows) => rows?.map((row) => row.content).join() === words.join());
const answer = async (conversation: number, content: string) =>
  expect(
    (await service.agent('POST', `/api/v1/accounts/1/conversations/${conversation}/messages`, { content }))
      .status,
  ).toBe(200);
const contents = (tab: Tab) => tab.chat.$news.get().map(({ content }) => content);

/** The service knows that the visitor has looked. */
async function looked(conversation: number): Promise<void> {
  const seen = () =>
    service.db.query(
      'select 1 from conversations where display_id = $1 and contact_last_seen_at is not null',
      [conversation],
    );
  await expect.poll(seen).toHaveLength(1);
}

/** All that is so far in it has happened a while ago. */
async function ago(conversation: number): Promise<void> {
  await service.db.query(
    `update conversations set contact_last_seen_at = contact_last_seen_at - interval '1 hour' where display_id = $1`,
    [conversation],
  );
  await service.db.query(
    `update messages set created_at = created_at - interval '1 hour'
     where conversation_id = (select id from conversations where display_id = $1)`,
    [conversation],
  );
}

/** The most that was new at any time. */
function watchNews(tab: Tab): () => number {
  let most = 0;
  tab.chat.$news.subscribe(({ length }) => {
    most = Math.max(most, length);
  });
  return () => most;
}

test('what a proven visitor has read on one device is not new on the next one, and what comes after that is', async () => {
  const first = open(newProfile());
  await proven(first, 'ada');
  const conversation = await say(first, 'Hello from the phone');
  await until(first.chat.$line, (line) => line === 'live');
  await answer(conversation, 'Hello');
  await answer(conversation, 'How can I help?');
  first.chat.setOpen(true);
  await reads(first, ['Hello from the phone', 'Hello', 'How can I help?']);
  await looked(conversation);

  const second = open(newProfile());
  const most = watchNews(second);
  await proven(second, 'ada');
  await reads(second, ['Hello from the phone', 'Hello', 'How can I help?']);
  await until(second.chat.$line, (line) => line === 'live');
  expect([most(), second.chat.$unread.get()]).toEqual([0, 0]);
  // In the same second as the look, may be.
  await answer(conversation, 'Are you there?');
  await until(second.chat.$news, (news) => news.length === 1);
  expect(contents(second)).toEqual(['Are you there?']);
});

test('what nobody has looked at on any device is new after logging in again, and that alone', async () => {
  const profile = newProfile();
  const tab = open(profile);
  await proven(tab, 'grace');
  const conversation = await say(tab, 'Question');
  await until(tab.chat.$line, (line) => line === 'live');
  await answer(conversation, 'Read');
  tab.chat.setOpen(true);
  await reads(tab, ['Question', 'Read']);
  await looked(conversation);
  tab.chat.setOpen(false);
  await tab.chat.logout();
  await ago(conversation);
  await answer(conversation, 'Not read');
  await proven(tab, 'grace');
  await reads(tab, ['Question', 'Read', 'Not read']);
  expect(contents(tab)).toEqual(['Not read']);
  expect(tab.chat.$unread.get()).toBe(1);
});
