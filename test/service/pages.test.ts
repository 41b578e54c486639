/** Built pages and what surrounds every answer: headers, nonces, logs without secrets. */
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import {
  errorBody,
  inboxPath,
  listen,
  startMs,
  startTestService,
  type TestService,
} from '../support/service.js';

let directory: string;
let service: TestService;
let failing = false;
const lines: string[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parley-pages-'));
  const files: Record<string, string> = {
    'site/index.html': '<h1>Shop</h1>',
    'site/strict.html': '<script nonce="{{nonce}}"></script><style nonce="{{nonce}}"></style>',
    'site/tag.html': '<script data-base-url="{{origin}}" data-inbox-identifier="{{inbox}}"></script>',
    'site/headers.json': JSON.stringify({
      'strict.html': { 'Content-Security-Policy': "script-src 'nonce-{{nonce}}'" },
    }),
    'console/index.html': '<h1>Console</h1>',
    'cdn/parley.js': 'launcher()',
    'cdn/assets/state-1234.js': 'state("{{nonce}}")',
    'cdn/chat.html': '<h1>Chat</h1>',
    'site/art/way.webm': '0123456789',
    'site/art/voice.wav': 'RIFF',
    'cdn/.vite/manifest.json': '{}',
    'secret.txt': 'outside',
  };
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(directory, path, '..'), { recursive: true });
    await writeFile(join(directory, path), content);
  }
  // As the page is served that the build makes of the widget.
  await cp(join(import.meta.dirname, '../../demo/site/headers.json'), join(directory, 'shop/headers.json'));
  service = await startTestService({
    statics: [
      { path: '/', directory: join(directory, 'site') },
      { path: '/agent', directory: join(directory, 'console') },
      { path: '/', directory: join(directory, 'cdn') },
      { path: '/', directory: join(directory, 'shop') },
    ],
    log: 'info',
    logTo: { write: (line) => void lines.push(line) },
    before: (_, next) => {
      if (failing) throw new Error('CANARY-internal');
      return next();
    },
  });
}, startMs);
afterAll(async () => {
  await service.end();
  await rm(directory, { recursive: true, force: true });
});

test.each([
  ['/', 'Shop', 'text/html; charset=utf-8', 'no-cache'],
  ['/strict', '<script', 'text/html; charset=utf-8', 'no-cache'],
  ['/agent', 'Console', 'text/html; charset=utf-8', 'no-cache'],
  ['/agent/', 'Console', 'text/html; charset=utf-8', 'no-cache'],
  ['/parley.js', 'launcher()', 'text/javascript; charset=utf-8', 'public, max-age=300'],
  [
    '/assets/state-1234.js',
    'state("{{nonce}}")',
    'text/javascript; charset=utf-8',
    'public, max-age=31536000, immutable',
  ],
])('%s is served with its type and its time to keep', async (path, content, type, cache) => {
  const { status, body, headers } = await service.call('GET', path);
  expect(status).toBe(200);
  expect(body).toContain(content);
  expect(headers.get('content-type')).toBe(type);
  expect(headers.get('cache-control')).toBe(cache);
  expect(headers.get('access-control-allow-origin')).toBe(type.startsWith('text/html') ? null : '*');
});

test('sound and film have their types, and are had in parts, as Safari asks for them', async () => {
  const part = (range: string, method = 'GET') =>
    fetch(`${service.url}/art/way.webm`, { method, headers: { Range: range } });
  expect((await fetch(`${service.url}/art/voice.wav`)).headers.get('content-type')).toBe('audio/wav');
  const whole = await fetch(`${service.url}/art/way.webm`);
  expect([whole.status, await whole.text()]).toEqual([200, '0123456789']);
  expect(whole.headers.get('content-type')).toBe('video/webm');
  expect(whole.headers.get('accept-ranges')).toBe('bytes');
  for (const [range, words, told] of [
    ['bytes=0-1', '01', 'bytes 0-1/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=-2', '89', 'bytes 8-9/10'],
    ['bytes=5-99', '56789', 'bytes 5-9/10'],
  ] as const) {
    const answer = await part(range);
    expect([answer.status, await answer.text()]).toEqual([206, words]);
    expect(answer.headers.get('content-range')).toBe(told);
    expect(answer.headers.get('content-length')).toBe(String(words.length));
  }
  const beyond = await part('bytes=10-');
  expect(beyond.status).toBe(416);
  expect(beyond.headers.get('content-range')).toBe('bytes */10');
  expect((await part('bytes=0-1', 'HEAD')).status).toBe(200);
  // A page is made anew for each answer.
  const page = await fetch(`${service.url}/`, { headers: { Range: 'bytes=0-1' } });
  expect(page.status).toBe(200);
});

test('a page with a nonce has a fresh one each time, the same in its header', async () => {
  const seen = new Set<string>();
  for (let n = 0; n < 3; n += 1) {
    const { body, headers } = await service.call('GET', '/strict.html');
    const nonce = /nonce-([\w-]+)'/.exec(headers.get('content-security-policy') ?? '')?.[1] ?? '';
    expect(body).toBe(`<script nonce="${nonce}"></script><style nonce="${nonce}"></style>`);
    seen.add(nonce);
  }
  expect(seen.size).toBe(3);
});

test('nobody frames the chat that is a page of its own, and other pages are framed as ever', async () => {
  const policy = async (path: string) =>
    (await service.call('GET', path)).headers.get('content-security-policy');
  expect(await policy('/chat.html')).toBe("frame-ancestors 'none'");
  expect(await policy('/chat')).toBe("frame-ancestors 'none'");
  expect(await policy('/')).toBe(null);
});

test('a page names the service by the address that the world knows', async () => {
  const tag = async ({ call }: TestService) => (await call('GET', '/tag')).body;
  expect(await tag(service)).toContain(`data-base-url="${service.url}" data-inbox-identifier="demo-inbox"`);
  const statics = [{ path: '/', directory: join(directory, 'site') }];
  const [behind, here] = await Promise.all([
    startTestService({ statics, publicUrl: 'https://support.example.com' }),
    startTestService({ statics, publicUrl: 'http://localhost:1' }),
  ]);
  expect(await tag(behind)).toContain('data-base-url="https://support.example.com"');
  // Whoever came from another machine is not sent to their own.
  expect(await tag(here)).toContain(`data-base-url="${here.url}"`);
  await Promise.all([behind.end(), here.end()]);
});

test('nothing outside of the directories, and not the table of headers', async () => {
  for (const path of [
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/agent/..%2f..%2fsecret.txt',
    '/headers.json',
    '//headers.json',
    '/assets%2f..%2fheaders.json',
    '/.vite/manifest.json',
    '/a%00',
  ]) {
    expect((await service.call('GET', path)).status, path).toBe(404);
  }
});

test('an error of ours tells nothing of itself', async () => {
  failing = true;
  const { status, body, headers } = await service.call('GET', inboxPath);
  failing = false;
  expect(status).toBe(500);
  expect(errorBody.parse(body).errors[0]?.code).toBe('internal_error');
  expect(JSON.stringify(body)).not.toContain('CANARY');
  const logged = lines.find(
    (line) => line.includes(headers.get('x-request-id') ?? '?') && line.includes('"stack"'),
  );
  expect(logged).toBeDefined();
  expect(logged).not.toContain('CANARY');
});

test('logs hold the template of a route, a status, a time, a request id, and no secret', async () => {
  const pair = z.looseObject({ pubsub_token: z.string() });
  const contact = pair.parse(
    (
      await service.call('POST', `${inboxPath}/contacts`, {
        source_id: 'CANARY-source',
        name: 'CANARY-name',
        email: 'canary@example.com',
      })
    ).body,
  );
  const path = `${inboxPath}/contacts/CANARY-source`;
  await service.call('POST', `${path}/conversations`, { custom_attributes: { a: 'CANARY-attribute' } });
  const heard = await listen(service, { pubsub_token: contact.pubsub_token });
  await service.call('POST', `${path}/conversations/1/messages`, {
    content: 'CANARY-text',
    echo_id: 'CANARY-echo',
  });
  await heard.event('message.created');
  heard.close();
  await service.call('POST', `${path}/conversations/1/messages`, { content: 7, CANARY: 1 });
  await service.call('GET', `${path}?identifier=CANARY-id&identifier_hash=CANARY-hash`);
  await service.call('GET', '/CANARY-path?CANARY');
  await service.agent('GET', '/api/v1/accounts/1/conversations?q=CANARY-search');
  await service.call('GET', '/api/v1/profile', undefined, { api_access_token: 'CANARY-token' });

  const log = lines.join('');
  expect(log).not.toMatch(/canary/i);
  expect(log).not.toContain(contact.pubsub_token);
  expect(log).not.toContain(service.apiAccessToken);
  const line = z.looseObject({ route: z.string().optional() });
  const seen = lines.map((text) => line.parse(JSON.parse(text)));
  expect(seen).toContainEqual({
    level: 30,
    time: expect.any(String),
    method: 'POST',
    route: `${inboxPath.replace('demo-inbox', ':inbox_identifier')}/contacts/:contact_identifier/conversations/:conversation_id/messages`,
    status: 200,
    ms: expect.any(Number),
    request: expect.stringMatching(/^[\w-]{12}$/),
  });
});
