/** Who could not be told of, or looked for, while the line was away is so when it is back; and nobody is for longer. */
import { IDBFactory } from 'fake-indexeddb';
import { expect, test } from 'vitest';
import { newProfile, type Profile, until } from '../support/tab.js';
import { useVisitors } from '../support/visitors.js';

const { service, open, say, proven, reads, saidIn } = await useVisitors();

/** @param answer of the service to what it is asked, or instead of it */
function counting(profile: Profile, answer: (isList: boolean) => Response | undefined) {
  const asked: string[] = [];
  const tab = open(profile, {
    fetch: async (url, init = {}) => {
      const isList = String(url).endsWith('/conversations') && init.method === 'GET';
      asked.push(isList ? 'list' : String(url));
      return answer(isList) ?? fetch(url, init);
    },
  });
  return { tab, asked, lists: () => asked.filter((one) => one === 'list').length };
}

function cut(): never {
  throw new TypeError('cut');
}

test.each([
  ['list of what they have said', 'grace', (isList: boolean) => isList, true],
  ['service', 'ada', () => true, false],
])(
  'what was said on another device is there though the %s was out of reach at first',
  async (_, who, fails, told) => {
    const first = open(newProfile());
    await proven(first, who);
    await say(first, `Of ${who}`);
    let away = true;
    const { tab } = counting(newProfile(), (isList) => (away && fails(isList) ? cut() : undefined));
    expect((await proven(tab, who)).ok).toBe(told);
    tab.chat.setOpen(true);
    await until(tab.chat.$line, (line) => line !== 'idle');
    away = false;
    tab.fire('online');
    await reads(tab, [`Of ${who}`]);
    await until(tab.chat.$line, (line) => line === 'live');
  },
);

test.each(['the same page', 'a later page'])(
  'whom only the small storage remembers finds what they have said on %s, though the first look fails',
  async (which) => {
    const profile = newProfile();
    const first = open(profile);
    await say(first, 'Kept here');
    first.close();
    profile.databases = new IDBFactory();
    let away = true;
    const { tab } = counting(profile, () => (away ? cut() : undefined));
    await until(tab.chat.$line, (line) => line === 'down');
    away = false;
    if (which === 'the same page') tab.fire('online');
    else tab.close();
    const shown = which === 'the same page' ? tab : open(profile);
    await saidIn(shown, 'Kept here');
  },
);

test('whoever has said nothing anywhere is looked for until that is known, and left alone then', async () => {
  let away = true;
  const { tab, asked, lists } = counting(newProfile(), (isList) => (away && isList ? cut() : undefined));
  expect((await proven(tab, 'emmy')).ok).toBe(true);
  await until(tab.chat.$line, (line) => line === 'down');
  away = false;
  const before = lists();
  tab.fire('online');
  await until(tab.chat.$line, (line) => line === 'idle');
  expect(lists()).toBe(before + 1);
  const all = asked.length;
  for (const event of ['online', 'visibilitychange'] as const) tab.fire(event);
  tab.chat.setOpen(true);
  await tab.chat.kept();
  expect([tab.chat.$line.get(), asked.length]).toEqual(['idle', all]);
});

test('where no list of somebody proven is ever answered, nobody asks on and on', async () => {
  const { tab, lists } = counting(newProfile(), (isList) =>
    isList ? new Response('{}', { status: 500 }) : undefined,
  );
  expect((await proven(tab, 'rosa')).ok).toBe(true);
  tab.fire('online');
  tab.chat.setOpen(true);
  await tab.chat.kept();
  expect([tab.chat.$line.get(), lists()]).toEqual(['idle', 1]);
});

test('a list that fails while the line stands is asked for ever more seldom', async () => {
  const dues: number[] = [];
  const tab = open(newProfile(), {
    fetch: async (url, init = {}) =>
      String(url).endsWith('/conversations') && init.method === 'GET'
        ? new Response('{}', { status: 502 })
        : fetch(url, init),
    random: () => 0.5,
    after(ms, work) {
      // Every look waits for at least so long.
      const isLook = ms >= 60_000;
      if (isLook) dues.push(ms);
      const timer = setTimeout(work, isLook ? 50 : ms);
      return () => clearTimeout(timer);
    },
  });
  expect((await proven(tab, 'lise')).ok).toBe(true);
  await expect.poll(() => dues.length).toBeGreaterThan(3);
  expect(dues.slice(0, 4)).toEqual([60_000, 120_000, 240_000, 300_000]);
});

test('a key that the service has never heard of is asked for once, on the page after the one that chose it', async () => {
  const profile = newProfile();
  const first = open(profile);
  await say(first, 'Soon gone');
  first.close();
  const contact = `(select contact_id from conversations where id =
    (select conversation_id from messages where content = 'Soon gone'))`;
  await service.db.query(`delete from contact_inboxes where contact_id = ${contact}`);
  const key = () =>
    profile.storage.get([...profile.storage.keys()].find((name) => /#[^:]*$/.test(name)) ?? '');
  const chosen = key();
  const page = async (over: () => Promise<unknown>) => {
    const { tab, asked } = counting(profile, () => undefined);
    tab.chat.setOpen(true);
    await until(tab.chat.$known, (known) => known !== undefined);
    await over();
    tab.close();
    return asked.filter((address) => address.includes('/contacts/')).length;
  };
  await page(() => expect.poll(key).not.toBe(chosen));
  expect(key()).toBeDefined();
  expect(await page(() => expect.poll(key).toBeUndefined())).toBe(1);
  expect(await page(async () => {})).toBe(0);
  const last = open(profile);
  await say(last, 'Here anew');
});
