/** What is sent arrives whole, once and in order, whatever becomes of its answer; and what is refused stays. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { isPost, newLine } from '../support/lines.js';
import { startTestService, type TestService } from '../support/service.js';
import { heldBy, newProfile, openTab, type Profile, type Tab, until } from '../support/tab.js';

let service: TestService;
let forgetful: TestService;
const tabs: Tab[] = [];

beforeAll(async () => {
  [service, forgetful] = await Promise.all([startTestService(), startTestService({ forgetEchoId: true })]);
});
afterEach(() => {
  for (const tab of tabs.splice(0)) tab.close();
});
afterAll(() => Promise.all([service.end(), forgetful.end()]));

function open(profile: Profile, at = service, change: Parameters<typeof openTab>[2] = {}): Tab {
  const tab = openTab(
    profile,
    { baseUrl: at.url, inboxIdentifier: at.inboxIdentifier },
    { lateCommitMs: 200, ...change },
  );
  tabs.push(tab);
  return tab;
}

const contents = (tab: Tab) => tab.chat.$rows.get()?.map((row) => `${row.content}:${row.state}`);
const allSent = (count: number) => (rows: ReturnType<Tab['chat']['$rows']['get']>) =>
  rows?.length === count && rows.every((row) => row.state === 'sent');

async function stored(at: TestService): Promise<{ id: number; content: string; conversation_id: number }[]> {
  return at.db.query('select id, content, conversation_id from messages order by id');
}

const rowsWith = async (at: TestService, content: string) =>
  (await stored(at)).filter((message) => message.content === content);

test('the first words make a contact, a conversation and a message, in this order and once each', async () => {
  const line = newLine();
  const tab = open(newProfile(), service, { fetch: line.fetch });
  await tab.chat.send('order');
  await until(tab.chat.$rows, allSent(1));
  const shapes = line.log.map((entry) =>
    entry.replace(/contacts\/[^/]+/, 'contacts/*').replace(/\d+\/messages/, '*/messages'),
  );
  expect(shapes.slice(0, 3)).toEqual([
    'POST /public/api/v1/inboxes/demo-inbox/contacts',
    'POST /public/api/v1/inboxes/demo-inbox/contacts/*/conversations',
    'POST /public/api/v1/inboxes/demo-inbox/contacts/*/conversations/*/messages',
  ]);
  expect(await rowsWith(service, 'order')).toHaveLength(1);
});

test('before words can leave, other words are another message, and the same words are not', async () => {
  const tab = open(newProfile());
  for (const words of ['early', 'early', 'other']) {
    tab.chat.setDraft(words);
    void tab.chat.submit();
  }
  await until(tab.chat.$rows, allSent(2));
  expect(contents(tab)).toEqual(['early:sent', 'other:sent']);
  expect(tab.chat.$draft.get()).toBe('');
});

test('before words can leave, what is added to them is a message of its own once it is sent', async () => {
  const tab = open(newProfile());
  const sent: Promise<unknown>[] = [];
  for (const words of [
    'Hello',
    'Hello, my order is late',
    'Hello, my order is late ',
    'Hello, my order is late (',
  ]) {
    tab.chat.setDraft(words);
    if (!words.endsWith('(')) sent.push(tab.chat.submit());
  }
  await Promise.all(sent);
  await until(tab.chat.$rows, allSent(2));
  expect(contents(tab)).toEqual(['Hello:sent', ', my order is late:sent']);
  expect(tab.chat.$draft.get()).toBe(' (');
});

test('before words can leave, files that are added to them are another message', async () => {
  const tab = open(newProfile());
  const [first, second] = ['first.txt', 'second.txt'].map((name) => new File([name], name));
  if (!first || !second) return;
  tab.chat.setDraft('Two files');
  tab.chat.setFiles([first]);
  const sent = [tab.chat.submit()];
  tab.chat.setFiles([first, second]);
  tab.chat.setDraft('Two files, one more');
  sent.push(tab.chat.submit());
  await Promise.all(sent);
  const rows = await until(tab.chat.$rows, allSent(2));
  expect(rows?.map(({ entry, message }) => (entry?.files ?? message?.attachments)?.length)).toEqual([1, 1]);
  expect(tab.chat.$files.get()).toEqual([]);
});

test('what no service can keep of a text is taken out before it is sent', async () => {
  const bodies: string[] = [];
  const tab = open(newProfile(), service, {
    fetch(url, init) {
      if (String(url).endsWith('/messages') && init?.method === 'POST') bodies.push(String(init.body));
      return fetch(url, init);
    },
  });
  await tab.chat.send('a\0b \ud83d c \ud83d\ude00');
  await until(tab.chat.$rows, allSent(1));
  expect(bodies.map((body) => JSON.parse(body).content)).toEqual(['ab \ufffd c \ud83d\ude00']);
  expect(contents(tab)).toEqual(['ab \ufffd c \ud83d\ude00:sent']);
});

test('messages arrive in the order in which send was pressed', async () => {
  const tab = open(newProfile());
  const words = Array.from({ length: 12 }, (_, i) => `in order ${i}`);
  await Promise.all(words.map((word) => tab.chat.send(word)));
  await until(tab.chat.$rows, allSent(12));
  const order = (await stored(service))
    .map((m) => m.content)
    .filter((content) => content.startsWith('in order'));
  expect(order).toEqual(words);
});

test.each([
  ['a service that keeps echo_id', () => service],
  ['a service that forgets it', () => forgetful],
])('a lost answer is found, not sent again, by %s', async (name, at) => {
  const line = newLine();
  const tab = open(newProfile(), at(), { fetch: line.fetch });
  let lost = 0;
  line.lose = (request) => (isPost(request) && lost++ === 0 ? 'after' : undefined);
  const words = `lost answer at ${name}`;
  await tab.chat.send(words);
  await until(tab.chat.$rows, allSent(1));
  expect(await rowsWith(at(), words)).toHaveLength(1);
});

test.each([
  ['a service that keeps echo_id', () => service],
  ['a service that forgets it', () => forgetful],
])('a request that never left is sent once the line is back, by %s', async (name, at) => {
  const line = newLine();
  const tab = open(newProfile(), at(), { fetch: line.fetch });
  await tab.chat.send(`hello ${name}`);
  await until(tab.chat.$rows, allSent(1));
  line.lose = () => 'before';
  const words = `never left ${name}`;
  await tab.chat.send(words);
  await until(tab.chat.$line, (state) => state === 'down');
  line.lose = () => undefined;
  tab.fire('online');
  await until(tab.chat.$rows, allSent(2));
  expect(await rowsWith(at(), words)).toHaveLength(1);
});

test('words typed offline are sent when the network returns', async () => {
  const tab = open(newProfile());
  tab.page.online = false;
  await tab.chat.send('typed offline');
  await until(tab.chat.$rows, () => contents(tab)?.[0] === 'typed offline:waiting');
  expect(await rowsWith(service, 'typed offline')).toHaveLength(0);
  tab.page.online = true;
  tab.fire('online');
  await until(tab.chat.$rows, allSent(1));
  expect(await rowsWith(service, 'typed offline')).toHaveLength(1);
});

test.each([
  ['a service that keeps echo_id', () => service],
  ['a service that forgets it', () => forgetful],
])(
  'a tab closed in the middle of sending leaves one message and one bubble to the next, by %s',
  async (name, at) => {
    const profile = newProfile();
    const line = newLine();
    const words = `closed while sending ${name}`;
    const first = open(profile, at(), { fetch: line.fetch });
    line.answered = (request) => {
      // 1. the service has the message · 2. the tab goes before it hears of that
      if (isPost(request)) first.close();
    };
    void first.chat.send(words);
    await expect.poll(async () => (await rowsWith(at(), words)).length).toBe(1);
    const second = open(profile, at());
    await until(second.chat.$rows, allSent(1));
    expect(await rowsWith(at(), words)).toHaveLength(1);
  },
);

test('two tabs writing the first words at once make one contact and one conversation', async () => {
  const profile = newProfile();
  const [a, b] = [open(profile), open(profile)];
  await Promise.all([a.chat.send('first of a'), b.chat.send('first of b')]);
  await Promise.all([until(a.chat.$rows, allSent(2)), until(b.chat.$rows, allSent(2))]);
  const sent = (await stored(service)).filter((message) => message.content.startsWith('first of'));
  expect(sent).toHaveLength(2);
  expect(new Set(sent.map((message) => message.conversation_id)).size).toBe(1);
});

test('an agent’s answer comes to every tab without being asked for, and counts as unread', async () => {
  const profile = newProfile();
  const line = newLine();
  const [a, b] = [
    open(profile, service, { fetch: line.fetch }),
    open(profile, service, { fetch: line.fetch }),
  ];
  await a.chat.send('is anybody there');
  await Promise.all([until(a.chat.$line, (s) => s === 'live'), until(b.chat.$line, (s) => s === 'live')]);
  await until(a.chat.$rows, allSent(1));
  const conversation = a.chat.$rows.get()?.[0]?.message?.conversation_id;
  const asked: number[] = [];
  // Of three, because what a new line makes a tab look up may still be on its way.
  for (let count = 1; count <= 3; count++) {
    const before = line.log.length;
    const answer = await service.agent('POST', `/api/v1/accounts/1/conversations/${conversation}/messages`, {
      content: 'here I am',
    });
    expect(answer.status).toBe(200);
    await Promise.all([
      until(a.chat.$rows, (rows) => rows?.length === 1 + count),
      until(b.chat.$unread, (unread) => unread === count),
    ]);
    asked.push(line.log.length - before);
  }
  expect(asked).toContain(0);
  a.chat.setOpen(true);
  await until(b.chat.$unread, (count) => count === 0);
});

test('a refused message keeps its words: again, edit and discard', async () => {
  const tab = open(newProfile());
  // The service takes 150,000 characters; the window refuses more, so this is what a stricter service does.
  await tab.chat.send('x'.repeat(150_001));
  await until(tab.chat.$rows, (rows) => rows?.[0]?.state === 'failed');
  await tab.chat.send('behind it');
  await until(
    tab.chat.$rows,
    (rows) => rows?.some((row) => row.content === 'behind it' && row.state === 'sent') ?? false,
  );
  const failed = tab.chat.$rows.get()?.find((row) => row.state === 'failed');
  expect(failed?.entry?.status).toBe(422);
  await expect(tab.chat.discard(failed?.key ?? '')).resolves.toBe(true);
  await until(tab.chat.$rows, allSent(1));
});

test('a contact that the service has forgotten is made anew, and no words are lost', async () => {
  const profile = newProfile();
  const tab = open(profile);
  await tab.chat.send('before the deletion');
  await until(tab.chat.$rows, allSent(1));
  const identity = () =>
    [...profile.storage].find(([key]) => key === `parley:${service.url}#demo-inbox`)?.[1];
  const before = identity();
  await service.db.query('delete from contact_inboxes where source_id = $1', [
    JSON.parse(before ?? '{}').sourceId,
  ]);
  await tab.chat.send('after the deletion');
  await until(
    tab.chat.$rows,
    (rows) => rows?.length === 1 && rows[0]?.content === 'after the deletion' && rows[0].state === 'sent',
  );
  expect(identity()).not.toBe(before);
  expect(await rowsWith(service, 'after the deletion')).toHaveLength(1);
});

test.each([
  ['IndexedDB', { indexedDB: true }],
  ['localStorage', { localStorage: true }],
  ['locks', { locks: true }],
  ['everything', { indexedDB: true, localStorage: true, locks: true }],
])('where the browser refuses %s the chat works', async (name, refuses) => {
  const tab = open(newProfile(refuses));
  await tab.chat.send(`refused ${name}`);
  await until(tab.chat.$rows, allSent(1));
  expect(await rowsWith(service, `refused ${name}`)).toHaveLength(1);
  expect(tab.chat.$troubles.get().includes('notKept')).toBe('localStorage' in refuses);
});

test('a draft that was once too long to be kept is not told of for ever', async () => {
  const profile = newProfile();
  const set = profile.storage.set.bind(profile.storage);
  profile.storage.set = (key, value) => {
    if (value.length > 1_000) throw new DOMException('full', 'QuotaExceededError');
    return set(key, value);
  };
  const tab = open(profile);
  tab.chat.setDraft('long '.repeat(300));
  await tab.chat.send('while it is there');
  expect(tab.chat.$troubles.get()).toContain('notKept');
  tab.chat.setDraft('short');
  await tab.chat.send('when it is not');
  expect(tab.chat.$troubles.get()).not.toContain('notKept');
});

test('logout leaves nothing behind in any tab or store, and the next visitor is another', async () => {
  const profile = newProfile();
  const [a, b] = [open(profile), open(profile)];
  await a.chat.send('secret of the first');
  await until(b.chat.$rows, allSent(1));
  b.chat.setDraft('half a secret');
  await a.chat.logout();
  await Promise.all([
    until(a.chat.$rows, (rows) => rows?.length === 0),
    until(b.chat.$rows, (rows) => rows?.length === 0),
  ]);
  await until(b.chat.$draft, (draft) => draft === '');
  expect(await heldBy(profile)).not.toMatch(/secret|sourceId/);
  await a.chat.send('words of the second');
  await until(b.chat.$rows, allSent(1));
  const contacts = await service.db.query(
    `select distinct c.contact_id from conversations c join messages m on m.conversation_id = c.id
     where m.content in ('secret of the first', 'words of the second')`,
  );
  expect(contacts).toHaveLength(2);
});

test('logout takes the files with it that were still to be sent', async () => {
  const profile = newProfile();
  const tab = open(profile, service, { fetch: () => Promise.reject(new TypeError('there is no line')) });
  const bytes = new TextEncoder().encode('a secret picture').buffer;
  const kept = await tab.chat.press('Look at this', [{ name: 'picture.txt', type: 'text/plain', bytes }]);
  expect(kept).toMatchObject({ ok: true });
  for (const words of ['Look at this', 'a secret picture']) expect(await heldBy(profile)).toContain(words);
  await tab.chat.logout();
  await expect.poll(() => heldBy(profile)).not.toMatch(/secret|Look at this|picture\.txt/);
});
