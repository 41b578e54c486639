/** How little is asked for while there is nothing to hear or nobody to see it; and that nothing is missed for it. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import WebSocket from 'ws';
import { dropFrame, type FaultProxy, startFaultProxy } from '../support/fault-proxy.js';
import { startTestService, type TestService } from '../support/service.js';
import { newProfile, openTab, type Profile, type Tab, until } from '../support/tab.js';

let service: TestService;
let proxy: FaultProxy;
let tab: Tab | undefined;
let second: Tab | undefined;
let profile: Profile;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.end());
beforeEach(async () => {
  proxy = await startFaultProxy(service.url);
  profile = newProfile();
});
afterEach(async () => {
  for (const one of [tab, second]) one?.close();
  tab = second = undefined;
  await proxy.stop();
});

/** A clock that moves when told to; requests and sockets stay real. */
function handClock() {
  let now = 1_000_000;
  const timers = new Set<{ at: number; work: () => void }>();
  return {
    env: {
      monotonic: () => now,
      wall: () => now,
      after(ms: number, work: () => void) {
        const timer = { at: now + ms, work };
        timers.add(timer);
        return () => timers.delete(timer);
      },
    },
    pending: () => timers.size,
    /** What is due in the next `ms` is done, in order. */
    pass(ms: number) {
      const end = now + ms;
      for (;;) {
        const next = [...timers].sort((a, b) => a.at - b.at)[0];
        if (!next || next.at > end) break;
        timers.delete(next);
        now = Math.max(now, next.at);
        next.work();
      }
      now = end;
    },
  };
}

/** How many requests have no whole answer yet, and sockets no confirmation: until then no time may pass for them. */
function countFlights() {
  let count = 0;
  const counted: typeof fetch = async (...request) => {
    count++;
    try {
      const answer = await fetch(...request);
      return new Response(await answer.arrayBuffer(), answer);
    } finally {
      count--;
    }
  };
  class Counted extends WebSocket {
    constructor(...given: ConstructorParameters<typeof WebSocket>) {
      super(...given);
      count++;
      let over = () => {
        count--;
        over = () => {};
      };
      this.once('close', () => over());
      this.on('message', (data) => {
        if (String(data).includes('confirm_subscription')) over();
      });
    }
  }
  const env = { fetch: counted, WebSocket: Counted as unknown as typeof globalThis.WebSocket };
  return { flying: () => count, env };
}

const open = (change: Parameters<typeof openTab>[2]) =>
  openTab(profile, { baseUrl: proxy.url, inboxIdentifier: 'demo-inbox' }, change);
const asked = () => proxy.requests.filter(({ method }) => method !== 'OPTIONS').length;
const HOUR_MS = 3_600_000;

test('a page without a conversation asks nothing, opens no socket and has no timer, also with the window open', async () => {
  const clock = handClock();
  tab = open(clock.env);
  tab.chat.setOpen(true);
  await until(tab.chat.$rows, (rows) => rows?.length === 0);
  expect(clock.pending()).toBe(0);
  tab.chat.setDraft('half a thought');
  clock.pass(HOUR_MS);
  expect(clock.pending()).toBe(0);
  // Whatever was asked for would be there before this.
  await fetch(`${proxy.url}/`, { method: 'OPTIONS' });
  expect(proxy.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['OPTIONS /']);
  expect(proxy.links()).toBe(0);
});

test('tabs that are hidden for long close their sockets and look for news four times an hour at most, one for all', async () => {
  const clock = handClock();
  const { flying, env } = countFlights();
  tab = open({ ...clock.env, ...env });
  await tab.chat.send('hello');
  const rows = await until(tab.chat.$rows, (all) => all?.[0]?.state === 'sent');
  const conversation = rows?.[0]?.message?.conversation_id;
  await until(tab.chat.$line, (line) => line === 'live');
  second = open({ ...clock.env, ...env });
  await until(second.chat.$line, (line) => line === 'live');
  for (const one of [tab, second]) {
    one.page.visible = false;
    one.fire('visibilitychange');
  }
  clock.pass(5 * 60_000);
  await expect.poll(proxy.links).toBe(0);
  const path = `/api/v1/accounts/1/conversations/${conversation}/messages`;
  expect((await service.agent('POST', path, { content: 'Are you there?' })).status).toBe(200);
  const heard: string[] = [];
  for (const one of [tab, second]) one.chat.onArrival(({ content }) => heard.push(content ?? ''));
  const before = asked();
  for (let minute = 0; minute < 120; minute++) {
    clock.pass(60_000);
    // What is asked within this minute is answered before the next one.
    await expect.poll(() => [flying(), clock.pending()], { interval: 1 }).toEqual([0, 2]);
  }
  expect(asked() - before).toBeGreaterThanOrEqual(4);
  expect(asked() - before).toBeLessThanOrEqual(8);
  expect(heard).toContain('Are you there?');
  expect(proxy.links()).toBe(0);
});

test('a page that sleeps goes on looking for news after the network was away and came back', async () => {
  const clock = handClock();
  const { flying, env } = countFlights();
  tab = open({ ...clock.env, ...env });
  await tab.chat.send('hello');
  await until(tab.chat.$line, (line) => line === 'live');
  tab.page.visible = false;
  tab.fire('visibilitychange');
  clock.pass(5 * 60_000);
  await expect.poll(proxy.links).toBe(0);
  tab.fire('offline');
  tab.fire('online');
  const before = asked();
  for (let minute = 0; minute < 60; minute++) {
    clock.pass(60_000);
    await expect.poll(() => [flying(), clock.pending()], { interval: 1 }).toEqual([0, 1]);
  }
  expect(asked() - before).toBeGreaterThanOrEqual(2);
  expect(asked() - before).toBeLessThanOrEqual(4);
});

test('who has asked for notices of the browser is told of an answer however long the page is hidden', async () => {
  const clock = handClock();
  const { flying, env } = countFlights();
  tab = open({ ...clock.env, ...env });
  tab.chat.setWish({ notify: true });
  await tab.chat.send('hello');
  const rows = await until(tab.chat.$rows, (all) => all?.[0]?.state === 'sent');
  const conversation = rows?.[0]?.message?.conversation_id;
  await until(tab.chat.$line, (line) => line === 'live');
  tab.page.visible = false;
  tab.fire('visibilitychange');
  // A line that is lost meanwhile is sought again.
  clock.pass(10 * 60_000);
  const later = () => {
    // While an answer is on its way no time passes: it would come too late.
    if (!flying()) clock.pass(1_000);
    return tab?.chat.$line.get();
  };
  await expect.poll(later, { interval: 20 }).toBe('live');
  const path = `/api/v1/accounts/1/conversations/${conversation}/messages`;
  expect((await service.agent('POST', path, { content: 'Here you are' })).status).toBe(200);
  await until(tab.chat.$rows, (all) => all?.at(-1)?.content === 'Here you are');
});

test('what waits leaves with the next look, however long the page is hidden', async () => {
  const clock = handClock();
  const { flying, env } = countFlights();
  tab = open({ ...clock.env, ...env });
  await tab.chat.send('hello');
  await until(tab.chat.$line, (line) => line === 'live');
  proxy.offline();
  await tab.chat.send('Waits in a pocket');
  const later = (ms: number) => () => {
    clock.pass(ms);
    return tab?.chat.$line.get();
  };
  await expect.poll(later(1_000), { interval: 20 }).toBe('down');
  tab.page.visible = false;
  tab.fire('visibilitychange');
  await expect.poll(later(60_000), { interval: 20 }).toBe('idle');
  proxy.online();
  // It looks four times an hour.
  const sent = () => {
    if (!flying() && clock.pending() === 1) clock.pass(60_000);
    return tab?.chat.$rows.get()?.at(-1)?.state;
  };
  await expect.poll(sent, { interval: 20 }).toBe('sent');
  expect(tab.chat.$line.get()).toBe('idle');
  await expect.poll(clock.pending).toBe(1);
});

test('after minutes of a lossy and then dead line nothing is missing once it returns, and no timer is waited for', async () => {
  const clock = handClock();
  tab = open(clock.env);
  await tab.chat.send('hello');
  const rows = await until(tab.chat.$rows, (all) => all?.[0]?.state === 'sent');
  const conversation = rows?.[0]?.message?.conversation_id;
  await until(tab.chat.$line, (line) => line === 'live');
  let count = 0;
  proxy.frameRule(({ direction }) => (direction === 'down' && ++count % 10 < 3 ? dropFrame : undefined));
  const say = async (content: string) => {
    const path = `/api/v1/accounts/1/conversations/${conversation}/messages`;
    expect((await service.agent('POST', path, { content })).status).toBe(200);
  };
  for (let i = 0; i < 20; i++) await say(`lossy ${i}`);
  for (let dead = 30; dead <= 90; dead += 30) {
    proxy.halfOpen();
    proxy.offline();
    for (let i = dead - 30; i < dead; i++) await say(`dead ${i}`);
    clock.pass(5 * 60_000);
    proxy.clear();
    // From here on the clock stands: no timer helps.
    tab.fire('online');
    await until(tab.chat.$rows, (all) => all?.length === 21 + dead);
  }
  const said = tab.chat.$rows.get()?.map((row) => row.content);
  const numbered = (words: string, count: number) => Array.from({ length: count }, (_, i) => `${words} ${i}`);
  expect(said).toEqual(['hello', ...numbered('lossy', 20), ...numbered('dead', 90)]);
});

test('a long conversation that is chosen comes once, and not page by page', async () => {
  tab = open({});
  const { chat } = tab;
  await chat.send('A long one');
  const rows = await until(chat.$rows, (all) => all?.[0]?.state === 'sent');
  const long = rows?.[0]?.message?.conversation_id ?? 0;
  const path = `/api/v1/accounts/1/conversations/${long}/messages`;
  for (let i = 0; i < 60; i++)
    expect((await service.agent('POST', path, { content: `${i}` })).status).toBe(200);
  await until(chat.$rows, (all) => all?.length === 61);
  await expect.poll(async () => (await chat.kept()).waiting).toEqual([]);
  await chat.newConversation();
  await chat.send('Another');
  await until(chat.$rows, (all) => all?.[0]?.content === 'Another' && all[0].state === 'sent');
  await expect.poll(async () => (await chat.kept()).waiting).toEqual([]);
  await chat.listConversations();
  await until(chat.$line, (line) => line === 'live');
  const before = proxy.requests.length;
  expect(await chat.chooseConversation(long)).toEqual({ ok: true, value: true });
  const pages = () =>
    proxy.requests
      .slice(before)
      .filter(({ method, path }) => method === 'GET' && /\/messages(\?|$)/.test(path))
      .map(({ path }) => path.replace(/^.*messages/, ''));
  await expect.poll(pages).toHaveLength(1);
  await chat.send('Gone on with');
  await until(chat.$rows, (all) => all?.length === 62 && all.at(-1)?.state === 'sent');
  expect(pages()).toEqual(['']);
  expect(chat.$hasOlder.get()).toBe(false);
});

test('what a living socket has lost comes within two minutes to an open window before the visitor, and only that one asks', async () => {
  const clock = handClock();
  const { flying, env } = countFlights();
  let heard = 0;
  class Heard extends env.WebSocket {
    constructor(...given: ConstructorParameters<typeof env.WebSocket>) {
      super(...given);
      this.addEventListener('message', () => heard++);
    }
  }
  let draws = 0;
  tab = open({ ...clock.env, ...env, WebSocket: Heard, random: () => (draws++ % 5) / 5 });
  const { chat } = tab;
  await chat.send('hello');
  const rows = await until(chat.$rows, (all) => all?.[0]?.state === 'sent');
  await until(chat.$line, (line) => line === 'live');
  const pages = () => proxy.requests.filter(({ path }) => /\/messages(\?|$)/.test(path)).length;
  /** The socket lives on. @returns how often it was asked for messages */
  const minutes = async (count: number) => {
    const before = pages();
    for (let i = 0; i < count * 24; i++) {
      const last = heard;
      proxy.inject({ type: 'ping', message: 0 });
      await expect.poll(() => heard > last && !flying(), { interval: 1 }).toBe(true);
      clock.pass(2_500);
    }
    await expect.poll(flying, { interval: 1 }).toBe(0);
    return pages() - before;
  };
  proxy.frameRule(({ text }) => (text.includes('Lost') ? dropFrame : undefined));
  const path = `/api/v1/accounts/1/conversations/${rows?.[0]?.message?.conversation_id}/messages`;
  expect((await service.agent('POST', path, { content: 'Lost' })).status).toBe(200);
  expect(await minutes(10)).toBe(0);
  chat.setOpen(true);
  await minutes(2);
  // The clock stands: nothing but what was asked for by now can bring it.
  await until(chat.$rows, (all) => all?.at(-1)?.content === 'Lost');
  const looks = await minutes(10);
  expect(looks).toBeGreaterThanOrEqual(6);
  expect(looks).toBeLessThanOrEqual(12);
  tab.page.visible = false;
  tab.fire('visibilitychange');
  expect(await minutes(4)).toBe(0);
  expect(proxy.frames.filter(({ text }) => text.includes('"subscribe"'))).toHaveLength(1);
  tab.close();
  expect(clock.pending()).toBe(0);
});
