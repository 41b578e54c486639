/** What the visitor never had before their eyes stays new: what comes late, and what was not looked at when they left. */
import { afterEach, expect, test } from 'vitest';
import { firstNew } from '../../src/model/new-rows.js';
import { dropFrame, type FaultProxy, holdFrames, startFaultProxy } from '../support/fault-proxy.js';
import { newProfile, type Tab, until } from '../support/tab.js';
import { useVisitors } from '../support/visitors.js';

const { service, open, say, reads, answer } = await useVisitors();

let proxy: FaultProxy | undefined;
afterEach(() => proxy?.stop());

const contents = (tab: Tab) => tab.chat.$news.get().map(({ content }) => content);

/** What the visitor has looked at, as agents are told. */
const readBy = async (conversation: number) => {
  const rows = await service.db.query<{ content: string }>(
    `select content from messages where sender_type = 'User' and status = 'read'
       and conversation_id = (select id from conversations where display_id = $1) order by id`,
    [conversation],
  );
  return rows.map(({ content }) => content);
};

/**
 * 1. An agent answers, and the frame is late. 2. The visitor writes on, which gets a higher number, and closes the
 * window. 3. The frame comes.
 */
test('an answer that comes after later words of the visitor is new all the same', async () => {
  proxy = await startFaultProxy(service.url);
  const tab = open(newProfile(), {}, { baseUrl: proxy.url });
  const arrived: unknown[] = [];
  tab.chat.onArrival(({ content }) => arrived.push(content));
  tab.chat.setOpen(true);
  const conversation = await say(tab, 'Is it there?');
  await until(tab.chat.$line, (line) => line === 'live');
  const late = holdFrames();
  proxy.frameRule(({ text }) => (text.includes('It is here') ? late.fault : undefined));
  await answer(conversation, 'It is here');
  await expect.poll(late.count).toBeGreaterThan(0);
  await say(tab, 'Hello?');
  tab.chat.setOpen(false);
  late.release();
  await reads(tab, ['Is it there?', 'It is here', 'Hello?']);
  expect([tab.chat.$unread.get(), contents(tab), arrived]).toEqual([1, ['It is here'], ['It is here']]);
  expect(await readBy(conversation)).toEqual([]);
  tab.chat.setOpen(true);
  await expect.poll(() => readBy(conversation)).toEqual(['It is here']);
  expect(tab.chat.$unread.get()).toBe(0);
});

/** A visitor with two conversations, who is in the second. */
async function inTheSecond(tab: Tab): Promise<[first: number, second: number]> {
  const first = await say(tab, 'about a lamp');
  await until(tab.chat.$line, (line) => line === 'live');
  await tab.chat.newConversation();
  return [first, await say(tab, 'about a chair')];
}

test('what was not looked at in a conversation is new elsewhere once another one is chosen, and there when they go back', async () => {
  const profile = newProfile();
  const tab = open(profile);
  const other = open(profile);
  const [first, second] = await inTheSecond(tab);
  await reads(other, ['about a chair']);
  await until(other.chat.$line, (line) => line === 'live');
  tab.chat.setOpen(true);
  // Both windows show something else.
  for (const { chat } of [tab, other]) chat.away('covered', true);
  await answer(second, 'The chair is here');
  await answer(first, 'The lamp is here');
  for (const one of [tab, other]) await until(one.chat.$news, (news) => news.length === 2);
  expect(await tab.chat.chooseConversation(first)).toEqual({ ok: true, value: true });
  tab.chat.away('covered', false);
  await reads(tab, ['about a lamp', 'The lamp is here']);
  await until(tab.chat.$unread, (count) => count === 0);
  expect(contents(tab)).toEqual(['The chair is here']);
  const places = (one: Tab) => one.chat.$news.get().map(({ conversation_id }) => conversation_id);
  await expect.poll(() => places(other)).toEqual([second]);
  expect(await readBy(second)).toEqual([]);
  // And on the next page.
  const next = open(profile);
  await reads(next, ['about a lamp', 'The lamp is here']);
  expect(places(next)).toEqual([second]);

  expect(await tab.chat.chooseConversation(second)).toEqual({ ok: true, value: true });
  const rows = await reads(tab, ['about a chair', 'The chair is here']);
  expect(firstNew(rows ?? [], tab.chat.seenBefore())?.content).toBe('The chair is here');
  expect(contents(tab)).toEqual([]);
  await expect.poll(() => readBy(second)).toEqual(['The chair is here']);
});

test('that a chosen conversation was read is told once the line is back, and is no news later', async () => {
  let cut = true;
  const fetchCut: typeof fetch = (url, init) =>
    cut && String(url).endsWith('/update_last_seen')
      ? Promise.reject(new TypeError('cut'))
      : fetch(url, init);
  const tab = open(newProfile(), { fetch: fetchCut });
  const [first, second] = await inTheSecond(tab);
  tab.chat.setOpen(true);
  await answer(first, 'The lamp is here');
  await until(tab.chat.$news, (news) => news.length === 1);
  // Newer words are seen here.
  await answer(second, 'The chair is here');
  await reads(tab, ['about a chair', 'The chair is here']);
  expect(await tab.chat.chooseConversation(first)).toEqual({ ok: true, value: true });
  await reads(tab, ['about a lamp', 'The lamp is here']);
  expect(await readBy(first)).toEqual([]);
  cut = false;
  tab.fire('online');
  await expect.poll(() => readBy(first)).toEqual(['The lamp is here']);
});

test('that a conversation was read is told later, though the visitor has gone on in another one by then', async () => {
  let ill = true;
  const tab = open(newProfile(), {
    fetch: async (url, init) =>
      ill && String(url).endsWith('/update_last_seen') ? new Response('', { status: 502 }) : fetch(url, init),
  });
  const [first, second] = await inTheSecond(tab);
  tab.chat.setOpen(true);
  await answer(second, 'The chair is here');
  await reads(tab, ['about a chair', 'The chair is here']);
  expect(await tab.chat.chooseConversation(first)).toEqual({ ok: true, value: true });
  await reads(tab, ['about a lamp']);
  expect(await readBy(second)).toEqual([]);
  ill = false;
  await answer(first, 'The lamp is here');
  await reads(tab, ['about a lamp', 'The lamp is here']);
  await expect.poll(() => readBy(second)).toEqual(['The chair is here']);
});

test('answers that come in another order, by frames or with the next look, are each told of once, and older ones never', async () => {
  proxy = await startFaultProxy(service.url);
  const profile = newProfile();
  const before = open(profile, {}, { baseUrl: proxy.url });
  const conversation = await say(before, 'Question');
  for (let i = 0; i < 25; i++) await answer(conversation, `History ${i}`);
  before.close();
  const tab = open(profile, {}, { baseUrl: proxy.url });
  const arrived: unknown[] = [];
  tab.chat.onArrival(({ content }) => arrived.push(content));
  tab.chat.setOpen(true);
  await until(tab.chat.$line, (line) => line === 'live');
  await until(tab.chat.$hasOlder, (has) => has === true);
  const late = holdFrames();
  proxy.frameRule(({ text }) => (text.includes('"Two"') ? late.fault : undefined));
  proxy.frameRule(({ text }) => (text.includes('"Four"') ? dropFrame : undefined));
  const last = (words: string) => until(tab.chat.$rows, (rows) => rows?.at(-1)?.content === words);
  const shown = (words: string) =>
    until(tab.chat.$rows, (rows) => !!rows?.some(({ content }) => content === words));
  for (const words of ['One', 'Two', 'Three']) await answer(conversation, words);
  await last('Three');
  late.release();
  await shown('Two');
  for (const words of ['Four', 'Five']) await answer(conversation, words);
  await last('Five');
  tab.fire('online');
  await shown('Four');
  await tab.chat.loadOlder();
  await shown('Question');
  expect(arrived).toEqual(['One', 'Three', 'Two', 'Five', 'Four']);
});

test('an answer whose frame was lost below one that was seen, and that comes once the window is closed, is new', async () => {
  proxy = await startFaultProxy(service.url);
  const tab = open(newProfile(), {}, { baseUrl: proxy.url });
  tab.chat.setOpen(true);
  const conversation = await say(tab, 'Which of the two?');
  await until(tab.chat.$line, (line) => line === 'live');
  proxy.frameRule(({ text }) => (text.includes('The left one') ? dropFrame : undefined));
  await answer(conversation, 'The left one');
  await answer(conversation, 'Or the right one');
  await reads(tab, ['Which of the two?', 'Or the right one']);
  await expect.poll(() => readBy(conversation)).toContain('Or the right one');
  tab.chat.setOpen(false);
  expect(tab.chat.$unread.get()).toBe(0);
  tab.fire('online');
  await until(tab.chat.$unread, (unread) => unread > 0);
  expect(contents(tab)[0]).toBe('The left one');
  tab.chat.setOpen(true);
  await until(tab.chat.$unread, (unread) => unread === 0);
});
