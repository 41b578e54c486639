/** A proof whose call had no answer: the service judges it later, and words and page hear of it all the same. */
import { expect, test } from 'vitest';
import { newProfile, type Profile, type Tab, until } from '../support/tab.js';
import { useVisitors } from '../support/visitors.js';

const { service, hashOf, saidIn, say, contactOf, open } = await useVisitors();
const wrong = 'c'.repeat(64);

/** A tab whose proofs do not arrive until they are let, and what its page hears of them then. */
function cutOff(profile: Profile, hash: string) {
  let away = true;
  const fetchCut: typeof fetch = (url, init = {}) =>
    away && String(init.body ?? '').includes(hash) ? Promise.reject(new TypeError('cut')) : fetch(url, init);
  const tab = open(profile, { fetch: fetchCut });
  const heard: unknown[] = [];
  tab.front.$objection.listen((objection) => heard.push(objection?.proof && objection.error));
  tab.front.$letIn.listen((who) => heard.push(who?.identifier ?? 'nobody'));
  return {
    tab,
    heard,
    comesBack() {
      away = false;
      tab.fire('online');
    },
  };
}

const whose = async (words: string) =>
  service.db.query<{ identifier: string | null }>(
    `select c.identifier from messages m join conversations v on v.id = m.conversation_id
     join contacts c on c.id = v.contact_id where m.content = $1`,
    [words],
  );
const unanswered = (tab: Tab, identifier: string, identifier_hash: string) =>
  expect(tab.chat.identify({ identifier, identifier_hash })).resolves.toMatchObject({
    ok: false,
    error: { kind: 'network' },
  });

test('one that is refused later is told, and the words that waited for it go on as nobody’s', async () => {
  const { tab, heard, comesBack } = cutOff(newProfile(), wrong);
  await unanswered(tab, 'mallory', wrong);
  await tab.chat.send('Waits for a verdict');
  comesBack();
  await saidIn(tab, 'Waits for a verdict');
  await expect.poll(() => heard).toMatchObject([{ kind: 'http', status: 401 }]);
  expect(await whose('Waits for a verdict')).toEqual([{ identifier: null }]);
  expect(await contactOf('mallory')).toEqual([]);
});

test('one that is refused later takes back who it made of a visitor that was there', async () => {
  const { tab, heard, comesBack } = cutOff(newProfile(), wrong);
  await say(tab, 'Before the mistake');
  await unanswered(tab, 'eve', wrong);
  await until(tab.chat.$rows, (rows) => rows?.length === 0);
  comesBack();
  await tab.chat.send('Whoever I am');
  await expect.poll(() => heard).toMatchObject([{ kind: 'http', status: 401 }, 'nobody']);
  // It was to be said as somebody else: it is theirs to send again.
  await until(tab.chat.$draft, (draft) => draft === 'Whoever I am');
  await say(tab, 'As nobody, later');
  expect(await whose('As nobody, later')).toEqual([{ identifier: null }]);
});

test('a wrong one of who is known already leaves their words and the next ones alone', async () => {
  const profile = newProfile();
  const before = open(profile);
  await before.chat.identify({ identifier: 'joan', identifier_hash: hashOf('joan') });
  await say(before, 'Mine');
  before.close();
  const { tab, heard, comesBack } = cutOff(profile, wrong);
  await unanswered(tab, 'joan', wrong);
  await tab.chat.send('Mine, too');
  comesBack();
  await saidIn(tab, 'Mine, too');
  await expect.poll(() => heard).toMatchObject([{ kind: 'http', status: 401 }]);
  expect(await whose('Mine, too')).toEqual([{ identifier: 'joan' }]);
});

test('a right one is told when it is taken, once', async () => {
  const hash = hashOf('radia');
  const { tab, heard, comesBack } = cutOff(newProfile(), hash);
  await unanswered(tab, 'radia', hash);
  await tab.chat.send('Of Radia');
  comesBack();
  await saidIn(tab, 'Of Radia');
  await expect.poll(() => heard).toEqual(['radia']);
  tab.fire('online');
  expect((await tab.chat.identify({ identifier: 'radia', identifier_hash: hash })).ok).toBe(true);
  expect(heard).toEqual(['radia']);
  expect(await contactOf('radia')).toMatchObject([{ hmac_verified: true }]);
});

test('a service that answers everything with an error has refused nobody', async () => {
  const profile = newProfile();
  let ill = true;
  const fetchIll: typeof fetch = (url, init) =>
    ill ? Promise.resolve(new Response('{}', { status: 500 })) : fetch(url, init);
  const tab = open(profile, { fetch: fetchIll });
  const hash = hashOf('grace');
  const told = await tab.chat.identify({ identifier: 'grace', identifier_hash: hash });
  expect(told).toMatchObject({ ok: false, error: { kind: 'http', status: 500 } });
  ill = false;
  await tab.chat.identify({ identifier: 'grace', identifier_hash: hash });
  await say(tab, 'Still Grace');
  expect(await whose('Still Grace')).toEqual([{ identifier: 'grace' }]);
});

test('whose contact was deleted while the page is open is proven once more as the one that is made in its place', async () => {
  const asked: string[] = [];
  const tab = open(newProfile(), {
    fetch(url, init = {}) {
      if (/contacts(\/[^/]+)?$/.test(String(url))) asked.push(init.method ?? 'GET');
      return fetch(url, init);
    },
  });
  const who = { identifier: 'frieda', identifier_hash: hashOf('frieda'), name: 'Frieda' };
  expect((await tab.chat.identify(who)).ok).toBe(true);
  await say(tab, 'Before I was deleted');
  expect(await contactOf('frieda')).toMatchObject([{ hmac_verified: true }]);
  // An operator's doing: the service has no request for it.
  await service.db.query("delete from contacts where identifier = 'frieda'");
  asked.length = 0;
  await tab.chat.send('Here I am again');
  await saidIn(tab, 'Here I am again');
  // A service that makes a contact may believe no proof: it is told once more of the one that is there.
  await expect.poll(() => asked).toContain('PATCH');
  await expect.poll(() => contactOf('frieda')).toMatchObject([{ hmac_verified: true, name: 'Frieda' }]);
});
