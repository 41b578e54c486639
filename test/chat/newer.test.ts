/** A page that was opened before a newer version came, or is still served from a cache, beside pages of that version. */
import { expect, test } from 'vitest';
import { newProfile, type Profile } from '../support/tab.js';
import { useVisitors } from '../support/visitors.js';

const { open, say } = await useVisitors();

type Kept = Record<string, unknown>;
const waits = {
  echoId: 'n',
  content: 'of the newer page',
  queuedAt: 1,
  files: [],
  state: 'queued',
  attempts: 0,
};

/** What is kept, after a page of another version has written it. */
async function written(profile: Profile, change = (kept: Kept) => kept, version?: number): Promise<Kept> {
  const [{ name = '' } = {}] = await profile.databases.databases();
  return new Promise((resolve) => {
    const request = profile.databases.open(name, version);
    request.onsuccess = () => {
      const store = request.result.transaction('ledger', 'readwrite').objectStore('ledger');
      const found = store.get('ledger');
      found.onsuccess = () => {
        const after = change(found.result);
        store.put(after, 'ledger').onsuccess = () => resolve(after);
        request.result.close();
      };
    };
  });
}

test('what a newer version has written is neither read nor taken away, and the words stay in the field', async () => {
  const profile = newProfile();
  const tab = open(profile);
  await say(tab, 'begun');
  const newer = await written(profile, (kept) => ({ ...kept, version: 2, outbox: [waits] }));
  tab.chat.setDraft('of the older page');
  await tab.chat.submit();
  expect(tab.chat.$draft.get()).toBe('of the older page');
  tab.close();
  const next = open(profile);
  expect((await next.chat.send('of the next page')).ok).toBe(false);
  expect(await written(profile)).toEqual(newer);
});

test('where the ledger is in localStorage, neither', async () => {
  const profile = newProfile({ indexedDB: true });
  const tab = open(profile);
  await say(tab, 'begun');
  const [name = '', text = ''] = [...profile.storage].find(([key]) => key.endsWith(':ledger')) ?? [];
  const newer = JSON.stringify({ ...JSON.parse(text), version: 2, outbox: [waits] });
  profile.storage.set(name, newer);
  expect((await tab.chat.send('of the older page')).ok).toBe(false);
  // Nor where the database is there after all.
  profile.refuses.indexedDB = false;
  const next = open(profile);
  await next.chat.send('of the next page');
  expect(profile.storage.get(name)).toBe(newer);
});

test('what a newer version has noted beside stays there until the visitor is another one', async () => {
  const profile = newProfile();
  const tab = open(profile);
  await say(tab, 'begun');
  await written(profile, (kept) => ({ ...kept, beside: 'noted' }));
  await say(tab, 'gone on');
  expect(await written(profile)).toMatchObject({ beside: 'noted', outbox: [] });
  await tab.chat.logout();
  expect(await written(profile)).not.toHaveProperty('beside');
});

test('a database that a newer version has raised is gone on with, and no other ledger is begun', async () => {
  const profile = newProfile();
  let cut = false;
  const tab = open(profile, {
    fetch: (...asked) => (cut ? Promise.reject(new TypeError('cut')) : fetch(...asked)),
  });
  await say(tab, 'begun');
  cut = true;
  await tab.chat.send('written before');
  await written(profile, undefined, 2);
  await tab.chat.send('written after');
  expect([...profile.storage.keys()].filter((key) => key.endsWith(':ledger'))).toEqual([]);
  expect((await written(profile)).outbox).toMatchObject([
    { content: 'written before' },
    { content: 'written after' },
  ]);
});
