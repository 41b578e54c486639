/** JSON that does not come to its end: the fault of the line or of its sender, and never told as one of ours. */
import net from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inboxPath, startMs, startTestService, type TestService } from '../support/service.js';

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
