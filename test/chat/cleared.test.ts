/** A page that clears what the browser keeps for it, as many do when somebody logs out, clears what we keep there, too. */
import { expect, test } from 'vitest';
import { newProfile, until } from '../support/tab.js';
import { useVisitors } from '../support/visitors.js';

const { open, say } = await useVisitors();
const isKey = ([key]: [string, string]) => !/#.*:/.test(key);

test('whoever has written is known to the next page all the same', async () => {
  const profile = newProfile();
  const tab = open(profile);
  await say(tab, 'Before the clearing');
  const before = [...profile.storage].filter(isKey);
  expect(before).toHaveLength(1);
  profile.storage.clear();
  tab.fire('visibilitychange');
  await expect.poll(() => [...profile.storage].filter(isKey)).toEqual(before);
});

test('and so they are once the line is back', async () => {
  const profile = newProfile();
  const tab = open(profile);
  await say(tab, 'Before another clearing');
  await until(tab.chat.$line, (line) => line === 'live');
  const before = [...profile.storage].filter(isKey);
  tab.page.online = false;
  tab.fire('offline');
  await until(tab.chat.$line, (line) => line !== 'live');
  profile.storage.clear();
  tab.page.online = true;
  tab.fire('online');
  await until(tab.chat.$line, (line) => line === 'live');
  await expect.poll(() => [...profile.storage].filter(isKey)).toEqual(before);
});

test('whoever has left is not brought back by a page that has not heard of it', async () => {
  const profile = newProfile();
  const [tab, other] = [open(profile), open(profile)];
  await say(tab, 'About to leave');
  await until(other.chat.$rows, (rows) => rows?.length === 1);
  await tab.chat.logout();
  await until(other.chat.$rows, (rows) => rows?.length === 0);
  other.fire('visibilitychange');
  tab.fire('visibilitychange');
  await say(other, 'Somebody new');
  const [[, kept = ''] = []] = [...profile.storage].filter(isKey);
  expect(JSON.parse(kept)).toMatchObject({ generation: 1 });
});
