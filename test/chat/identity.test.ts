/** Who the visitor is, as the host page says it: with a proof and without, another one, and nobody again. */
import { expect, test } from 'vitest';
import type { Env } from '../../src/env.js';
import { heldBy, newProfile, type Profile, type Tab, until } from '../support/tab.js';
import { useVisitors } from '../support/visitors.js';

const { service, hashOf, saidIn, contactOf, open: openPage } = await useVisitors();

interface Seen {
  method: string;
  url: string;
  body: string;
}

/**
 * @param answer instead of the service's, where there is one
 * @param hold what a request waits for
 */
function open(
  profile: Profile,
  seen: Seen[] = [],
  answer?: (asked: Seen) => number | undefined,
  hold?: (asked: Seen) => Promise<void> | undefined,
  change: Partial<Env> = {},
): Tab {
  const fetchSeen: typeof fetch = async (url, init = {}) => {
    const asked = { method: init.method ?? 'GET', url: String(url), body: String(init.body ?? '') };
    seen.push(asked);
    await hold?.(asked);
    const status = answer?.(asked);
    return status
      ? new Response(JSON.stringify({ status, error: 'Internal Server Error' }), { status })
      : fetch(url, init);
  };
  return openPage(profile, { fetch: fetchSeen, ...change });
}

test('a proven visitor is made known at once, and what the page says of them with it; the proof is kept nowhere', async () => {
  const profile = newProfile();
  const seen: Seen[] = [];
  const tab = open(profile, seen);
  const hash = hashOf('ada');
  const known = await tab.chat.identify({
    identifier: 'ada',
    identifier_hash: hash,
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    phone_number: '+4670123456',
    custom_attributes: { level: 'gold', seats: 3, trial: false },
  });
  expect(known).toMatchObject({ ok: true });
  expect(await contactOf('ada')).toEqual([
    {
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      phone_number: '+4670123456',
      custom_attributes: { level: 'gold', seats: 3, trial: false },
      hmac_verified: true,
    },
  ]);
  await tab.chat.send('It is me');
  await saidIn(tab, 'It is me');
  // The proof goes in bodies alone.
  expect(seen.filter(({ url }) => url.includes(hash))).toEqual([]);
  expect(seen.filter(({ body }) => body.includes(hash)).length).toBeGreaterThan(0);
  expect(await heldBy(profile)).not.toContain(hash);
  expect((await tab.chat.kept()).known).toBe(true);
  // By an address a service would find somebody else, and know them by no name: it is told of who is there.
  const made = seen.find(({ method, url }) => method === 'POST' && url.endsWith('/contacts'));
  expect(Object.keys(JSON.parse(made?.body ?? '{}')).sort()).toEqual([
    'custom_attributes',
    'identifier',
    'identifier_hash',
    'name',
    'source_id',
  ]);
});

test('another device of a proven visitor finds their conversation', async () => {
  const first = open(newProfile());
  await first.chat.identify({ identifier: 'grace', identifier_hash: hashOf('grace') });
  await first.chat.send('Written on the phone');
  await saidIn(first, 'Written on the phone');
  const second = open(newProfile());
  expect((await second.chat.identify({ identifier: 'grace', identifier_hash: hashOf('grace') })).ok).toBe(
    true,
  );
  await saidIn(second, 'Written on the phone');
  await second.chat.send('And on the desk');
  await saidIn(first, 'And on the desk');
  expect(await contactOf('grace')).toHaveLength(2);
});

test.each([
  ['401, as here', undefined],
  ['500, as the reference has it', 500],
])('a proof that is refused (%s) is told, and the visitor is nobody; words go on', async (_, status) => {
  const profile = newProfile();
  const wrong = 'f'.repeat(64);
  const tab = open(profile, [], ({ method, body }) =>
    method === 'POST' && body.includes(wrong) ? status : undefined,
  );
  await tab.chat.send('Before the mistake');
  await saidIn(tab, 'Before the mistake');
  const told = await tab.chat.identify({ identifier: `mallory-${status}`, identifier_hash: wrong });
  expect(told).toMatchObject({ ok: false, error: { kind: 'http', status: status ?? 401 } });
  expect(await contactOf(`mallory-${status}`)).toEqual([]);
  // The page said that it is somebody else: what was said before is not theirs to see.
  await until(tab.chat.$rows, (rows) => rows?.length === 0);
  await tab.chat.send('As nobody');
  await saidIn(tab, 'As nobody');
  const [row] = await service.db.query<{ identifier: string | null }>(
    `select c.identifier from messages m join conversations v on v.id = m.conversation_id
     join contacts c on c.id = v.contact_id where m.content = 'As nobody' order by m.id desc limit 1`,
  );
  expect(row?.identifier).toBeNull();
});

test('a right proof is taken by a service that fails once', async () => {
  const hash = hashOf('emmy');
  let failed = 0;
  const tab = open(newProfile(), [], ({ method, body }) =>
    method === 'POST' && body.includes(hash) && failed++ < 1 ? 500 : undefined,
  );
  expect(await tab.chat.identify({ identifier: 'emmy', identifier_hash: hash })).toMatchObject({ ok: true });
  await tab.chat.send('It is I');
  await saidIn(tab, 'It is I');
  expect(failed).toBeGreaterThan(1);
  expect(await contactOf('emmy')).toHaveLength(1);
});

test('who is known already keeps their words when a later page has a wrong proof', async () => {
  const profile = newProfile();
  const tab = open(profile);
  await tab.chat.identify({ identifier: 'joan', identifier_hash: hashOf('joan') });
  await tab.chat.send('Mine');
  await saidIn(tab, 'Mine');
  tab.close();
  const later = open(profile);
  const told = await later.chat.identify({ identifier: 'joan', identifier_hash: 'e'.repeat(64) });
  expect(told).toMatchObject({ ok: false, error: { kind: 'http', status: 401 } });
  await saidIn(later, 'Mine');
});

test('a deployment that cannot list what a proven visitor has said still takes their words, once', async () => {
  const tab = open(newProfile(), [], ({ method, url }) =>
    method === 'GET' && url.endsWith('/conversations') ? 500 : undefined,
  );
  expect((await tab.chat.identify({ identifier: 'rosa', identifier_hash: hashOf('rosa') })).ok).toBe(true);
  await tab.chat.send('Into the dark');
  await saidIn(tab, 'Into the dark');
  const rows = await service.db.query(`select id from messages where content = 'Into the dark'`);
  expect(rows).toHaveLength(1);
});

test('who was proven on an earlier page is heard on one that brings no proof, where the service cannot list what they have said', async () => {
  const profile = newProfile();
  const before = open(profile);
  await before.chat.identify({ identifier: 'irene', identifier_hash: hashOf('irene') });
  before.close();
  const next = open(profile, [], ({ method, url }) =>
    method === 'GET' && url.endsWith('/conversations') ? 500 : undefined,
  );
  await next.chat.send('Without papers today');
  await saidIn(next, 'Without papers today');
  expect((await next.chat.listConversations()).ok).toBe(true);
});

test('an inbox that wants a proof of everybody is satisfied', async () => {
  await service.db.query('update inboxes set hmac_mandatory = true where id = 1');
  try {
    const tab = open(newProfile());
    expect((await tab.chat.identify({ identifier: 'emmy', identifier_hash: hashOf('emmy') })).ok).toBe(true);
    await tab.chat.send('With papers');
    await saidIn(tab, 'With papers');
    await until(tab.chat.$line, (line) => line === 'live');
    expect((await tab.chat.updateContact({ name: 'Emmy Noether' })).ok).toBe(true);
    expect((await contactOf('emmy'))[0]).toMatchObject({ name: 'Emmy Noether', hmac_verified: true });
  } finally {
    await service.db.query('update inboxes set hmac_mandatory = false where id = 1');
  }
});

test('what a proven visitor is asked before the first words reaches an inbox that wants a proof of everybody', async () => {
  await service.db.query('update inboxes set hmac_mandatory = true where id = 1');
  try {
    const tab = open(newProfile());
    expect((await tab.chat.identify({ identifier: 'sonja', identifier_hash: hashOf('sonja') })).ok).toBe(
      true,
    );
    await tab.chat.tellAbout({ contact: { name: 'Sonja' }, conversation: {} }, ['name'], ['name']);
    await tab.chat.send('With papers and a name');
    await saidIn(tab, 'With papers and a name');
    expect((await contactOf('sonja'))[0]).toMatchObject({ name: 'Sonja' });
  } finally {
    await service.db.query('update inboxes set hmac_mandatory = false where id = 1');
  }
});

test('without a proof nothing is asked before the first words, which take along what the page says', async () => {
  const seen: Seen[] = [];
  const tab = open(newProfile(), seen);
  await tab.chat.describe({ custom_attributes: { basket: 3 } });
  expect(
    (await tab.chat.identify({ identifier: 'lin', name: 'Lin', custom_attributes: { level: 'new' } })).ok,
  ).toBe(true);
  await tab.chat.tellAbout({ contact: {}, conversation: { page: '/cart', items: 2 } }, [], []);
  expect(seen).toEqual([]);
  await tab.chat.send('Hello from the cart');
  await saidIn(tab, 'Hello from the cart');
  expect(await contactOf('lin')).toEqual([
    {
      name: 'Lin',
      email: null,
      phone_number: null,
      custom_attributes: { basket: 3, level: 'new' },
      hmac_verified: false,
    },
  ]);
  const [conversation] = await service.db.query<{ custom_attributes: unknown }>(
    `select v.custom_attributes from conversations v join messages m on m.conversation_id = v.id
     where m.content = 'Hello from the cart'`,
  );
  expect(conversation?.custom_attributes).toEqual({ page: '/cart', items: 2 });
  // Known by now: told at once.
  expect((await tab.chat.describe({ custom_attributes: { level: 'gold' } })).ok).toBe(true);
  expect((await contactOf('lin'))[0]).toMatchObject({ custom_attributes: { basket: 3, level: 'gold' } });
});

test('another identity begins anew in every tab, and after logout there is nobody', async () => {
  const profile = newProfile();
  const [one, other] = [open(profile), open(profile)];
  await one.chat.identify({ identifier: 'first', identifier_hash: hashOf('first') });
  await one.chat.send('Of the first');
  await saidIn(one, 'Of the first');
  await saidIn(other, 'Of the first');
  await one.chat.identify({ identifier: 'second', identifier_hash: hashOf('second') });
  await until(other.chat.$rows, (rows) => rows?.length === 0);
  await until(one.chat.$rows, (rows) => rows?.length === 0);
  // The other tab had heard of the first one's proof from its own page: it counts no longer.
  await other.chat.send('From the other tab');
  await saidIn(other, 'From the other tab');
  await saidIn(one, 'From the other tab');
  const [row] = await service.db.query<{ identifier: string | null }>(
    `select c.identifier from messages m join conversations v on v.id = m.conversation_id
     join contacts c on c.id = v.contact_id where m.content = 'From the other tab'`,
  );
  expect(row?.identifier).toBe('second');
  const known: unknown[] = [];
  one.front.$known.listen((names) => known.push(names));
  expect((await one.chat.logout()).ok).toBe(true);
  for (const tab of [one, other]) await until(tab.chat.$rows, (rows) => rows?.length === 0);
  // Between the two nobody is asked anything: what was typed into the questions has gone with them.
  expect(known).toEqual([undefined, []]);
  expect(await heldBy(profile)).not.toContain('sourceId');
});

test('what the service does not take of what the page says holds up neither the proof nor the words', async () => {
  const objections: unknown[] = [];
  const heard: unknown[] = [];
  const listen = ({ front }: Tab) => {
    front.$objection.listen((objection) => objections.push(objection?.error));
    front.$letIn.listen((who) => heard.push(who?.identifier));
  };
  const proven = open(newProfile());
  listen(proven);
  // The service has a list of plans.
  const told = await proven.chat.identify({
    identifier: 'mary',
    identifier_hash: hashOf('mary'),
    custom_attributes: { plan: 'gold' },
  });
  const refusal = { kind: 'http', status: 422, fields: [{ field: 'custom_attributes.plan' }] };
  expect(told).toMatchObject({ ok: false, error: refusal });
  expect(await contactOf('mary')).toMatchObject([{ hmac_verified: true, custom_attributes: {} }]);
  // Whoever called has heard of the refusal, and everybody of the visitor.
  expect({ heard, objections }).toEqual({ heard: ['mary'], objections: [] });

  const tab = open(newProfile());
  listen(tab);
  await tab.chat.identify({ identifier: 'kay', name: 'Kay', custom_attributes: { plan: 'gold' } });
  await tab.chat.send('Words all the same');
  await saidIn(tab, 'Words all the same');
  expect(objections).toMatchObject([refusal]);
  expect(await contactOf('kay')).toHaveLength(1);
});

test('whose proof is taken sees what they have said elsewhere, whatever else of them is refused, and may say it better', async () => {
  const phone = open(newProfile());
  await phone.chat.identify({ identifier: 'ruth', identifier_hash: hashOf('ruth') });
  await phone.chat.send('Said on the phone');
  await saidIn(phone, 'Said on the phone');
  const desk = open(newProfile());
  const who = { identifier: 'ruth', identifier_hash: hashOf('ruth') };
  expect((await desk.chat.identify({ ...who, custom_attributes: { plan: 'gold' } })).ok).toBe(false);
  const rows = await until(desk.chat.$rows, (all) => all?.length === 1);
  expect(rows?.map(({ content }) => content)).toEqual(['Said on the phone']);
  expect((await desk.chat.identify({ ...who, custom_attributes: { plan: 'Team' } })).ok).toBe(true);
  expect(await contactOf('ruth')).toContainEqual(
    expect.objectContaining({ custom_attributes: { plan: 'Team' } }),
  );
});

test('what is not taken is told, also where the line is lost before the call has heard of it', async () => {
  let made = 0;
  const seen: Seen[] = [];
  const lost = ({ method, url }: Seen) => {
    // Once with all that is said, once with the proof alone: that one has no answer.
    if (method === 'POST' && url.endsWith('/contacts') && ++made === 2) throw new TypeError('lost');
    return undefined;
  };
  const tab = open(newProfile(), seen, undefined, lost);
  const told: unknown[] = [];
  tab.front.$objection.listen((objection) => told.push(objection?.error));
  const outcome = await tab.chat.identify({
    identifier: 'hedy',
    identifier_hash: hashOf('hedy'),
    custom_attributes: { plan: 'gold' },
  });
  expect(outcome).toMatchObject({ ok: false, error: { kind: 'network' } });
  expect(told).toMatchObject([{ kind: 'http', status: 422, fields: [{ field: 'custom_attributes.plan' }] }]);
});

test('who ends before anything was read ends all the same, also in a browser where somebody has ended before', async () => {
  const profile = newProfile();
  const first = open(profile);
  await first.chat.logout();
  await first.chat.send('Of the one who leaves');
  await saidIn(first, 'Of the one who leaves');
  first.close();
  // A page of farewell: nothing was read when it calls.
  const farewell = open(profile);
  expect((await farewell.chat.logout()).ok).toBe(true);
  farewell.close();
  const next = open(profile);
  await until(next.chat.$rows, (rows) => rows?.length === 0);
  expect(await heldBy(profile)).not.toContain('sourceId');
});

test('what was sent while a wrong proof was being looked at goes on, as nobody’s', async () => {
  const wrong = 'd'.repeat(64);
  let decide = () => {};
  const looking = new Promise<void>((resolve) => {
    decide = resolve;
  });
  const seen: Seen[] = [];
  const tab = open(newProfile(), seen, undefined, ({ body }) => (body.includes(wrong) ? looking : undefined));
  const told = tab.chat.identify({ identifier: 'eve', identifier_hash: wrong });
  await expect.poll(() => seen.length).toBe(1);
  await tab.chat.send('Sent meanwhile');
  decide();
  expect((await told).ok).toBe(false);
  await saidIn(tab, 'Sent meanwhile');
  expect(await contactOf('eve')).toEqual([]);
});

test('an inbox that is away for everybody makes nobody a stranger', async () => {
  const profile = newProfile();
  const before = open(profile);
  await before.chat.send('Before it was away');
  await saidIn(before, 'Before it was away');
  await until(before.chat.$line, (line) => line === 'live');
  before.close();
  const meanwhile = open(profile, [], () => 404);
  meanwhile.chat.setOpen(true);
  await until(meanwhile.chat.$line, (line) => line === 'polling');
  meanwhile.close();
  const after = open(profile);
  after.chat.setOpen(true);
  await saidIn(after, 'Before it was away');
});
