/** The bridge's messages, the page's address and its HTML: what the README says of them is what they are. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformWithOxc } from 'vite';
import { describe, expect, test, vi } from 'vitest';
import { hasHost } from '../../src/bridge/host.js';
import { createAppStorage } from '../../src/bridge/kept.js';
import { type Ask, type Desk, incoming, outgoing, read, VERSION } from '../../src/bridge/messages.js';
import { choices, kebab, kinds } from '../../src/option-kinds.js';
import { readAddress, without } from '../../src/page/address.js';
import { chatPage } from '../../src/page/html.js';

const source = (file: string) => readFileSync(join(import.meta.dirname, '../..', file), 'utf8');
const readme = source('README.md');
const section = readme.slice(readme.indexOf('## As a page'), readme.indexOf('## Against a reference'));

/** Types and fields of the table below these words; a field that may be absent ends in `?`. */
function table(below: string): Record<string, string[]> {
  const text = section.slice(section.indexOf(below));
  const [, rows = ''] = /\|---\|---\|---\|\n((?:\|.*\n)+)/.exec(text) ?? [];
  return Object.fromEntries(
    rows
      .trim()
      .split('\n')
      .map((row) => row.split('|').map((cell) => cell.trim()))
      .map(([, type = '', fields = '']) => [
        type.replaceAll('`', ''),
        fields ? fields.split(', ').map((field) => field.replaceAll('`', '')) : [],
      ]),
  );
}

const asks: [string, Ask][] = Object.entries(incoming);
/** There is no chat: what is read is looked at, not done. */
const desk: Desk = {
  chat: () => new Promise(() => {}),
  options: () => ({ ok: true }),
  kept: () => ({ ok: true }),
  back: () => ({ ok: true }),
};

describe('the README', () => {
  test('has every message of the page', () => {
    const optional = new Set(['error.of', 'error.id']);
    const all = Object.fromEntries(
      Object.entries(outgoing).map(([type, fields]) => [
        type,
        fields.map((field) => (optional.has(`${type}.${field}`) ? `${field}?` : field)),
      ]),
    );
    expect(table('What the page says')).toEqual(all);
  });

  test('has every message of the app', () => {
    const all = Object.fromEntries(
      asks.map(([type, { fields }]) => [
        type,
        Object.entries(fields).map(([name, { optional }]) => (optional ? `${name}?` : name)),
      ]),
    );
    expect(table('What the app says')).toEqual(all);
  });

  test('names what may stand in an address, and nothing else may', () => {
    const [, list = ''] = /without `data-`:([^.]*)\./.exec(section) ?? [];
    const named = [...list.matchAll(/`([\w-]+)`/g)].map(([, name]) => name ?? '').sort();
    const taken = [...Object.keys(kinds), ...Object.keys(choices)].filter(
      (name) => name in readAddress(`?${kebab(name)}=1`).options,
    );
    expect(named).toEqual(taken.map(kebab).sort());
    expect(readAddress('?utm_source=mail&launcher=hidden&nonce=1')).toMatchObject({
      options: {},
      refused: [],
    });
  });

  test('has an address of which all is taken', () => {
    const [, query = ''] = /```\nhttps:\/\/\S+\/chat\.html(\?\S+)\n```/.exec(section) ?? [];
    expect(readAddress(query)).toMatchObject({
      options: { inboxIdentifier: 'INBOX', accent: '#0b6e4f', title: 'Ask us' },
      refused: [],
    });
  });

  test.each([
    'identifier_hash',
    'identifier-hash',
    'identifierHash',
    'user_hash',
    'source_id',
    'phone_number',
    'auth_token',
  ])('keeps who the visitor is out of an address, also as %s', (name) => {
    expect(readAddress(`?${name}=1&inbox-identifier=i`)).toMatchObject({
      options: { inboxIdentifier: 'i' },
      refused: [name],
    });
  });

  const recipe = (language: string) =>
    new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(section)?.[1] ?? '';

  describe.each(['kotlin', 'swift', 'jsx', 'dart'])('has a recipe in %s', (language) => {
    const code = recipe(language);

    test('that says what there is, with fields that there are', () => {
      const said = [...code.matchAll(/["']?type["']?\s*[:,]\s*["'](\w+)["'](.*)/g)];
      // Only there the system has a way back of its own.
      const back = language === 'kotlin' ? ['back'] : [];
      expect(said.map(([, type]) => type)).toEqual([...back, 'kept', 'reset', 'identify']);
      for (const [, type = '', rest = ''] of said) {
        const names = [...rest.matchAll(/(?:\.put\(|, )["']?(\w+)["']?[,:]/g)].map(([, name]) => name);
        const fields = Object.entries(asks.find(([name]) => name === type)?.[1].fields ?? {});
        const needed = fields.filter(([, { optional }]) => !optional).map(([name]) => name);
        expect(names).toEqual(type === 'identify' ? [...needed, 'hash'] : needed);
        expect(fields.map(([name]) => name)).toEqual(expect.arrayContaining(names));
      }
      expect(/["']?parley["']?(?:,|:) (\d+)/.exec(code)?.[1]).toBe(String(VERSION));
    });

    test('that hears what there is, and each field by its name', () => {
      const heard = code.split(/(?:case\s+|^\s+)["'](?=\w+["'](?::| ->))/m).slice(1);
      const types = heard.map((branch) => /^\w+/.exec(branch)?.[0]);
      expect(types).toEqual(['ready', 'keep', 'unread', 'save', 'openLink', 'close', 'error']);
      const fieldsOf: Record<string, readonly string[]> = {
        ...outgoing,
        // What a file is its name says, too.
        save: ['name', 'text'],
        error: ['message'],
      };
      for (const [i, branch] of heard.entries()) {
        const read = /\bmessage(?:\.(?:get\w+|isNull)\(|\[)["'](\w+)["']|\bmessage\.(\w+)(?![\w(])/g;
        const names = [...branch.matchAll(read)].map(([, quoted, bare]) => quoted ?? bare);
        expect([...new Set(names)].sort(), types[i]).toEqual(fieldsOf[types[i] ?? '']);
      }
    });
  });

  test.each([
    ['kotlin', [/asked\.url\.host != Uri\.parse\(host\)\.host/, /"ParleyNative", setOf\(host\)/]],
    ['swift', [/guard said\.frameInfo\.isMainFrame, said\.frameInfo\.securityOrigin\.host == page\.host/]],
    [
      'jsx',
      [
        /originWhitelist=\{\[host\]\}/,
        /if \(nativeEvent\.url !== host && !nativeEvent\.url\.startsWith\(`\$\{host\}\/`\)\) return/,
      ],
    ],
    [
      'dart',
      [
        /onNavigationRequest: [\s\S]*asked\.url\.startsWith\('\$host\/'\)\) return NavigationDecision\.navigate/,
        /get ours async => \(await web\.currentUrl\(\)\)\?\.startsWith\('\$host\/'\) == true;/,
        /hear\([\s\S]*if \(!await ours\) return;/,
        /permit\([\s\S]*&& await ours &&/,
      ],
    ],
  ])('has a recipe in %s that answers no page but ours', (language, written) => {
    for (const guard of written) expect(recipe(language)).toMatch(guard);
  });

  test.each([
    ['kotlin', /addWebMessageListener\(web, "(\w+)"/, (name: string, object: object) => ({ [name]: object })],
    [
      'swift',
      /userContentController\.add\(self, name: "(\w+)"\)/,
      (name: string, object: object) => ({ webkit: { messageHandlers: { [name]: object } } }),
    ],
    ['dart', /addJavaScriptChannel\('(\w+)'/, (name: string, object: object) => ({ [name]: object })],
    // Its library has the name.
    ['jsx', /(WebView)/, (name: string, object: object) => ({ [`ReactNative${name}`]: object })],
  ])('has a recipe in %s that names what the page looks for', (language, written, put) => {
    const code = recipe(language);
    const [, name = ''] = written.exec(code) ?? [];
    const page = { top: {}, ...put(name, { postMessage() {} }) };
    page.top = page;
    vi.stubGlobal('window', page);
    const [, query = ''] = /chat\.html(\?[^`'"]+)/.exec(code) ?? [];
    const { bridge, options } = readAddress(query);
    const known = hasHost(bridge === 'app');
    vi.unstubAllGlobals();
    expect([known, options]).toEqual([true, { inboxIdentifier: 'INBOX' }]);
  });

  test('has a recipe in kotlin whose web view stays in the app, and ends with its activity', () => {
    const parts = ['shouldOverrideUrlLoading', 'onPageStarted', 'onRenderProcessGone', 'web\\.destroy\\(\\)'];
    expect(recipe('kotlin')).toMatch(new RegExp(parts.join('[^]*')));
  });

  test('has a recipe for React Native that is JavaScript', async () => {
    const { code: made } = await transformWithOxc(recipe('jsx'), 'chat.jsx', {
      jsx: { runtime: 'automatic' },
    });
    expect(made).toContain('inbox-identifier=INBOX');
  });
});

describe('a message of the app', () => {
  test.each(asks)('%s: its example is read, and each wrong field is named', (type, { fields, example }) => {
    const message = { parley: 1, type, id: 'one', ...example };
    expect(read(message, false, desk)).toMatchObject({ kind: 'ask', type, id: 'one' });
    expect(read(JSON.stringify(message), true, desk)).toMatchObject({ kind: 'ask', type, id: 'one' });
    for (const [name, { optional, write }] of Object.entries(fields)) {
      for (const value of [Number.NaN, [], [{}], { deep: {} }, ...(optional ? [] : [null, undefined])]) {
        if (name === 'options' && typeof value === 'object' && value && 'deep' in value) continue;
        const reading = read({ ...message, [name]: value }, false, desk);
        expect(reading, `${type}.${name} = ${JSON.stringify(value)}`).toMatchObject({
          kind: 'wrong',
          type,
          id: 'one',
        });
        expect(reading).toMatchObject({
          write: expect.stringContaining(
            `"${name}" of ${type} must be ${write}, like {"parley":1,"type":"${type}"`,
          ),
        });
      }
    }
  });

  test('what others say on the same line is none of our business', () => {
    for (const said of [
      'webpackHotUpdate',
      '{"type":"open"}',
      { source: 'devtools' },
      undefined,
      7,
      null,
      '[1]',
    ]) {
      expect(read(said, true, desk)).toEqual({ kind: 'ignored' });
      expect(read(said, false, desk)).toMatchObject({ kind: 'wrong' });
    }
    for (const type of ['juggle', 'toString', '__proto__', 'constructor'])
      expect(read({ parley: 1, type }, false, desk)).toEqual({ kind: 'ignored' });
  });

  test('a wrong value is not repeated in the answer', () => {
    const reading = read({ parley: 1, type: 'identify', identifier: 'u', hash: 'a secret' }, false, desk);
    expect(JSON.stringify(reading)).not.toContain('a secret');
  });
});

test('an app hears of the last change of a task, and only of what is ours when it gives it back', async () => {
  const told: unknown[] = [];
  const { storage, fill } = createAppStorage((key, value) => told.push([key, value]));
  fill({ 'parley:a': '1', other: '2' });
  expect([storage.length, storage.key(0), storage.getItem('parley:a'), storage.getItem('other')]).toEqual([
    1,
    'parley:a',
    '1',
    null,
  ]);
  for (const words of ['H', 'He', 'Hel']) storage.setItem('parley:draft', words);
  storage.setItem('parley:a', '1');
  await Promise.resolve();
  expect(told).toEqual([['parley:draft', 'Hel']]);
  storage.removeItem('parley:nothing');
  storage.clear();
  await Promise.resolve();
  expect(told.slice(1)).toEqual([
    ['parley:a', null],
    ['parley:draft', null],
  ]);
});

test.each([
  'identifier',
  'identifier-hash',
  'identifierHash',
  'hash',
  'source-id',
  'pubsub-token',
  'email',
  'name',
  'phone',
])('in an address %s is refused and taken out', (name) => {
  const search = `?inbox-identifier=x&${name}=secret&locale=de`;
  const { options, refused } = readAddress(search);
  expect(options).toEqual({ inboxIdentifier: 'x', locale: 'de' });
  expect(refused).toEqual([name]);
  expect(without(search, refused)).toBe('?inbox-identifier=x&locale=de');
});

describe('chat.html', () => {
  const file = (place: string) => ({ place, content: 'x' });
  const make = (owned: Parameters<typeof chatPage>[3]) =>
    chatPage(source('src/page/chat.html'), file('assets/page.js'), file('assets/page.css'), owned);

  test('has no script and no style of its own, and names its files with their hashes', () => {
    const page = make({});
    expect(page).not.toMatch(/<style|style="|\son\w+="|javascript:|%|<!--/);
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page).toMatch(
      /<script defer src="assets\/page\.js" integrity="sha384-[\w+/]{64}" crossorigin="anonymous"><\/script>/,
    );
    expect(page).toMatch(/<link rel="stylesheet" href="assets\/page\.css" integrity="sha384-[\w+/]{64}"/);
    expect(page).toContain("connect-src 'self';");
    expect(page).toContain('viewport-fit=cover');
  });

  test('has what the README’s command says of it', () => {
    const [, command = ''] = /```sh\n(PARLEY_.*) npm run build\n/.exec(readme) ?? [];
    const said = Object.fromEntries(command.split(' ').map((word) => word.split('=')));
    expect(Object.keys(said)).toEqual(['PARLEY_SERVICE', 'PARLEY_INBOX', 'PARLEY_FALLBACK']);
    const page = make(said);
    for (const value of Object.values(said)) expect(page).toContain(`="${value}"`);
  });

  test('has what its owner has said, and no more than that', () => {
    const page = make({
      PARLEY_SERVICE: 'https://support.example.com/desk',
      PARLEY_INBOX: 'a"b<c',
      PARLEY_FALLBACK: 'tel:+4670123456',
    });
    expect(page).toContain("connect-src 'self' https://support.example.com wss://support.example.com;");
    expect(page).toContain('data-base-url="https://support.example.com/desk"');
    expect(page).toContain('data-inbox-identifier="a&#34;b&#60;c"');
    expect(page.match(/<a href="tel:\+4670123456">/g)).toHaveLength(2);
  });

  test.each([
    ['PARLEY_SERVICE', 'support.example.com'],
    ['PARLEY_SERVICE', 'ftp://support.example.com'],
    ['PARLEY_FALLBACK', 'javascript:alert(1)'],
    ['PARLEY_FALLBACK', 'help@example.com'],
  ])('is not built with a wrong %s, %s', (name, value) => {
    expect(() => make({ [name]: value })).toThrow(`${name}: write`);
  });
});
