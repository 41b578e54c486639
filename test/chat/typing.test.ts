/** That the visitor is writing is told where they write. */
import { expect, test } from 'vitest';
import { newProfile, until } from '../support/tab.js';
import { useVisitors } from '../support/visitors.js';

const { open, say } = await useVisitors();

test('who hears that the visitor writes hears that they have stopped, also when they turn to another conversation', async () => {
  const told: string[] = [];
  const tab = open(newProfile(), {
    fetch(url, init) {
      const [, id] = /conversations\/(\d+)\/toggle_typing$/.exec(String(url)) ?? [];
      if (id) told.push(`${id} ${JSON.parse(String(init?.body)).typing_status}`);
      return fetch(url, init);
    },
  });
  const first = await say(tab, 'about a window');
  await tab.chat.newConversation();
  const second = await say(tab, 'about a floor');
  await until(tab.chat.$line, (line) => line === 'live');
  await tab.chat.listConversations();
  tab.chat.setDraft('It is');
  expect(told).toEqual([`${second} on`]);
  await tab.chat.chooseConversation(first);
  expect(told).toEqual([`${second} on`, `${second} off`]);
  tab.chat.setDraft('And it was');
  expect(told.slice(2)).toEqual([`${first} on`]);
});
