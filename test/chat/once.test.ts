/** What is done for a message in one tab, and done once for several that come together. */
import { expect, test } from 'vitest';
import { createOnce } from '../../src/notice/once.js';
import { createLocal } from '../../src/storage/local.js';
import { newProfile, openTab } from '../support/tab.js';

test('of messages that come at once one is told, a later one again, and one that is no news any more is not', async () => {
  const tab = openTab(newProfile(), { baseUrl: 'http://localhost:1', inboxIdentifier: 'nobody' });
  const once = createOnce('here', createLocal(tab.env, 'here'));
  let newest = 0;
  let seen = 0;
  const told: number[] = [];
  const come = (id: number) => {
    newest = id;
    return once(
      'rung',
      () => newest,
      (id) => id !== seen,
      10,
      () => told.push(newest),
    );
  };
  await Promise.all([1, 2, 3].map(come));
  expect(told).toEqual([3]);
  await come(4);
  expect(told).toEqual([3, 4]);
  // What is no news any more by then is not noted either.
  seen = 5;
  await come(5);
  seen = 0;
  await come(5);
  expect(told).toEqual([3, 4, 5]);
  tab.close();
});
