/** A page with a router says who the visitor is at each of its routes: the service hears of it once. */
import { expect, test } from 'vitest';
import { isRefused } from '../../src/errors.js';
import { newProfile } from '../support/tab.js';
import { useVisitors } from '../support/visitors.js';

const { open, say, contactOf } = await useVisitors();

function counting() {
  const sent: unknown[] = [];
  const fetchAndCount: typeof fetch = (url, init) => {
    if (init?.method === 'PATCH') sent.push(JSON.parse(`${init.body}`));
    return fetch(url, init);
  };
  return { sent, fetch: fetchAndCount };
}

test('what it has, and what it has refused, it is not told again; and the call hears of the refusal', async () => {
  const { sent, fetch } = counting();
  const tab = open(newProfile(), { fetch });
  // The service has a list of plans, and gold is none of them.
  const who = { identifier: 'router', name: 'Ruth', custom_attributes: { plan: 'gold', shelf: 7 } };
  await tab.chat.identify(who);
  await say(tab, 'Hello from a router');
  await tab.chat.identify({ ...who });
  const before = sent.length;
  for (let route = 0; route < 5; route++) {
    const told = await tab.chat.identify({ ...who });
    expect(!told.ok && isRefused(told.error) && told.error).toMatchObject({ status: 422 });
  }
  expect(sent.slice(before)).toEqual([]);
  expect((await tab.chat.identify({ ...who, name: 'Ruth Router' })).ok).toBe(false);
  expect(sent.slice(before)).toHaveLength(1);
  await tab.chat.identify({ ...who, name: 'Ruth', custom_attributes: { plan: 'Team', shelf: 7 } });
  expect(await contactOf('router')).toMatchObject([
    { name: 'Ruth', custom_attributes: { plan: 'Team', shelf: 7 } },
  ]);
});

test('an attribute beside who they are, at each route', async () => {
  const { sent, fetch } = counting();
  const tab = open(newProfile(), { fetch });
  const who = { identifier: 'walker', name: 'Walker' };
  await tab.chat.identify(who);
  await say(tab, 'Hello from another router');
  for (let route = 0; route < 5; route++) {
    expect((await tab.chat.identify({ ...who })).ok).toBe(true);
    expect((await tab.chat.describe({ custom_attributes: { shelf: 7 } })).ok).toBe(true);
  }
  expect(sent.length).toBeLessThanOrEqual(2);
});

test('what did not arrive is told by the next call', async () => {
  let cut = false;
  const { sent, fetch } = counting();
  const tab = open(newProfile(), {
    fetch: (url, init) => (cut ? Promise.reject(new TypeError('cut')) : fetch(url, init)),
  });
  await say(tab, 'Hello from a train');
  cut = true;
  expect((await tab.chat.describe({ custom_attributes: { shelf: 7 } })).ok).toBe(false);
  cut = false;
  expect((await tab.chat.describe({ custom_attributes: { shelf: 7 } })).ok).toBe(true);
  expect(sent).toEqual([{ custom_attributes: { shelf: 7 } }]);
});
