/** JSON, or the text of a form, that does not come to its end: the fault of the line or of its sender, and never told as one of ours. */
import net from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { joinedPieces } from '../../demo/service/http/joined-pieces.js';
import { rawLine } from '../support/raw-line.js';
import {
  inboxPath,
  startMs,
  startTestService,
  type TestService,
  type Visitor,
  visit,
} from '../support/service.js';

let service: TestService;
const lines: string[] = [];
let isAsked = () => {};
beforeAll(async () => {
  service = await startTestService({
    log: 'info',
    logTo: { write: (line) => void lines.push(line) },
    before: (context, next) => {
      if (context.req.method === 'POST') isAsked();
      return next();
    },
  });
}, startMs);
afterAll(() => service.end());

const head = (bytes: number) =>
  `POST ${inboxPath}/contacts HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`;

test.each([
  ['is cut', (socket: net.Socket) => void socket.resetAndDestroy()],
  ['is closed', (socket: net.Socket) => void socket.destroy()],
  ['ends in its middle', (socket: net.Socket) => void socket.end()],
])('a body whose line %s is refused: nothing is wrong with the service', async (_, end) => {
  lines.length = 0;
  const asked = new Promise<void>((resolve) => {
    isAsked = resolve;
  });
  const socket = net.connect(service.port, '127.0.0.1');
  socket.on('error', () => undefined).resume();
  socket.write(`${head(100)}{"name": "A`);
  await asked;
  end(socket);
  await expect.poll(() => lines.filter((line) => line.includes('"method":"POST"'))).toHaveLength(1);
  const told = lines.find((line) => line.includes('"method":"POST"')) ?? '';
  expect(JSON.parse(told)).toMatchObject({ level: 30, status: 400 });
  expect(lines.filter((line) => !line.includes('"level":30'))).toEqual([]);
  expect((await service.call('GET', '/metrics')).body).not.toContain('status="500"');
});

/** A line of its own, with the beginning of a request, for a contact if not told, whose body comes in pieces. */
function begin(at: TestService, path = `${inboxPath}/contacts`, type = 'application/json') {
  const { socket, closed, heard } = rawLine(at.port);
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Type: ${type}\r\n\r\n`,
  );
  const send = (piece: string) => socket.write(`${piece.length.toString(16)}\r\n${piece}\r\n`);
  return { socket, closed, heard, send, end: () => socket.write('0\r\n\r\n') };
}

const blank = (bytes: number) => ' '.repeat(bytes);

test('a trickle of JSON is refused once its time is over, and nobody who brings enough', async () => {
  const bodyMs = 300;
  const strict = await startTestService({ limits: { bodyMs } });
  const [slow, enough] = [begin(strict), begin(strict)];
  // As much as two minutes more are for.
  enough.send(blank(512 * 1024));
  const began = performance.now();
  const trickle = setInterval(() => {
    slow.send(' ');
    enough.send(' ');
  }, 10);
  await slow.closed;
  clearInterval(trickle);
  expect(slow.heard()).toMatch(/^HTTP\/1\.1 408 [\s\S]*"code":"timeout"/);
  expect(performance.now() - began).toBeGreaterThan(bodyMs);
  enough.send('{}');
  enough.end();
  await expect.poll(enough.heard).toMatch(/^HTTP\/1\.1 200 /);
  enough.socket.destroy();
  await strict.end();
});

test('JSON of all requests that are still coming has so much room; small ones find some always', async () => {
  const narrow = await startTestService({ limits: { comingBytes: 120_000 } });
  const large = 100_000;
  const first = begin(narrow);
  first.send(blank(large));
  const refused = async () =>
    (await narrow.call('POST', `${inboxPath}/contacts`, `${blank(large)}{}`)).status;
  await expect.poll(refused).toBe(503);
  const late = await narrow.call('POST', `${inboxPath}/contacts`, `${blank(large)}{}`);
  expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await narrow.call('POST', `${inboxPath}/contacts`, { name: 'A small one' })).status).toBe(200);
  first.send('{}');
  first.end();
  await expect.poll(first.heard).toMatch(/^HTTP\/1\.1 200 /);
  expect(await refused()).toBe(200);
  first.socket.destroy();
  const left = begin(narrow);
  left.send(blank(large));
  await expect.poll(refused).toBe(503);
  left.socket.destroy();
  await expect.poll(refused).toBe(200);
  await narrow.end();
});

/** The beginning of a message as a form whose text is still coming. */
function beginForm(at: TestService, { path }: Visitor) {
  const part = '--b\r\ncontent-disposition: form-data; name="content"\r\n\r\n';
  const form = begin(at, `${path}/messages`, 'multipart/form-data; boundary=b');
  form.send(part);
  return {
    ...form,
    beginFile: () =>
      form.send('\r\n--b\r\ncontent-disposition: form-data; name="attachments[]"; filename="a.txt"\r\n\r\n'),
    end() {
      form.send('\r\n--b--\r\n');
      form.end();
    },
  };
}

test('a trickle of a form’s text is refused once its time is over, and a file may take longer', async () => {
  const bodyMs = 500;
  const strict = await startTestService({ limits: { bodyMs } });
  const visitor = await visit(strict);
  const [slow, file] = [beginForm(strict, visitor), beginForm(strict, visitor)];
  file.send('With a file');
  file.beginFile();
  const began = performance.now();
  const trickle = setInterval(() => {
    slow.send('x');
    file.send('x');
  }, 10);
  await slow.closed;
  expect(slow.heard()).toMatch(/^HTTP\/1\.1 408 [\s\S]*"code":"timeout"/);
  expect(performance.now() - began).toBeGreaterThan(bodyMs);
  await expect.poll(() => performance.now() - began).toBeGreaterThan(2 * bodyMs);
  clearInterval(trickle);
  file.end();
  await expect.poll(file.heard).toMatch(/^HTTP\/1\.1 200 /);
  file.socket.destroy();
  await strict.end();
});

test('the text of forms that are still coming has the room that JSON has, and files need none of it', async () => {
  const narrow = await startTestService({ limits: { comingBytes: 120_000 } });
  const visitor = await visit(narrow);
  const large = 100_000;
  const refused = async () =>
    (await narrow.call('POST', `${inboxPath}/contacts`, `${blank(large)}{}`)).status;
  const file = beginForm(narrow, visitor);
  file.beginFile();
  for (let n = 0; n < 10; n += 1) file.send(blank(large));
  const first = beginForm(narrow, visitor);
  first.send('x'.repeat(large));
  await expect.poll(refused).toBe(503);
  const late = beginForm(narrow, visitor);
  late.send('x'.repeat(large));
  await expect.poll(late.heard).toMatch(/^HTTP\/1\.1 503 [\s\S]*"code":"no_room"/);
  file.end();
  await expect.poll(file.heard).toMatch(/^HTTP\/1\.1 200 /);
  first.end();
  await expect.poll(first.heard).toMatch(/^HTTP\/1\.1 200 /);
  expect(await refused()).toBe(200);
  const left = beginForm(narrow, visitor);
  left.send('x'.repeat(large));
  await expect.poll(refused).toBe(503);
  left.socket.destroy();
  await expect.poll(refused).toBe(200);
  for (const { socket } of [file, first, late]) socket.destroy();
  await narrow.end();
});

test('pieces of one byte are passed on as few large ones, and none is lost', async () => {
  const letters = Array.from({ length: 100_000 }, (_, n) => Buffer.from(String(n % 10)));
  const pieces: Buffer[] = [];
  for await (const piece of Readable.from(letters).pipe(joinedPieces())) pieces.push(piece);
  expect(Buffer.concat(pieces).equals(Buffer.concat(letters))).toBe(true);
  expect(pieces.length).toBeLessThan(100);
});
