/**
 * Clients that would rather speak another protocol, as Java's and curl's offer HTTP/2: who does not speak it passes over
 * the offer, and answers. And sockets that are opened, and speak in crumbs.
 */
import { once } from 'node:events';
import net from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { connect, inboxPath, startMs, startTestService, type TestService } from '../support/service.js';

let service: TestService;
const open: net.Socket[] = [];
beforeAll(async () => {
  service = await startTestService();
}, startMs);
afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy();
});
afterAll(() => service.end());

function line() {
  const socket = net.connect(service.port, '127.0.0.1');
  open.push(socket);
  let heard = '';
  socket
    .on('error', () => undefined)
    .on('data', (data) => {
      heard += data;
    });
  return {
    socket,
    statuses: () => heard.match(/HTTP\/1\.1 \d+/gm)?.map((one) => Number(one.slice(9))),
    heard: () => heard,
  };
}

const offer = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n';
const others = 'Connection: keep-alive, Upgrade\r\nUpgrade: TLS/1.3\r\n';
const body = JSON.stringify({ name: 'Ada of the other protocol' });
const asked = (what: string, more = '') => `${what} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
const post = (more: string) =>
  asked(`POST ${inboxPath}/contacts`, `Content-Type: application/json\r\n${more}`);
const chunked = `5\r\n${body.slice(0, 5)}\r\n${(body.length - 5).toString(16)}\r\n${body.slice(5)}\r\n0\r\n\r\n`;

test.each([
  ['a question', asked('GET /healthz', offer), '', '"ok"'],
  ['a question with another offer', asked('GET /healthz', others), '', '"ok"'],
  ['words', post(`${offer}Content-Length: ${body.length}\r\n`), body, body.slice(1, -1)],
  ['words of unknown length', post(`Transfer-Encoding: chunked\r\n${offer}`), chunked, body.slice(1, -1)],
])('%s with an offer is answered as without, and so is what follows', async (_, head, rest, told) => {
  for (const cut of [0, Math.floor(rest.length / 2), rest.length]) {
    const { socket, statuses, heard } = line();
    socket.write(head + rest.slice(0, cut));
    // What is left of the body comes by itself.
    if (cut < rest.length) await service.call('GET', '/healthz');
    socket.write(rest.slice(cut));
    await expect.poll(statuses).toEqual([200]);
    expect(heard()).toContain(told);
    socket.write(asked('GET /api/v1/profile', offer));
    await expect.poll(statuses).toEqual([200, 401]);
    socket.write(asked('GET /healthz'));
    await expect.poll(statuses).toEqual([200, 401, 200]);
  }
});

test('questions sent at once are answered in their order, whichever of them have an offer', async () => {
  const { socket, statuses } = line();
  socket.write(
    asked(`GET ${inboxPath}`) +
      asked('GET /api/v1/profile', offer) +
      post(`${offer}Content-Length: ${body.length}\r\n`) +
      body +
      asked('GET /nowhere') +
      asked('GET /healthz', offer),
  );
  await expect.poll(statuses).toEqual([200, 401, 200, 404, 200]);
});

test('whoever asks to be the last one is, whatever they offer', async () => {
  const { socket, statuses } = line();
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(asked('GET /healthz', 'Connection: Upgrade, close\r\nUpgrade: h2c\r\n'));
  await closed;
  expect(statuses()).toEqual([200]);
});

const nobody = JSON.stringify({ command: 'subscribe', identifier: '{"channel":"Nobody"}' });

test('a command may come in some fragments, and who makes crumbs of it is sent away', async () => {
  const inFragments = async (most: number) => {
    const { socket, frame } = await connect(service);
    const size = Math.ceil(nobody.length / most);
    for (let from = 0; from < nobody.length; from += size)
      socket.send(nobody.slice(from, from + size), { fin: from + size >= nobody.length });
    const end = await Promise.race([
      once(socket, 'close').then(([code]) => code),
      frame(({ type }) => type === 'reject_subscription').then(() => 'obeyed'),
    ]);
    socket.terminate();
    return end;
  };
  expect(await inFragments(10)).toBe('obeyed');
  expect(await inFragments(nobody.length)).toBe(1008);
});

test('a frame that comes byte by byte is not kept until its end', async () => {
  const { socket, heard } = line();
  const isOver = () => socket.destroyed || heard().includes('reject_subscription');
  socket
    .setNoDelay(true)
    .write(
      asked(
        'GET /cable',
        'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n',
      ),
    );
  await expect.poll(heard).toContain('"welcome"');
  const text = nobody.padEnd(2000);
  // Masked with zeros.
  socket.write(Uint8Array.of(0x81, 0xfe, text.length >> 8, text.length & 255, 0, 0, 0, 0));
  for (const byte of text) {
    if (socket.destroyed) break;
    socket.write(byte);
    await setImmediate();
  }
  await expect.poll(isOver).toBe(true);
  expect(heard()).not.toContain('reject_subscription');
});
