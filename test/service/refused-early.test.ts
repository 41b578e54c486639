/** What is refused before the application is asked, which has the specified body as everything else has. */
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { errorBody, inboxPath, startMs, startTestService, type TestService } from '../support/service.js';

let service: TestService;
let hurried: TestService;
beforeAll(async () => {
  service = await startTestService();
  hurried = await startTestService({ limits: { requestsPerAddress: 1 } });
}, startMs * 2);
afterAll(async () => {
  await service.end();
  await hurried.end();
});

/** @returns what came until the service hung up */
function say(text: string, at = service, then?: (socket: Socket) => void): Promise<string> {
  const socket = connect(at.port, '127.0.0.1');
  let heard = '';
  socket.on('data', (data) => {
    heard += data;
    then?.(socket);
  });
  socket.on('error', () => undefined);
  socket.write(text);
  return new Promise((resolve) => socket.once('close', () => resolve(heard)));
}

/** An answer as it came on the line, of one piece. */
function read(heard: string) {
  const [head = '', body = ''] = heard.split('\r\n\r\n');
  const [line = '', ...lines] = head.split('\r\n');
  const headers = new Headers(lines.map((one) => [one.split(': ')[0] ?? '', one.split(': ')[1] ?? '']));
  return { status: Number(line.split(' ')[1]), headers, body };
}

const socketAt = (target: string, more = '', method = 'GET') =>
  `${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${more}\r\n`;
const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
const closing = 'Host: x\r\nConnection: close\r\n\r\n';

test.each<[status: number, field: string, what: string, text: string]>([
  [400, 'request', 'no HTTP', 'no such thing\r\n\r\n'],
  [400, 'request', 'a length that is none', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: many\r\n\r\n'],
  [400, 'request', 'no host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n'],
  [400, 'request', 'a host that is none', 'GET / HTTP/1.1\r\nHost: [\r\nConnection: close\r\n\r\n'],
  [400, 'request', 'a target that is none', `OPTIONS * HTTP/1.1\r\n${closing}`],
  [400, 'request', 'another scheme', `GET ftp://x/ HTTP/1.1\r\n${closing}`],
  [417, 'request', 'an expectation', `GET / HTTP/1.1\r\nExpect: cake\r\n${closing}`],
  [431, 'request', 'headers without an end', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n${closing}`],
  [404, 'path', 'nothing at an address', `GET /api/nothing HTTP/1.1\r\n${closing}`],
  [404, 'path', 'a method nobody knows', `TRACE /nowhere HTTP/1.1\r\n${closing}`],
  [404, 'path', 'a socket elsewhere', socketAt('/elsewhere')],
  [400, 'handshake', 'a socket without its key', socketAt('/cable')],
  [400, 'handshake', 'a socket of another version', socketAt('/cable', `${key}Sec-WebSocket-Version: 7\r\n`)],
  [405, 'method', 'a socket that is written to', socketAt('/cable', '', 'POST')],
])('%d of %s: %s', async (status, field, _, text) => {
  const answer = read(await say(text));
  expect(answer.status).toBe(status);
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  expect(errorBody.parse(JSON.parse(answer.body)).errors.map((error) => error.field)).toEqual([field]);
  expect(Number(answer.headers.get('content-length'))).toBe(Buffer.byteLength(answer.body));
});

test('who speaks HTTP of before there were hosts is answered without one', async () => {
  for (const target of ['/healthz', '/readyz', inboxPath, '/docs'])
    expect(read(await say(`GET ${target} HTTP/1.0\r\n\r\n`)).status, target).toBe(200);
  expect(read(await say(`GET / HTTP/1.0\r\nHost: [\r\n\r\n`)).status).toBe(400);
});

test('who may not open one more socket reads when to come back', async () => {
  expect((await hurried.call('GET', inboxPath)).status).toBe(200);
  const answer = read(await say(socketAt('/cable', `${key}Sec-WebSocket-Version: 13\r\n`), hurried));
  expect(answer.status).toBe(429);
  expect(errorBody.parse(JSON.parse(answer.body)).errors[0]).toMatchObject({ code: 'too_many_requests' });
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
});

test('a socket of another version reads which ones there are', async () => {
  const answer = read(await say(socketAt('/cable', `${key}Sec-WebSocket-Version: 7\r\n`)));
  expect(answer.headers.get('sec-websocket-version')).toBe('13, 8');
});

test('who does not hang up after that is hung up on', async () => {
  // Half of the connection stays open, as its owner wants it.
  const socket = connect({ port: service.port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined).resume();
  const closed = new Promise((resolve) => socket.once('end', resolve));
  socket.write(socketAt('/elsewhere'));
  await closed;
  const cut = new Promise((resolve) => socket.once('close', resolve));
  const more = setInterval(() => socket.write('more'), 50);
  await cut;
  clearInterval(more);
});

test('what is no HTTP does not break into an answer under way', async () => {
  let isTold = false;
  const heard = await say(`GET ${inboxPath} HTTP/1.1\r\nHost: x\r\n\r\n`, service, (socket) => {
    if (!isTold) socket.write('no such thing\r\n\r\n');
    isTold = true;
  });
  const [, first = '', second = ''] = heard.split(/HTTP\/1\.1 /);
  expect(first).toMatch(/^200 /);
  expect(second).toMatch(/^400 /);
});
