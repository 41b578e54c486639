/** Messages with files: they arrive, wait over the end of their page, are taken back, and hold nothing up. */
import { IDBFactory } from 'fake-indexeddb';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { SILENCE_MS } from '../../src/api/upload.js';
import type { Level } from '../../src/parley.js';
import { createFront } from '../../src/state/front.js';
import { isPost, newLine } from '../support/lines.js';
import { startTestService, type TestService } from '../support/service.js';
import { newProfile, openTab, type Tab, until } from '../support/tab.js';

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

const file = (name: string, text: string) => ({
  name,
  type: 'text/plain',
  bytes: new TextEncoder().encode(text).buffer as ArrayBuffer,
});

function open(
  profile: ReturnType<typeof newProfile>,
  at: TestService,
  change: Parameters<typeof openTab>[2] = {},
  options: { consent?: 'call' } = {},
) {
  const tab = openTab(
    profile,
    { baseUrl: at.url, inboxIdentifier: 'demo-inbox', ...options },
    { lateCommitMs: 200, ...change },
  );
  tabs.push(tab);
  return tab;
}

const sent = (tab: Tab, count: number) =>
  until(tab.chat.$rows, (rows) => rows?.length === count && rows.every((row) => row.state === 'sent'));
const attachments = async (at: TestService) =>
  (await at.db.query<{ count: number }>('select count(*)::int as count from attachments'))[0]?.count;

test('a message with files arrives with them, and they can be fetched', async () => {
  const tab = open(newProfile(), service);
  await tab.chat.send('two files', [file('a.txt', 'first'), file('b.txt', 'the second')]);
  const rows = await sent(tab, 1);
  const [a, b] = rows?.[0]?.message?.attachments ?? [];
  expect([a?.file_size, b?.file_size]).toEqual([5, 10]);
  const got = await fetch(b?.data_url ?? '');
  expect(await got.text()).toBe('the second');
});

test('a file whose name has a character that no header can have arrives without it', async () => {
  const tab = open(newProfile(), service);
  await tab.chat.send('', [file('re\x01port\0.txt', 'x')]);
  const rows = await sent(tab, 1);
  expect(rows?.[0]?.message?.attachments?.map((one) => one.fallback_title)).toEqual(['report.txt']);
});

test('files without words are a message', async () => {
  const tab = open(newProfile(), service);
  await tab.chat.send('', [file('alone.txt', 'alone')]);
  const rows = await sent(tab, 1);
  expect(rows?.[0]?.message?.attachments).toHaveLength(1);
});

test.each([
  ['a service that keeps echo_id', () => service],
  ['a service that forgets it', () => forgetful],
])('files whose answer was lost are not sent twice, by %s', async (_, at) => {
  const line = newLine();
  const tab = open(newProfile(), at(), { fetch: line.fetch });
  let lost = 0;
  line.lose = (request) => (isPost(request) && lost++ === 0 ? 'after' : undefined);
  const before = (await attachments(at())) ?? 0;
  await tab.chat.send('with a file', [file('lost.txt', 'lost and found')]);
  await sent(tab, 1);
  expect(await attachments(at())).toBe(before + 1);
});

test('files wait over the end of their page, and are sent by the next one', async () => {
  const profile = newProfile();
  const first = open(profile, service);
  first.page.online = false;
  await first.chat.send('for later', [file('later.txt', 'kept as bytes')]);
  first.close();
  const second = open(profile, service);
  const rows = await sent(second, 1);
  expect(rows?.[0]?.message?.attachments?.[0]?.file_size).toBe('kept as bytes'.length);
});

test('what is taken back twice at once comes back once, with its files', async () => {
  const tab = open(newProfile(), service);
  tab.page.online = false;
  await tab.chat.send('both', [file('a.txt', 'first')]);
  const rows = await until(tab.chat.$rows, (all) => all?.[0]?.state === 'waiting');
  const key = rows?.[0]?.key ?? '';
  await Promise.all([tab.chat.edit(key), tab.chat.edit(key)]);
  expect(tab.chat.$draft.get()).toBe('both');
  expect(tab.chat.$files.get().map(({ name }) => name)).toEqual(['a.txt']);
  await until(tab.chat.$rows, (all) => all?.length === 0);
});

/** As a browser's request behaves whose line is cut when a little of a large body has left. */
class Cut extends EventTarget {
  upload = { onprogress: (_: Partial<ProgressEvent>) => {} };
  onerror = () => {};
  open() {}
  abort() {}
  send() {
    this.upload.onprogress({ loaded: 100_000, total: 20_000_000 });
    this.onerror();
  }
}

/** As a browser's request behaves that is answered when all of it has left. */
class Refused extends EventTarget {
  status = 429;
  responseText = '{}';
  upload = { onprogress: (_: Partial<ProgressEvent>) => {}, onload: () => {} };
  onload = () => {};
  getAllResponseHeaders = () => 'retry-after: 60';
  open() {}
  abort() {}
  send() {
    this.upload.onprogress({ loaded: 900, total: 1000 });
  }
  answer() {
    this.upload.onload();
    this.onload();
  }
}

test('what is cancelled too late to be stopped, and then refused for now, comes back and is not sent', async () => {
  const request = new Refused();
  const tab = open(newProfile(), service, { upload: () => request as unknown as XMLHttpRequest });
  await tab.chat.send('on second thoughts', [file('a.txt', 'first')]);
  await until(tab.chat.$progress, (progress) => progress !== undefined && progress.fraction > 0);
  const edited = tab.chat.edit(tab.chat.$rows.get()?.[0]?.key ?? '');
  // It waits for the end of the attempt, which cannot be stopped.
  await new Promise(setImmediate);
  request.answer();
  await edited;
  expect(tab.chat.$draft.get()).toBe('on second thoughts');
  expect(tab.chat.$files.get().map(({ name }) => name)).toEqual(['a.txt']);
  await until(tab.chat.$rows, (all) => all?.length === 0);
});

test('a page that has slept while its files left first hears of that, and gives nothing up before', async () => {
  let aborts = 0;
  const request = Object.assign(new Refused(), { abort: () => void aborts++ });
  let skippedMs = 0;
  let silent = () => {};
  const tab = open(newProfile(), service, {
    upload: () => request as unknown as XMLHttpRequest,
    wall: () => Date.now() + skippedMs,
    after(ms, work) {
      if (ms === SILENCE_MS) silent = work;
      const timer = setTimeout(work, ms);
      return () => clearTimeout(timer);
    },
  });
  await tab.chat.send('written in the lift', [file('a.txt', 'first')]);
  await until(tab.chat.$progress, (progress) => progress !== undefined && progress.fraction > 0);
  // Its clock is overdue as soon as it wakes, and what its request has done meanwhile waits to be told.
  skippedMs = 3_600_000;
  silent();
  expect(aborts).toBe(0);
  request.answer();
  await until(tab.chat.$rows, (all) => all?.[0]?.state === 'waiting');
  // Over.
  expect(aborts).toBe(1);
});

test('an upload that is cut each time ends, can be tried again, and holds nothing up', async () => {
  let cuts = 0;
  const upload = () => {
    cuts++;
    return new Cut() as unknown as XMLHttpRequest;
  };
  // By its clocks nothing takes long: each attempt that is recorded leaves.
  const clocks = { monotonic: () => 0, wall: () => 0 };
  const tab = open(newProfile(), service, { upload, random: () => 0.005, ...clocks });
  await tab.chat.send('too large for what lies between', [file('large.bin', 'much')]);
  await tab.chat.send('behind it');
  const rows = await until(
    tab.chat.$rows,
    (all) => all?.length === 2 && all.some(({ state }) => state === 'sent'),
    40_000,
  );
  expect(rows?.map(({ content, state }) => [content, state])).toEqual([
    ['behind it', 'sent'],
    ['too large for what lies between', 'failed'],
  ]);
  expect(cuts).toBe(12);
});

test('what has been sent is not kept when more may be kept', async () => {
  const profile = newProfile();
  const keeping: { level: Level } = { level: 'memory' };
  const kind = {
    keeping,
    localStorage: () => undefined,
    indexedDB: () => (keeping.level === 'persistent' ? profile.databases : undefined),
  };
  const tab = open(profile, service, kind, { consent: 'call' });
  await tab.chat.send('with a passport', [file('passport.txt', 'mine')]);
  await sent(tab, 1);
  tab.page.online = false;
  await tab.chat.send('with a ticket', [file('ticket.txt', 'also mine')]);
  await tab.chat.allow('persistent');
  const [name = ''] = (await profile.databases.databases()).map((database) => database.name);
  const kept = await new Promise<unknown[]>((resolve, reject) => {
    const request = profile.databases.open(name);
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      const all = request.result.transaction('files').objectStore('files').getAll();
      all.onsuccess = () => {
        request.result.close();
        resolve(all.result);
      };
    };
  });
  expect(kept).toEqual([[expect.objectContaining({ name: 'ticket.txt' })]]);
});

test.each(['before', 'after'])(
  'files of a message that was waiting for its turn are in a chat that comes %s it has come back',
  async (when) => {
    // A database that does not answer for a while holds up what is sent.
    const tab = open(newProfile(), service, {
      left: new Map(),
      indexedDB: () => Object.assign(new IDBFactory(), { open: () => ({}) }),
      after(ms, work) {
        const timer = setTimeout(work, ms / 8);
        return () => clearTimeout(timer);
      },
    });
    const chosen = new File(['a picture'], 'picture.txt');
    tab.chat.setDraft('See here');
    tab.chat.setFiles([chosen]);
    const read = new Promise<void>((resolve) => {
      const { arrayBuffer } = chosen;
      chosen.arrayBuffer = () => arrayBuffer.call(chosen).finally(resolve);
    });
    const submitted = tab.chat.submit();
    await read;
    await new Promise((resolve) => setImmediate(resolve));
    tab.chat.destroy();
    if (when === 'after') await submitted;
    const next = createFront({ baseUrl: service.url, inboxIdentifier: 'demo-inbox' }, tab.env);
    expect((await submitted).ok).toBe(false);
    expect(next.chat.$draft.get()).toBe('See here');
    expect(next.chat.$files.get()).toEqual([chosen]);
    next.chat.destroy();
  },
);

test('files that were chosen in another conversation are there in a chat that comes later, and of nobody else', () => {
  const tab = open(newProfile(), service, { left: new Map() });
  const another = () => {
    const front = createFront({ baseUrl: service.url, inboxIdentifier: 'demo-inbox' }, tab.env);
    return { front, names: () => front.chat.$files.get().map(({ name }) => name) };
  };
  const [here, there] = [new File(['here'], 'here.txt'), new File(['there'], 'there.txt')];
  tab.chat.setFiles([there]);
  tab.front.turnFiles(7, 8);
  tab.chat.setFiles([here]);
  tab.chat.destroy();
  const next = another();
  expect(next.names()).toEqual(['here.txt']);
  next.front.turnFiles(8, 7);
  expect(next.names()).toEqual(['there.txt']);
  next.front.empty(false);
  next.front.chat.destroy();
  const last = another();
  for (const id of [8, 7]) {
    last.front.turnFiles(undefined, id);
    expect(last.names()).toEqual([]);
  }
  last.front.chat.destroy();
});

test('who wants a message back in the moment in which the chat ends does not wait for ever', {
  timeout: 30_000,
}, async () => {
  let reached = () => {};
  const leaving = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const tab = open(newProfile(), service, {
    fetch(url, init) {
      if (!(init?.body instanceof FormData)) return fetch(url, init);
      reached();
      return new Promise(() => {});
    },
  });
  await tab.chat.send('Not that', [file('a.txt', 'first')]);
  await leaving;
  const [row] = tab.chat.$rows.get() ?? [];
  const back = tab.chat.edit(row?.key ?? '');
  await until(tab.chat.$rows, (rows) => rows?.[0]?.state === 'sending');
  tab.chat.destroy();
  await back;
  expect(tab.chat.$draft.get()).toBe('');
});
