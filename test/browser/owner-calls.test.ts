/** What an owner's page calls, from the tag and from a program, as the README says it. */
import { expect, test } from 'vitest';
import type { Outcome } from '../../src/parley.js';
import { english as en } from '../../src/text/english.js';
import de from '../../src/text/locales/de.js';
import { createSay } from '../../src/text/text.js';
import { openTagged } from '../support/around.js';
import { agent, chat, hostPage, openShop, useShop } from '../support/browser.js';
import { settled } from '../support/held-files.js';
import { drawn } from '../support/thread.js';

const german = createSay('de', de, en);
const { browser, service } = await useShop();

declare global {
  interface Window {
    heard: unknown[];
    undo: () => void;
  }
}

const parleyRequests = (shop: { requests: { path: string }[] }) =>
  shop.requests.filter(({ path }) => /^\/(assets|public|cable)/.test(path));

test('what the page leaves before the script comes is done, in order, and calls say what became of them', async () => {
  const path = await service.page(
    'before',
    hostPage(service.url, {
      head: `<script>
        window.heard = [];
        (window.parley ||= []).push((chat) => {
          for (const event of ['ready', 'open', 'close', 'message', 'unread', 'conversation', 'status'])
            chat.on(event, (detail) => window.heard.push([event, detail]));
        });
        window.parley.push(() => { throw new Error('the page is wrong here'); });
        window.parley.push((chat) => window.heard.push(['pushed', chat === window.parley]));
      </script>`,
    }),
  );
  const shop = await openShop(browser, service.url + path);
  const { page } = shop;
  const heard = () => page.evaluate(() => window.heard);
  await expect.poll(heard).toEqual([
    ['pushed', true],
    ['ready', undefined],
  ]);
  await expect.poll(() => shop.errors).toEqual(['Error: the page is wrong here']);
  expect(parleyRequests(shop)).toEqual([]);
  const call = (name: 'open' | 'close' | 'toggle') => page.evaluate((it) => window.parley?.[it](), name);
  expect(await page.evaluate(() => [window.parley?.status(), window.parley?.unread()])).toEqual([
    { open: false, line: 'idle', storage: 'memory' },
    0,
  ]);

  expect(await call('open')).toEqual({ ok: true });
  await chat(page).field.waitFor();
  await expect.poll(heard).toContainEqual(['open', undefined]);
  expect(await page.evaluate(() => window.parley?.status())).toMatchObject({
    open: true,
    storage: 'persistent',
  });
  expect(await call('close')).toEqual({ ok: true });
  await chat(page).window.waitFor({ state: 'hidden' });
  await expect.poll(heard).toContainEqual(['close', undefined]);
  expect(await call('toggle')).toEqual({ ok: true });
  await chat(page).window.waitFor();
  await chat(page).say('Are you open on Sunday?');
  const conversation = await agent(service).conversationOf('Are you open on Sunday?');
  await expect
    .poll(heard)
    .toContainEqual(['message', { id: expect.any(Number), from: 'visitor', conversation }]);
  await expect.poll(heard).toContainEqual(['conversation', { id: conversation, status: 'open' }]);
  await expect.poll(() => page.evaluate(() => window.parley?.status().line)).toBe('live');
  expect(await call('toggle')).toEqual({ ok: true });
  await agent(service).answer(conversation, 'From ten to four');
  await expect
    .poll(heard)
    .toContainEqual(['message', { id: expect.any(Number), from: 'team', conversation }]);
  await expect.poll(heard).toContainEqual(['unread', 1]);
  expect(await page.evaluate(() => window.parley?.unread())).toBe(1);

  await page.evaluate(() => window.parley?.hide());
  expect(await chat(page).launcher.isVisible()).toBe(false);
  await page.evaluate(() => window.parley?.show());
  expect(await chat(page).launcher.isVisible()).toBe(true);
  // No event tells words or keys.
  expect(JSON.stringify(await heard())).not.toMatch(/Sunday|ten to four|[\da-f]{8}-[\da-f]{4}/);
  expect(shop.console).toEqual([]);
  await shop.close();
});

test('a listener is taken away by its undo or by off, and destroy takes the chat away with its global', async () => {
  const shop = await openShop(browser, `${service.url}/`);
  const { page } = shop;
  await page.waitForFunction(() => window.parley !== undefined);
  await page.evaluate(() => {
    window.heard = [];
    const other = () => void window.heard.push('taken');
    let last = () => {};
    const note = () => {
      window.heard.push('kept');
      last();
      window.parley?.off('open', other);
    };
    window.parley?.on('open', note);
    window.parley?.on('open', other)();
    window.parley?.on('open', other);
    window.parley?.off('open', other);
    window.parley?.on('ready', other)();
    // Taken away while it is told, by the one before.
    last = window.parley?.on('open', () => other()) ?? last;
    window.parley?.on('open', other);
    return window.parley?.open();
  });
  await expect.poll(() => page.evaluate(() => window.heard)).toEqual(['kept']);
  const after = await page.evaluate(() => {
    const { parley } = window;
    parley?.destroy();
    return parley?.open();
  });
  expect(after).toEqual({
    ok: false,
    error: { kind: 'destroyed', message: expect.any(String) },
  } satisfies Outcome);
  expect(
    await page.evaluate(() => ['parley' in window, document.querySelectorAll('parley-chat').length]),
  ).toEqual([false, 0]);
  await shop.close();
});

test('a second tag does nothing, and says so', async () => {
  const path = await service.page('twice', hostPage(service.url));
  const shop = await openShop(browser, service.url + path);
  const { page } = shop;
  await chat(page).launcher.waitFor();
  await page.addScriptTag({ url: '/parley.js' });
  expect(await chat(page).host.count()).toBe(1);
  await expect.poll(() => shop.console).toEqual(['warning: Parley: remove the second tag.']);
  await shop.close();
});

test('without what nothing works, one sentence says what to write, and every call says it again', async () => {
  const path = await service.page('wrong', hostPage('support.example.com'));
  const shop = await openShop(browser, service.url + path);
  const { page } = shop;
  await page.waitForFunction(() => window.parley !== undefined);
  const outcome = await page.evaluate(() => window.parley?.open());
  expect(outcome).toMatchObject({ ok: false, error: { kind: 'wrong' } });
  await expect.poll(() => shop.console).toEqual(['warning: Parley: data-base-url with https:// is missing.']);
  expect(await chat(page).host.count()).toBe(0);
  await shop.close();
});

test('words are drafted and sent, attributes told, language and colours changed, each as soon as there is a chat', async () => {
  const shop = await openShop(browser, `${service.url}/`);
  const { page } = shop;
  await page.waitForFunction(() => window.parley !== undefined);
  // Nothing is fetched for what can wait for the visitor.
  const early = await page.evaluate(async () => {
    const { parley } = window;
    return [
      await parley?.draft('I need a '),
      await parley?.setLocale('de'),
      await parley?.setAttributes({ contact: { shoe_size: 43 }, conversation: { page: '/lamps', items: 2 } }),
      await parley?.identify({ identifier: 'visitor-9', name: 'Vera' }),
    ];
  });
  expect(early).toEqual([{ ok: true }, { ok: true }, { ok: true }, { ok: true }]);
  expect(parleyRequests(shop)).toEqual([]);
  await page.evaluate(() => window.parley?.open());
  const inGerman = chat(page, german);
  await inGerman.field.waitFor();
  await expect.poll(() => inGerman.field.inputValue()).toBe('I need a ');
  expect(await page.evaluate(() => window.parley?.send('Sent by the page'))).toEqual({ ok: true });
  const conversation = await agent(service).conversationOf('Sent by the page');
  const facts = () =>
    service.db.query<Record<string, unknown>>(
      `select c.identifier, c.name, c.custom_attributes as contact, v.custom_attributes as conversation
       from conversations v join contacts c on c.id = v.contact_id where v.display_id = $1`,
      [conversation],
    );
  expect(await facts()).toEqual([
    {
      identifier: 'visitor-9',
      name: 'Vera',
      contact: { shoe_size: 43 },
      conversation: { page: '/lamps', items: 2 },
    },
  ]);
  await inGerman.bubble('Sent by the page').waitFor();
  // The conversation has begun: a contact can still be told more of, the conversation cannot.
  expect(await page.evaluate(() => window.parley?.setAttributes({ contact: { shoe_size: 44 } }))).toEqual({
    ok: true,
  });
  expect(
    await page.evaluate(() => window.parley?.setAttributes({ conversation: { page: '/mugs' } })),
  ).toMatchObject({ ok: false, error: { kind: 'begun' } });
  expect((await facts())[0]).toMatchObject({ contact: { shoe_size: 44 }, conversation: { page: '/lamps' } });

  expect(
    await page.evaluate(() => window.parley?.setTheme({ accent: 'rebeccapurple', radius: '4px' })),
  ).toEqual({
    ok: true,
  });
  const header = () =>
    inGerman.window.locator('.header').evaluate((element) => getComputedStyle(element).backgroundColor);
  expect(await header()).toBe('rgb(102, 51, 153)');
  expect(await page.evaluate(() => window.parley?.setTheme({ accent: '', scheme: 'dark' }))).toEqual({
    ok: true,
  });
  expect(await header()).toBe('rgb(58, 79, 216)');
  expect(await inGerman.window.evaluate((dialog) => getComputedStyle(dialog).colorScheme)).toBe('dark');
  expect(await page.evaluate(() => window.parley?.setLocale('en'))).toEqual({ ok: true });
  await chat(page).window.getByRole('heading', { name: en.title }).waitFor();
  expect([...shop.console, ...shop.errors]).toEqual([]);
  await shop.close();
});

test('whoever listens is told once that a message of the visitor was refused, without its words', async () => {
  const shop = await openShop(browser, `${service.url}/`);
  const { page } = shop;
  /** What is refused before the owner's file is there is told by none: it is there once it tells the colours. */
  const listen = () =>
    page.evaluate(() => {
      window.heard = [];
      window.parley?.on('error', (detail) => window.heard.push(detail));
      return window.parley?.setTheme({ scheme: 'auto' });
    });
  await chat(page).open();
  await listen();
  await page.route('**/messages', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 413 }) : route.continue(),
  );
  await chat(page).say('Refused words');
  await chat(page).bubble('Refused words').getByText('Not delivered', { exact: true }).waitFor();
  const told = {
    kind: 'service',
    message: 'A message of the visitor was not delivered: the service answered with 413.',
  };
  expect(await page.evaluate(() => window.heard)).toEqual([told]);
  // The next page shows it, too, and has nothing to tell.
  await page.reload();
  await listen();
  const refused = chat(page).bubble('Refused words');
  await refused.getByText('Not delivered', { exact: true }).waitFor();
  expect(await page.evaluate(() => window.heard)).toEqual([]);
  await refused.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => page.evaluate(() => window.heard)).toEqual([told]);
  await shop.close();
});

test('a wrong argument is answered with a sentence that says what to write, to the caller, the listener and the console', async () => {
  const shop = await openShop(browser, `${service.url}/`);
  const { page } = shop;
  await page.waitForFunction(() => window.parley !== undefined);
  const outcomes = await page.evaluate(async () => {
    const { parley } = window;
    window.heard = [];
    parley?.on('error', (detail) => window.heard.push(detail));
    await parley?.open();
    const wrong: [string, unknown][] = [
      ['send', '  '],
      ['draft', 7],
      ['identify', { identifier: '' }],
      ['identify', { identifier: 'a', hash: 'abc' }],
      ['setAttributes', { contact: { when: new Date() } }],
      ['setLocale', 'British English'],
      ['setTheme', { accent: 'blu' }],
      ['setTheme', { acent: '#fff' }],
      ['allow', 'everything'],
    ];
    const said: unknown[] = [];
    for (const [name, argument] of wrong) {
      const verb: unknown = parley && Reflect.get(parley, name);
      if (typeof verb === 'function') said.push(await verb(argument));
    }
    return said;
  });
  expect(outcomes).toHaveLength(9);
  const sentences = outcomes.map((outcome) => {
    expect(outcome).toEqual({ ok: false, error: { kind: 'wrong', message: expect.any(String) } });
    return (outcome as { error: { message: string } }).error.message;
  });
  expect(sentences).toEqual(
    [
      /send\("Hello"\)/,
      /draft\("/,
      /identifier: "user-7"/,
      /64 hex/,
      /contact: \{/,
      /"pt-BR"/,
      /colour/,
      /accent, scheme/,
      /"persistent"/,
    ].map((pattern) => expect.stringMatching(pattern)),
  );
  await expect.poll(() => page.evaluate(() => window.heard.length)).toBe(9);
  await expect.poll(() => shop.console).toEqual(sentences.map((sentence) => `warning: Parley: ${sentence}`));
  await shop.close();
});

test('perf tells what we cost: bytes of our files, requests, no shift, and of our tasks those that are long', async () => {
  const shop = await openShop(browser, `${service.url}/`);
  const { page } = shop;
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 20 });
  await chat(page).open();
  await chat(page).log.waitFor();
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  const perf = await page.evaluate(() => window.parley?.perf());
  expect(perf).toMatchObject({ ok: true, layoutShift: 0 });
  if (!perf?.ok) throw new Error('it did not measure');
  expect(perf.bytes).toBeGreaterThan(15_000);
  expect(perf.requests).toBeGreaterThan(4);
  expect(perf.longTasks?.length).toBeGreaterThan(0);
  for (const ms of perf.longTasks ?? []) expect(ms).toBeGreaterThanOrEqual(50);
  await shop.close();
});

test('a policy that blocks our files or our service is explained in one sentence', async () => {
  const under = async (name: string, policy: string) => {
    const head = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
    const shop = await openShop(
      browser,
      service.url + (await service.page(name, hostPage(service.url, { head }))),
    );
    await chat(shop.page).launcher.waitFor();
    const outcome = await shop.page.evaluate(() => window.parley?.open());
    const ours = () => shop.console.filter((line) => line.includes('Parley'));
    return { shop, outcome, ours };
  };
  const scripts = await under('policy-scripts', `script-src {{origin}}/parley.js 'unsafe-inline'`);
  expect(scripts.outcome).toMatchObject({ ok: false, error: { kind: 'notLoaded' } });
  await expect
    .poll(scripts.ours)
    .toEqual([`warning: Parley: your policy must allow ${service.url} in script-src-elem.`]);
  await scripts.shop.close();
  const connect = await under('policy-connect', `connect-src 'none'`);
  expect(connect.outcome).toEqual({ ok: true });
  await chat(connect.shop.page).say('Into nowhere');
  await expect
    .poll(connect.ours)
    .toEqual([`warning: Parley: your policy must allow ${service.url} in connect-src.`]);
  await connect.shop.close();
});

test.each([
  ['an accent', 'looks-accent', 'data-accent="#0b6e4f"'],
  ['patterns of pages, on one that does not show it,', 'looks-pages', 'data-pages="/help"'],
  ['a place inside one that does not show it', 'looks-inside', 'data-inside="main" data-pages="/help"'],
])(
  'with %s calls wait for the visitor as without, and are done in order then',
  async (_, name, attributes) => {
    const head = '<script>window.parley = [(chat) => chat.on("unread", () => {})]</script>';
    const shop = await openTagged(browser, service, name, attributes, {}, { head });
    const { page } = shop;
    const ofFile = (file: string) => shop.requests.find(({ path }) => path.startsWith(`/assets/${file}-`));
    const identifier = `visitor-${name}`;
    const call = (given: string) =>
      page.evaluate(
        async ([identifier, name]) => [
          await window.parley?.draft(`A lamp for ${name}`),
          await window.parley?.setAttributes({ contact: { first: name, last: name } }),
          await window.parley?.allow('persistent'),
          ...(name === 'Vera' ? [] : [await window.parley?.identify({ identifier, name })]),
        ],
        [identifier, given] as const,
      );
    const done = { ok: true };
    await page.waitForFunction(() => window.parley !== undefined);
    expect(await call('Vera')).toEqual([done, done, done]);
    await expect.poll(() => ofFile('owner')).toBeDefined();
    await settled(page, ofFile('owner')?.url ?? '');
    // Once more, now that the owner's file is here.
    expect(await call('Viola')).toEqual([done, done, done, done]);
    await drawn(page);
    expect(ofFile('chat')).toBeUndefined();
    expect(shop.requests.filter(({ path }) => path.startsWith('/public'))).toEqual([]);
    const kept = () => page.evaluate(async () => [{ ...localStorage }, await indexedDB.databases()]);
    expect(await kept()).toEqual([{}, []]);

    await page.evaluate(() => history.pushState(null, '', '/help'));
    if (!attributes.includes('inside')) await chat(page).open();
    await expect.poll(() => chat(page).field.inputValue()).toBe('A lamp for Viola');
    await chat(page).field.press('End');
    await page.keyboard.type(`, ${name}`);
    await chat(page).field.press('Enter');
    const told = await service.db.query(
      `select c.identifier, c.name, c.custom_attributes as contact
     from conversations v join contacts c on c.id = v.contact_id where v.display_id = $1`,
      [await agent(service).conversationOf(`A lamp for Viola, ${name}`)],
    );
    expect(told).toEqual([{ identifier, name: 'Viola', contact: { first: 'Viola', last: 'Viola' } }]);
    expect([...shop.console, ...shop.errors]).toEqual([]);
    await shop.close();
  },
);
