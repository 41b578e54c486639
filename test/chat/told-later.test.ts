/** What the host page says of a visitor while their contact is being made, or after the answer to that was lost. */
import { expect, test } from 'vitest';
import { newProfile, type Profile, type Tab, until } from '../support/tab.js';
import { useVisitors } from '../support/visitors.js';

const { service, saidIn, contactOf, open } = await useVisitors();

/** A tab whose contact is made, and does not hear of it before it may; asking once more is answered at once. */
function making(profile: Profile, heard: Promise<void>) {
  let first = true;
  let made = () => {};
  const there = new Promise<void>((resolve) => {
    made = resolve;
  });
  const fetchLate: typeof fetch = async (url, init = {}) => {
    const answer = await fetch(url, init);
    if (first && init.method === 'POST' && String(url).endsWith('/contacts')) {
      first = false;
      made();
      await heard;
    }
    return answer;
  };
  return { tab: open(profile, { fetch: fetchLate }), there };
}

/** The visitor writes, and the contact is being made until it is heard of. */
async function inTheMaking(words: string, begin: (tab: Tab) => Promise<unknown> = async () => {}) {
  let hear = () => {};
  const heard = new Promise<void>((resolve) => {
    hear = resolve;
  });
  const { tab, there } = making(newProfile(), heard);
  await begin(tab);
  await tab.chat.send(words);
  await there;
  return { tab, hear: () => hear() };
}

/** The contact is made, and the page never hears of it: the first answer is lost. */
async function unheard(
  profile: Profile,
  words: string,
  begin: (tab: Tab) => Promise<unknown> = async () => {},
) {
  let lose = (_: Error) => {};
  const lost = new Promise<void>((_, reject) => {
    lose = reject;
  });
  const { tab, there } = making(profile, lost);
  await begin(tab);
  await tab.chat.send(words);
  await there;
  return { tab, lose: () => lose(new TypeError('lost')) };
}

const whoSaid = async (words: string) =>
  service.db.query<Record<string, unknown>>(
    `select c.name, c.email, c.custom_attributes from messages m join conversations v on v.id = m.conversation_id
     join contacts c on c.id = v.contact_id where m.content = $1`,
    [words],
  );

test('what is said while the contact is being made is told once it is there', async () => {
  const { tab, hear } = await inTheMaking('Being made');
  expect((await tab.chat.describe({ custom_attributes: { shelf: 7 } })).ok).toBe(true);
  hear();
  await saidIn(tab, 'Being made');
  await expect.poll(() => whoSaid('Being made')).toMatchObject([{ custom_attributes: { shelf: 7 } }]);
});

test('who is named while their contact is being made has a name once it is there', async () => {
  const who = { identifier: 'noether' };
  const { tab, hear } = await inTheMaking('Still nameless', ({ chat }) => chat.identify(who));
  const more = { name: 'Emmy Noether', email: 'noether@example.com' };
  expect((await tab.chat.identify({ ...who, ...more })).ok).toBe(true);
  hear();
  await saidIn(tab, 'Still nameless');
  await expect.poll(() => contactOf('noether')).toMatchObject([more]);
});

test('what a later page says reaches a contact of whose making the page before has not heard', async () => {
  const who = { identifier: 'germain' };
  const profile = newProfile();
  const { tab } = await unheard(profile, 'Said and left', ({ chat }) => chat.identify(who));
  tab.close();
  const next = open(profile);
  const more = { name: 'Sophie Germain', email: 'germain@example.com' };
  expect((await next.chat.identify({ ...who, ...more })).ok).toBe(true);
  await saidIn(next, 'Said and left');
  await expect.poll(() => contactOf('germain')).toMatchObject([more]);
});

test('what is said and answered after a lost answer reaches the contact that was made all the same', async () => {
  const { tab, lose } = await unheard(newProfile(), 'Twice asked for');
  expect((await tab.chat.describe({ custom_attributes: { shelf: 8 } })).ok).toBe(true);
  await tab.chat.tellAbout({ contact: { name: 'Ada' }, conversation: {} }, ['name'], ['name']);
  lose();
  // Not for long: the line is tried again by itself.
  await until(tab.chat.$line, (line) => line === 'down');
  tab.fire('online');
  await saidIn(tab, 'Twice asked for');
  await expect
    .poll(() => whoSaid('Twice asked for'))
    .toMatchObject([{ name: 'Ada', custom_attributes: { shelf: 8 } }]);
});

test('who is known by name from another device is described from this one, too', async () => {
  const phone = open(newProfile());
  await phone.chat.identify({ identifier: 'kovalevskaya', name: 'Sofya' });
  await phone.chat.send('From the phone');
  await saidIn(phone, 'From the phone');
  const desk = open(newProfile());
  await desk.chat.identify({ identifier: 'kovalevskaya', custom_attributes: { shelf: 9 } });
  await desk.chat.send('From the desk');
  await saidIn(desk, 'From the desk');
  await expect.poll(() => whoSaid('From the desk')).toMatchObject([{ custom_attributes: { shelf: 9 } }]);
});

/** A tab, and what is told to its contact after that was made. */
function counting() {
  const told: string[] = [];
  const fetchSeen: typeof fetch = (url, init = {}) => {
    if (init.method === 'PATCH') told.push(String(init.body));
    return fetch(url, init);
  };
  return { tab: open(newProfile(), { fetch: fetchSeen }), told };
}

test('what the contact was made with is not told once more', async () => {
  const { tab, told } = counting();
  await tab.chat.describe({ custom_attributes: { shelf: 3 } });
  await tab.chat.send('All in one');
  await saidIn(tab, 'All in one');
  await expect.poll(() => tab.chat.$line.get()).toBe('live');
  expect(told).toEqual([]);
  expect(await whoSaid('All in one')).toMatchObject([{ custom_attributes: { shelf: 3 } }]);
});

test('an e-mail address that the service keeps in small letters is not told once more', async () => {
  const { tab, told } = counting();
  const contact = { name: 'Émilie', email: 'Emilie@Example.com' };
  await tab.chat.tellAbout({ contact, conversation: {} }, ['name', 'email'], []);
  await tab.chat.send('In capitals');
  await saidIn(tab, 'In capitals');
  expect(told).toEqual([]);
  expect(await tab.chat.kept()).toMatchObject({ about: {} });
});

test('who is named without a proof is known by it at once, and what else was said is told when the line is back', async () => {
  const profile = newProfile();
  const before = open(profile);
  await before.chat.identify({ identifier: 'agnesi' });
  await before.chat.send('Of Agnesi');
  await saidIn(before, 'Of Agnesi');
  before.close();
  let away = false;
  const fetchCut: typeof fetch = (url, init) =>
    away ? Promise.reject(new TypeError('cut')) : fetch(url, init);
  const tab = open(profile, { fetch: fetchCut });
  await expect.poll(() => tab.chat.$line.get()).toBe('live');
  away = true;
  const known: unknown[] = [];
  tab.front.$letIn.listen((who) => known.push(who?.identifier));
  const more = { name: 'Maria Agnesi', custom_attributes: { shelf: 5 } };
  const told = await tab.chat.identify({ identifier: 'agnesi', ...more });
  expect(told).toMatchObject({ ok: false, error: { kind: 'network' } });
  expect(known).toEqual(['agnesi']);
  away = false;
  tab.fire('online');
  await expect.poll(() => contactOf('agnesi')).toMatchObject([more]);
  expect(known).toEqual(['agnesi']);
});

test('what is said of a visitor does not leave after they have, though it was said before', async () => {
  const changes: string[] = [];
  let leave = () => {};
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const counted: typeof fetch = async (url, init = {}) => {
    if (init.method !== 'PATCH') return fetch(url, init);
    changes.push(String(init.body));
    leave();
    // This one is never answered.
    return new Promise((_, reject) => {
      init.signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
    });
  };
  const tab = open(newProfile(), { fetch: counted });
  await tab.chat.send('Here for a moment');
  await saidIn(tab, 'Here for a moment');
  const first = tab.chat.describe({ custom_attributes: { basket: 1 } });
  const second = tab.chat.describe({ custom_attributes: { basket: 2 } });
  await left;
  tab.chat.destroy();
  expect([(await first).ok, (await second).ok]).toEqual([false, false]);
  expect(changes).toHaveLength(1);
});
