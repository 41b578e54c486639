/** Words that a page finds a day later and longer do not leave by themselves: the visitor decides. */
import { expect, test } from 'vitest';
import { newLine } from '../support/lines.js';
import { newProfile, type Profile, until } from '../support/tab.js';
import { useVisitors } from '../support/visitors.js';

const { service, open, say } = await useVisitors();
const HOUR_MS = 3_600_000;
const later = (hours: number) => ({ wall: () => Date.now() + hours * HOUR_MS, lateCommitMs: 200 });
const asks = 'Is a table free tonight?';
const arrived = async (words: string) =>
  (await service.db.query('select id from messages where content = $1', [words])).length;

/** A visitor on a line that is cut writes, and leaves. @param lose see `Line` */
async function left(words: string, lose: 'before' | 'after'): Promise<Profile> {
  const profile = newProfile();
  const line = newLine();
  // Over a socket it would hear at once of what has arrived.
  const WebSocket = class extends EventTarget {
    close() {}
  } as unknown as typeof globalThis.WebSocket;
  const tab = open(profile, { fetch: line.fetch, WebSocket, lateCommitMs: 60_000 });
  await say(tab, `Hello before ${words}`);
  line.lose = ({ method }) => (method === 'POST' || lose === 'before' ? lose : undefined);
  await tab.chat.send(words);
  await until(tab.chat.$rows, (rows) => rows?.at(-1)?.state === 'checking');
  tab.close();
  return profile;
}

/** As `left`, but nothing was tried. */
async function offline(words: string): Promise<Profile> {
  const profile = newProfile();
  const tab = open(profile);
  await say(tab, `Hello before ${words}`);
  tab.page.online = false;
  tab.fire('offline');
  await tab.chat.send(words);
  tab.close();
  return profile;
}

for (const hours of [25, -25])
  test(`words that were written ${hours} hours ago wait for the visitor, and leave when they say so`, async () => {
    const words = `${asks} ${hours}`;
    const tab = open(await offline(words), later(hours));
    const rows = await until(tab.chat.$rows, (rows) => rows?.at(-1)?.state === 'failed');
    expect(await arrived(words)).toBe(0);
    await tab.chat.send(`Written since ${hours}`);
    await until(
      tab.chat.$rows,
      (rows) =>
        rows?.some(({ content, state }) => content.startsWith('Written') && state === 'sent') ?? false,
    );
    expect(await arrived(words)).toBe(0);
    await tab.chat.retry(rows?.at(-1)?.key ?? '');
    await until(tab.chat.$rows, (rows) => rows?.every(({ state }) => state === 'sent') ?? false);
    expect(await arrived(words)).toBe(1);
  });

test('words of yesterday evening leave by themselves', async () => {
  const tab = open(await offline('Of yesterday evening'), later(23));
  await until(tab.chat.$rows, (rows) => rows?.at(-1)?.state === 'sent');
});

test('words of a page that is still there leave whatever its clock says', async () => {
  let hours = 0;
  const tab = open(newProfile(), { wall: () => Date.now() + hours * HOUR_MS });
  await say(tab, 'Hello before the night');
  tab.page.online = false;
  tab.fire('offline');
  await tab.chat.send('On a laptop that sleeps');
  hours = 48;
  tab.page.online = true;
  tab.fire('online');
  await until(tab.chat.$rows, (rows) => rows?.at(-1)?.state === 'sent');
});

test('words that another page has left while this one slept wait for the visitor, too', async () => {
  const profile = newProfile();
  let hours = 0;
  const wall = () => Date.now() + hours * HOUR_MS;
  const asleep = open(profile, { wall, channel: () => undefined });
  await say(asleep, 'Hello before it slept');
  asleep.page.online = false;
  asleep.fire('offline');
  const other = open(profile, { wall });
  other.page.online = false;
  other.fire('offline');
  await other.chat.send('While the first one slept');
  other.close();
  hours = 72;
  asleep.page.online = true;
  asleep.fire('online');
  await until(asleep.chat.$rows, (rows) => rows?.at(-1)?.state === 'failed');
  expect(await arrived('While the first one slept')).toBe(0);
});

test('words that may have arrived are looked for first, and are not sent again', async () => {
  const there = open(await left('It has arrived', 'after'), later(48));
  await until(there.chat.$rows, (rows) => rows?.at(-1)?.state === 'sent');
  expect(await arrived('It has arrived')).toBe(1);
  const missing = open(await left('It has not', 'before'), later(48));
  await until(missing.chat.$rows, (rows) => rows?.at(-1)?.state === 'failed');
  expect(await arrived('It has not')).toBe(0);
});
