/** What is refused while it is still being sent: who is nearly done is answered, who never is comes to an end. */
import { once } from 'node:events';
import type net from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rawLine } from '../support/raw-line.js';
import { startMs, startTestService, type TestService, type Visitor, visit } from '../support/service.js';

const files = 2;
const fileBytes = 100_000;
const bodyBytes = 100_000;
const largest = files * fileBytes + bodyBytes;

let hasty: TestService;
let patient: TestService;
beforeAll(async () => {
  const limits = { files, fileBytes, bodyBytes };
  hasty = await startTestService({ limits: { ...limits, refusedBodyMs: 50 } });
  // Longer than a test may take.
  patient = await startTestService({ limits: { ...limits, refusedBodyMs: 10 * startMs } });
}, startMs * 2);
afterAll(async () => {
  await hasty.end();
  await patient.end();
});

interface Line {
  socket: net.Socket;
  closed: Promise<unknown>;
  /** A piece of the body, in its own chunk: nobody knows how many there will be. */
  send(piece: string): boolean;
  heard(): string;
}

async function begin(service: TestService, path: string): Promise<Line> {
  const { socket, closed, heard } = rawLine(service.port);
  await once(socket, 'connect');
  socket.write(
    `POST ${path}/messages HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Type: multipart/form-data; boundary=b\r\n\r\n`,
  );
  const send = (piece: string) => socket.write(`${Buffer.byteLength(piece).toString(16)}\r\n${piece}\r\n`);
  return { socket, closed, send, heard };
}

const file = (name: string, content: string) =>
  `--b\r\ncontent-disposition: form-data; name="${name}"; filename="a.txt"\r\n\r\n${content}`;

const beginnings = {
  'too many files': [1, 2, 3].map((n) => `${file('attachments[]', `${n}`)}\r\n`).join(''),
  'too large a file': file('attachments[]', 'x'.repeat(fileBytes + 1)),
  'too large a field': `--b\r\ncontent-disposition: form-data; name="content"\r\n\r\n${'x'.repeat(bodyBytes + 1)}`,
  'a file that nobody asked for': file('else', 'x'),
  'words after its end': `${file('attachments[]', 'x')}\r\n--b--\r\n`,
};

test.each(Object.entries(beginnings))(
  '%s, and no end of it: answered, and the connection is closed',
  async (_, beginning) => {
    const { socket, closed, send, heard } = await begin(hasty, (await visit(hasty)).path);
    send(beginning);
    // No faster than it is read, and for as long as it is.
    const more = () => {
      while (!socket.destroyed && send('y'.repeat(10_000)));
    };
    socket.on('drain', more);
    more();
    await closed;
    expect(heard()).toMatch(/^HTTP\/1\.1 4(13|22) /);
  },
);

const nowhere = ({ contactPath }: Visitor) => `${contactPath}/conversations/999999`;

test.each([
  ['a form that says too much', ({ path }: Visitor) => path, 413],
  ['one for a conversation that is not there', nowhere, 404],
] as const)('a trickle has no more time than a flood: %s', async (_, pathOf, status) => {
  const { closed, send, heard } = await begin(hasty, pathOf(await visit(hasty)));
  send(beginnings['too many files']);
  const trickle = setInterval(() => send('y'), 10);
  await closed;
  clearInterval(trickle);
  expect(heard()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
});

test('nor has one without an end, for a conversation that is not there', async () => {
  const { socket, closed, send, heard } = await begin(patient, nowhere(await visit(patient)));
  const more = () => {
    while (!socket.destroyed && send('y'.repeat(10_000)));
  };
  socket.on('drain', more);
  more();
  await closed;
  expect(heard()).toMatch(/^HTTP\/1\.1 404 /);
});

test.each([
  ['too many files', ({ path }: Visitor) => path, /^HTTP\/1\.1 413 [\s\S]*Too many files \(maximum is 2\)/],
  ['no such conversation', nowhere, /^HTTP\/1\.1 404 [\s\S]*"field":"conversation_id"/],
] as const)(
  'who has nearly sent it all is heard to the end, is answered, and may go on by the same line: %s',
  async (_, pathOf, answer) => {
    const visitor = await visit(patient);
    const { socket, send, heard } = await begin(patient, pathOf(visitor));
    send(beginnings['too many files']);
    for (let sent = 0; sent < largest / 2; sent += 10_000) {
      if (!send('y'.repeat(10_000))) await once(socket, 'drain');
      // The service has had its say on everything sent so far.
      await patient.call('GET', visitor.path);
    }
    expect(heard()).toBe('');
    send('\r\n--b--\r\n');
    socket.write('0\r\n\r\n');
    await expect.poll(heard).toMatch(answer);
    socket.write(`GET ${visitor.path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await expect.poll(heard).toContain('HTTP/1.1 200 ');
    socket.destroy();
  },
);
