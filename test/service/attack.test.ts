/** Bytes that any stranger may send: whatever they are, the process that reads them goes on. */
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type Built, buildService, launch, type Running } from '../support/processes.js';
import { inboxPath, startMs } from '../support/service.js';

let built: Built;
let dataDir: string;
let service: Running;
beforeAll(async () => {
  [built, dataDir] = await Promise.all([buildService(), mkdtemp(join(tmpdir(), 'parley-attack-'))]);
  service = await launch(built.main, [], { PORT: '0', DATA_DIR: dataDir, LOG: 'info' });
}, 2 * startMs);
afterAll(async () => {
  await service?.end('SIGTERM');
  await built?.remove();
  await rm(dataDir, { recursive: true, force: true });
});

function open(): Promise<Socket> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      socket.on('error', () => undefined);
      resolve(socket);
    });
  });
}

/** @returns what came back, once the service has hung up */
async function say(text: string): Promise<string> {
  const socket = await open();
  let heard = '';
  socket.on('data', (data) => {
    heard += data;
  });
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(text);
  await closed;
  return heard;
}

async function isWell(): Promise<void> {
  expect((await service.call('GET', '/health')).status).toBe(200);
  expect([service.child.exitCode, service.child.signalCode]).toEqual([null, null]);
}

const upgrade = (target: string) =>
  `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;

test.each(['//', '///', '//[', 'http://[', '*', '/cable/', '/%', '/cable%'])(
  'a socket asked for at %s is answered with 404',
  async (target) => {
    expect(await say(upgrade(target))).toMatch(/^HTTP\/1\.1 404 /);
    await isWell();
  },
);

test('a socket asked for without its key is answered with 400', async () => {
  expect(await say(upgrade('/cable?x=/'))).toMatch(/^HTTP\/1\.1 400 /);
  await isWell();
});

test.each(['/elsewhere', '/cable'])(
  'a connection that asks for a socket at %s and is reset harms nobody',
  async (target) => {
    const socket = await open();
    const answered = new Promise((resolve) => socket.once('data', resolve));
    socket.write(upgrade(target));
    await answered;
    socket.resetAndDestroy();
    await isWell();
  },
);

test.each(['ignored', 'attachments[]'])(
  'a form that breaks off in the middle of a file named %s harms nobody',
  async (field) => {
    const contact = (await service.call('POST', `${inboxPath}/contacts`, {})).body;
    const { source_id: key } = z.object({ source_id: z.string() }).parse(contact);
    const path = `${inboxPath}/contacts/${key}/conversations`;
    const made = (await service.call('POST', path, {})).body;
    const { id } = z.looseObject({ id: z.number() }).parse(made);
    const part = `--b\r\nContent-Disposition: form-data; name="${field}"; filename="f"\r\n\r\nhalf of it`;
    const head = [
      `POST ${path}/${id}/messages HTTP/1.1`,
      'Host: x',
      'Connection: close',
      'Content-Type: multipart/form-data; boundary=b',
      `Content-Length: ${part.length}`,
    ];
    expect(await say(`${head.join('\r\n')}\r\n\r\n${part}`)).toMatch(/^HTTP\/1\.1 4(00|22) /);
    await isWell();
  },
);

test.each([
  'GET // HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  'GET /%E0%A4%A HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: [\r\nConnection: close\r\n\r\n',
  'GET / HTTP/1.0\r\n\r\n',
  'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n',
  'TRACE / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  'no such thing\r\n\r\n',
])('%j harms nobody', async (text) => {
  await say(text);
  await isWell();
});
