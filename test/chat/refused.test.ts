/** What the service does not take of what the host page says of a visitor: that alone is left out, and told. */
import { expect, test } from 'vitest';
import { visit } from '../support/service.js';
import { newProfile, type Tab, until } from '../support/tab.js';
import { useVisitors } from '../support/visitors.js';

const { service, hashOf, saidIn, contactOf, open } = await useVisitors();

const attributesOf = async (words: string) => {
  const [row] = await service.db.query<{ custom_attributes: unknown }>(
    `select c.custom_attributes from messages m join conversations v on v.id = m.conversation_id
     join contacts c on c.id = v.contact_id where m.content = $1`,
    [words],
  );
  return row?.custom_attributes;
};
const said = (tab: Tab, custom_attributes: Record<string, string | number>) =>
  tab.chat.describe({ custom_attributes });
// The service has a list of plans, and gold is none of them.
const noPlan = { ok: false, error: { status: 422, fields: [{ field: 'custom_attributes.plan' }] } };

test('one attribute that is refused takes neither the others nor the later ones with it', async () => {
  const tab = open(newProfile());
  await tab.chat.send('Of many facts');
  await saidIn(tab, 'Of many facts');
  const objections: unknown[] = [];
  tab.front.$objection.listen((objection) => objections.push(objection));
  expect(await said(tab, { plan: 'gold', shelf: 7 })).toMatchObject(noPlan);
  expect(await attributesOf('Of many facts')).toEqual({ shelf: 7 });
  expect((await said(tab, { row: 2 })).ok).toBe(true);
  expect(await attributesOf('Of many facts')).toEqual({ shelf: 7, row: 2 });
  // Said once more it is refused once more, and said better it is taken.
  expect(await said(tab, { plan: 'gold' })).toMatchObject(noPlan);
  expect((await said(tab, { plan: 'Team' })).ok).toBe(true);
  expect(await attributesOf('Of many facts')).toEqual({ shelf: 7, row: 2, plan: 'Team' });
  expect(objections).toEqual([]);
});

test.each([
  ['as none, without a proof', 'no address', {}],
  ['as none, with one', 'no address', { identifier_hash: hashOf('as none, with one') }],
  ['as another’s, without a proof', 'left@example.com', {}],
  ['as another’s, with one', 'left@example.com', { identifier_hash: hashOf('as another’s, with one') }],
])(
  'an e-mail address that is refused %s leaves name and attributes alone',
  async (identifier, email, proof) => {
    await visit(service, { email: 'left@example.com' });
    const tab = open(newProfile());
    const objections: unknown[] = [];
    tab.front.$objection.listen((objection) => objections.push(objection?.error));
    const told = await tab.chat.identify({
      identifier,
      ...proof,
      name: 'Ada',
      email,
      custom_attributes: { shelf: 7 },
    });
    await tab.chat.send(`I am ${identifier}`);
    await saidIn(tab, `I am ${identifier}`);
    expect(await contactOf(identifier)).toMatchObject([
      {
        name: 'Ada',
        email: null,
        custom_attributes: { shelf: 7 },
        hmac_verified: 'identifier_hash' in proof,
      },
    ]);
    // Told once: to the call, or where that was over, to the page, which may hear of it after the words have gone.
    const refusals = () => [...objections, ...(told.ok ? [] : [told.error])];
    await expect.poll(refusals).toMatchObject([{ status: 422, fields: [{ field: 'email' }] }]);
  },
);

test('an e-mail that is another’s is read with the conversation of whoever has typed it', async () => {
  await visit(service, { identifier: 'karen', email: 'karen@example.com' });
  const tab = open(newProfile());
  await tab.chat.tellAbout(
    { contact: { email: 'karen@example.com' }, conversation: {} },
    ['email'],
    ['email'],
  );
  await tab.chat.send('Logged out');
  await saidIn(tab, 'Logged out');
  const stored = await service.db.query(
    `select k.identifier, k.email, c.custom_attributes from messages m
     join conversations c on c.id = m.conversation_id join contacts k on k.id = c.contact_id where m.content = $1`,
    ['Logged out'],
  );
  expect(stored).toEqual([
    { identifier: null, email: null, custom_attributes: { email: 'karen@example.com' } },
  ]);
});

test('where the service does not say which one it refuses, what was said before stays', async () => {
  const fetchMute: typeof fetch = (url, init = {}) =>
    init.method === 'PATCH' && String(init.body).includes('story')
      ? Promise.resolve(new Response('{"error":"Too long"}', { status: 422 }))
      : fetch(url, init);
  const tab = open(newProfile(), { fetch: fetchMute });
  await said(tab, { shelf: 7 });
  await tab.chat.send('A long story');
  await saidIn(tab, 'A long story');
  expect((await said(tab, { row: 2 })).ok).toBe(true);
  expect(await said(tab, { story: 'long' })).toMatchObject({ ok: false, error: { status: 422 } });
  expect((await said(tab, { shelf: 8 })).ok).toBe(true);
  expect(await attributesOf('A long story')).toEqual({ shelf: 8, row: 2 });
});

test('where the service names attributes as a whole, name and earlier attributes stay', async () => {
  const fetchVague: typeof fetch = (url, init = {}) =>
    init.method === 'PATCH' && String(init.body).includes('story')
      ? Promise.resolve(
          new Response('{"message":"Story is too long","attributes":["custom_attributes"]}', { status: 422 }),
        )
      : fetch(url, init);
  const tab = open(newProfile(), { fetch: fetchVague });
  const who = { identifier: 'scheherazade', custom_attributes: { shelf: 7 } };
  await tab.chat.identify(who);
  await tab.chat.send('A thousand and one');
  await saidIn(tab, 'A thousand and one');
  const more = { ...who, name: 'Scheherazade', custom_attributes: { shelf: 7, story: 'long' } };
  expect(await tab.chat.identify(more)).toMatchObject({
    ok: false,
    error: { fields: [{ field: 'custom_attributes' }] },
  });
  expect(await contactOf('scheherazade')).toMatchObject([
    { name: 'Scheherazade', custom_attributes: { shelf: 7 } },
  ]);
});

/** A line to an inbox that lets nobody in without a proof that it takes. */
function barred(status: number, taken: (proof: string) => boolean) {
  let known = false;
  const barring: typeof fetch = (url, init = {}) => {
    known ||= taken(String(init.body));
    return known || !String(url).includes('/contacts')
      ? fetch(url, init)
      : Promise.resolve(new Response('{}', { status }));
  };
  return { fetch: barring };
}
/** All that the page is told of, and every trouble that there was. */
function watch({ chat, front }: Tab) {
  const objections: unknown[] = [];
  const troubles = new Set<string>();
  front.$objection.listen((objection) => objections.push(objection));
  chat.$troubles.listen((all) => all.forEach((one) => void troubles.add(one)));
  return { objections, troubles };
}

test.each([401, 403])(
  'an inbox that lets nobody in without a proof is told of, once, with %s',
  async (status) => {
    const tab = open(
      newProfile(),
      barred(status, (proof) => proof.includes(hashOf(`known ${status}`))),
    );
    const { objections } = watch(tab);
    await tab.chat.send(`Hello? ${status}`);
    await until(tab.chat.$troubles, (all) => all.includes('unavailable'));
    await tab.chat.send(`Anybody? ${status}`);
    await tab.chat.identify({ identifier: `known ${status}`, identifier_hash: hashOf(`known ${status}`) });
    // It was said by nobody, and stands in the field again.
    await tab.chat.submit();
    await saidIn(tab, `Hello? ${status}\nAnybody? ${status}`);
    expect(tab.chat.$troubles.get()).toEqual([]);
    expect(objections).toMatchObject([{ error: { kind: 'http', status } }]);
  },
);

/** A tab that is known, and then meets a wall for whatever it asks of this kind. */
async function walled(words: string, status: number, at: (init: RequestInit) => boolean) {
  let wall = false;
  const tab = open(newProfile(), {
    fetch: (url, init = {}) =>
      wall && at(init) ? Promise.resolve(new Response('{}', { status })) : fetch(url, init),
  });
  await tab.chat.send(words);
  await saidIn(tab, words);
  wall = true;
  return {
    tab,
    fall() {
      wall = false;
    },
  };
}

test.each([401, 403])('words wait where nothing is let through any more, with %s', async (status) => {
  const { tab, fall } = await walled(`Before it was built: ${status}`, status, () => true);
  const { objections } = watch(tab);
  await tab.chat.send(`At the wall: ${status}`);
  await until(tab.chat.$troubles, (all) => all.includes('unavailable'));
  expect(tab.chat.$rows.get()?.at(-1)).toMatchObject({ state: 'waiting' });
  expect(objections).toMatchObject([{ error: { kind: 'http', status } }]);
  fall();
  await tab.chat.send(`And behind it: ${status}`);
  await saidIn(tab, `At the wall: ${status}`);
  await saidIn(tab, `And behind it: ${status}`);
  expect(tab.chat.$troubles.get()).toEqual([]);
});

test('words that alone are not let through are refused, and let the next ones pass', async () => {
  const { tab } = await walled('Of tables', 403, ({ body }) => String(body).includes('drop'));
  await tab.chat.send('drop table');
  await tab.chat.send('Of chairs');
  await saidIn(tab, 'Of chairs');
  const rows = await until(tab.chat.$rows, (all) => !!all?.some(({ state }) => state === 'failed'));
  expect(rows?.find(({ state }) => state === 'failed')?.content).toBe('drop table');
});

test('a service that merely fails wants no proof', async () => {
  let ill = 0;
  const tab = open(newProfile(), {
    async fetch(url, init) {
      const answer = await barred(500, () => false).fetch(url, init);
      if (answer.status === 500) ill++;
      return answer;
    },
  });
  const { objections, troubles } = watch(tab);
  await tab.chat.send('Is it only ill?');
  await expect.poll(() => ill).toBeGreaterThan(1);
  expect([objections, [...troubles]]).toEqual([[], []]);
});

test('a service that fails where it wants a proof of everybody has said so', async () => {
  await service.db.query('update inboxes set hmac_mandatory = true where id = 1');
  try {
    const tab = open(
      newProfile(),
      barred(500, (proof) => proof.includes(hashOf('hypatia'))),
    );
    const { objections } = watch(tab);
    await tab.chat.send('Is it me?');
    await until(tab.chat.$troubles, (all) => all.includes('unavailable'));
    expect(objections).toMatchObject([{ error: { kind: 'http', status: 401 } }]);
    await tab.chat.identify({ identifier: 'hypatia', identifier_hash: hashOf('hypatia') });
    await tab.chat.submit();
    await saidIn(tab, 'Is it me?');
    expect(tab.chat.$troubles.get()).toEqual([]);
  } finally {
    await service.db.query('update inboxes set hmac_mandatory = false where id = 1');
  }
});

test('who brings a wrong proof hears of that alone, and is let in as nobody', async () => {
  const tab = open(
    newProfile(),
    barred(401, (proof) => proof.includes('source_id') && !proof.includes('hash')),
  );
  const { objections, troubles } = watch(tab);
  const [told] = await Promise.all([
    tab.chat.identify({ identifier: 'wrong', identifier_hash: 'ff' }),
    tab.chat.send('As nobody'),
  ]);
  await saidIn(tab, 'As nobody');
  expect(told).toMatchObject({ ok: false, error: { status: 401 } });
  expect([objections, [...troubles]]).toEqual([[], []]);
});
