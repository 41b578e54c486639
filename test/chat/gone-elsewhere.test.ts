/** What is gone at the service, and what it said a moment before: the other conversations, their news, and a state. */
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { gate } from '../support/gate.js';
import { newProfile, type Tab, until } from '../support/tab.js';
import { useVisitors } from '../support/visitors.js';

const { service, open, say, answer, reads } = await useVisitors();

const path = (conversation: number) => `/api/v1/accounts/1/conversations/${conversation}`;
async function remove(conversation: number) {
  await service.db.query(
    'delete from messages where conversation_id = (select id from conversations where display_id = $1)',
    [conversation],
  );
  await service.db.query('delete from conversations where display_id = $1', [conversation]);
}
/** @returns the profile of a visitor with two conversations, of which the current one is gone, and the other one */
async function left(about: string, gone: string) {
  const profile = newProfile();
  const before = open(profile);
  const stays = await say(before, about);
  await before.chat.newConversation();
  const goes = await say(before, gone);
  before.close();
  await remove(goes);
  return { profile, stays };
}
const news = (tab: Tab, count: number) => until(tab.chat.$news, (all) => all.length === count);

test('whose conversation is gone hears of answers in another one', async () => {
  const { profile, stays } = await left('about a lamp that stays', 'about a chair that goes');
  const tab = open(profile);
  await reads(tab, ['about a lamp that stays']);
  await until(tab.chat.$line, (line) => line === 'live');
  await answer(stays, 'the lamp is here');
  await reads(tab, ['about a lamp that stays', 'the lamp is here']);
});

test('also where the list of the others does not come at first', async () => {
  const { profile, stays } = await left('about a boat that stays', 'about an oar that goes');
  let refused = 0;
  const unlisted: typeof fetch = (url, init = {}) => {
    const isList = /\/conversations$/.test(new URL(String(url)).pathname) && (init.method ?? 'GET') === 'GET';
    if (!isList || refused) return fetch(url, init);
    refused++;
    return Promise.resolve(new Response('', { status: 503 }));
  };
  const tab = open(profile, { fetch: unlisted });
  await reads(tab, ['about a boat that stays']);
  expect(refused).toBe(1);
  await answer(stays, 'the boat is here');
  await reads(tab, ['about a boat that stays', 'the boat is here']);
});

test('who has left their only conversation hears on return what was answered there', async () => {
  const profile = newProfile();
  const before = open(profile);
  const only = await say(before, 'my only matter');
  expect(await before.chat.newConversation()).toEqual({ ok: true, value: true });
  before.close();
  await answer(only, 'about your only matter');
  const tab = open(profile);
  await news(tab, 1);
  await tab.chat.listConversations();
  await tab.chat.chooseConversation(only);
  await reads(tab, ['my only matter', 'about your only matter']);
});

test('news of a conversation that is gone is none once all are listed', async () => {
  const tab = open(newProfile());
  const first = await say(tab, 'a matter that goes');
  await until(tab.chat.$line, (line) => line === 'live');
  await tab.chat.newConversation();
  await say(tab, 'a matter that stays');
  await answer(first, 'about what goes');
  await news(tab, 1);
  await remove(first);
  await tab.chat.listConversations();
  await news(tab, 0);
});

test('a list that was on its way does not take back that the conversation has ended', async () => {
  const asked = gate();
  const held = gate();
  let holds = false;
  const slow: typeof fetch = async (url, init = {}) => {
    const response = await fetch(url, init);
    if (holds && /\/conversations$/.test(new URL(String(url)).pathname) && (init.method ?? 'GET') === 'GET') {
      asked.open();
      await held.opened;
    }
    return response;
  };
  const tab = open(newProfile(), { fetch: slow });
  const conversation = await say(tab, 'soon ended');
  await until(tab.chat.$line, (line) => line === 'live');
  tab.chat.setOpen(true);
  await until(tab.chat.$status, (status) => status === 'open');
  holds = true;
  const listed = tab.chat.listConversations();
  await asked.opened;
  await service.agent('POST', `${path(conversation)}/toggle_status`, { status: 'resolved' });
  await until(tab.chat.$status, (status) => status === 'resolved');
  held.open();
  await listed;
  expect(tab.chat.$status.get()).toBe('resolved');
  expect(tab.chat.$conversations.get()).toMatchObject([{ id: conversation, status: 'resolved' }]);
});

test('who was writing when the page went away writes no more when it comes back', async () => {
  const tab = open(newProfile());
  const conversation = await say(tab, 'write to me');
  await until(tab.chat.$line, (line) => line === 'live');
  await service.agent('POST', `${path(conversation)}/toggle_typing_status`, { typing_status: 'on' });
  await until(tab.chat.$typing, (typing) => typing !== undefined);
  tab.fire('pagehide');
  await until(tab.chat.$line, (line) => line !== 'live');
  expect(tab.chat.$typing.get()).toBeUndefined();
});

test('who types while they are logged out leaves nothing in the field for the next person', async () => {
  const tab = open(newProfile());
  await say(tab, 'I am about to leave');
  tab.chat.setDraft('Half a secret');
  let isOver = false;
  const leaving = tab.chat.logout().finally(() => {
    isOver = true;
  });
  // A key whenever there is time for one, as long as the field has the words of before.
  for (let key = 0; !isOver && tab.chat.$draft.get(); key++) {
    tab.chat.setDraft(`Half a secret ${key}`);
    await setImmediate();
  }
  await leaving;
  expect(tab.chat.$draft.get()).toBe('');
});

test('what a contact that is gone had not read is no news of the next one, on this page and later ones', async () => {
  const profile = newProfile();
  const before = open(profile);
  const first = await say(before, 'about a ladder');
  await until(before.chat.$line, (line) => line === 'live');
  await before.chat.newConversation();
  const second = await say(before, 'about a rope');
  await answer(first, 'the ladder is here');
  await news(before, 1);
  before.close();
  for (const one of [first, second]) await remove(one);
  await service.db.query('delete from contact_inboxes where source_id = $1', [
    JSON.parse([...profile.storage].find(([key]) => key.endsWith('#demo-inbox'))?.[1] ?? '{}').sourceId,
  ]);
  const tab = open(profile);
  await reads(tab, []);
  await news(tab, 0);
  expect((await tab.chat.listConversations()).ok).toBe(true);
  await say(tab, 'about a bucket');
  expect(tab.chat.$conversations.get()?.map(({ last }) => last?.content)).not.toContain('about a rope');
  tab.close();
  const next = open(profile);
  await reads(next, ['about a bucket']);
  expect(next.chat.$news.get()).toEqual([]);
});
