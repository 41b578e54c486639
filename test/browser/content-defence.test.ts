/**
 * What the widget does with words beyond showing them: markdown comes with a file that is checked, bombs do not stop the
 * page, secrets stay where they are, and a page that poisons every object gets nothing run.
 */
import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type HostileService, honest, startHostileService } from '../content/hostile-service.js';
import { inspect, ledger, listening, shows, visit, type Watched, watched } from '../content/inspect.js';
import { useBrowser } from '../support/browser.js';
import { longestTask } from '../support/tasks.js';

const browser = await useBrowser();
let service: HostileService;
let seen: Watched;

beforeAll(async () => {
  service = await startHostileService();
});
afterAll(() => service.end());
beforeEach(async () => {
  seen = await watched(browser, service);
  service.says = honest();
  service.heard.length = 0;
});
afterEach(() => seen.context.close());

const message = (id: number, content: string, more: object = {}) => ({
  id,
  content,
  message_type: 1,
  created_at: 1_760_000_000 + id,
  conversation_id: 1,
  sender: { id: 7, name: 'Grace', type: 'user' },
  ...more,
});
const threadFiles = () => service.heard.filter(({ path }) => path.includes('/thread-')).length;

test('what agents write is marked up at once, by a file that is fetched once and checked', async () => {
  const { page } = seen;
  service.says.history = [message(1, 'Plain words'), message(2, 'I *am* plain', { message_type: 0 })];
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/thread-*', async (route) => {
    await held;
    await route.continue();
  });
  const asked = page.waitForRequest('**/thread-*');
  const visiting = visit(page, service);
  await asked;
  const link = await page.evaluate(() => {
    const found = document.querySelector<HTMLLinkElement>('link[rel=modulepreload][href*="/thread-"]');
    return found && { href: found.href, integrity: found.integrity };
  });
  release();
  await visiting;
  await shows(page, 'I *am* plain');
  await listening(service, page);
  service.event('message.created', message(3, 'This is *so* good'));
  service.event('message.created', message(4, '1. one\n2. two'));
  await page.locator('parley-chat .rows em', { hasText: 'so' }).waitFor();
  await page.locator('parley-chat .rows ol > li', { hasText: 'two' }).waitFor();
  expect(await page.locator('parley-chat .mine .content').textContent()).toBe('I *am* plain');
  expect(threadFiles()).toBe(1);

  const bytes = await (await page.request.get(link?.href ?? '')).body();
  expect(link?.integrity).toBe(`sha256-${createHash('sha256').update(bytes).digest('base64')}`);
  expect(await inspect(page)).toMatchObject({ ran: [], broken: [], outside: [] });
});

test('without the file of the conversation the chat waits for it, and tries again', async () => {
  const { page } = seen;
  let refused = 0;
  await page.route('**/thread-*', (route) => (refused++ ? route.continue() : route.abort()));
  service.says.history = [message(1, 'This is *so* good')];
  await visit(page, service);
  await page.locator('parley-chat .rows em', { hasText: 'so' }).waitFor();
  expect(refused).toBeGreaterThanOrEqual(2);
});

/** Presses "Show more" until the first parts give way, and goes back to them. */
const showAll = (page: Watched['page']) =>
  page.evaluate(async () => {
    const root = document.querySelector('parley-chat')?.shadowRoot;
    const more = () => root?.querySelector<HTMLElement>('.rows .more:not(.earlier)');
    for (let press = 0; press < 4 && more(); press++) {
      more()?.click();
      for (let frame = 0; frame < 12; frame++) await new Promise(requestAnimationFrame);
    }
    for (let press = 0; press < 2; press++) {
      root?.querySelector<HTMLElement>('.rows .earlier')?.click();
      for (let frame = 0; frame < 12; frame++) await new Promise(requestAnimationFrame);
    }
  });

const LIMIT_MS = 200;
const bombs: Record<string, string> = {
  'a word of 150,000 characters': 'A'.repeat(150_000),
  '100,000 marks on a letter': `a${'\u0301'.repeat(100_000)}`,
  '100,000 turns of direction': 'a\u202eb\u202c'.repeat(25_000),
  '100,000 invisible characters': '\u200f\u200b'.repeat(50_000),
  '10,000 links': 'https://shop.example/a '.repeat(6_500),
  '10,000 markdown links': '[a](https://shop.example/a) '.repeat(5_000),
  'deep quotes': '>'.repeat(150_000),
  'deep lists': '- '.repeat(75_000),
  'a thousand lists': '- a\n  - b\n    - c\n'.repeat(8_000),
  'a table without end': `| a | b |\n|---|---|\n${'| c | d |\n'.repeat(15_000)}`,
  'tables of nothing but columns': `${'|'.repeat(21)}\n${'|-'.repeat(20)}|\n${'|\n'.repeat(70_000)}`,
  'marks that open and never close': '*a_ **b~~'.repeat(16_000),
  'emphasis without end': '*a* **b** `c` '.repeat(10_000),
  'lines without end': '\n.'.repeat(75_000),
  'faces without end': '👩‍👩‍👧‍👦'.repeat(13_000),
  'code without end': `| \` ${'x'.repeat(149_000)}\` |\n|-|\n|a|`,
  'a table whose head has no end': `${'*a* '.repeat(35_000)}|\n|-|\n|a|`,
  'ligatures without end': 'ﷺ﷽'.repeat(75_000),
};

async function longestOf(page: Watched['page'], bomb: string): Promise<number> {
  await visit(page, service);
  await listening(service, page);
  service.event('message.created', message(1, '*warm*'));
  await page.locator('parley-chat .rows em').waitFor();
  const settled = () =>
    page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  return longestTask(browser, page, async () => {
    service.event('message.created', message(2, bomb, { sender: { id: 2, name: bomb } }));
    service.event('message.created', message(3, 'Over'));
    await shows(page, 'Over');
    await settled();
    await showAll(page);
  });
}

test.each(Object.entries(bombs))(
  '%s stops the page for less than 200 ms, shown in parts and whole',
  async (_, bomb) => {
    const all: number[] = [];
    // Of three pages the best: on a busy machine the same work may take three times as long.
    while (all.length < 3 && !all.some((longest) => longest < LIMIT_MS)) {
      if (all.length) {
        await seen.context.close();
        seen = await watched(browser, service);
      }
      all.push(await longestOf(seen.page, bomb));
    }
    expect(Math.min(...all)).toBeGreaterThan(0);
    expect(Math.min(...all), `${all} ms`).toBeLessThan(LIMIT_MS);
  },
);

test('secrets and words are in no line, no attribute, no address, no event and no global', async () => {
  const { page, context } = seen;
  const secrets = {
    source: 'canary-source-7f3a',
    token: 'canary-token-91bc',
    mine: 'canary mine 5d2e',
    theirs: 'canary theirs c0de',
  };
  service.says = {
    ...honest(),
    contact: { source_id: secrets.source, pubsub_token: secrets.token },
    history: [message(1, `${secrets.theirs} https://files.example/elsewhere`)],
    sent: { status: 500, body: { error: 'no' } },
  };
  await context.addInitScript(() => {
    const heard: string[] = [];
    Object.assign(window, { testHeard: heard });
    const { dispatchEvent } = EventTarget.prototype;
    EventTarget.prototype.dispatchEvent = function (event) {
      heard.push(event.type, String(Reflect.get(event, 'detail')));
      return dispatchEvent.call(this, event);
    };
    const { postMessage } = window;
    window.postMessage = (...args: unknown[]) => {
      heard.push(JSON.stringify(args));
      return Reflect.apply(postMessage, window, args);
    };
    addEventListener('error', (event) => heard.push(`${event.message} ${event.error}`));
    addEventListener('unhandledrejection', (event) => heard.push(String(event.reason)));
  });
  const opened: (string | undefined)[] = [];
  await context.route('https://files.example/**', (route) => {
    opened.push(route.request().headers().referer);
    return route.fulfill({ contentType: 'text/html', body: '<h1>Elsewhere</h1>' });
  });
  await visit(page, service, {
    draft: secrets.mine,
    ledger: { ...ledger([]), sourceId: secrets.source },
  });
  await shows(page, secrets.theirs);
  await listening(service, page);
  // One answer is a refusal that nobody understands, one is none at all.
  const field = page.locator('parley-chat textarea[enterkeyhint]');
  await field.press('Enter');
  await shows(page, secrets.mine);
  await expect
    .poll(
      () =>
        service.heard.filter(({ method, path }) => method === 'POST' && path.endsWith('/messages')).length,
    )
    .toBeGreaterThan(0);
  await page.route('**/messages*', (route) => route.abort());
  await field.fill(`${secrets.mine} again`);
  await field.press('Enter');
  await shows(page, `${secrets.mine} again`);
  const [popup] = await Promise.all([
    context.waitForEvent('page'),
    page.locator('parley-chat .theirs .content a').click(),
  ]);
  await popup.locator('h1').waitFor();
  expect(await popup.evaluate(() => [document.referrer, String(window.opener)])).toEqual(['', 'null']);
  expect(opened).toEqual([undefined]);

  const exposed = await page.evaluate(() => {
    const root = document.querySelector('parley-chat')?.shadowRoot;
    const attributes = [...document.querySelectorAll('*'), ...(root?.querySelectorAll('*') ?? [])].flatMap(
      (element) => [...element.attributes].map(({ name, value }) => `${name}=${value}`),
    );
    const reached = new Set<unknown>();
    const reach = (value: unknown, depth: number): string[] => {
      if (typeof value === 'string') return [value];
      if (typeof value === 'function') return [String(value)];
      if (
        typeof value !== 'object' ||
        value === null ||
        depth > 6 ||
        reached.has(value) ||
        value instanceof Node
      )
        return [];
      reached.add(value);
      return Reflect.ownKeys(value).flatMap((key) => {
        const found = Object.getOwnPropertyDescriptor(value, key);
        return [String(key), ...(found && 'value' in found ? reach(found.value, depth + 1) : [])];
      });
    };
    const ours = Object.getOwnPropertyNames(window).filter((name) => /parley|nanostores|zod/i.test(name));
    return [
      ...attributes,
      ...ours.flatMap((name) => reach(Reflect.get(window, name), 0)),
      ...(Reflect.get(window, 'testHeard') as string[]),
      document.title,
      location.href,
      document.cookie,
      JSON.stringify(history.state),
      window.name,
      ...performance.getEntriesByType('mark').map(({ name }) => name),
    ];
  });
  const said = [...exposed, ...seen.console, ...seen.errors];
  for (const [name, secret] of Object.entries(secrets))
    expect(
      said.filter((line) => line.includes(secret)),
      name,
    ).toEqual([]);
  // And no page hears where its visitor wrote from.
  expect(service.heard.filter(({ path, referrer }) => path.startsWith('/public') && referrer)).toEqual([]);
});

test('on a page that has poisoned every object nothing runs and the chat works', async () => {
  const { page, context } = seen;
  await context.addInitScript(() => {
    const markup = '<img src=x onerror=alert(1)>';
    Object.assign(Object.prototype, {
      dangerouslySetInnerHTML: { __html: markup },
      __html: markup,
      innerHTML: markup,
      srcdoc: markup,
      src: 'javascript:alert(1)',
      href: 'javascript:alert(1)',
      onclick: 'alert(1)',
      onerror: 'alert(1)',
      onLoad: () => alert(),
      is: 'x-poison',
      style: 'background:url(//probe.invalid/x)',
      children: markup,
      attachments: [{ id: 1, data_url: 'javascript:alert(1)' }],
      file: '//probe.invalid/x.js',
      integrity: '',
    });
  });
  service.says.history = [message(1, '**Hello** https://shop.example/'), message(2, '- a\n- b')];
  await visit(page, service);
  await page.locator('parley-chat .rows strong', { hasText: 'Hello' }).waitFor();
  await listening(service, page);
  service.event('message.created', message(3, 'I came *later*'));
  await page.locator('parley-chat .rows em', { hasText: 'later' }).waitFor();
  await page.locator('parley-chat textarea[enterkeyhint]').fill('Can I write?');
  await page.locator('parley-chat textarea[enterkeyhint]').press('Enter');
  await shows(page, 'Can I write?');
  for (const part of ['.bubble', '.header', '.avatar', 'textarea'])
    await page.locator(`parley-chat ${part}`).first().click();
  const report = await inspect(page);
  const usual = report.strangers;
  expect(await inspect(page, usual)).toEqual({ ran: [], broken: [], strangers: [], outside: [] });
  expect({ errors: seen.errors, abroad: seen.abroad, popups: seen.popups }).toEqual({
    errors: [],
    abroad: [],
    popups: [],
  });
  expect(usual.filter((one) => /img|\[(src|on|srcdoc|innerhtml|is)/i.test(one))).toEqual([]);
});
