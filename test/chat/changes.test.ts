/** What becomes of messages that are there: deleted and answered, here and far back, in whatever order it is told. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { type FaultProxy, holdFrames, startFaultProxy } from '../support/fault-proxy.js';
import { newProfile, type Tab, until } from '../support/tab.js';
import { useVisitors } from '../support/visitors.js';

const { service, open: openPage, say } = await useVisitors();
const made = z.object({ id: z.number() });

let proxy: FaultProxy;
beforeEach(async () => {
  proxy = await startFaultProxy(service.url);
});
afterEach(() => proxy.stop());

const open = (profile = newProfile()) => openPage(profile, {}, { baseUrl: proxy.url });
const live = (tab: Tab) => until(tab.chat.$line, (line) => line === 'live');
const shown = (tab: Tab) => tab.chat.$rows.get()?.map((row) => row.content);

const of = (conversation: number) => {
  const path = `/api/v1/accounts/1/conversations/${conversation}/messages`;
  return {
    answer: async (content: string) => made.parse((await service.agent('POST', path, { content })).body).id,
    async remove(id: number) {
      expect((await service.agent('DELETE', `${path}/${id}`)).status).toBe(200);
    },
  };
};

test('a message that is deleted before it is heard of stays deleted', async () => {
  const tab = open();
  const agent = of(await say(tab, 'Who are you?'));
  await live(tab);
  const held = holdFrames();
  proxy.frameRule(({ text }) => (/message\.(created|updated)/.test(text) ? held.fault : undefined));
  await agent.remove(await agent.answer('Of another visitor'));
  await expect.poll(held.count).toBe(2);
  held.release((frames) => frames.reverse());
  await agent.answer('Sorry');
  await until(tab.chat.$rows, (rows) => rows?.at(-1)?.content === 'Sorry');
  expect(shown(tab)).toEqual(['Who are you?', 'This message was deleted', 'Sorry']);
});

test('what is deleted in another conversation is neither shown nor counted there, now and on the next page', async () => {
  const profile = newProfile();
  const tab = open(profile);
  const agent = of(await say(tab, 'Of the lamp'));
  await live(tab);
  await tab.chat.newConversation();
  await say(tab, 'Of the chair');
  const taken = await agent.answer('Of another visitor');
  await agent.answer('Of your lamp');
  const news = ({ chat }: Tab) => chat.$news.get().map(({ content }) => content);
  await until(tab.chat.$news, (all) => all.length === 2);
  await tab.chat.listConversations();
  const unread = () => tab.chat.$conversations.get()?.map((line) => line.unread);
  expect(unread()).toEqual([2, 0]);
  await agent.remove(taken);
  await until(tab.chat.$news, (all) => all.length === 1);
  expect(news(tab)).toEqual(['Of your lamp']);
  await expect.poll(unread).toEqual([1, 0]);
  // It was told of by a list, too.
  await tab.chat.listConversations();
  expect([news(tab), unread()]).toEqual([['Of your lamp'], [1, 0]]);
  tab.close();
  const next = open(profile);
  await live(next);
  await next.chat.listConversations();
  expect(news(next)).toEqual(['Of your lamp']);
});

test('what has changed in another conversation is shown as it is now', async () => {
  const tab = open();
  const agent = of(await say(tab, 'Of the lamp'));
  await live(tab);
  await tab.chat.newConversation();
  await say(tab, 'Of the chair');
  const last = await agent.answer('Of another visitor');
  // Heard after the list it would have that fetched once more, which may then be older than what is told next.
  await until(tab.chat.$news, (all) => all.length === 1);
  await tab.chat.listConversations();
  const words = () => tab.chat.$conversations.get()?.map((line) => line.last?.content);
  expect(words()).toEqual(['Of another visitor', 'Of the chair']);
  await agent.remove(last);
  await expect.poll(words).toEqual(['This message was deleted', 'Of the chair']);
});

test('the last answer stands, though what is told of it comes in another order', async () => {
  const tab = open();
  const conversation = await say(tab, 'Ask me');
  const agent = of(conversation);
  await live(tab);
  const asked = made.parse(
    (
      await service.agent('POST', `/api/v1/accounts/1/conversations/${conversation}/messages`, {
        content: 'Which?',
        content_type: 'input_select',
        content_attributes: {
          items: [
            { title: 'A', value: 'a' },
            { title: 'B', value: 'b' },
          ],
        },
      })
    ).body,
  );
  await until(tab.chat.$rows, (rows) => rows?.at(-1)?.content === 'Which?');
  const held = holdFrames();
  proxy.frameRule(({ text }) => (text.includes('message.updated') ? held.fault : undefined));
  for (const value of ['a', 'b'])
    expect((await tab.chat.answer(asked, [{ title: value.toUpperCase(), value }])).ok).toBe(true);
  await expect.poll(held.count).toBe(2);
  held.release((frames) => frames.reverse());
  await agent.answer('Thank you');
  const rows = await until(tab.chat.$rows, (all) => all?.at(-1)?.content === 'Thank you');
  expect(rows?.at(-2)?.message?.content_attributes.submitted_values).toEqual([{ title: 'B', value: 'b' }]);
});

test('what changes further back than what was read is read with it, and not all that lies between', async () => {
  const profile = newProfile();
  const before = open(profile);
  const agent = of(await say(before, 'A long story'));
  await expect.poll(async () => (await before.chat.kept()).waiting).toEqual([]);
  before.close();
  const mistake = await agent.answer('A mistake');
  for (let i = 0; i < 60; i++) await agent.answer(`Part ${i}`);
  const already = proxy.requests.length;
  const tab = open(profile);
  await live(tab);
  await agent.remove(mistake);
  await agent.answer('The end');
  await until(tab.chat.$rows, (rows) => rows?.at(-1)?.content === 'The end');
  while (tab.chat.$hasOlder.get()) expect((await tab.chat.loadOlder()).ok).toBe(true);
  // Three pages, and one that says there are no more.
  const asked = proxy.requests.slice(already).map(({ path }) => path);
  expect(asked.filter((path) => path.includes('before='))).toHaveLength(4);
  expect(tab.chat.$rows.get()).toHaveLength(63);
  expect(shown(tab)).not.toContain('A mistake');
});

test('what changes while the newest page is on its way is in it, and nothing further back is read for it', async () => {
  const profile = newProfile();
  const before = open(profile);
  const first = await say(before, 'A long story');
  const agent = of(first);
  for (let i = 0; i < 40; i++) await agent.answer(`Part ${i}`);
  await before.chat.newConversation();
  await say(before, 'Another story');
  before.close();
  let go = () => {};
  const held = new Promise<void>((resolve) => {
    go = resolve;
  });
  const fetchSlowly: typeof fetch = async (url, init) => {
    const answer = await fetch(url, init);
    if (init?.method === 'GET' && String(url).includes(`/conversations/${first}/messages`)) await held;
    return answer;
  };
  const tab = openPage(profile, { fetch: fetchSlowly }, { baseUrl: proxy.url });
  await live(tab);
  const already = proxy.requests.length;
  tab.chat.setOpen(true);
  expect(await tab.chat.chooseConversation(first)).toEqual({ ok: true, value: true });
  // The service tells of each of them that it was read.
  const read = `select count(*)::int as count from messages m join conversations v on v.id = m.conversation_id
    where v.display_id = $1 and m.status = 'read'`;
  await expect.poll(() => service.db.query(read, [first])).toEqual([{ count: 40 }]);
  tab.chat.setOpen(false);
  await agent.answer('The end');
  await until(tab.chat.$news, (all) => all.some(({ content }) => content === 'The end'));
  go();
  await until(tab.chat.$hasOlder, (has) => has === true);
  expect(shown(tab)).toHaveLength(21);
  expect((await tab.chat.loadOlder()).ok).toBe(true);
  expect(shown(tab)).toHaveLength(41);
  const asked = proxy.requests.slice(already).map(({ path }) => path);
  expect(asked.filter((path) => path.includes('before='))).toHaveLength(1);
});
