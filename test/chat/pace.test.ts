/** A service that asks to be left alone, or that refuses for good, is asked again when it is time, and no sooner. */
import { expect, test } from 'vitest';
import type { Env } from '../../src/env.js';
import { ownClock } from '../support/own-clock.js';
import { newProfile, until } from '../support/tab.js';
import { useVisitors } from '../support/visitors.js';

const { service, hashOf, saidIn, say, answer, open } = await useVisitors();

/** A line with answers of its own for some requests, and a clock of its own that goes forward when it is told to. */
function slowly(answer: (method: string, path: string, body: string) => Response | undefined) {
  const asked: string[] = [];
  const { env: clock, pass } = ownClock();
  let under = 0;
  const env = {
    ...clock,
    fetch: async (url, init = {}) => {
      const { pathname } = new URL(String(url));
      const own = answer(init.method ?? 'GET', pathname, String(init.body ?? ''));
      asked.push(`${init.method ?? 'GET'} ${pathname.split('/').at(-1)}`);
      if (own) return own;
      under++;
      try {
        const real = await fetch(url, init);
        await real.clone().arrayBuffer();
        return real;
      } finally {
        under--;
      }
    },
  } satisfies Partial<Env>;
  return {
    asked,
    env,
    /** What is asked at once has been asked, and answered. */
    async settled() {
      do await fetch(service.url);
      while (under);
    },
    pass,
  };
}

test('whoever is asked to come back in two minutes comes back in two minutes, whoever comes and goes', async () => {
  let busy = false;
  const line = slowly((method, path) =>
    busy && method === 'GET' && path.endsWith('/messages')
      ? new Response('{}', { status: 429, headers: { 'retry-after': '120' } })
      : undefined,
  );
  const tab = open(newProfile(), { ...line.env, WebSocket: undefined });
  tab.chat.setOpen(true);
  await say(tab, 'Before the rush');
  await until(tab.chat.$line, (at) => at === 'polling');
  busy = true;
  line.asked.length = 0;
  line.pass(20_000);
  await expect.poll(() => line.asked).toContain('GET messages');
  // It has been polling all the time: what it was told now, it has heard when all is quiet.
  await line.settled();
  const before = line.asked.length;
  for (let i = 0; i < 5; i++) {
    // Not all of it: what all this takes goes by on the same clock.
    line.pass(15_000);
    tab.fire('visibilitychange');
    tab.fire('online');
    await line.settled();
  }
  expect(line.asked.slice(before)).toEqual([]);
  busy = false;
  line.pass(46_000);
  await expect.poll(() => line.asked.length).toBeGreaterThan(before);
});

test.each([
  ['that answers each look with an error', 500, /\/messages$/],
  ['whose inbox is not there any more', 404, /./],
])('a service %s is asked ever more seldom, and as before once it is well', async (_, status, at) => {
  let ill = false;
  const line = slowly((method, path) =>
    ill && method === 'GET' && at.test(path) ? new Response('{}', { status }) : undefined,
  );
  const tab = open(newProfile(), { ...line.env, WebSocket: undefined, random: () => 0.5 });
  tab.chat.setOpen(true);
  const objections: unknown[] = [];
  tab.front.$objection.listen((objection) => objections.push(objection));
  await say(tab, 'While it was well');
  await until(tab.chat.$line, (at) => at === 'polling');
  const looks = () => line.asked.filter((one) => one === 'GET messages').length;
  /** @returns after how many seconds it looked again, by its clock, and how often ten of them were passed until then */
  async function nextLook(): Promise<{ seconds: number; passes: number }> {
    const before = looks();
    const since = line.env.monotonic();
    for (let passes = 1; ; passes++) {
      line.pass(10_000);
      await line.settled();
      if (looks() > before) return { seconds: (line.env.monotonic() - since) / 1000, passes };
    }
  }
  ill = true;
  const waits: number[] = [];
  for (let i = 0; i < 9; i++) waits.push((await nextLook()).seconds);
  const gone = status === 404;
  expect(waits.at(-1)).toBeGreaterThanOrEqual(gone ? 900 : 50);
  expect(tab.chat.$troubles.get()).toEqual(gone ? ['unavailable'] : []);
  expect(objections).toMatchObject(gone ? [{ error: { status } }] : []);
  ill = false;
  await nextLook();
  expect((await nextLook()).passes).toBeLessThanOrEqual(2);
  expect(tab.chat.$troubles.get()).toEqual([]);
});

test('an inbox that refuses is not asked again for what waits, until somebody writes or is let in', async () => {
  let barred = true;
  const line = slowly((method, path) =>
    barred && method === 'POST' && path.endsWith('/contacts')
      ? new Response('{}', { status: 403 })
      : undefined,
  );
  const tab = open(newProfile(), line.env);
  await tab.chat.identify({ identifier: 'ida' });
  const posts = () => line.asked.filter((one) => one === 'POST contacts').length;
  await tab.chat.send('Let me in');
  await expect.poll(posts).toBeGreaterThan(0);
  await line.settled();
  await until(tab.chat.$line, (at) => at !== 'connecting');
  const before = posts();
  for (let i = 0; i < 5; i++) {
    line.pass(60_000);
    tab.fire('online');
    await until(tab.chat.$line, (at) => at !== 'connecting');
  }
  expect(posts()).toBe(before);
  await tab.chat.send('And who asks');
  await expect.poll(posts).toBeGreaterThan(before);
  barred = false;
  await tab.chat.identify({ identifier: 'ida', identifier_hash: hashOf('ida') });
  await saidIn(tab, 'Let me in');
  await saidIn(tab, 'And who asks');
});

/** Of what stores messages alone, whatever keeps their names. */
function storeless(refusal: () => Response | undefined) {
  const line = slowly((method, path) =>
    method === 'POST' && path.endsWith('/messages') ? refusal() : undefined,
  );
  return {
    ...line,
    posts: () => line.asked.filter((one) => one === 'POST messages').length,
    /** Long enough for whatever is due to be asked. */
    async quiet() {
      for (let i = 0; i < 20; i++) await line.settled();
    },
  };
}

test('a message is tried again when the service has said so, also where it keeps names', async () => {
  let busy = true;
  const line = storeless(() =>
    busy ? new Response('{}', { status: 503, headers: { 'retry-after': '120' } }) : undefined,
  );
  const tab = open(newProfile(), line.env);
  await tab.chat.send('When there is time');
  await until(tab.chat.$rows, (rows) => rows?.[0]?.state === 'checking');
  await until(tab.chat.$line, (at) => at === 'live');
  line.pass(100_000);
  tab.fire('online');
  await line.quiet();
  expect(line.posts()).toBe(1);
  busy = false;
  line.pass(20_000);
  await saidIn(tab, 'When there is time');
  expect(line.posts()).toBe(2);
});

test('a service that keeps names and cannot store for minutes is tried ever more seldom, and nothing is given up', async () => {
  let ill = true;
  const line = storeless(() => (ill ? new Response('{}', { status: 500 }) : undefined));
  const tab = open(newProfile(), { ...line.env, random: () => 0.5 });
  await tab.chat.send('While it was ill');
  for (const [i, seconds] of [2, 4, 8, 16, 32, 60, 60, 60, 60].entries()) {
    await until(tab.chat.$rows, (rows) => rows?.[0]?.state === 'checking');
    await until(tab.chat.$line, (at) => at === 'live');
    line.pass(seconds * 500);
    // What all this takes goes by on the same clock.
    if (seconds > 8) {
      await line.quiet();
      expect(line.posts()).toBe(i + 1);
    }
    line.pass(seconds * 500);
    await expect.poll(line.posts).toBe(i + 2);
  }
  ill = false;
  await until(tab.chat.$rows, (rows) => rows?.[0]?.state === 'checking');
  line.pass(60_000);
  await saidIn(tab, 'While it was ill');
});

test('what comes before the eyes of whoever is back is seen, also while the service wants to be left alone', async () => {
  let busy = false;
  const line = slowly((method, path) =>
    busy && method === 'GET' && path.endsWith('/messages')
      ? new Response('{}', { status: 429, headers: { 'retry-after': '600' } })
      : undefined,
  );
  const tab = open(newProfile(), line.env);
  tab.chat.setOpen(true);
  const conversation = await say(tab, 'Before the rush');
  await until(tab.chat.$line, (at) => at === 'live');
  await line.settled();
  busy = true;
  line.asked.length = 0;
  tab.fire('online');
  await expect.poll(() => line.asked).toContain('GET messages');
  await line.settled();
  for (const visible of [false, true]) {
    tab.page.visible = visible;
    tab.fire('visibilitychange');
  }
  await answer(conversation, 'At last');
  await saidIn(tab, 'At last');
  await until(tab.chat.$unread, (count) => count === 0, 5_000);
});

test.each([
  ['a short', 2, 60],
  ['a long', 25, 300],
])(
  'whether %s conversation is read is asked about in time: the answer holds all of it',
  async (what, messages, seconds) => {
    const profile = newProfile();
    const before = open(profile);
    const conversation = await say(before, `The first of ${what} one`);
    for (let i = 1; i < messages; i++) await answer(conversation, `Answer ${i} in ${what} one`);
    before.close();
    const line = slowly(() => undefined);
    const tab = open(profile, line.env);
    tab.chat.setOpen(true);
    await until(tab.chat.$line, (at) => at === 'live');
    await tab.chat.send(`The last of ${what} one`);
    await saidIn(tab, `The last of ${what} one`);
    const looks = () => line.asked.filter((one) => one === `GET ${conversation}`).length;
    await answer(conversation, `Somebody looks into ${what} one`);
    await saidIn(tab, `Somebody looks into ${what} one`);
    await tab.chat.send(`And is asked in ${what} one`);
    await saidIn(tab, `And is asked in ${what} one`);
    await line.settled();
    const first = looks();
    // A short one is looked into for its state, too, when the line is sure.
    for (let passed = 80; passed < seconds; passed += 20) {
      line.pass(19_000);
      await line.settled();
      expect(looks()).toBe(first);
    }
    line.pass(100_000);
    await expect.poll(looks).toBeGreaterThan(first);
  },
);
