/** Several conversations of one visitor: left, chosen, ended, opened again, in all tabs. */
import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { hold, startFaultProxy, status } from '../support/fault-proxy.js';
import { startTestService, type TestService } from '../support/service.js';
import { newProfile, openTab, type Profile, type Tab, until } from '../support/tab.js';

let service: TestService;
const tabs: Tab[] = [];
beforeAll(async () => {
  service = await startTestService();
});
afterEach(() => {
  for (const tab of tabs.splice(0)) tab.close();
});
afterAll(() => service.end());

function open(profile: Profile, baseUrl = service.url): Tab {
  const tab = openTab(profile, { baseUrl, inboxIdentifier: 'demo-inbox' }, { lateCommitMs: 200 });
  tabs.push(tab);
  return tab;
}

/** Sends, and waits until it is in this conversation's list of what was said, and waits no more: then it can be left. */
async function say(tab: Tab, words: string): Promise<number> {
  expect((await tab.chat.send(words)).ok).toBe(true);
  const rows = await until(
    tab.chat.$rows,
    (all) => all?.some((row) => row.content === words && row.state === 'sent') === true,
  );
  await expect.poll(async () => (await tab.chat.kept()).waiting).toEqual([]);
  return rows?.find((row) => row.content === words)?.message?.conversation_id ?? 0;
}
const contents = (tab: Tab) => tab.chat.$rows.get()?.map((row) => row.content);
const reads = (tab: Tab, words: string[]) =>
  until(tab.chat.$rows, (rows) => rows?.map((row) => row.content).join() === words.join());
const answer = async (conversation: number, content: string) =>
  expect(
    (await service.agent('POST', `/api/v1/accounts/1/conversations/${conversation}/messages`, { content }))
      .status,
  ).toBe(200);
const done = { ok: true, value: true };
const refused = { ok: true, value: false };

test('a new conversation leaves the old one as it is, and both can be gone on with', async () => {
  const tab = open(newProfile());
  const first = await say(tab, 'about a lamp');
  expect(await tab.chat.newConversation()).toEqual(done);
  expect(contents(tab)).toEqual([]);
  const second = await say(tab, 'about a chair');
  expect(second).not.toBe(first);
  expect(contents(tab)).toEqual(['about a chair']);

  await tab.chat.listConversations();
  expect(tab.chat.$conversations.get()).toMatchObject([
    {
      id: second,
      status: 'open',
      current: true,
      unread: 0,
      last: { content: 'about a chair', message_type: 0 },
    },
    {
      id: first,
      status: 'open',
      current: false,
      unread: 0,
      last: { content: 'about a lamp', message_type: 0 },
    },
  ]);
  expect(await tab.chat.chooseConversation(first)).toEqual(done);
  expect(contents(tab)).toEqual(['about a lamp']);
  expect(await say(tab, 'the lamp again')).toBe(first);
});

test('each conversation has its own draft, over tabs and pages, until the visitor is gone', async () => {
  const profile = newProfile();
  const [tab, other] = [open(profile), open(profile)];
  const first = await say(tab, 'about a lamp');
  tab.chat.setDraft('half a lamp');
  tab.chat.setFiles([new File(['light'], 'lamp.txt')]);
  other.chat.setFiles([new File(['shade'], 'shade.txt')]);
  expect(await tab.chat.newConversation()).toEqual(done);
  expect([tab.chat.$draft.get(), tab.chat.$files.get()]).toEqual(['', []]);
  await until(other.chat.$draft, (draft) => draft === '');
  await until(other.chat.$files, (files) => files.length === 0);
  const second = await say(tab, 'about a chair');
  tab.chat.setDraft('half a chair');
  await tab.chat.listConversations();
  expect(await tab.chat.chooseConversation(first)).toEqual(done);
  expect(tab.chat.$draft.get()).toBe('half a lamp');
  expect(tab.chat.$files.get().map(({ name }) => name)).toEqual(['lamp.txt']);
  await until(other.chat.$draft, (draft) => draft === 'half a lamp');
  await until(other.chat.$files, (files) => files[0]?.name === 'shade.txt');
  tab.close();
  const next = open(profile);
  expect(next.chat.$draft.get()).toBe('half a lamp');
  await next.chat.listConversations();
  expect(await next.chat.chooseConversation(second)).toEqual(done);
  expect(next.chat.$draft.get()).toBe('half a chair');
  expect((await next.chat.logout()).ok).toBe(true);
  expect([...profile.storage.values()].join()).not.toContain('half a');
});

test('what is typed after another conversation was asked for is for that one', async () => {
  const tab = open(newProfile());
  const first = await say(tab, 'about a lamp');
  tab.chat.setDraft('half a lamp');
  const made = tab.chat.newConversation();
  // The disk takes longer than one turn, and a finger that types does, too.
  await setImmediate();
  tab.chat.setDraft('half a lamp, a whole chair');
  expect(await made).toEqual(done);
  expect(tab.chat.$draft.get()).toBe(', a whole chair');
  await tab.chat.listConversations();
  tab.chat.setDraft('');
  const chosen = tab.chat.chooseConversation(first);
  await setImmediate();
  tab.chat.setDraft(', and a shade');
  expect(await chosen).toEqual(done);
  expect(tab.chat.$draft.get()).toBe('half a lamp, and a shade');
});

test('a conversation that was left is not taken up again by another page, until the visitor writes', async () => {
  const profile = newProfile();
  const tab = open(profile);
  const first = await say(tab, 'left behind');
  expect(await tab.chat.newConversation()).toEqual(done);
  tab.close();
  const next = open(profile);
  await until(next.chat.$rows, (rows) => rows !== undefined);
  await until(next.chat.$line, (line) => line === 'live');
  expect(contents(next)).toEqual([]);
  expect(await say(next, 'somewhere else')).not.toBe(first);
});

test('all tabs follow to the chosen conversation', async () => {
  const profile = newProfile();
  const here = open(profile);
  const there = open(profile);
  const first = await say(here, 'one');
  await reads(there, ['one']);
  await here.chat.newConversation();
  await reads(there, []);
  await say(here, 'two');
  await reads(there, ['two']);
  await there.chat.listConversations();
  expect(await there.chat.chooseConversation(first)).toEqual(done);
  await reads(here, ['one']);
});

test('a conversation that is chosen before it was ever read shows nothing of the one before, in any tab', async () => {
  const proxy = await startFaultProxy(service.url);
  const profile = newProfile();
  const [tab, other] = [open(profile, proxy.url), open(profile, proxy.url)];
  const first = await say(tab, 'about a rug');
  await tab.chat.newConversation();
  const second = await say(tab, 'about a sofa');
  for (const one of [tab, other]) {
    await reads(one, ['about a sofa']);
    await until(one.chat.$hasOlder, (has) => has !== undefined);
  }
  // A line so slow that nothing has come yet.
  const slow = hold('before');
  proxy.rule(({ method, path }) => (method === 'GET' && path.endsWith('/messages') ? slow.fault : undefined));
  expect(await tab.chat.chooseConversation(first)).toEqual(done);
  expect(contents(tab)).toBeUndefined();
  await until(other.chat.$rows, (rows) => rows === undefined);
  // Not "nothing was said yet" either.
  await tab.chat.newConversation();
  await reads(tab, []);
  expect(await tab.chat.chooseConversation(second)).toEqual(done);
  expect(contents(tab)).toBeUndefined();
  slow.release();
  await reads(tab, ['about a sofa']);
  await reads(other, ['about a sofa']);
  await proxy.stop();
});

test('while words wait nothing is left, chosen or ended', async () => {
  const proxy = await startFaultProxy(service.url);
  const tab = open(newProfile(), proxy.url);
  const first = await say(tab, 'arrived');
  await tab.chat.newConversation();
  const second = await say(tab, 'arrived, too');
  await tab.chat.listConversations();
  proxy.rule(({ method, path }) =>
    method === 'POST' && path.endsWith('/messages') ? status(503) : undefined,
  );
  await tab.chat.send('waits');
  expect(await tab.chat.newConversation()).toEqual(refused);
  expect(await tab.chat.chooseConversation(first)).toEqual(refused);
  expect(await tab.chat.endConversation()).toEqual(refused);
  expect(contents(tab)).toEqual(['arrived, too', 'waits']);
  expect(second).not.toBe(first);
  await proxy.stop();
});

test('an ended conversation says so in every tab, and a message opens it again', async () => {
  const profile = newProfile();
  const tab = open(profile);
  const other = open(profile);
  const conversation = await say(tab, 'that was all');
  await until(tab.chat.$line, (line) => line === 'live');
  await until(other.chat.$line, (line) => line === 'live');
  expect(await tab.chat.endConversation()).toEqual(done);
  expect(tab.chat.$status.get()).toBe('resolved');
  await until(other.chat.$status, (state) => state === 'resolved');
  const stored = () =>
    service.db.query('select status from conversations where display_id = $1', [conversation]);
  expect(await stored()).toEqual([{ status: 'resolved' }]);
  expect(await say(other, 'one more thing')).toBe(conversation);
  await until(tab.chat.$status, (state) => state === 'open');
  await until(other.chat.$status, (state) => state === 'open');
  expect(await stored()).toEqual([{ status: 'open' }]);
});

test('what an agent ended while nobody looked is known on opening the window', async () => {
  const profile = newProfile();
  const before = open(profile);
  const conversation = await say(before, 'good night');
  before.close();
  await service.agent('POST', `/api/v1/accounts/1/conversations/${conversation}/toggle_status`, {
    status: 'resolved',
  });
  const after = open(profile);
  after.chat.setOpen(true);
  await until(after.chat.$status, (state) => state === 'resolved');
});

test('an answer in another conversation is news, counted in the list, and seen when it is chosen', async () => {
  const tab = open(newProfile());
  const first = await say(tab, 'first matter');
  await until(tab.chat.$line, (line) => line === 'live');
  await tab.chat.newConversation();
  await say(tab, 'second matter');
  await answer(first, 'about the first matter');
  await until(tab.chat.$news, (news) => news.length === 1);
  expect(contents(tab)).toEqual(['second matter']);
  expect(tab.chat.$unread.get()).toBe(0);
  await tab.chat.listConversations();
  expect(tab.chat.$conversations.get()?.find(({ id }) => id === first)).toMatchObject({ unread: 1 });
  tab.chat.setOpen(true);
  await tab.chat.chooseConversation(first);
  await until(tab.chat.$news, (news) => news.length === 0);
  expect(contents(tab)).toEqual(['first matter', 'about the first matter']);
  await expect
    .poll(async () => {
      await tab.chat.listConversations();
      return tab.chat.$conversations.get()?.map(({ unread }) => unread);
    })
    .toEqual([0, 0]);
});

test('a list that is open follows what is said, in the conversation that is shown and elsewhere, without being asked for', async () => {
  let lists = 0;
  const tab = openTab(
    newProfile(),
    { baseUrl: service.url, inboxIdentifier: 'demo-inbox' },
    {
      lateCommitMs: 200,
      fetch(url, init = {}) {
        if (String(url).endsWith('/conversations') && init.method === 'GET') lists++;
        return fetch(url, init);
      },
    },
  );
  tabs.push(tab);
  const first = await say(tab, 'of the table');
  await until(tab.chat.$line, (line) => line === 'live');
  await tab.chat.newConversation();
  const second = await say(tab, 'of the bench');
  await tab.chat.listConversations();
  const before = lists;
  const lines = () =>
    tab.chat.$conversations.get()?.map(({ id, last, unread }) => [id, last?.content, unread]);
  expect(lines()).toEqual([
    [second, 'of the bench', 0],
    [first, 'of the table', 0],
  ]);
  await answer(first, 'The table is sold');
  await answer(first, 'And the other one, too');
  await expect.poll(lines).toEqual([
    [first, 'And the other one, too', 2],
    [second, 'of the bench', 0],
  ]);
  await answer(second, 'The bench is here');
  await expect.poll(lines).toEqual([
    [second, 'The bench is here', 1],
    [first, 'And the other one, too', 2],
  ]);
  // Chosen, it is there with what has come, and read; left again, it stays so.
  tab.chat.setOpen(true);
  const seen: (string[] | undefined)[] = [];
  const undo = tab.chat.$rows.subscribe((rows) => void seen.push(rows?.map(({ content }) => content)));
  await tab.chat.chooseConversation(first);
  await reads(tab, ['of the table', 'The table is sold', 'And the other one, too']);
  undo();
  expect(seen.map((words) => words?.join())).not.toContain('of the table');
  await tab.chat.chooseConversation(second);
  await reads(tab, ['of the bench', 'The bench is here']);
  expect(lines()).toEqual([
    [second, 'The bench is here', 0],
    [first, 'And the other one, too', 0],
  ]);
  expect(lists).toBe(before);
});

test('forgetting removes every fact and every word, in all tabs', async () => {
  const profile = newProfile();
  const tab = open(profile);
  const other = open(profile);
  await say(tab, 'forget this');
  await reads(other, ['forget this']);
  tab.chat.setWish({ muted: true });
  tab.chat.setOpen(true);
  tab.chat.setDraft('and this');
  expect((await tab.chat.forget()).ok).toBe(true);
  expect([...profile.storage]).toEqual([]);
  await reads(other, []);
  expect(await other.chat.kept()).toEqual({ facts: [], waiting: [], about: {}, known: false });
});

test('a tab that has not heard yet that somebody has ended keeps nothing more of them', async () => {
  const profile = newProfile();
  const tab = open(profile);
  const conversation = await say(tab, 'about a secret');
  await until(tab.chat.$line, (line) => line === 'live');
  // As another tab does, before it tells.
  profile.storage.clear();
  const path = `/api/v1/accounts/1/conversations/${conversation}`;
  expect((await service.agent('POST', `${path}/toggle_status`, { status: 'resolved' })).status).toBe(200);
  await until(tab.chat.$status, (status) => status === 'resolved');
  await answer(conversation, 'A secret');
  await reads(tab, ['about a secret', 'A secret']);
  expect([...profile.storage]).toEqual([]);
});

test('the service is told that another conversation was read, though newer words were seen elsewhere', async () => {
  const tab = open(newProfile());
  const first = await say(tab, 'about a bed');
  await tab.chat.newConversation();
  const second = await say(tab, 'about a shelf');
  await until(tab.chat.$line, (line) => line === 'live');
  await answer(first, 'Of the bed');
  await answer(second, 'Of the shelf');
  await reads(tab, ['about a shelf', 'Of the shelf']);
  tab.chat.setOpen(true);
  await expect.poll(() => tab.chat.$unread.get()).toBe(0);
  await tab.chat.listConversations();
  expect(tab.chat.$conversations.get()).toMatchObject([{ id: second }, { id: first, unread: 1 }]);
  const seenAt = async () =>
    (
      await service.db.query<{ at: number }>(
        'select coalesce(extract(epoch from contact_last_seen_at), 0)::int as at from conversations where display_id = $1',
        [first],
      )
    )[0]?.at;
  await service.db.query('update conversations set contact_last_seen_at = null where display_id = $1', [
    first,
  ]);
  expect(await tab.chat.chooseConversation(first)).toEqual(done);
  await expect.poll(seenAt).toBeGreaterThan(0);
});

test('who is writing in one conversation is not shown in another', async () => {
  const tab = open(newProfile());
  const first = await say(tab, 'about a door');
  await until(tab.chat.$line, (line) => line === 'live');
  await service.agent('POST', `/api/v1/accounts/1/conversations/${first}/toggle_typing_status`, {
    typing_status: 'on',
  });
  await until(tab.chat.$typing, (typing) => typing !== undefined);
  expect(await tab.chat.newConversation()).toEqual(done);
  expect(tab.chat.$typing.get()).toBeUndefined();
});
