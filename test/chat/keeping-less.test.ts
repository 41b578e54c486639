/** Pages that keep nothing until the visitor writes, beside others of the same browser that keep. */
import { expect, test } from 'vitest';
import type { PageEnv } from '../../src/page-env.js';
import { newProfile, type Tab, until } from '../support/tab.js';
import { useVisitors } from '../support/visitors.js';

const { service, saidIn, open } = await useVisitors();

test('words that are the first to be kept join what this browser kept before', async () => {
  const profile = newProfile();
  const before = open(profile);
  await before.chat.logout();
  await before.chat.identify({ identifier: 'joyce' });
  before.close();
  // A page that keeps nothing until the visitor writes.
  const tab = open(profile, { keeping: { level: 'memory' } });
  tab.chat.setDraft('More to come');
  await until(tab.chat.$rows, (rows) => rows?.length === 0);
  expect((await tab.chat.send('The first to be kept')).ok).toBe(true);
  await saidIn(tab, 'The first to be kept');
  expect(tab.chat.$draft.get()).toBe('More to come');
});

test('words that follow at once come after those that open what keeps both', async () => {
  const tab = open(newProfile(), { keeping: { level: 'memory' } });
  await until(tab.chat.$rows, (rows) => rows?.length === 0);
  const sent = await Promise.all(['First of two', 'Second of two'].map((words) => tab.chat.send(words)));
  expect(sent.map(({ ok }) => ok)).toEqual([true, true]);
  await saidIn(tab, 'First of two');
  const rows = await saidIn(tab, 'Second of two');
  expect(rows?.map(({ content }) => content)).toEqual(['First of two', 'Second of two']);
});

test('nobody who leaves a page that keeps nothing ends what another page has begun to keep meanwhile', async () => {
  const profile = newProfile();
  const privately = () => open(profile, { keeping: { level: 'memory' } });
  const [one, other] = [privately(), privately()];
  for (const { chat } of [one, other]) {
    await until(chat.$rows, (rows) => rows?.length === 0);
    // As a page does on which nobody is signed in.
    await chat.logout();
  }
  expect((await one.chat.send('Kept by the one')).ok).toBe(true);
  await saidIn(one, 'Kept by the one');
  expect((await other.chat.send('Joined by the other')).ok).toBe(true);
  for (const tab of [one, other])
    await until(
      tab.chat.$rows,
      (rows) => rows?.map(({ content }) => content).join() === 'Kept by the one,Joined by the other',
    );
});

test('a note of somebody who was leaving does not end who is named instead', async () => {
  const profile = newProfile();
  const tab = open(profile);
  await until(tab.chat.$rows, (rows) => rows?.length === 0);
  const note = `parley:${service.url}#demo-inbox:leave`;
  // The file that would have done it did not come.
  profile.storage.set(note, '"reset"');
  expect(await tab.chat.identify({ identifier: 'newcomer' })).toMatchObject({ ok: true });
  expect([...profile.storage.keys()]).not.toContain(note);
});

test('a page that was to keep less once somebody had left does, though another tab has seen to the leaving', async () => {
  const keeping: PageEnv['keeping'] = { level: 'persistent', left: 'memory' };
  const profile = newProfile();
  const tab = open(profile, { keeping });
  await until(tab.chat.$rows, (rows) => rows?.length === 0);
  expect(keeping.level).toBe('memory');
  tab.chat.setDraft('Kept nowhere');
  expect([...profile.storage]).toEqual([]);
});

test('the first words of a page that kept nothing leave what another one has in its field where it is', async () => {
  const profile = newProfile();
  const other = open(profile);
  await until(other.chat.$rows, (rows) => rows?.length === 0);
  other.chat.setDraft('A long letter');
  const tab = open(profile, { keeping: { level: 'memory' } });
  await until(tab.chat.$rows, (rows) => rows?.length === 0);
  tab.chat.setDraft('Hello');
  expect((await tab.chat.submit()).ok).toBe(true);
  await saidIn(tab, 'Hello');
  for (const { chat } of [tab, other]) expect(chat.$draft.get()).toBe('A long letter');
  tab.chat.setDraft('A long letter, and more');
  expect(other.chat.$draft.get()).toBe('A long letter, and more');
});

test('what was typed in several pages before it could be kept is kept of each, and so is what was known', async () => {
  const profile = newProfile();
  const keepings: NonNullable<PageEnv['keeping']>[] = [{ level: 'memory' }, { level: 'memory' }];
  const [one, two] = keepings.map((keeping) => open(profile, { keeping })) as [Tab, Tab];
  for (const { chat } of [one, two]) await until(chat.$rows, (rows) => rows?.length === 0);
  one.chat.setDraft('In the one');
  one.chat.keep('typed:ask', { name: 'Joyce' });
  one.front.see(7);
  two.chat.setDraft('In the other');
  two.chat.keep('typed:ask', { email: 'joyce@example.com' });
  two.front.see(3);
  two.chat.setWish({ muted: true });
  for (const { chat } of [one, two]) await chat.allow('persistent');
  for (const { chat, front } of [one, two]) {
    expect(chat.$draft.get()).toBe('In the other\nIn the one');
    expect(chat.recall('typed:ask')).toEqual({ name: 'Joyce', email: 'joyce@example.com' });
    expect(front.$seenId.get()).toBe(7);
    expect(chat.$wishes.get()).toMatchObject({ muted: true });
  }
  // Not once more, though the second has what the first one had.
  const three = open(profile, { keeping: { level: 'memory' } });
  await until(three.chat.$rows, (rows) => rows?.length === 0);
  three.chat.setDraft('In the other\nIn the one');
  await three.chat.allow('persistent');
  expect(one.chat.$draft.get()).toBe('In the other\nIn the one');
});

test('words that wait where there is no database are not lost to a page that begins to keep its own', async () => {
  const profile = newProfile({ indexedDB: true });
  const other = open(profile);
  await until(other.chat.$rows, (rows) => rows?.length === 0);
  other.page.online = false;
  expect((await other.chat.send('Waits in the one')).ok).toBe(true);
  const tab = open(profile, { keeping: { level: 'memory' } }, { consent: 'call' });
  await until(tab.chat.$rows, (rows) => rows?.length === 0);
  tab.page.online = false;
  expect((await tab.chat.send('Waits in the other')).ok).toBe(true);
  await tab.chat.allow('persistent');
  other.page.online = true;
  other.fire('online');
  await saidIn(other, 'Waits in the one');
  await saidIn(other, 'Waits in the other');
});
