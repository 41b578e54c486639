/** A service that was made anew, or restored from an older backup: it counts its messages from lower numbers again. */
import { expect, test } from 'vitest';
import { newProfile } from '../support/tab.js';
import { useVisitors } from '../support/visitors.js';

const { service, open, say, reads } = await useVisitors();

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
