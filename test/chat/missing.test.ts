/** 404, said of what is there and of what is not: by the service, or by whatever stands before it. */

import { expect, test } from 'vitest';
import type { Env } from '../../src/env.js';
import type { Row } from '../../src/model/transcript.js';
import { newProfile, until } from '../support/tab.js';
import { useVisitors } from '../support/visitors.js';

const { service, open, say, reads } = await useVisitors();

interface Asked {
  method: string;
  path: string;
  body: string;
}

/** @param missing what is answered with 404 without the service being asked */
function lineThat(missing: (asked: Asked) => boolean) {
  const log: Asked[] = [];
  const fetchMissing: typeof fetch = async (url, init = {}) => {
    const asked = {
      method: init.method ?? 'GET',
      path: new URL(String(url)).pathname,
      body: String(init.body ?? ''),
    };
    log.push(asked);
    return missing(asked) ? new Response('no upstream', { status: 404 }) : fetch(url, init);
  };
  return { log, fetch: fetchMissing };
}

const BUSY_MS = 10_000;
/** The waits for a service that is busy are over at once, by the page's own clock, too. */
function hasty(): Pick<Env, 'after' | 'monotonic'> {
  let skipped = 0;
  return {
    monotonic: () => performance.now() + skipped,
    after(ms, work) {
      const skip = ms === BUSY_MS ? ms : 0;
      const timer = setTimeout(() => {
        skipped += skip;
        work();
      }, ms - skip);
      return () => clearTimeout(timer);
    },
  };
}

const conversationsWith = async (words: string) =>
  (
    await service.db.query<{ id: number }>(
      `select c.display_id as id from conversations c where c.contact_inbox_id in
       (select v.contact_inbox_id from messages m join conversations v on v.id = m.conversation_id where m.content = $1)`,
      [words],
    )
  ).map(({ id }) => Number(id));

test('words that are answered with 404 once go into the conversation that is there', async () => {
  // 1. the service is rolled out anew · 2. its proxy answers one POST with 404 · 3. the conversation is asked for: it is there
  let once = 0;
  const line = lineThat(({ method, body }) => method === 'POST' && body.includes('Second') && !once++);
  const tab = open(newProfile(), { ...line, ...hasty() });
  const home = await say(tab, 'First');
  expect(await say(tab, 'Second')).toBe(home);
  await reads(tab, ['First', 'Second']);
  expect(once).toBeGreaterThan(1);
  expect(await conversationsWith('First')).toEqual([home]);
});

test('words that are answered with 404 each time make no other conversation, and in the end let the next ones pass', async () => {
  const line = lineThat(({ method, body }) => method === 'POST' && body.includes('Never taken'));
  const tab = open(newProfile(), { ...line, ...hasty() });
  const home = await say(tab, 'Before');
  await tab.chat.send('Never taken');
  await tab.chat.send('After');
  // Twelve times is soon, and not on a busy machine.
  const isSent = (rows: readonly Row[] = []) =>
    rows.some(({ content, state }) => content === 'After' && state === 'sent');
  await until(tab.chat.$rows, isSent, 40_000);
  expect(await conversationsWith('After')).toEqual([home]);
  expect(tab.chat.$rows.get()?.map(({ content, state }) => [content, state])).toEqual([
    ['Before', 'sent'],
    ['After', 'sent'],
    ['Never taken', 'failed'],
  ]);
  // Not once more. Once less where a wait was skipped between the record of an attempt and its bytes: that is taken for
  // a sleep, and the attempt counts without having left.
  const posts = line.log.filter(({ body }) => body.includes('Never taken'));
  expect(posts.length).toBeGreaterThan(1);
  expect(posts.length).toBeLessThanOrEqual(12);
  expect(await conversationsWith('Before')).toEqual([home]);
});

test('where everything below a conversation is answered with 404, two more are made and no others', async () => {
  const line = lineThat(({ path }) => /\/conversations\/\d+/.test(path));
  const tab = open(newProfile(), { ...line, ...hasty() });
  await tab.chat.send('Nowhere');
  await until(tab.chat.$rows, (rows) => rows?.[0]?.state === 'failed', 40_000);
  const made = line.log.filter(({ method, path }) => method === 'POST' && path.endsWith('/conversations'));
  expect(made).toHaveLength(3);
});

test('a history that is answered with 404 once takes no thread away', async () => {
  let broken = false;
  const line = lineThat(({ method, path }) => broken && method === 'GET' && path.endsWith('/messages'));
  const tab = open(newProfile(), line);
  const home = await say(tab, 'Still here');
  await until(tab.chat.$line, (state) => state === 'live');
  broken = true;
  tab.fire('online');
  const shown = () => line.log.some(({ path }) => path.endsWith(`/conversations/${home}`));
  await expect.poll(shown).toBe(true);
  broken = false;
  await reads(tab, ['Still here']);
  expect(await say(tab, 'And goes on')).toBe(home);
});

test('words for a conversation that is gone at the service make another one', async () => {
  const tab = open(newProfile());
  const home = await say(tab, 'Into what goes');
  await service.db.query('delete from messages where content = $1', ['Into what goes']);
  await service.db.query('delete from conversations where display_id = $1', [home]);
  expect(await say(tab, 'Into another one')).not.toBe(home);
  await reads(tab, ['Into another one']);
});
