/** What counts as new to a visitor who has read it on another device, and what was said elsewhere while they were away. */
import { expect, test } from 'vitest';
import { firstNew } from '../../src/model/new-rows.js';
import type { Hear } from '../../src/page-held.js';
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
  await until(next.chat.$news, (news) => news.length === 1);
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

test('an answer elsewhere is told of a minute later where the list on return has failed', async () => {
  const profile = newProfile();
  const [first] = await withTwo(profile);
  await answer(first, 'The lamp is here after all');
  const { fetch, lists } = counting();
  let skipped = 0;
  const tab = open(profile, {
    async fetch(url, init) {
      const answered = await fetch(url, init);
      const failed = lists() === 1 && String(url).endsWith('/conversations');
      return failed ? new Response('', { status: 502 }) : answered;
    },
    wall: () => Date.now() + skipped,
    // What is to be done in most of a minute is due as soon as it is asked for.
    after(ms, work) {
      const isLong = ms > 50_000;
      const timer = setTimeout(
        () => {
          if (isLong) skipped += ms;
          work();
        },
        isLong ? 100 : ms,
      );
      return () => clearTimeout(timer);
    },
  });
  await until(tab.chat.$news, (news) => news.length === 1);
  expect(contents(tab)).toEqual(['The lamp is here after all']);
  expect(lists()).toBe(2);
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

test.each([
  ['is out of reach', () => Promise.reject(new TypeError('cut'))],
  ['is flooded', async () => new Response('', { status: 429 })],
  ['is ill', async () => new Response('', { status: 502 })],
])('a look while the service %s is told once the line is back', async (_, refuse) => {
  let cut = true;
  const fetchCut: typeof fetch = (url, init) =>
    cut && String(url).endsWith('/update_last_seen') ? refuse() : fetch(url, init);
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

test('words that an agent reads while the visitor looks on are marked as seen, which is asked for once a minute', async () => {
  let looks = 0;
  const minutes: (() => void)[] = [];
  let answered = 0;
  let skipped = 0;
  const tab = open(newProfile(), {
    async fetch(url, init = {}) {
      const isLook = init.method === 'GET' && /conversations\/\d+$/.test(String(url));
      if (isLook) looks++;
      const answer = await fetch(url, init);
      if (isLook) answered++;
      return answer;
    },
    monotonic: () => performance.now() + skipped,
    after(ms, work) {
      if (ms === 60_000) minutes.push(work);
      const timer = setTimeout(work, ms);
      return () => clearTimeout(timer);
    },
  });
  tab.chat.setOpen(true);
  const conversation = await say(tab, 'Has anybody read this?');
  await until(tab.chat.$line, (line) => line === 'live');
  const minute = async (count: number) => {
    await expect.poll(() => minutes.length).toBe(count);
    skipped += 60_000;
    minutes.at(-1)?.();
  };
  const first = looks;
  await minute(1);
  await expect.poll(() => minutes.length).toBe(2);
  // An answer on its way would tell of it before the next minute.
  await expect.poll(() => [looks, answered]).toEqual([first + 1, first + 1]);
  const path = `/api/v1/accounts/1/conversations/${conversation}/update_last_seen`;
  expect((await service.agent('POST', path)).status).toBe(200);
  const before = looks;
  await minute(2);
  await until(tab.chat.$rows, (rows) => !!rows?.some(({ mark }) => mark === 'seen'));
  expect(looks).toBe(before + 1);
  // There is nothing to ask for any more.
  await minute(3);
  expect([minutes.length, looks]).toEqual([3, before + 1]);
});

test('what was said in one conversation is new there, though the visitor has seen later words in another one', async () => {
  const profile = newProfile();
  const [first, second] = await withTwo(profile);
  const tab = open(profile);
  tab.chat.setOpen(true);
  await until(tab.chat.$line, (line) => line === 'live');
  await answer(first, 'The lamp is here');
  await until(tab.chat.$news, (news) => news.length === 1);
  await answer(second, 'The chair is here');
  await reads(tab, ['about a chair', 'The chair is here']);
  // What the tab before has sent has its number in this one, too: nobody leaves words that may wait.
  await expect.poll(async () => (await tab.chat.kept()).waiting).toEqual([]);
  expect(await tab.chat.chooseConversation(first)).toEqual({ ok: true, value: true });
  const rows = await reads(tab, ['about a lamp', 'The lamp is here']);
  expect(firstNew(rows ?? [], tab.chat.seenBefore())?.content).toBe('The lamp is here');
  // And once only.
  expect(await tab.chat.chooseConversation(second)).toEqual({ ok: true, value: true });
  await reads(tab, ['about a chair', 'The chair is here']);
  expect(await tab.chat.chooseConversation(first)).toEqual({ ok: true, value: true });
  const again = await reads(tab, ['about a lamp', 'The lamp is here']);
  expect(firstNew(again ?? [], tab.chat.seenBefore())).toBeUndefined();
});

test('of two chats on one page both tell of an answer elsewhere, whichever hears of it first', async () => {
  const profile = newProfile();
  const [first] = await withTwo(profile);
  const beside = new Set<Hear>();
  const one = open(profile, { beside });
  const other = open(profile, { beside, localStorage: one.env.localStorage });
  const told: unknown[] = [];
  for (const { chat } of [one, other]) {
    chat.onArrival(({ content }) => told.push(content));
    await until(chat.$line, (line) => line === 'live');
  }
  await answer(first, 'The lamp is here');
  await expect.poll(() => told).toEqual(['The lamp is here', 'The lamp is here']);
  for (const tab of [one, other]) expect(contents(tab)).toEqual(['The lamp is here']);
});

test('an answer elsewhere is told of while the window is open, too, and once, though its conversation is chosen then', async () => {
  const profile = newProfile();
  const [first, second] = await withTwo(profile);
  await answer(first, 'History');
  const tab = open(profile);
  const told: unknown[] = [];
  tab.chat.onArrival(({ content, conversation_id }) => told.push([content, conversation_id]));
  tab.chat.setOpen(true);
  await until(tab.chat.$news, (news) => news.length === 1);
  await until(tab.chat.$line, (line) => line === 'live');
  await tab.chat.listConversations();
  // The list that each of them has fetched may have the next one, before that is heard.
  const all = ['The lamp is here', 'And its shade', 'And its cord'];
  for (const words of all) await answer(first, words);
  await until(tab.chat.$news, (news) => news.length === 4);
  await answer(second, 'The chair is here');
  await reads(tab, ['about a chair', 'The chair is here']);
  await expect.poll(async () => (await tab.chat.kept()).waiting).toEqual([]);
  expect(await tab.chat.chooseConversation(first)).toEqual({ ok: true, value: true });
  await reads(tab, ['about a lamp', 'History', ...all]);
  await answer(first, 'Good night');
  await reads(tab, ['about a lamp', 'History', ...all, 'Good night']);
  expect(told).toEqual([
    ...all.map((words) => [words, first]),
    ['The chair is here', second],
    ['Good night', first],
  ]);
});

test('an answer elsewhere is told of once, though the list by which its conversation is chosen does not have it yet', async () => {
  const profile = newProfile();
  const [first] = await withTwo(profile);
  let slow = false;
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const fetchSlow: typeof fetch = async (url, init) => {
    if (slow && String(url).endsWith('/conversations')) await held;
    return fetch(url, init);
  };
  const tab = open(profile, { fetch: fetchSlow });
  const told: unknown[] = [];
  tab.chat.onArrival(({ content }) => told.push(content));
  await until(tab.chat.$line, (line) => line === 'live');
  await tab.chat.listConversations();
  slow = true;
  await answer(first, 'The lamp is here');
  await until(tab.chat.$news, (news) => news.length === 1);
  await expect.poll(async () => (await tab.chat.kept()).waiting).toEqual([]);
  expect(await tab.chat.chooseConversation(first)).toEqual({ ok: true, value: true });
  await reads(tab, ['about a lamp', 'The lamp is here']);
  release();
  expect(told).toEqual(['The lamp is here']);
});
