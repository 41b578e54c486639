/** What is known of a conversation when it is chosen, from the list and since. */
import { expect, test } from 'vitest';
import { newProfile, type Tab, until } from '../support/tab.js';
import { useVisitors } from '../support/visitors.js';

const { service, open, say, reads } = await useVisitors();

const done = { ok: true, value: true };
const told = async (conversation: number, what: string, body = {}) =>
  expect(
    (await service.agent('POST', `/api/v1/accounts/1/conversations/${conversation}/${what}`, body)).status,
  ).toBe(200);
const marks = (tab: Tab) => tab.chat.$rows.get()?.map(({ mark }) => mark);
const seen = (tab: Tab) => until(tab.chat.$rows, (rows) => rows?.at(-1)?.mark === 'seen');

/** A visitor who looks at the second of two conversations. */
async function withTwo(about: string) {
  const shown: string[] = [];
  const tab = open(newProfile(), {
    fetch(url, init = {}) {
      if (init.method === 'GET') shown.push(String(url));
      return fetch(url, init);
    },
  });
  tab.chat.setOpen(true);
  const first = await say(tab, `${about}, first`);
  await tab.chat.newConversation();
  const second = await say(tab, `${about}, second`);
  await until(tab.chat.$line, (line) => line === 'live');
  const choose = async (id: number) => {
    expect(await tab.chat.chooseConversation(id)).toEqual(done);
    await reads(tab, [`${about}, ${id === first ? 'first' : 'second'}`]);
  };
  return {
    tab,
    first,
    second,
    choose,
    shows: (id: number) => shown.filter((url) => url.endsWith(`/conversations/${id}`)).length,
  };
}

test('what the list knows to be seen is marked so in the conversation that is chosen', async () => {
  const { tab, first, second, choose } = await withTwo('a lamp');
  for (const id of [first, second]) await told(id, 'update_last_seen');
  await tab.chat.listConversations();
  await choose(first);
  expect(marks(tab)).toEqual(['seen']);
  await choose(second);
  expect(marks(tab)).toEqual(['seen']);
});

test('what was seen stays so, though the conversation is left and chosen again by an older list', async () => {
  const { tab, first, second, choose } = await withTwo('a chair');
  await tab.chat.listConversations();
  await told(second, 'update_last_seen');
  // What is told of who writes tells of that, too.
  await told(second, 'toggle_typing_status', { typing_status: 'on' });
  await seen(tab);
  await choose(first);
  await choose(second);
  expect(marks(tab)).toEqual(['seen']);
});

test('a state that was listed before the line was in question is looked at once more when its conversation is chosen', async () => {
  const { tab, first, second, choose, shows } = await withTwo('a table');
  // Else it is asked for whether they are.
  await told(first, 'update_last_seen');
  await tab.chat.listConversations();
  const before = shows(first);
  await choose(first);
  await choose(second);
  expect(shows(first)).toBe(before);
  tab.fire('pagehide');
  await told(first, 'toggle_status', { status: 'resolved' });
  const back: object = { persisted: true };
  tab.fire('pageshow', back);
  await until(tab.chat.$line, (line) => line === 'live');
  expect(await tab.chat.chooseConversation(first)).toEqual(done);
  await until(tab.chat.$status, (status) => status === 'resolved');
});
