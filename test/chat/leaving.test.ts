/** What leaves the field, or comes into it, slowly: files that are read or made ready while the visitor goes elsewhere. */
import { expect, test, vi } from 'vitest';
import type { Env } from '../../src/env.js';
import { createDraft } from '../../src/state/draft.js';
import { createLocal } from '../../src/storage/local.js';
import { take } from '../../src/tray/ready.js';
import { surroundings } from '../support/surroundings.js';
import { newProfile, type Tab, until } from '../support/tab.js';
import { useVisitors } from '../support/visitors.js';

const { service, open, say, saidIn, proven } = await useVisitors();

/** A file whose disk answers when it is told to, or never. */
function slowFile(name: string) {
  const file = new File(['text'], name);
  let go = () => {};
  const held = new Promise<void>((resolve) => {
    go = resolve;
  });
  const bytes = () => held.then(() => new TextEncoder().encode('text').buffer);
  file.arrayBuffer = bytes;
  file.slice = () => Object.assign(new Blob(), { arrayBuffer: bytes });
  return { file, go: () => go() };
}
const filesIn = (tab: Tab) => tab.chat.$files.get().map(({ name }) => name);
const conversationOf = async (words: string) =>
  (
    await service.db.query<{ id: number }>(
      'select v.display_id as id from messages m join conversations v on v.id = m.conversation_id where m.content = $1',
      [words],
    )
  ).map(({ id }) => Number(id));
/** Files that are made ready as the window does. */
const ready = ({ chat }: Tab, ...files: File[]) => take(files, surroundings(chat), chat.place());

async function twoConversations() {
  const profile = newProfile();
  const tab = open(profile);
  const first = await say(tab, 'Of the lamp');
  await tab.chat.newConversation();
  const second = await say(tab, 'Of the chair');
  await tab.chat.listConversations();
  return { profile, tab, first, second };
}

test('while a file of a message is read nothing is left, chosen or ended', async () => {
  const { tab, first, second } = await twoConversations();
  const { file, go } = slowFile('chair.txt');
  tab.chat.setFiles([file]);
  tab.chat.setDraft('With a picture of the chair');
  const sent = tab.chat.submit();
  const refused = { ok: true, value: false };
  expect(await tab.chat.chooseConversation(first)).toEqual(refused);
  expect(await tab.chat.newConversation()).toEqual(refused);
  expect(await tab.chat.endConversation()).toEqual(refused);
  go();
  expect((await sent).ok).toBe(true);
  await saidIn(tab, 'With a picture of the chair');
  expect(await conversationOf('With a picture of the chair')).toEqual([second]);
});

test('a message whose file is read while another tab goes elsewhere stands in the field again', async () => {
  const { profile, tab, first } = await twoConversations();
  const other = open(profile);
  await saidIn(other, 'Of the chair');
  const { file, go } = slowFile('chair.txt');
  other.chat.setFiles([file]);
  other.chat.setDraft('Not for the lamp');
  const sent = other.chat.submit();
  expect(await tab.chat.chooseConversation(first)).toEqual({ ok: true, value: true });
  await until(other.chat.$files, (files) => files.length === 1);
  go();
  expect((await sent).ok).toBe(false);
  expect([other.chat.$draft.get(), filesIn(other)]).toEqual(['Not for the lamp', ['chair.txt']]);
  expect(await conversationOf('Not for the lamp')).toEqual([]);
});

test('a file that cannot be read to its end comes back after a minute, and holds up nothing after it', async () => {
  const said: string[] = [];
  const local = createLocal(
    { localStorage: () => undefined, page: { visible: () => true, online: () => true, on: () => () => {} } },
    'here',
  );
  const press = async (words: string) => {
    said.push(words);
    return { ok: true as const, value: undefined };
  };
  const draft = createDraft(
    local,
    Promise.resolve(() => ({ press })),
    () => {},
  );
  await Promise.resolve();
  vi.useFakeTimers();
  try {
    draft.$files.set([slowFile('never.txt').file]);
    draft.set('With a file');
    const first = draft.submit();
    await vi.advanceTimersByTimeAsync(60_000);
    expect((await first).ok).toBe(false);
    expect([draft.$draft.get(), draft.$files.get().length]).toEqual(['With a file', 1]);
    draft.$files.set([]);
    await draft.submit();
    expect(said).toEqual(['With a file']);
  } finally {
    vi.useRealTimers();
  }
});

test('a page that sleeps before its conversation is asked for asks when it wakes, and waits for nothing', async () => {
  // 1. the first words are kept · 2. it is recorded that a conversation is asked for · 3. the device sleeps, and wakes:
  // at each of the first looks at its clock three seconds have gone; once is enough, then more may pass
  let looks = 0;
  const tab = open(newProfile(), { wall: () => Date.now() + 3_000 * Math.min(looks++, 10) });
  const home = await say(tab, 'Before a nap');
  expect(looks).toBeGreaterThan(5);
  expect(await conversationOf('Before a nap')).toEqual([home]);
});

test('files that are made ready while their visitor leaves are in nobody’s field', async () => {
  const tab = open(newProfile());
  expect((await proven(tab, 'alice')).ok).toBe(true);
  const { file, go } = slowFile('of-alice.txt');
  const taking = ready(tab, file);
  await tab.chat.logout();
  expect((await proven(tab, 'bob')).ok).toBe(true);
  go();
  expect(await taking).toMatchObject({ here: false, note: '' });
  expect(filesIn(tab)).toEqual([]);
});

test('files that are made ready while another conversation is chosen wait in their own', async () => {
  const { tab, first, second } = await twoConversations();
  const { file, go } = slowFile('chair.txt');
  const taking = ready(tab, file);
  expect(await tab.chat.chooseConversation(first)).toEqual({ ok: true, value: true });
  go();
  expect((await taking).here).toBe(false);
  expect(filesIn(tab)).toEqual([]);
  await tab.chat.chooseConversation(second);
  expect(filesIn(tab)).toEqual(['chair.txt']);
});

test('files for a new conversation stay with it when another tab chooses one that is there', async () => {
  const { profile, tab, first } = await twoConversations();
  const other = open(profile);
  await saidIn(other, 'Of the chair');
  await tab.chat.newConversation();
  await until(other.chat.$rows, (rows) => rows?.length === 0);
  for (const one of [tab, other]) one.chat.setFiles([new File(['text'], 'new.txt')]);
  await tab.chat.chooseConversation(first);
  await saidIn(other, 'Of the lamp');
  for (const one of [tab, other]) expect(filesIn(one)).toEqual([]);
  await tab.chat.newConversation();
  await until(other.chat.$files, (files) => files.length === 1);
  expect(filesIn(tab)).toEqual(['new.txt']);
});

test('what lies further back in one conversation is neither waited for nor missed in another', async () => {
  let hear = () => {};
  const heard = new Promise<void>((resolve) => {
    hear = resolve;
  });
  let slow = false;
  const profile = newProfile();
  const fetchSlowly: typeof fetch = async (url, init) => {
    const answer = await fetch(url, init);
    if (slow && String(url).includes('before=')) {
      slow = false;
      await heard;
    }
    return answer;
  };
  const long = async (tab: Tab, words: string) => {
    const id = await say(tab, words);
    const path = `/api/v1/accounts/1/conversations/${id}/messages`;
    for (let i = 0; i < 45; i++) await service.agent('POST', path, { content: `${words} ${i}` });
    return id;
  };
  const writer = open(profile);
  const first = await long(writer, 'Rugs');
  await writer.chat.newConversation();
  await long(writer, 'Sofas');
  const tab = open(profile, { fetch: fetchSlowly });
  await until(tab.chat.$hasOlder, (has) => has === true);
  slow = true;
  const waited = tab.chat.loadOlder();
  expect((await tab.chat.chooseConversation(first)).ok).toBe(true);
  await until(tab.chat.$hasOlder, (has) => has === true);
  const rows = tab.chat.$rows.get();
  expect(rows?.map(({ message }) => message?.conversation_id)).toContain(first);
  expect(await tab.chat.loadOlder()).toEqual({ ok: true, value: undefined });
  expect(tab.chat.$rows.get()?.length).toBeGreaterThan(rows?.length ?? 0);
  hear();
  expect((await waited).ok).toBe(false);
});

test('a chat that is taken away while its words are being kept sends them once, and leaves them in no field', async () => {
  const profile = newProfile();
  const page: Partial<Env> = { left: new Map(), beside: new Set() };
  const tab = open(profile, page);
  await say(tab, 'Before the page drew itself anew');
  tab.chat.setDraft('Kept in the last moment');
  let next: Tab | undefined;
  const { put } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.put = function (this: IDBObjectStore, ...given) {
    const request = put.apply(this, given);
    if (!next) {
      tab.close();
      next = open(profile, { ...page, localStorage: tab.env.localStorage });
      next.chat.setDraft(`${next.chat.$draft.get()} and more`);
    }
    return request;
  };
  try {
    expect((await tab.chat.submit()).ok).toBe(true);
  } finally {
    IDBObjectStore.prototype.put = put;
  }
  if (!next) throw new Error('nothing was kept');
  await saidIn(next, 'Kept in the last moment');
  expect(next.chat.$draft.get()).toBe(' and more');
  expect(await conversationOf('Kept in the last moment')).toHaveLength(1);
});

test('files whose message was on its way to be kept are there in the chat that comes after', async () => {
  const profile = newProfile();
  const page: Partial<Env> = { left: new Map(), beside: new Set() };
  const tab = open(profile, page);
  await say(tab, 'Before the page went elsewhere');
  const { file, go } = slowFile('rug.txt');
  tab.chat.setFiles([file]);
  tab.chat.setDraft('With a picture of the rug');
  const sent = tab.chat.submit();
  tab.close();
  const next = open(profile, page);
  go();
  expect((await sent).ok).toBe(false);
  expect([next.chat.$draft.get(), filesIn(next)]).toEqual(['With a picture of the rug', ['rug.txt']]);
  await next.chat.submit();
  await saidIn(next, 'With a picture of the rug');
  expect(await conversationOf('With a picture of the rug')).toHaveLength(1);
});

test('files that are made ready while the chat is drawn anew are there in the new one, but for those of who has left', async () => {
  const profile = newProfile();
  const page: Partial<Env> = { left: new Map(), beside: new Set() };
  const first = open(profile, page);
  await say(first, 'Before the owner chose another title');
  const [here, later, lost] = ['here.txt', 'later.txt', 'lost.txt'].map(slowFile);
  if (!here || !later || !lost) throw new Error('there are three');
  const taken = [here, later].map(({ file }) => ready(first, file));
  first.close();
  // There is none before the next one.
  later.go();
  await taken[1];
  const next = open(profile, page);
  expect(filesIn(next)).toEqual(['later.txt']);
  here.go();
  await taken[0];
  expect(filesIn(next).sort()).toEqual(['here.txt', 'later.txt']);
  const losing = ready(next, lost.file);
  next.close();
  const last = open(profile, page);
  await saidIn(last, 'Before the owner chose another title');
  expect((await last.chat.forget()).ok).toBe(true);
  lost.go();
  expect((await losing).here).toBe(false);
  expect(filesIn(last)).toEqual([]);
});
