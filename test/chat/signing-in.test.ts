/** An anonymous visitor signs in: what was written, sent or attached and has not arrived stands in the field again. */
import { expect, test } from 'vitest';
import { heldBy, newProfile, type Profile, type Tab, until } from '../support/tab.js';
import { useVisitors } from '../support/visitors.js';

const { service, saidIn, say, hashOf, proven, open: openPage } = await useVisitors();

interface Asked {
  method: string;
  url: string;
  body: string;
}

/** @param hold what a request waits for */
function open(profile: Profile, hold?: (asked: Asked) => Promise<void> | undefined): Tab {
  const fetchHeld: typeof fetch = async (url, init = {}) => {
    await hold?.({ method: init.method ?? 'GET', url: String(url), body: String(init.body ?? '') });
    return fetch(url, init);
  };
  return openPage(profile, { fetch: fetchHeld });
}

const file = (name: string) => ({
  name,
  type: 'text/plain',
  bytes: new TextEncoder().encode('text').buffer as ArrayBuffer,
});
const filesIn = (tab: Tab) => tab.chat.$files.get().map(({ name }) => name);
const countOf = (words: string) => service.db.query('select id from messages where content = $1', [words]);
/** A visitor who is known, with these words on their way until they are let go. */
async function underway(words: string) {
  let go = () => {};
  const held = new Promise<void>((resolve) => {
    go = resolve;
  });
  const tab = open(newProfile(), ({ body }) => (body.includes(words) ? held : undefined));
  await tab.chat.send('Hello');
  await saidIn(tab, 'Hello');
  await tab.chat.send(words);
  await until(tab.chat.$rows, (rows) => rows?.[1]?.state === 'sending');
  return { tab, go: () => go() };
}

test('who signs in finds in the field again what was written and did not leave', async () => {
  const tab = open(newProfile());
  await tab.chat.send('Asked before signing in');
  await saidIn(tab, 'Asked before signing in');
  tab.page.online = false;
  tab.fire('offline');
  await tab.chat.send('First of what waits', [file('a.txt')]);
  await tab.chat.send('Second of what waits');
  tab.chat.setDraft('Half a thought');
  expect((await tab.chat.identify({ identifier: 'hedy' })).ok).toBe(true);
  await until(tab.chat.$rows, (rows) => rows?.length === 0);
  expect(tab.chat.$draft.get()).toBe('First of what waits\nSecond of what waits\nHalf a thought');
  expect(filesIn(tab)).toEqual(['a.txt']);
});

test('who signs in while nobody knows whether words have arrived finds them in the field again', async () => {
  const tab = open(newProfile(), ({ method, url, body }) =>
    (method === 'GET' && url.endsWith('/messages')) || body.includes('In doubt')
      ? Promise.reject(new TypeError('cut'))
      : undefined,
  );
  await tab.chat.send('In doubt');
  await until(tab.chat.$rows, (rows) => rows?.[0]?.state === 'checking');
  expect((await tab.chat.identify({ identifier: 'inge' })).ok).toBe(true);
  await until(tab.chat.$rows, (rows) => rows?.length === 0);
  expect(tab.chat.$draft.get()).toBe('In doubt');
});

test('who signs in while files or words are on their way finds what has not arrived in the field again', async () => {
  const tab = open(newProfile(), ({ body, method }) =>
    body.includes('Held') || (method === 'POST' && body === '[object FormData]')
      ? new Promise<void>(() => {})
      : undefined,
  );
  await tab.chat.send('Hello');
  await saidIn(tab, 'Hello');
  await tab.chat.send('With a file', [file('a.txt')]);
  await until(tab.chat.$rows, (rows) => rows?.[1]?.state === 'sending');
  expect((await tab.chat.identify({ identifier: 'mary' })).ok).toBe(true);
  expect(tab.chat.$draft.get()).toBe('With a file');
  expect(filesIn(tab)).toEqual(['a.txt']);
});

test('words that arrive while their visitor signs in are not given back', async () => {
  const { tab, go } = await underway('On its way');
  const named = tab.chat.identify({ identifier: 'dorothy' });
  go();
  expect((await named).ok).toBe(true);
  expect(tab.chat.$draft.get()).toBe('');
  expect(await countOf('On its way')).toHaveLength(1);
});

test('who signs in in one tab finds the draft in all of them', async () => {
  const profile = newProfile();
  const [one, other] = [open(profile), open(profile)];
  await one.chat.send('Asked in two tabs');
  await saidIn(one, 'Asked in two tabs');
  await saidIn(other, 'Asked in two tabs');
  one.chat.setDraft('Half a thought');
  await until(other.chat.$draft, (draft) => draft === 'Half a thought');
  expect((await one.chat.identify({ identifier: 'annie' })).ok).toBe(true);
  for (const tab of [one, other]) await until(tab.chat.$rows, (rows) => rows?.length === 0);
  await one.chat.send('As Annie');
  await saidIn(other, 'As Annie');
  for (const tab of [one, other]) expect(tab.chat.$draft.get()).toBe('Half a thought');
  expect(await heldBy(profile)).toContain('Half a thought');
  expect((await one.chat.logout()).ok).toBe(true);
  for (const tab of [one, other]) await until(tab.chat.$rows, (rows) => rows?.length === 0);
  for (const tab of [one, other]) expect(tab.chat.$draft.get()).toBe('');
  expect(await heldBy(profile)).not.toContain('Half a thought');
});

test('what waits behind words that are on their way arrives with them, or is given back: never both', async () => {
  const { tab, go } = await underway('Slow one');
  await tab.chat.send('Behind it');
  const named = tab.chat.identify({ identifier: 'katherine' });
  go();
  expect((await named).ok).toBe(true);
  expect(tab.chat.$draft.get()).toBe('');
  expect(await countOf('Slow one')).toHaveLength(1);
  expect(await countOf('Behind it')).toHaveLength(1);
});

test('a file that is sent while its visitor signs in comes back', async () => {
  const { tab, go } = await underway('In the way');
  const named = tab.chat.identify({ identifier: 'mileva' });
  tab.chat.setFiles([new File(['text'], 'late.txt')]);
  tab.chat.setDraft('With a late file');
  const sent = tab.chat.submit();
  await until(tab.chat.$files, (files) => files.length === 0);
  go();
  expect((await named).ok).toBe(true);
  expect((await sent).ok).toBe(false);
  expect([tab.chat.$draft.get(), filesIn(tab)]).toEqual(['With a late file', ['late.txt']]);
});

test('who signs in takes along what stands in the field of other conversations', async () => {
  const tab = open(newProfile());
  await tab.chat.send('About a lamp');
  await saidIn(tab, 'About a lamp');
  tab.chat.setDraft('half a lamp');
  tab.chat.setFiles([new File(['text'], 'lamp.txt')]);
  expect((await tab.chat.newConversation()).ok).toBe(true);
  tab.chat.setDraft('half a chair');
  expect((await tab.chat.identify({ identifier: 'rita' })).ok).toBe(true);
  expect([tab.chat.$draft.get(), filesIn(tab)]).toEqual(['half a lamp\nhalf a chair', ['lamp.txt']]);
});

test('who has gone leaves no draft in another tab, also where the browser keeps no facts', async () => {
  const profile = newProfile({ localStorage: true });
  const [one, other] = [open(profile), open(profile)];
  await one.chat.send('Here and there');
  await saidIn(other, 'Here and there');
  other.chat.setDraft('Mine alone');
  expect((await one.chat.logout()).ok).toBe(true);
  await until(other.chat.$rows, (rows) => rows?.length === 0);
  expect(other.chat.$draft.get()).toBe('');
});

const turns = async (count: number) => {
  for (let i = 0; i < count; i++) await new Promise(setImmediate);
};

test('what another tab sends while its visitor signs in here is kept there, or given back here: never lost', async () => {
  // 1. words wait with files · 2. one tab signs in, and takes them back · 3. in the midst of that another tab keeps words
  for (let moment = 0; moment < 12; moment++) {
    const profile = newProfile();
    const [one, other] = [open(profile), open(profile)];
    for (const tab of [one, other]) {
      tab.page.online = false;
      tab.fire('offline');
    }
    await one.chat.send('Waits', [file('a.txt'), file('b.txt')]);
    await one.chat.send('Waits, too', [file('c.txt')]);
    await until(other.chat.$rows, (rows) => rows?.length === 2);
    const named = one.chat.identify({ identifier: `valentina-${moment}` });
    await turns(moment);
    other.chat.setDraft('Of the other tab');
    const sent = other.chat.submit();
    expect((await named).ok).toBe(true);
    await sent;
    const place = () =>
      [one.chat.$draft.get(), ...(other.chat.$rows.get() ?? []).map((row) => row.content)].join('\n');
    await expect.poll(place).toContain('Of the other tab');
    expect(place().split('Of the other tab')).toHaveLength(2);
    expect(filesIn(one).sort()).toEqual(['a.txt', 'b.txt', 'c.txt']);
    one.close();
    other.close();
  }
});

test('what is typed while its visitor signs in stays', async () => {
  const tab = open(newProfile());
  await tab.chat.send('Hello');
  await saidIn(tab, 'Hello');
  let typed = '';
  let over = false;
  const named = tab.chat.identify({ identifier: 'tilly' }).then(() => {
    over = true;
  });
  for (let i = 0; !over; i++) {
    typed += String.fromCharCode(97 + (i % 26));
    tab.chat.setDraft(tab.chat.$draft.get() + typed.slice(-1));
    await turns(1);
  }
  await named;
  expect(tab.chat.$draft.get()).toBe(typed);
});

test('who signs in in one tab keeps the files that are attached in another; who leaves does not', async () => {
  const profile = newProfile();
  const [one, other] = [open(profile), open(profile)];
  await one.chat.send('In two tabs');
  await saidIn(other, 'In two tabs');
  other.chat.setFiles([new File(['text'], 'other.txt')]);
  expect((await one.chat.identify({ identifier: 'lotte' })).ok).toBe(true);
  await until(other.chat.$rows, (rows) => rows?.length === 0);
  expect(filesIn(other)).toEqual(['other.txt']);
  expect((await one.chat.logout()).ok).toBe(true);
  await until(other.chat.$files, (files) => files.length === 0);
});

/** What agents read of the visitor's conversations beside the words, the latest first. */
async function attributes() {
  const rows = await service.db.query<{ custom_attributes: Record<string, unknown> }>(
    'select custom_attributes from conversations order by id desc limit 2',
  );
  return rows.map(({ custom_attributes }) => custom_attributes);
}

test('the first conversation of who signed in tells which one they had before, also after a reload', async () => {
  const profile = newProfile();
  const first = open(profile);
  const before = await say(first, 'Nobody yet');
  expect((await first.chat.identify({ identifier: 'lise' })).ok).toBe(true);
  first.close();
  const tab = open(profile);
  expect((await tab.chat.identify({ identifier: 'lise' })).ok).toBe(true);
  await say(tab, 'As Lise');
  expect(await attributes()).toEqual([{ previous_conversation: before }, {}]);
  expect((await tab.chat.newConversation()).ok).toBe(true);
  await say(tab, 'Something else');
  expect(await attributes()).toEqual([{}, { previous_conversation: before }]);
  expect((await tab.chat.listConversations()).ok).toBe(true);
  expect(tab.chat.$conversations.get()?.map(({ id }) => id)).not.toContain(before);
});

test('who had begun another conversation before they signed in tells the last one with words in it', async () => {
  const tab = open(newProfile());
  const before = await say(tab, 'About the first thing');
  expect((await tab.chat.newConversation()).ok).toBe(true);
  expect((await tab.chat.identify({ identifier: 'emmy' })).ok).toBe(true);
  await say(tab, 'As Emmy');
  expect(await attributes()).toEqual([{ previous_conversation: before }, {}]);
});

test('who is refused their name tells which conversation they had before, and so they do with a proof', async () => {
  for (const again of [false, true]) {
    const tab = open(newProfile());
    const before = await say(tab, 'Not proven yet');
    const refused = { identifier: 'sofja', identifier_hash: hashOf('somebody else') };
    expect((await tab.chat.identify(refused)).ok).toBe(false);
    if (again) expect((await proven(tab, 'sofja')).ok).toBe(true);
    await say(tab, 'Once more');
    expect(await attributes()).toEqual([{ previous_conversation: before }, {}]);
  }
});

test('nobody tells a conversation of somebody else: of who was named before, or of who has left', async () => {
  const tab = open(newProfile());
  await say(tab, 'Anonymous');
  expect((await tab.chat.identify({ identifier: 'caroline' })).ok).toBe(true);
  expect((await tab.chat.identify({ identifier: 'william' })).ok).toBe(true);
  await say(tab, 'As William');
  expect(await attributes()).toEqual([{}, {}]);
  expect((await tab.chat.identify({ identifier: 'caroline' })).ok).toBe(true);
  await say(tab, 'As Caroline');
  expect(await attributes()).toEqual([{}, {}]);
  expect((await tab.chat.logout()).ok).toBe(true);
  await say(tab, 'Anonymous again');
  expect((await tab.chat.identify({ identifier: 'william' })).ok).toBe(true);
  expect((await tab.chat.logout()).ok).toBe(true);
  expect((await tab.chat.identify({ identifier: 'caroline' })).ok).toBe(true);
  await say(tab, 'As Caroline, elsewhere');
  expect(await attributes()).toEqual([{}, {}]);
});
