/**
 * Not one word lost, not one word doubled, in the engine that runs this: sent, written offline, reloaded in the
 * middle, written in two tabs at once, without storage, under a strict policy. A real service behind a proxy with
 * faults; the page comes from another origin, which stays there when the service is gone.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import type { RowState } from '../../src/model/transcript.js';
import { english as en } from '../../src/text/english.js';
import type { Actor, Profile } from '../support/actor.js';
import { agent, hostPage, type ShopService, startShopService } from '../support/browser.js';
import { type Engine, launchEngine } from '../support/engines.js';
import { dropFrame, type FaultProxy, hold, startFaultProxy, status } from '../support/fault-proxy.js';
import { startMs } from '../support/service.js';

declare global {
  interface Window {
    testErrors?: string[];
    testOpened?: string;
  }
}

let engine: Engine;
let service: ShopService;
beforeAll(async () => {
  [engine, service] = await Promise.all([launchEngine(inject('engine')), startShopService()]);
}, startMs);
afterAll(async () => {
  await Promise.all([engine?.stop(), service?.end()]);
});

let proxy: FaultProxy;
let profile: Profile;
let shop: string;
beforeEach(async () => {
  [proxy, profile] = await Promise.all([startFaultProxy(service.url), engine.newProfile()]);
  const head = `<script>
    testErrors = [];
    addEventListener('error', (event) => testErrors.push(String(event.message)));
    addEventListener('unhandledrejection', (event) => testErrors.push(String(event.reason)));
  </script>`;
  shop = service.url + (await service.page(`shop-${new URL(proxy.url).port}`, hostPage(proxy.url, { head })));
});
afterEach(async () => {
  await profile.close();
  await proxy.stop();
});

const grace = () => agent(service);

async function openChat(tab: Actor): Promise<void> {
  await tab.click('button', /^Open chat/);
  await expect.poll(() => tab.texts('dialog', en.window)).toHaveLength(1);
}

async function visit(): Promise<Actor> {
  const tab = await profile.newTab();
  await tab.goto(shop);
  await openChat(tab);
  return tab;
}

async function say(tab: Actor, words: string): Promise<void> {
  await tab.fill(en.message, words);
  await tab.press('Enter');
}

/** Every bubble, from the first to the last: what it says, and of ours what became of it. */
const bubbles = async (tab: Actor): Promise<string[]> =>
  (
    await tab.eval(() =>
      [...(document.querySelector('parley-chat')?.shadowRoot?.querySelectorAll('li.row') ?? [])].map(
        (row) => [
          row.querySelector('.content')?.textContent ?? '',
          row.matches('.mine') ? (/is-(\w+)/.exec(row.className)?.[1] ?? '') : '',
        ],
      ),
    )
  ).map(([words, state]) => `${words} · ${state && isState(state) ? en[state] : ''}`);
const isState = (name: string): name is Exclude<RowState, 'keeping'> =>
  ['waiting', 'sending', 'checking', 'failed', 'sent'].includes(name);
const mine = (words: string, state: Exclude<RowState, 'keeping'> = 'sent') => `${words} · ${en[state]}`;
const theirs = (words: string) => `${words} · `;

const shows = (tab: Actor, wanted: string[], timeout = 30_000) =>
  expect.poll(() => bubbles(tab), { timeout }).toEqual(wanted);
/** A line that is down is tried again within a minute, as chance has it. */
const AGAIN_MS = 90_000;

const draft = (tab: Actor) =>
  tab.eval(() => document.querySelector('parley-chat')?.shadowRoot?.querySelector('textarea')?.value);

const sends = (words: string) =>
  proxy.requests.filter(({ method, body }) => method === 'POST' && body.includes(words));
const posts = (words: string) => sends(words).length;
/** The names that the sends of these words carried. */
const names = (words: string) =>
  new Set(sends(words).map(({ body }) => /"echo_id":"([^"]+)"/.exec(body)?.[1]));

const errors = (tab: Actor) => tab.eval(() => window.testErrors);

const rowsOf = async (table: 'contacts' | 'conversations') =>
  Number(
    (await service.db.query<{ count: number }>(`select count(*) as count from ${table}`))[0]?.count ?? 0,
  );

test('first words reach the service, and the answer the visitor', async () => {
  const tab = await visit();
  await say(tab, 'Do you ship to Malta?');
  const conversation = await grace().conversationOf('Do you ship to Malta?');
  await grace().answer(conversation, 'We do, in five days.');
  await shows(tab, [mine('Do you ship to Malta?'), theirs('We do, in five days.')]);
  await say(tab, 'Wonderful');
  await shows(tab, [mine('Do you ship to Malta?'), theirs('We do, in five days.'), mine('Wonderful')]);
  expect(await grace().contents(conversation)).toEqual([
    'Do you ship to Malta?',
    'We do, in five days.',
    'Wonderful',
  ]);
  expect(posts('Wonderful')).toBe(1);
  expect(await errors(tab)).toEqual([]);
});

test('first words written offline wait, and are sent once', async () => {
  proxy.offline();
  const tab = await visit();
  for (const words of ['Nobody there?', 'I can wait']) await say(tab, words);
  await shows(tab, [mine('Nobody there?', 'waiting'), mine('I can wait', 'waiting')]);
  await expect.poll(() => tab.texts('status')).toContain(en.down);
  proxy.online();
  await shows(tab, [mine('Nobody there?'), mine('I can wait')], AGAIN_MS);
  const conversation = await grace().conversationOf('Nobody there?');
  expect(await grace().contents(conversation)).toEqual(['Nobody there?', 'I can wait']);
  await expect.poll(() => tab.texts('status')).not.toContain(en.down);
  expect(await errors(tab)).toEqual([]);
});

test('words written offline outlive a reload, and are sent once and in order', async () => {
  const tab = await visit();
  await say(tab, 'Before the tunnel');
  const conversation = await grace().conversationOf('Before the tunnel');
  await shows(tab, [mine('Before the tunnel')]);
  proxy.offline();
  const written = ['In the tunnel', 'Still in it', 'Still in it'];
  for (const words of written) await say(tab, words);
  // The first one may have been tried before anyone knew; then its delivery is in question.
  const kept = expect.stringMatching(/^In the tunnel · (Waiting to be sent|Checking delivery…)$/);
  const waiting = [
    mine('Before the tunnel'),
    kept,
    mine('Still in it', 'waiting'),
    mine('Still in it', 'waiting'),
  ];
  await shows(tab, waiting as string[]);
  await tab.reload();
  await expect.poll(async () => (await bubbles(tab)).slice(-3)).toEqual(waiting.slice(-3));
  expect(await grace().contents(conversation)).toEqual(['Before the tunnel']);
  proxy.online();
  const all = ['Before the tunnel', ...written];
  await shows(
    tab,
    all.map((words) => mine(words)),
    AGAIN_MS,
  );
  expect(await grace().contents(conversation)).toEqual(all);
  await grace().answer(conversation, 'There you are');
  await shows(tab, [...all.map((words) => mine(words)), theirs('There you are')]);
  expect(await errors(tab)).toEqual([]);
});

test.each([
  ['was carried out and answered to nobody', 'after'],
  ['arrives later than the next page', 'before'],
] as const)('a send that %s is one message and one bubble after a reload', async (_, when) => {
  const tab = await visit();
  const hello = `Hello, ${when}`;
  await say(tab, hello);
  await shows(tab, [mine(hello)]);
  const conversation = await grace().conversationOf(hello);
  const held = hold(when);
  const words = `Half a send, ${when}`;
  proxy.rule(({ method, body }) => (method === 'POST' && body.includes(words) ? held.fault : undefined));
  // Nor does a frame tell: history alone can.
  proxy.frameRule(({ text }) => (text.includes(words) ? dropFrame : undefined));
  await say(tab, words);
  await held.caught;
  await shows(tab, [mine(hello), mine(words, 'sending')]);
  await tab.reload();
  if (when === 'before') {
    await expect.poll(() => bubbles(tab)).toHaveLength(2);
    expect((await bubbles(tab))[1]).not.toBe(mine(words));
    held.release();
  }
  await shows(tab, [mine(hello), mine(words)]);
  await grace().answer(conversation, 'Heard you');
  const settled = [mine(hello), mine(words), theirs('Heard you')];
  await shows(tab, settled);
  // Strictly in order: what is written now is sent only when that one is done with.
  await say(tab, 'Good');
  await shows(tab, [...settled, mine('Good')]);
  expect(await grace().contents(conversation)).toEqual([hello, words, 'Heard you', 'Good']);
  // A service that keeps names may be told twice, under one name: the next page cannot see what is still held.
  expect([...names(words)]).toEqual([expect.any(String)]);
  if (when === 'after') expect(posts(words)).toBe(1);
  expect(await errors(tab)).toEqual([]);
  held.release();
});

test('first words written in two tabs at once make one contact and one conversation, seen in both', async () => {
  const before = [await rowsOf('contacts'), await rowsOf('conversations')];
  const tabs = [await profile.newTab(), await profile.newTab()] as const;
  for (const tab of tabs) await tab.goto(shop);
  for (const tab of tabs) await openChat(tab);
  // Nobody has been answered yet when the second tab writes.
  const held = hold('before');
  proxy.rule(({ method, path }) =>
    method === 'POST' && path.endsWith('/contacts') ? held.fault : undefined,
  );
  const [left, right] = ['From the left', 'From the right'];
  await say(tabs[0], left);
  await held.caught;
  for (const tab of tabs) {
    await shows(tab, [mine(left, 'waiting')]);
    // The draft is one for both tabs: it has gone before the next is written.
    await expect.poll(() => draft(tab)).toBe('');
  }
  await say(tabs[1], right);
  for (const tab of tabs) await shows(tab, [mine(left, 'waiting'), mine(right, 'waiting')]);
  held.release();
  const conversation = await grace().conversationOf(left);
  for (const tab of tabs) await shows(tab, [mine(left), mine(right)]);
  expect(await grace().contents(conversation)).toEqual([left, right]);
  await grace().answer(conversation, 'Hello to both');
  const wanted = [mine(left), mine(right), theirs('Hello to both')];
  for (const tab of tabs) await shows(tab, wanted);
  expect([await rowsOf('contacts'), await rowsOf('conversations')]).toEqual(before.map((count) => count + 1));
  // What one of them says is heard in the other.
  await say(tabs[0], 'And one more');
  await shows(tabs[1], [...wanted, mine('And one more')]);
  await shows(tabs[0], [...wanted, mine('And one more')]);
  expect(posts('And one more')).toBe(1);
  for (const tab of tabs) expect(await errors(tab)).toEqual([]);
});

test('a sandboxed frame that may keep nothing chats all the same, and says so', async () => {
  const tab = await profile.newTab();
  await tab.goto(`${service.url}/no-storage.html`);
  const inside = await tab.frame();
  const refused = await inside.eval(() => {
    window.testErrors = [];
    for (const kind of ['error', 'unhandledrejection'])
      addEventListener(kind, () => window.testErrors?.push(kind));
    try {
      return !window.localStorage;
    } catch {
      return true;
    }
  });
  expect(refused).toBe(true);
  await openChat(inside);
  await expect.poll(() => inside.texts('status')).toContain(en.notKept);
  await say(inside, 'From the sandbox');
  const conversation = await grace().conversationOf('From the sandbox');
  await grace().answer(conversation, 'Into the sandbox');
  await shows(inside, [mine('From the sandbox'), theirs('Into the sandbox')]);
  expect(await grace().contents(conversation)).toEqual(['From the sandbox', 'Into the sandbox']);
  expect(await errors(inside)).toEqual([]);
});

const TIMES = 4;
// And what the others hang on, the kit.
test.each(['stage', 'kit', 'app', 'thread', 'chat'])(
  '%s that did not come, however often it was asked for, comes with the next press, and all that wants it',
  async (file) => {
    const html = hostPage(proxy.url).replaceAll('{{origin}}', proxy.url);
    const page = await service.page(`lost-${file}-${new URL(proxy.url).port}`, html);
    const words = `Is all of it there, with ${file}?`;
    // Some browsers try a broken connection again themselves, and none an answer.
    const mend = proxy.rule(({ path }) => (path.includes(`/${file}-`) ? status(503) : undefined));
    const tab = await profile.newTab();
    await tab.goto(service.url + page);
    /** @returns whether it is open now */
    const open = async (tries: number) => {
      await tab.eval((tries) => {
        window.parley?.push(async (chat) => {
          const { ok } = await chat.open();
          window.testOpened = `${tries} ${ok && chat.status().open}`;
        });
      }, tries);
      const opened = () => tab.eval(() => window.testOpened);
      await expect.poll(opened).toMatch(`${tries} `);
      return (await opened()) === `${tries} true`;
    };
    // The engine and the thread come behind a window that is there.
    for (let i = 0; i < TIMES; i++) expect(await open(i)).toBe(['chat', 'thread'].includes(file));
    await expect.poll(() => proxy.requests.some(({ path }) => path.includes(`/${file}-`))).toBe(true);
    mend();
    // A page that has been written on asks by itself as well: a press joins what it has asked for before that.
    expect((await open(TIMES)) || (await open(TIMES + 1))).toBe(true);
    await expect.poll(() => tab.texts('textbox', en.message)).toHaveLength(1);
    await say(tab, words);
    const conversation = await grace().conversationOf(words);
    await grace().answer(conversation, '**All** of it');
    await shows(tab, [mine(words), theirs('All of it')]);
    // So is what comes still later.
    await grace().tell(conversation, {
      content_type: 'input_select',
      content: 'Nothing else?',
      content_attributes: { items: [{ title: 'Nothing', value: 'nothing' }] },
    });
    await expect.poll(() => tab.texts('button', 'Nothing')).toHaveLength(1);
  },
);

test('under a strict policy with Trusted Types it chats, outlives a reload and violates nothing', async () => {
  // The policy reports to the proxy, so no script of ours has to listen in the page.
  proxy.rule(({ path }) =>
    path === '/strict-csp.html'
      ? async (exchange) => {
          const answer = await exchange.forward();
          const policy = `${answer.headers['content-security-policy']}; report-uri /reports`;
          exchange.answer({
            ...answer,
            headers: { ...answer.headers, 'content-security-policy': policy },
          });
        }
      : undefined,
  );
  const tab = await profile.newTab();
  await tab.goto(`${proxy.url}/strict-csp.html`);
  await openChat(tab);
  await say(tab, 'Strict words');
  const conversation = await grace().conversationOf('Strict words');
  await grace().answer(conversation, 'Strictly yours, **bold** and https://example.com');
  await expect.poll(async () => (await bubbles(tab)).length).toBe(2);
  await tab.reload();
  await expect.poll(async () => (await bubbles(tab))[0]).toBe(mine('Strict words'));
  expect(
    await tab.eval(() => {
      const dialog = document.querySelector('parley-chat')?.shadowRoot?.querySelector('dialog');
      return dialog && getComputedStyle(dialog).position;
    }),
  ).toBe('fixed');
  // A violation of our own making comes last: once it is reported, all before it would have been.
  const reports = () => proxy.requests.filter(({ path }) => path === '/reports').map(({ body }) => body);
  await tab.eval(() => {
    const image = new Image();
    image.src = 'http://planted.invalid/';
  });
  await expect.poll(() => reports().some((body) => body.includes('planted.invalid'))).toBe(true);
  expect(reports().filter((body) => !body.includes('planted.invalid'))).toEqual([]);
});
