import { IDBFactory } from 'fake-indexeddb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/service.js';
import { newProfile, openTab, until } from '../support/tab.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.end());

const options = () => ({ baseUrl: service.url, inboxIdentifier: 'demo-inbox' });
const sent = (count: number) => (rows: readonly { state: string }[] | undefined) =>
  rows?.length === count && rows.every((row) => row.state === 'sent');

/** A database that does not answer, as on a device that is busy with something else. */
const silent = () => Object.assign(new IDBFactory(), { open: () => ({}) });

test('words kept elsewhere, because the database was slow once, are sent by the next page, before newer ones', async () => {
  const profile = newProfile();
  // 1. a tab whose database does not open keeps its words in localStorage · 2. it goes · 3. the next one opens it
  const slow = openTab(profile, options(), { indexedDB: silent });
  slow.page.online = false;
  await slow.chat.send('kept while it was slow');
  slow.close();
  const next = openTab(profile, options());
  await next.chat.send('written later');
  const rows = await until(next.chat.$rows, sent(2), 15_000);
  expect(rows?.map((row) => row.content)).toEqual(['kept while it was slow', 'written later']);
  expect([...profile.storage.keys()].filter((key) => key.endsWith(':ledger'))).toEqual([]);
  next.close();
});

test('a conversation begun while the database was slow goes on when it is not', async () => {
  const profile = newProfile();
  const slow = openTab(profile, options(), { indexedDB: silent });
  await slow.chat.send('begun while it was slow');
  await until(slow.chat.$rows, sent(1), 15_000);
  slow.close();
  const next = openTab(profile, options());
  await next.chat.send('goes on');
  const rows = await until(next.chat.$rows, sent(2), 15_000);
  expect(rows?.map((row) => row.content)).toEqual(['begun while it was slow', 'goes on']);
  next.close();
});

test('words of an identity that has ended do not come home', async () => {
  const profile = newProfile();
  const slow = openTab(profile, options(), { indexedDB: silent });
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
