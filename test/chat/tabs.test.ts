/** Tabs of one visitor, and their pages one after the other, agree on what is typed, open and sent. */
import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createChat } from '../../src/state/chat.js';
import { createFront } from '../../src/state/front.js';
import { startTestService, type TestService } from '../support/service.js';
import { newProfile, openTab, type Profile, type Tab, until } from '../support/tab.js';

let service: TestService;
const tabs: Tab[] = [];

beforeAll(async () => {
  service = await startTestService();
});
afterEach(() => {
  for (const tab of tabs.splice(0)) tab.close();
});
afterAll(() => service.end());

function open(profile: Profile, change?: Parameters<typeof openTab>[2]): Tab {
  const tab = openTab(profile, { baseUrl: service.url, inboxIdentifier: 'demo-inbox' }, change);
  tabs.push(tab);
  return tab;
}

const sent = (count: number) => (rows: readonly { state: string }[] | undefined) =>
  rows?.length === count && rows.every((row) => row.state === 'sent');

test('draft and open window agree over the tabs and over a reload', async () => {
  const profile = newProfile();
  const [a, b] = [open(profile), open(profile)];
  a.chat.setDraft('half a thought');
  a.chat.setOpen(true);
  expect([b.chat.$draft.get(), b.chat.$open.get()]).toEqual(['half a thought', true]);
  b.chat.setDraft('half a thought, and more');
  b.chat.setOpen(false);
  a.close();
  const reloaded = open(profile);
  expect([reloaded.chat.$draft.get(), reloaded.chat.$open.get()]).toEqual([
    'half a thought, and more',
    false,
  ]);
});

test('a page that is kept for the way back shows what was written on the next one', async () => {
  const profile = newProfile();
  const left = open(profile);
  left.chat.setDraft('Hi');
  const persisted = { persisted: true } as Partial<StorageEvent>;
  left.fire('pagehide', persisted);
  // Nobody tells it anything.
  profile.tabs.delete(left);
  const next = open(profile);
  next.chat.setDraft('Hi, my order is late');
  next.chat.setOpen(true);
  next.close();
  left.fire('pageshow', persisted);
  expect([left.chat.$draft.get(), left.chat.$open.get()]).toEqual(['Hi, my order is late', true]);
  // What it alone knows of stays.
  left.fire('pagehide', persisted);
  left.fire('pageshow', persisted);
  expect(left.chat.$draft.get()).toBe('Hi, my order is late');
});

test('what one tab sends is in the other, which asks for nothing, as one row that keeps its key', async () => {
  const profile = newProfile();
  const asked: string[] = [];
  let under = 0;
  const counted: typeof fetch = (...request) => {
    // It may help with the sending.
    if (request[1]?.method !== 'POST') asked.push(`${request[0]}`);
    under++;
    return fetch(...request).finally(() => under--);
  };
  const [a, b] = [open(profile), open(profile, { fetch: counted })];
  await a.chat.send('first');
  await until(b.chat.$rows, sent(1));
  await until(b.chat.$line, (line) => line === 'live');
  // It looks once more, if the conversation came to it while it looked.
  do await setImmediate();
  while (under);
  asked.length = 0;
  const keys = new Set<string | undefined>();
  const stop = b.chat.$rows.subscribe((rows) => rows?.[1] && keys.add(rows[1].key));
  await a.chat.send('second');
  await until(b.chat.$rows, sent(2));
  expect(asked).toEqual([]);
  stop();
  expect(keys.size).toBe(1);
});

test('words that a closed tab left behind are sent by the one that stays', async () => {
  const profile = newProfile();
  const [a, b] = [open(profile), open(profile)];
  await a.chat.send('hello');
  await until(b.chat.$rows, sent(1));
  a.page.online = false;
  await a.chat.send('left behind');
  a.close();
  b.fire('visibilitychange');
  await until(b.chat.$rows, sent(2));
  const stored = await service.db.query('select id from messages where content = $1', ['left behind']);
  expect(stored).toHaveLength(1);
});

test('words that were pressed before the engine had come are not sent again where another tab has sent them', async () => {
  const profile = newProfile();
  const other = open(profile);
  const options = { baseUrl: service.url, inboxIdentifier: 'demo-inbox' };
  const page = openTab(profile, { ...options, inboxIdentifier: 'nobody' });
  tabs.push(page);
  // 1. Enter, and the engine is on its way · 2. the visitor presses it in the other tab, too · 3. the engine comes
  const front = createFront(options, page.env);
  front.chat.setDraft('Once');
  const file = new File(['a picture'], 'of-this-tab.txt');
  front.chat.setFiles([file]);
  const pressed = front.chat.submit();
  await other.chat.submit();
  await until(other.chat.$rows, sent(1));
  expect(front.chat.$draft.get()).toBe('');
  front.chat.setDraft('And then');
  const next = front.chat.submit();
  createChat(options, page.env, front);
  expect([await pressed, await next]).toMatchObject([{ ok: true }, { ok: true }]);
  const rows = await until(front.chat.$rows, sent(3));
  expect(rows?.map(({ content }) => content)).toEqual(['Once', '', 'And then']);
  expect(front.chat.$draft.get()).toBe('');
  front.chat.destroy();
});

test('whoever listens to a fact no more is not told of it when more of it is there', () => {
  const { local } = open(newProfile()).front;
  const heard: unknown[] = [];
  const undo = local.onChange('seen', (value) => heard.push(value));
  local.set('seen', 7);
  local.hear('seen');
  undo();
  local.hear('seen');
  expect(heard).toEqual([7]);
});
