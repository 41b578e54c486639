/** A service that was made anew, or restored from an older backup: it counts its messages from lower numbers again. */
import { expect, test } from 'vitest';
import { newProfile, type Profile, until } from '../support/tab.js';
import { useVisitors } from '../support/visitors.js';

const { service, open, say, answer, reads } = await useVisitors();

const query = (text: string) => service.db.query<{ id: number }>(text);
async function countFrom(id: number) {
  const [sequence] = await service.db.query<{ name: string }>(
    "select pg_get_serial_sequence('messages', 'id') as name",
  );
  await query(`alter sequence ${sequence?.name} restart with ${id}`);
}

/** Nobody is known to it. */
async function makeAnew(from: number) {
  for (const table of ['messages', 'conversations', 'contact_inboxes']) await query(`delete from ${table}`);
  await countFrom(from);
}

/** What came after this message is no more. */
async function restore(newest: number) {
  await query(`delete from messages where id > ${newest}`);
  await countFrom(newest + 1);
}

const sentOf = (posts: string[], words: string) => posts.filter((body) => body.includes(words)).length;
function counting() {
  const posts: string[] = [];
  const counted: typeof fetch = (url, init) => {
    if (init?.method === 'POST' && /messages$/.test(String(url))) posts.push(String(init.body));
    return fetch(url, init);
  };
  return { posts, fetch: counted };
}

/** @returns the number of the message that says so */
async function numberOf(words: string): Promise<number> {
  const [message] = await query(`select id from messages where content = '${words}'`);
  return Number(message?.id);
}

test('words to a service that was made anew leave once, though their number was taken before', async () => {
  const profile = newProfile();
  const before = open(profile);
  await say(before, 'said of old');
  before.close();
  await makeAnew(await numberOf('said of old'));
  const line = counting();
  const tab = open(profile, { fetch: line.fetch });
  await say(tab, 'said anew');
  expect(sentOf(line.posts, 'said anew')).toBe(1);
});

test('words to a service that was restored leave once, though their number was taken since', async () => {
  const profile = newProfile();
  const before = open(profile);
  await say(before, 'said first');
  await say(before, 'said after the backup');
  before.close();
  await restore(await numberOf('said first'));
  const line = counting();
  const tab = open(profile, { fetch: line.fetch });
  await say(tab, 'said after the restoring');
  await say(tab, 'and once more');
  expect(line.posts.length).toBe(2);
  await reads(tab, ['said first', 'said after the restoring', 'and once more']);
});

/** An old conversation, all of which was seen. */
async function read(profile: Profile, words: string, answers: number): Promise<number> {
  const before = open(profile);
  before.chat.setOpen(true);
  const home = await say(before, words);
  for (let i = 0; i < answers; i++) await answer(home, `answer ${i} to ${words}`);
  const last = await numberOf(`answer ${answers - 1} to ${words}`);
  await expect.poll(() => before.front.$seenId.get()).toBe(last);
  for (const name of ['dismissed', 'rung', 'noted']) before.chat.keep(name, before.front.$seenId.get());
  before.chat.setOpen(false);
  await until(before.chat.$line, (line) => line === 'live');
  before.close();
  return home;
}

test('answers of a service that was made anew are new', async () => {
  const profile = newProfile();
  await read(profile, 'asked of old', 5);
  await makeAnew(1);
  const tab = open(profile);
  const home = await say(tab, 'asked anew');
  await until(tab.chat.$line, (line) => line === 'live');
  await answer(home, 'an answer');
  await reads(tab, ['asked anew', 'an answer']);
  expect(tab.chat.$unread.get()).toBe(1);
  for (const name of ['dismissed', 'rung', 'noted']) expect(tab.chat.recall(name)).toBeUndefined();
});

test('answers of a service that was restored are new', async () => {
  const profile = newProfile();
  const home = await read(profile, 'asked first', 3);
  const backup = await numberOf('answer 2 to asked first');
  const before = open(profile);
  before.chat.setOpen(true);
  await say(before, 'asked after the backup');
  await answer(home, 'answered after the backup');
  await expect.poll(() => before.front.$seenId.get()).toBe(await numberOf('answered after the backup'));
  before.chat.setOpen(false);
  before.close();
  await restore(backup);
  const tab = open(profile);
  await until(tab.chat.$line, (line) => line === 'live');
  await answer(home, 'answered after the restoring');
  await until(tab.chat.$rows, (rows) => rows?.length === 5);
  expect(tab.chat.$unread.get()).toBe(1);
});
