/** A database that is slow, ends or is emptied: words stay, and so does whose they are. */
import { IDBFactory } from 'fake-indexeddb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Env } from '../../src/env.js';
import { startTestService, type TestService } from '../support/service.js';
import { newProfile, openTab, type Profile, until } from '../support/tab.js';

const WRITE_LIMIT_MS = 45_000;
let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.end());

const options = () => ({ baseUrl: service.url, inboxIdentifier: 'demo-inbox' });
const sent = (count: number) => (rows: readonly { state: string }[] | undefined) =>
  rows?.length === count && rows.every((row) => row.state === 'sent');

/** The page waits eight times less than a visitor's. */
const hasty: Partial<Env> = {
  after(ms, work) {
    const timer = setTimeout(work, ms / 8);
    return () => clearTimeout(timer);
  },
};
/** A database that does not answer, as on a device that is busy with something else. */
const silent = () => Object.assign(new IDBFactory(), { open: () => ({}) });
const busy: Partial<Env> = { indexedDB: silent, ...hasty };

test('words kept elsewhere, because the database was slow once, are sent by the next page, before newer ones', async () => {
  const profile = newProfile();
  // 1. a tab whose database does not open keeps its words in localStorage · 2. it goes · 3. the next one opens it
  const slow = openTab(profile, options(), busy);
  slow.page.online = false;
  await slow.chat.send('kept while it was slow');
  slow.close();
  const next = openTab(profile, options());
  await next.chat.send('written later');
  const rows = await until(next.chat.$rows, sent(2));
  expect(rows?.map((row) => row.content)).toEqual(['kept while it was slow', 'written later']);
  expect([...profile.storage.keys()].filter((key) => key.endsWith(':ledger'))).toEqual([]);
  next.close();
});

test('a conversation begun while the database was slow goes on when it is not', async () => {
  const profile = newProfile();
  const slow = openTab(profile, options(), busy);
  await slow.chat.send('begun while it was slow');
  await until(slow.chat.$rows, sent(1));
  slow.close();
  const next = openTab(profile, options());
  await next.chat.send('goes on');
  const rows = await until(next.chat.$rows, sent(2));
  expect(rows?.map((row) => row.content)).toEqual(['begun while it was slow', 'goes on']);
  next.close();
});

/** One that answers when it is let: until then it does not even say no. */
function held(profile: Profile) {
  let release = () => {};
  const answers = new Promise<void>((resolve) => {
    release = resolve;
  });
  const open: IDBFactory['open'] = (name, version) => {
    const answer: Partial<IDBOpenDBRequest> & { result?: IDBDatabase } = {};
    answers.then(() => {
      const request = profile.databases.open(name, version);
      request.onsuccess = (event) => {
        Object.assign(answer, { result: request.result });
        answer.onsuccess?.call(request, event);
      };
      request.onerror = (event) => answer.onerror?.call(request, event);
    });
    return answer as IDBOpenDBRequest;
  };
  return { indexedDB: () => Object.assign(new IDBFactory(), { open }), release: () => release(), ...hasty };
}

test('a tab whose database answers late goes on with what the other tabs know, and its words stand with theirs', async () => {
  const profile = newProfile();
  const other = openTab(profile, options());
  await other.chat.send('said before');
  await until(other.chat.$rows, sent(1));
  const database = held(profile);
  const slow = openTab(profile, options(), database);
  slow.page.online = false;
  await slow.chat.send('written while it was slow');
  expect(slow.chat.$rows.get()?.map((row) => row.content)).toEqual(['written while it was slow']);
  database.release();
  // Nobody touches it: it hears of its thread, and the tab with a line sends its words.
  const thread = ['said before', 'written while it was slow'];
  for (const { chat } of [other, slow]) {
    const rows = await until(chat.$rows, sent(2));
    expect(rows?.map((row) => row.content)).toEqual(thread);
  }
  slow.page.online = true;
  slow.fire('online');
  await slow.chat.send('and after');
  await other.chat.send('and after that');
  const rows = await until(slow.chat.$rows, sent(4));
  expect(rows?.map((row) => row.content)).toEqual([...thread, 'and after', 'and after that']);
  expect([...profile.storage.keys()].filter((key) => key.endsWith(':ledger'))).toEqual([]);
  slow.close();
  other.close();
});

test('words of an identity that has ended do not come home', async () => {
  const profile = newProfile();
  const slow = openTab(profile, options(), busy);
  slow.page.online = false;
  await slow.chat.send('of the old identity');
  const other = openTab(profile, options());
  await until(other.chat.$rows, (rows) => rows?.length === 1);
  await other.chat.logout();
  slow.close();
  const next = openTab(profile, options());
  await until(next.chat.$rows, (rows) => rows?.length === 0);
  expect(JSON.stringify([...profile.storage])).not.toContain('of the old identity');
  other.close();
  next.close();
});

test('where another identity was named while the database was slow, nothing of the one before is left', async () => {
  const profile = newProfile();
  const before = openTab(profile, options());
  await before.chat.identify({ identifier: 'bob' });
  await before.chat.send('of Bob');
  await until(before.chat.$rows, sent(1));
  before.close();
  const slow = openTab(profile, options(), busy);
  slow.page.online = false;
  await slow.chat.identify({ identifier: 'alice' });
  await slow.chat.send('of Alice');
  slow.close();
  const next = openTab(profile, options());
  const rows = await until(next.chat.$rows, sent(1));
  expect(rows?.map((row) => row.content)).toEqual(['of Alice']);
  const [row] = await service.db.query<{ conversations: number }>(
    `select count(distinct conversation_id)::int as conversations from messages where content in ('of Bob', 'of Alice')`,
  );
  expect(row?.conversations).toBe(2);
  next.close();
});

test('a visitor who is named again while the database is slow keeps their thread, and what waits on either side', async () => {
  // 1. Mary's words wait in the database · 2. on the next page it does not open: the page names her, and she is new
  // there · 3. she writes · 4. it opens again
  const profile = newProfile();
  const before = openTab(profile, options());
  await before.chat.identify({ identifier: 'mary' });
  await before.chat.send('Said before');
  await until(before.chat.$rows, sent(1));
  before.page.online = false;
  before.fire('offline');
  await before.chat.send('Waits in the database');
  before.close();
  const slow = openTab(profile, options(), busy);
  await slow.chat.identify({ identifier: 'mary' });
  slow.page.online = false;
  slow.fire('offline');
  await slow.chat.send('Waits beside it');
  slow.close();
  const next = openTab(profile, options());
  await next.chat.identify({ identifier: 'mary' });
  const rows = await until(next.chat.$rows, sent(3));
  expect(rows?.map((row) => row.content)).toEqual([
    'Said before',
    'Waits in the database',
    'Waits beside it',
  ]);
  next.close();
});

test('who ends while the database is slow has ended when it is not', async () => {
  const profile = newProfile();
  const before = openTab(profile, options());
  await before.chat.send('of the one who leaves');
  await until(before.chat.$rows, sent(1));
  before.close();
  const slow = openTab(profile, options(), busy);
  expect((await slow.chat.logout()).ok).toBe(true);
  slow.close();
  const next = openTab(profile, options());
  await until(next.chat.$rows, (rows) => rows?.length === 0);
  next.close();
});

test('a database that goes away while the chat is under way takes neither the thread nor what waits with it', async () => {
  const profile = newProfile();
  const tab = openTab(profile, options(), { indexedDB: () => profile.databases, ...hasty });
  await tab.chat.logout();
  await tab.chat.send('while it was there');
  await until(tab.chat.$rows, sent(1));
  const { databases } = profile;
  // Its connections are cut, and no other is given.
  profile.databases = silent();
  for (const { name = '' } of await databases.databases()) {
    await new Promise((resolve) => {
      databases.deleteDatabase(name).onsuccess = resolve;
    });
  }
  tab.chat.setDraft('more to come');
  expect((await tab.chat.send('and when it was not')).ok).toBe(true);
  const rows = await until(tab.chat.$rows, sent(2));
  expect(rows?.map((row) => row.content)).toEqual(['while it was there', 'and when it was not']);
  expect(tab.chat.$draft.get()).toBe('more to come');
  tab.close();
});

test('a database that is emptied under the page, and can be opened anew, is given back what waits', async () => {
  const profile = newProfile();
  const tab = openTab(profile, options());
  await tab.chat.logout();
  await tab.chat.send('while it was there');
  await until(tab.chat.$rows, sent(1));
  await expect.poll(async () => (await tab.chat.kept()).waiting).toEqual([]);
  tab.page.online = false;
  tab.fire('offline');
  await tab.chat.send('while it was emptied');
  tab.chat.setDraft('more to come');
  // As a page does that clears its own data, and all that lies beside it.
  for (const { name = '' } of await profile.databases.databases()) {
    await new Promise((resolve) => {
      profile.databases.deleteDatabase(name).onsuccess = resolve;
    });
  }
  tab.page.online = true;
  tab.fire('online');
  const rows = await until(tab.chat.$rows, sent(2));
  expect(rows?.map((row) => row.content)).toEqual(['while it was there', 'while it was emptied']);
  expect(tab.chat.$draft.get()).toBe('more to come');
  tab.close();
});

test('words leave, once, from a device whose disk takes longer for each record than a page may sleep before its bytes', async () => {
  const FASTER = 8;
  const COMMIT_MS = 3_000 / FASTER;
  const tab = openTab(newProfile(), options(), {
    monotonic: () => performance.now() * FASTER,
    wall: () => Date.now() * FASTER,
    after(ms, work) {
      const timer = setTimeout(work, ms / FASTER);
      return () => clearTimeout(timer);
    },
  });
  const { transaction } = IDBDatabase.prototype;
  IDBDatabase.prototype.transaction = function (this: IDBDatabase, ...asked) {
    const begun = transaction.apply(this, asked);
    if (asked[1] === 'readwrite')
      Object.defineProperty(begun, 'oncomplete', {
        set(work: () => void) {
          begun.addEventListener('complete', () => setTimeout(work, COMMIT_MS));
        },
      });
    return begun;
  };
  try {
    await tab.chat.send('on a slow disk');
    await until(tab.chat.$rows, sent(1));
    await expect.poll(async () => (await tab.chat.kept()).waiting).toEqual([]);
    await tab.chat.send('on the same disk');
    await until(tab.chat.$rows, sent(2));
    await expect.poll(async () => (await tab.chat.kept()).waiting).toEqual([]);
  } finally {
    IDBDatabase.prototype.transaction = transaction;
    tab.close();
  }
  const said = await service.db.query(
    `select content from messages where content like 'on % disk' order by id`,
  );
  expect(said).toEqual([{ content: 'on a slow disk' }, { content: 'on the same disk' }]);
});

test('a transaction that never says that it has ended is given up: its words leave all the same, and once', async () => {
  const profile = newProfile();
  const tab = openTab(profile, options(), {
    // No other wait is shortened: what is merely slow here shall not be given up.
    after(ms, work) {
      const timer = setTimeout(work, ms === WRITE_LIMIT_MS ? ms / 60 : ms);
      return () => clearTimeout(timer);
    },
  });
  await tab.chat.send('before it stood still');
  await until(tab.chat.$rows, sent(1));
  await expect.poll(async () => (await tab.chat.kept()).waiting).toEqual([]);
  // As a browser that was put to sleep in the midst of it: what was written is there, and nobody hears of it.
  const { transaction } = IDBDatabase.prototype;
  let deaf = 0;
  IDBDatabase.prototype.transaction = function (this: IDBDatabase, ...asked) {
    const begun = transaction.apply(this, asked);
    if (asked[1] === 'readwrite' && !deaf++) Object.defineProperty(begun, 'oncomplete', { set: () => {} });
    return begun;
  };
  try {
    expect((await tab.chat.send('after it')).ok).toBe(true);
  } finally {
    IDBDatabase.prototype.transaction = transaction;
  }
  expect(deaf).toBeGreaterThan(1);
  const rows = await until(tab.chat.$rows, sent(2));
  expect(rows?.map((row) => row.content)).toEqual(['before it stood still', 'after it']);
  tab.close();
});
