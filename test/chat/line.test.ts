/** A line that is cut, barred, silent or left is sought again, and what was said meanwhile is there. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { dropFrame, type FaultProxy, startFaultProxy } from '../support/fault-proxy.js';
import { startTestService, type TestService } from '../support/service.js';
import { newProfile, openTab, type Profile, type Tab, until } from '../support/tab.js';

let service: TestService;
let proxy: FaultProxy;
let tab: Tab;
let profile: Profile;
let conversation: number;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.end());

beforeEach(async () => {
  proxy = await startFaultProxy(service.url);
  // A random that is always small, so that the jitter does not make the test long.
  profile = newProfile();
  tab = openTab(profile, { baseUrl: proxy.url, inboxIdentifier: 'demo-inbox' }, { random: () => 0.005 });
  await tab.chat.send('hello');
  const rows = await until(tab.chat.$rows, (all) => all?.[0]?.state === 'sent');
  conversation = rows?.[0]?.message?.conversation_id ?? 0;
  await until(tab.chat.$line, (line) => line === 'live');
});
afterEach(async () => {
  tab.close();
  await proxy.stop();
});

const sockets = () => proxy.frames.filter(({ text }) => text.includes('"welcome"')).length;
const identifier = () => {
  const subscribe = proxy.frames.find(({ text }) => text.includes('"subscribe"'));
  return String(JSON.parse(subscribe?.text ?? '{}').identifier);
};
const answer = async (content: string) => {
  const path = `/api/v1/accounts/1/conversations/${conversation}/messages`;
  expect((await service.agent('POST', path, { content })).status).toBe(200);
};
const reads = (content: string) =>
  until(tab.chat.$rows, (rows) => rows?.filter((row) => row.content === content).length === 1);

test('what was said while the line was cut is there once it is back, in order', async () => {
  proxy.offline();
  await until(tab.chat.$line, (line) => line === 'down' || line === 'connecting');
  await answer('said meanwhile 1');
  await answer('said meanwhile 2');
  proxy.online();
  tab.fire('online');
  await reads('said meanwhile 2');
  expect(tab.chat.$rows.get()?.map((row) => row.content)).toEqual([
    'hello',
    'said meanwhile 1',
    'said meanwhile 2',
  ]);
});

test('a lost frame is fetched when the visitor comes back to the page', async () => {
  const undo = proxy.frameRule(({ text }) => (text.includes('message.created') ? dropFrame : undefined));
  await answer('never came by socket');
  await expect.poll(() => proxy.frames.some(({ text }) => text.includes('never came by socket'))).toBe(true);
  undo();
  tab.fire('visibilitychange');
  await reads('never came by socket');
});

test('a notice of restart leads to a new socket', async () => {
  proxy.inject({ type: 'disconnect', reason: 'server_restart', reconnect: true });
  await expect.poll(sockets).toBe(2);
  await until(tab.chat.$line, (line) => line === 'live');
  await answer('after the restart');
  await reads('after the restart');
});

test('a service that asks us to stay away is polled', async () => {
  proxy.inject({ type: 'disconnect', reason: 'remote', reconnect: false });
  await until(tab.chat.$line, (line) => line === 'polling');
  await answer('fetched');
  tab.chat.setOpen(true);
  tab.fire('visibilitychange');
  await reads('fetched');
  expect(sockets()).toBe(1);
});

test('a rejected token is asked for again, once, and then the chat polls', async () => {
  const asked = () =>
    proxy.requests.filter(({ method, path }) => method === 'GET' && /contacts\/[^/]+$/.test(path)).length;
  const before = asked();
  proxy.frameRule(({ direction, text }) =>
    direction === 'down' && text.includes('confirm_subscription') ? dropFrame : undefined,
  );
  proxy.inject({ type: 'reject_subscription', identifier: identifier() });
  await expect.poll(asked).toBe(before + 1);
  await expect.poll(sockets).toBe(2);
  proxy.inject({ type: 'reject_subscription', identifier: identifier() });
  await until(tab.chat.$line, (line) => line === 'polling');
  expect(asked()).toBe(before + 1);
});

test('a socket that carries nothing any more is replaced', async () => {
  proxy.halfOpen();
  await answer('into the void');
  await until(tab.chat.$rows, (rows) => rows?.length === 2);
  expect(sockets()).toBe(2);
});

test('where no socket can be had, answers are fetched', async () => {
  proxy.refuseSockets();
  proxy.cutSockets();
  await until(tab.chat.$line, (line) => line === 'polling');
  tab.chat.setOpen(true);
  await answer('fetched without a socket');
  await until(tab.chat.$rows, (rows) => rows?.length === 2);
});

const end = async () => {
  const path = `/api/v1/accounts/1/conversations/${conversation}/toggle_status`;
  expect((await service.agent('POST', path, { status: 'resolved' })).status).toBe(200);
};
const ended = () => until(tab.chat.$status, (status) => status === 'resolved');

test('that a conversation has ended is seen where no socket can be had', async () => {
  proxy.refuseSockets();
  proxy.cutSockets();
  await until(tab.chat.$line, (line) => line === 'polling');
  tab.chat.setOpen(true);
  await until(tab.chat.$status, (status) => status === 'open');
  await end();
  await ended();
});

test('that a conversation has ended while the line was on its way is seen once it is there', async () => {
  const undo = proxy.frameRule(({ text }) =>
    text.includes('"confirm_subscription"') ? dropFrame : undefined,
  );
  proxy.cutSockets();
  await until(tab.chat.$line, (line) => line !== 'live');
  tab.chat.setOpen(true);
  await until(tab.chat.$status, (status) => status === 'open');
  await end();
  undo();
  await ended();
});

test('nobody is told that there is no connection where words arrive and only the socket is barred', async () => {
  proxy.refuseSockets();
  const other = openTab(newProfile(), { baseUrl: proxy.url, inboxIdentifier: 'demo-inbox' });
  try {
    const lines: string[] = [];
    other.chat.$line.listen((line) => lines.push(line));
    other.chat.setOpen(true);
    await other.chat.send('over REST');
    await until(other.chat.$line, (line) => line === 'polling');
    expect(lines).toEqual(['connecting', 'polling']);
  } finally {
    other.close();
  }
});

test('a line whose socket failed is down as soon as words do not arrive', async () => {
  // The next look comes late.
  const slow = { random: () => 0.99 };
  const other = openTab(newProfile(), { baseUrl: proxy.url, inboxIdentifier: 'demo-inbox' }, slow);
  try {
    await other.chat.send('hello');
    await until(other.chat.$line, (line) => line === 'live');
    proxy.offline();
    await until(other.chat.$line, (line) => line === 'connecting');
    await other.chat.send('do you hear me?');
    await until(other.chat.$line, (line) => line === 'down');
    proxy.online();
    await until(other.chat.$line, (line) => line === 'live');
  } finally {
    other.close();
  }
});

test('who writes does not wait for the next look at a line that got no socket', async () => {
  proxy.refuseSockets();
  tab.close();
  // The next look is as late as can be.
  tab = openTab(profile, { baseUrl: proxy.url, inboxIdentifier: 'demo-inbox' }, { random: () => 0.99 });
  tab.chat.setOpen(true);
  await until(tab.chat.$line, (line) => line === 'polling');
  proxy.refuseSockets(false);
  await tab.chat.send('and now?');
  await until(tab.chat.$line, (line) => line === 'live');
});

test('a network that bars sockets says nothing of the next one', async () => {
  proxy.refuseSockets();
  tab.close();
  tab = openTab(profile, { baseUrl: proxy.url, inboxIdentifier: 'demo-inbox' }, { random: () => 0.99 });
  tab.chat.setOpen(true);
  await until(tab.chat.$line, (line) => line === 'polling');
  const arrives = async (words: string) => {
    await tab.chat.send(words);
    await until(tab.chat.$rows, (rows) => rows?.at(-1)?.state === 'sent');
    await until(tab.chat.$line, (line) => line === 'polling' || line === 'live');
  };
  for (const words of ['once more', 'and again', 'and a fourth time']) await arrives(words);
  proxy.refuseSockets(false);
  // It is barred for a quarter of an hour.
  await arrives('still here');
  expect(tab.chat.$line.get()).toBe('polling');
  tab.fire('offline');
  tab.fire('online');
  await until(tab.chat.$line, (line) => line === 'live');
});

test('foreign and broken frames are nothing', async () => {
  for (const frame of [
    null,
    7,
    [],
    { type: 'unknown' },
    { identifier: 'other', message: { event: 'message.created' } },
  ]) {
    proxy.inject(frame);
  }
  proxy.inject({ identifier: identifier(), message: { event: 'message.created', data: { id: 'x' } } });
  await answer('still listening');
  await reads('still listening');
  expect(sockets()).toBe(1);
});

test('leaving the page closes the socket, and coming back from the cache opens it', async () => {
  tab.fire('pagehide');
  await expect.poll(proxy.links).toBe(0);
  await answer('while in the cache');
  tab.fire('pageshow', { persisted: true } as Partial<StorageEvent>);
  await reads('while in the cache');
  await expect.poll(sockets).toBe(2);
});

test('who writes and turns to another page at once hears of the answer', async () => {
  const other = openTab(newProfile(), { baseUrl: proxy.url, inboxIdentifier: 'demo-inbox' });
  try {
    await other.chat.send('and away');
    other.page.visible = false;
    other.fire('visibilitychange');
    const rows = await until(other.chat.$rows, (all) => all?.[0]?.state === 'sent');
    conversation = rows?.[0]?.message?.conversation_id ?? 0;
    await answer('here I am');
    await until(other.chat.$rows, (all) => all?.at(-1)?.content === 'here I am');
  } finally {
    other.close();
  }
});

test('a line that is lost while the page is hidden, and not for long, is sought again', async () => {
  tab.page.visible = false;
  tab.fire('visibilitychange');
  const before = sockets();
  proxy.cutSockets();
  await expect.poll(sockets).toBeGreaterThan(before);
  await answer('heard in the background');
  await reads('heard in the background');
});
