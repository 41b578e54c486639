/** Names of receivers, and a name server that says nothing about some of them. */
import { createSocket, type Socket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { send } from '../../demo/service/jobs/send.js';

let server: Socket;
let nameServers: string[];
const addresses: Record<string, string> = { 'inside.example': '10.0.0.7', 'both.example': '192.168.1.1' };

/** The name that a question of DNS is about; it begins after 12 bytes, and is written as lengths and labels. */
function asked(question: Buffer): { name: string; end: number; type: number } {
  const labels: string[] = [];
  let at = 12;
  for (let size = question[at] ?? 0; size; size = question[at] ?? 0) {
    labels.push(question.toString('latin1', at + 1, at + 1 + size));
    at += 1 + size;
  }
  return { name: labels.join('.'), end: at + 5, type: question.readUInt16BE(at + 1) };
}

/** One address, or that there is none of this kind, or no such name. */
function answerTo(question: Buffer): Buffer | undefined {
  const { name, end, type } = asked(question);
  if (name.endsWith('silent.example')) return undefined;
  const address = addresses[name];
  const isFour = type === 1;
  if (name === 'both.example' && !isFour) return undefined;
  const head = Buffer.from(question.subarray(0, end));
  head.writeUInt16BE(address ? 0x8180 : 0x8183, 2);
  head.writeUInt16BE(address && isFour ? 1 : 0, 6);
  head.writeUInt32BE(0, 8);
  if (!address || !isFour) return head;
  return Buffer.concat([
    head,
    Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4]),
    Buffer.from(address.split('.').map(Number)),
  ]);
}

beforeAll(async () => {
  server = createSocket('udp4');
  server.on('message', (question, { port, address }) => {
    const answer = answerTo(question);
    if (answer) server.send(answer, port, address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  nameServers = [`127.0.0.1:${server.address().port}`];
});
afterAll(() => void server.close());

const tell = (host: string, timeoutMs: number) =>
  send(
    { url: `http://${host}/hook`, uuid: 'one', body: '{}', secret: null },
    { allowPrivate: false, timeoutMs, stop: new AbortController().signal, nameServers },
  );
const privately = { kind: 'refused', status: null, error: 'the address is private' };

test('names of which nobody says anything hold up no other, nor anybody else who asks for a name', async () => {
  const silent = Array.from({ length: 40 }, (_, i) => tell(`a${i}.silent.example`, 10_000));
  const over = Promise.all(silent);
  let isOver = false;
  void over.then(() => {
    isOver = true;
  });
  expect(await tell('inside.example', 60_000)).toEqual(privately);
  // Of both kinds of addresses one is enough.
  expect(await tell('both.example', 60_000)).toEqual(privately);
  expect((await lookup('localhost')).address).toMatch(/^(127|::1)/);
  expect(isOver).toBe(false);
  for (const outcome of await over)
    expect(outcome).toEqual({
      kind: 'failed',
      status: null,
      error: expect.stringMatching(/^(ETIMEOUT|no answer within 10000 ms)$/),
    });
});

test('who gives up is told so, and the servers are asked no more', async () => {
  expect(await tell('late.silent.example', 300)).toEqual({
    kind: 'failed',
    status: null,
    error: 'no answer within 300 ms',
  });
});

test('what no name server knows may be a name of this machine, and one that there is not is told', async () => {
  expect(await tell('localhost', 60_000)).toEqual(privately);
  const outcome = await tell('nowhere.invalid', 60_000);
  expect(outcome.kind).toBe('failed');
  expect(outcome).toMatchObject({ error: expect.stringMatching(/^E[A-Z_]+$/) });
});
