/** Who the visitor is when calls, tabs and pages meet: in one breath, in one moment, one after the other. */
import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import type { PageEnv } from '../../src/page-env.js';
import { newProfile, until } from '../support/tab.js';
import { useVisitors } from '../support/visitors.js';

const { service, hashOf, saidIn, contactOf, open } = await useVisitors();
const channels: BroadcastChannel[] = [];
afterEach(() => {
  for (const channel of channels.splice(0)) channel.close();
});

test('of calls in one breath each finds whom the one before has left, and the last one counts', async () => {
  const profile = newProfile();
  const tab = open(profile);
  tab.chat.setDraft('Half a thought');
  // As a page with a router does, at each of its routes.
  const told = await Promise.all(
    [1, 2, 3].map(() => tab.chat.identify({ identifier: 'vera', identifier_hash: hashOf('vera') })),
  );
  expect(told.map(({ ok }) => ok)).toEqual([true, true, true]);
  expect(tab.chat.$draft.get()).toBe('Half a thought');
  await tab.chat.send('Of Vera');
  await saidIn(tab, 'Of Vera');
  const [, known] = await Promise.all([
    tab.chat.logout(),
    tab.chat.identify({ identifier: 'radia', identifier_hash: hashOf('radia') }),
  ]);
  expect(known.ok).toBe(true);
  await until(tab.chat.$rows, (rows) => rows?.length === 0);
  await tab.chat.send('Of Radia');
  await saidIn(tab, 'Of Radia');
  const [row] = await service.db.query<{ identifier: string | null }>(
    `select c.identifier from messages m join conversations v on v.id = m.conversation_id
     join contacts c on c.id = v.contact_id where m.content = 'Of Radia'`,
  );
  expect(row?.identifier).toBe('radia');
});

test('what a page says of a visitor whom this browser knows by name is asked for no more', async () => {
  const profile = newProfile();
  const first = open(profile);
  await first.chat.identify({ identifier: 'lise', email: 'lise@example.com' });
  await until(first.front.$known, (known) => known?.includes('email') === true);
  first.close();
  // The next page says it as soon as it is known that nobody has written here.
  const next = open(profile);
  await until(next.front.$known, (known) => known !== undefined);
  await next.chat.identify({ identifier: 'lise', email: 'lise@example.com' });
  await until(next.front.$known, (known) => known?.includes('email') === true);
  await next.chat.describe({ custom_attributes: { shelf: 7 } });
  await until(next.front.$known, (known) => known?.includes('shelf') === true);
});

test('two tabs that name the same visitor in one moment take nothing from each other', async () => {
  const profile = newProfile();
  const tabs = [open(profile), open(profile)];
  for (const [i, tab] of tabs.entries()) tab.chat.setDraft(`Half a thought ${i}`);
  const told = await Promise.all(tabs.map(({ chat }) => chat.identify({ identifier: 'adele' })));
  expect(told.map(({ ok }) => ok)).toEqual([true, true]);
  for (const { chat } of tabs) expect(chat.$draft.get()).toMatch(/^Half a thought/);
  await tabs[0]?.chat.send('Of Adele');
  for (const tab of tabs) await saidIn(tab, 'Of Adele');
});

test('who is named in a tab that has not heard that another one has ended whoever was there is named all the same', async () => {
  const profile = newProfile();
  /** As one that comes back from where the browser has kept it: nothing has been said to it meanwhile. */
  const kept = open(profile, {
    channel() {
      const made = new BroadcastChannel(randomUUID());
      channels.push(made);
      return made;
    },
  });
  const here = open(profile);
  const left: (string | undefined)[] = [];
  await kept.chat.identify({ identifier: 'grete', custom_attributes: { shelf: 9 } });
  kept.front.$letIn.listen((news) => void left.push(news?.identifier));
  await here.chat.logout();
  const named = { identifier: 'otto', identifier_hash: hashOf('otto') };
  expect(await kept.chat.identify(named)).toMatchObject({ ok: true });
  // The call itself says who is here now.
  expect(left).toEqual([undefined]);
  await kept.chat.send('Of Otto');
  await saidIn(kept, 'Of Otto');
  expect(await contactOf('otto')).toMatchObject([{ hmac_verified: true, custom_attributes: {} }]);
  await here.chat.identify({ identifier: 'karl' });
  expect(await kept.chat.identify(named)).toMatchObject({ ok: true });
  await kept.chat.send('Of Otto once more');
  await saidIn(kept, 'Of Otto once more');
  expect(await contactOf('karl')).toEqual([]);
});

test('tabs that name different visitors, or nobody, in one moment agree on the last, and each call is heard', async () => {
  for (let i = 0; i < 12; i++) {
    const profile = newProfile();
    const [one, other] = [open(profile), open(profile)];
    await one.chat.identify({ identifier: `first-${i}` });
    await until(other.front.$known, (known) => known !== undefined);
    const told = await Promise.all([
      one.chat.identify({ identifier: `second-${i}` }),
      i % 2 ? other.chat.logout() : other.chat.identify({ identifier: `third-${i}` }),
    ]);
    expect(told.map(({ ok }) => ok)).toEqual([true, true]);
    // Whoever it is: it is the same one in both.
    const words = `Who am I, ${i}?`;
    await one.chat.send(words);
    await saidIn(one, words);
    await saidIn(other, words);
    one.close();
    other.close();
  }
});

test('words that follow a name at once are those of whom it names', async () => {
  const hasty = async (identifier: string) => {
    const { chat } = open(newProfile());
    // As the page says them, in one breath.
    await Promise.all([chat.identify({ identifier, name: 'Hasty' }), chat.send(`I am ${identifier}`)]);
    await until(chat.$rows, (rows) => rows?.[0]?.state === 'sent');
    expect(chat.$draft.get()).toBe('');
    expect(await contactOf(identifier)).toMatchObject([{ name: 'Hasty' }]);
  };
  await Promise.all(Array.from({ length: 10 }, (_, i) => hasty(`hasty-${i}`)));
});

test('words that the page says right after somebody has left, or another one was named, are of whoever is there then', async () => {
  const { chat } = open(newProfile());
  await chat.identify({ identifier: 'sofia' });
  await chat.send('Of Sofia');
  await until(chat.$rows, (rows) => rows?.[0]?.state === 'sent');
  const told = await Promise.all([
    chat.logout(),
    chat.send('Of nobody'),
    chat.identify({ identifier: 'ada' }),
    chat.logout(),
    chat.identify({ identifier: 'emilie' }),
    chat.send('Of Emilie'),
  ]);
  expect(told.map(({ ok }) => ok)).toEqual([true, true, true, true, true, true]);
  await until(chat.$rows, (rows) => rows?.[0]?.content === 'Of Emilie' && rows[0].state === 'sent');
  const whose = await service.db.query(
    `select c.identifier from messages m join conversations v on v.id = m.conversation_id
     join contacts c on c.id = v.contact_id where m.content = 'Of Emilie'`,
  );
  expect(whose).toEqual([{ identifier: 'emilie' }]);
});

test('what a visitor sends while they leave is of nobody who comes after them', async () => {
  const { chat } = open(newProfile());
  await chat.identify({ identifier: 'caroline' });
  chat.setDraft('Mine alone');
  await Promise.all([chat.submit(), chat.logout(), chat.identify({ identifier: 'other' })]);
  await until(chat.$rows, (rows) => rows?.length === 0);
  expect(chat.$draft.get()).toBe('');
  await chat.send('Of the other');
  await until(chat.$rows, (rows) => rows?.[0]?.state === 'sent');
  expect(chat.$rows.get()?.map(({ content }) => content)).toEqual(['Of the other']);
});

test('words that are not sent because their visitor leaves are no leave to keep more', async () => {
  const profile = newProfile();
  const keeping: PageEnv['keeping'] = { level: 'memory' };
  const { chat } = open(profile, { keeping });
  await until(chat.$rows, (rows) => rows?.length === 0);
  const [, sent] = await Promise.all([chat.logout(), chat.press('Too late')]);
  expect(sent).toEqual({ ok: false, error: { kind: 'gone' } });
  expect(keeping).toEqual({ level: 'memory' });
  expect([...profile.storage]).toEqual([]);
});

test('what is said of the visitor in one breath with their leaving is said of whom the calls before it have left', async () => {
  const { chat } = open(newProfile());
  const said = (place: string) => [
    chat.describe({ custom_attributes: { place } }),
    chat.tellAbout({ contact: {}, conversation: { asked_at: place } }, ['asked_at'], []),
  ];
  await Promise.all([...said('hall'), chat.send('Of whoever leaves')]);
  await until(chat.$rows, (rows) => rows?.[0]?.state === 'sent');
  const [leaving, ...told] = await Promise.all([
    ...said('stairs').slice(0, 1),
    chat.logout(),
    ...said('garden'),
  ]);
  expect(told.map(({ ok }) => ok)).toEqual([true, true, true]);
  await until(chat.$rows, (rows) => rows?.length === 0);
  await chat.send('Of whoever comes');
  await until(chat.$rows, (rows) => rows?.[0]?.state === 'sent');
  const [before, after] = await service.db.query<{ place: string; asked: string }>(
    `select c.custom_attributes ->> 'place' as place, v.custom_attributes ->> 'asked_at' as asked
     from messages m join conversations v on v.id = m.conversation_id join contacts c on c.id = v.contact_id
     where m.content like 'Of whoever %' order by m.id`,
  );
  expect(after).toEqual({ place: 'garden', asked: 'garden' });
  expect(before?.asked).toBe('hall');
  // The leaving may be quicker; then the answer says so.
  expect(['stairs', ...(leaving?.ok ? [] : ['hall'])]).toContain(before?.place);
});

test('who leaves in one tab leaves in those that keep for themselves, too; others are left alone', async () => {
  const channel = randomUUID();
  // Each tab with a storage of its own, as sessionStorage is, and one channel.
  const apart = () => {
    return open(
      newProfile({ indexedDB: true }),
      {
        keeping: { level: 'session' },
        channel(name) {
          const made = new BroadcastChannel(`${channel}:${name}`);
          channels.push(made);
          return made;
        },
      },
      { consent: 'call' },
    );
  };
  const [left, right, stranger] = [apart(), apart(), apart()];
  const mary = { identifier: 'mary', identifier_hash: hashOf('mary') };
  for (const { chat } of [left, right]) expect((await chat.identify(mary)).ok).toBe(true);
  await stranger.chat.send('Of nobody');
  await left.chat.send('Of Mary');
  await saidIn(stranger, 'Of nobody');
  await saidIn(left, 'Of Mary');
  expect((await right.chat.logout()).ok).toBe(true);
  await until(left.chat.$rows, (rows) => rows?.length === 0);
  await until(left.front.$known, (known) => known?.length === 0);
  expect(stranger.chat.$rows.get()?.map(({ content }) => content)).toEqual(['Of nobody']);
  // Whoever is named in another tab was nobody, and is so here.
  expect((await right.chat.identify(mary)).ok).toBe(true);
  await stranger.chat.send('Still of nobody');
  await saidIn(stranger, 'Still of nobody');
  expect(stranger.chat.$rows.get()).toHaveLength(2);
});

test('a page that names nobody speaks of whom the page before has named', async () => {
  const profile = newProfile();
  const before = open(profile);
  expect((await before.chat.identify({ identifier: 'lise' })).ok).toBe(true);
  await before.chat.send('Of Lise');
  await saidIn(before, 'Of Lise');
  before.close();
  const next = open(profile);
  await saidIn(next, 'Of Lise');
  expect((await next.chat.describe({ custom_attributes: { place: 'hall' } })).ok).toBe(true);
  expect(await contactOf('lise')).toMatchObject([{ custom_attributes: { place: 'hall' } }]);
  // Another tab ends it: what was said was said of Lise.
  const other = open(profile);
  await saidIn(other, 'Of Lise');
  expect((await other.chat.logout()).ok).toBe(true);
  await until(next.chat.$rows, (rows) => rows?.length === 0);
  await next.chat.send('Of whoever comes after Lise');
  await saidIn(next, 'Of whoever comes after Lise');
  expect(
    await service.db.query(
      `select c.custom_attributes from messages m join conversations v on v.id = m.conversation_id
       join contacts c on c.id = v.contact_id where m.content = 'Of whoever comes after Lise'`,
    ),
  ).toEqual([{ custom_attributes: {} }]);
});

test('who is named in one tab is told of in the others, where nobody was named, and who is refused is taken back', async () => {
  const wrong = 'd'.repeat(64);
  for (const [identifier, identifier_hash] of [
    ['hypatia'],
    ['emilie', hashOf('emilie')],
    ['mallory', wrong],
  ] as const) {
    const profile = newProfile();
    const tabs = [open(profile), open(profile)] as const;
    const heard: [unknown[], unknown[]] = [[], []];
    for (const [i, { front, chat }] of tabs.entries()) {
      front.$letIn.listen((who) => heard[i]?.push(who?.identifier));
      await until(chat.$rows, (rows) => rows !== undefined);
    }
    const told = await tabs[0].chat.identify({ identifier, ...(identifier_hash && { identifier_hash }) });
    const isRefused = identifier_hash === wrong;
    expect(told.ok).toBe(!isRefused);
    await expect.poll(() => heard[1]).toEqual(isRefused ? [identifier, undefined] : [identifier]);
    // Whoever has called with a proof hears of it by the answer.
    expect(heard[0]).toEqual(identifier_hash ? [] : [identifier]);
    // A page of before, and one that says the same, have nothing new to tell to the others.
    const next = open(profile);
    await until(next.chat.$rows, (rows) => rows !== undefined);
    if (!isRefused) await next.chat.identify({ identifier });
    await tabs[1].chat.send(`Of ${identifier}`);
    await saidIn(next, `Of ${identifier}`);
    expect(heard[1]).toHaveLength(isRefused ? 2 : 1);
  }
});
