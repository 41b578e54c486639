/** A visitor who flies with the page open: what was said belongs to the days of the place where they are. */
import { afterEach, expect, test } from 'vitest';
import { newProfile, until } from '../support/tab.js';
import { useVisitors } from '../support/visitors.js';

const { open, say, answer, reads } = await useVisitors();
const home = process.env.TZ;
afterEach(() => {
  if (home === undefined) delete process.env.TZ;
  else process.env.TZ = home;
});

test('days are those of the new place once the visitor comes to the page', async () => {
  process.env.TZ = 'Etc/GMT+12';
  const tab = open(newProfile());
  const conversation = await say(tab, 'Before the flight');
  await until(tab.chat.$line, (line) => line === 'live');
  await answer(conversation, 'Have a good one');
  await reads(tab, ['Before the flight', 'Have a good one']);
  const dayOf = () => tab.chat.$rows.get()?.[0]?.day;
  const at = tab.chat.$rows.get()?.[0]?.at ?? 0;
  const before = dayOf();
  expect(before).toBe(new Date(at).toDateString());
  process.env.TZ = 'Etc/GMT-14';
  tab.fire('visibilitychange');
  expect(dayOf()).toBe(new Date(at).toDateString());
  expect(dayOf()).not.toBe(before);
});
