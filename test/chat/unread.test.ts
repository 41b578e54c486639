/** What counts as new to a visitor who has read it on another device, and what was said elsewhere while they were away. */
import { expect, test } from 'vitest';
import { newProfile, type Profile, type Tab, until } from '../support/tab.js';
import { useVisitors } from '../support/visitors.js';

const { service, open, proven, say, reads, answer } = await useVisitors();

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

/** Requests for the list of all conversations. */
function counting(): { fetch: typeof fetch; lists: () => number } {
  let lists = 0;
  return {
    fetch(url, init) {
      if ((init?.method ?? 'GET') === 'GET' && String(url).endsWith('/conversations')) lists++;
      return fetch(url, init);
    },
    lists: () => lists,
  };
}

/** A visitor with two conversations, who has gone. */
async function withTwo(profile: Profile): Promise<[first: number, second: number]> {
  const tab = open(profile);
  const first = await say(tab, 'about a lamp');
  await until(tab.chat.$line, (line) => line === 'live');
  await tab.chat.newConversation();
  const second = await say(tab, 'about a chair');
  expect(second).not.toBe(first);
  tab.close();
  return [first, second];
}

test('an answer elsewhere that came while the visitor was away is told on return, on every page and in every tab, and listed once', async () => {
  const profile = newProfile();
  const [first] = await withTwo(profile);
  await answer(first, 'The lamp is here');
  const { fetch, lists } = counting();
  const tab = open(profile, { fetch });
  await until(tab.chat.$news, (news) => news.length === 1);
  expect(contents(tab)).toEqual(['The lamp is here']);
  expect(tab.chat.$unread.get()).toBe(0);
  const other = open(profile, { fetch });
  await until(other.chat.$news, (news) => news.length === 1);
  await until(other.chat.$line, (line) => line === 'live');
  tab.close();
  const next = open(profile, { fetch });
  await until(next.chat.$line, (line) => line === 'live');
  expect(next.chat.$news.get()).toHaveLength(1);
  expect(lists()).toBe(1);
  // Chosen, it is seen, in all tabs; words are not kept.
  expect(JSON.stringify([...profile.storage])).not.toContain('lamp');
  next.chat.setOpen(true);
  await next.chat.chooseConversation(first);
  await reads(next, ['about a lamp', 'The lamp is here']);
  await until(next.chat.$news, (news) => news.length === 0);
  await until(other.chat.$news, (news) => news.length === 0);
  expect(lists()).toBe(1);
});

test('who has one conversation lists none on return, and a hidden page none either', async () => {
  const profile = newProfile();
  const { fetch, lists } = counting();
  const before = open(profile);
  await say(before, 'alone');
  before.close();
  const one = open(profile, { fetch });
  await reads(one, ['alone']);
  await until(one.chat.$line, (line) => line === 'live');
  expect(lists()).toBe(0);
  const two = newProfile();
  const [first] = await withTwo(two);
  await answer(first, 'Nobody looks');
  const hidden = open(two, { fetch });
  hidden.page.visible = false;
  await reads(hidden, ['about a chair']);
  await until(hidden.chat.$line, (line) => line === 'live');
  expect(lists()).toBe(0);
  hidden.page.visible = true;
  hidden.fire('visibilitychange');
  await until(hidden.chat.$news, (news) => news.length === 1);
  expect(lists()).toBe(1);
});

test('what was read on another device since is no news on the next page of this one', async () => {
  const here = newProfile();
  const first = open(here);
  await proven(first, 'lise');
  const conversation = await say(first, 'From here');
  await until(first.chat.$line, (line) => line === 'live');
  first.close();
  await answer(conversation, 'Read there');
  const there = open(newProfile());
  await proven(there, 'lise');
  there.chat.setOpen(true);
  await reads(there, ['From here', 'Read there']);
  await looked(conversation);
  const again = open(here);
  await proven(again, 'lise');
  await reads(again, ['From here', 'Read there']);
  await until(again.chat.$unread, (count) => count === 0);
  expect(contents(again)).toEqual([]);
});

test('a look that the service could not hear of is told once the line is back', async () => {
  let cut = true;
  const fetchCut: typeof fetch = (url, init) =>
    cut && String(url).endsWith('/update_last_seen')
      ? Promise.reject(new TypeError('cut'))
      : fetch(url, init);
  const tab = open(newProfile(), { fetch: fetchCut });
  const conversation = await say(tab, 'Hello from a tunnel');
  await until(tab.chat.$line, (line) => line === 'live');
  await answer(conversation, 'Are you through?');
  await until(tab.chat.$unread, (count) => count === 1);
  tab.chat.setOpen(true);
  await until(tab.chat.$unread, (count) => count === 0);
  cut = false;
  tab.fire('online');
  await looked(conversation);
});
