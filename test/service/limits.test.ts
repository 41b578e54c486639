/** How much is too much: floods, hurried addresses and contacts, each told when to come back. */
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { setAccessToken } from '../../demo/service/domain/accounts.js';
import { allowSlowBodies } from '../../demo/service/http/slow-bodies.js';
import { rateLimit } from '../../demo/service/rate-limit.js';
import {
  connect,
  errorBody,
  inboxPath,
  listen,
  startMs,
  startTestService,
  type TestService,
  type Visitor,
  visit,
} from '../support/service.js';

let service: TestService;
let hurried: TestService;
beforeAll(async () => {
  service = await startTestService({ limits: { requestsPerContact: 1000 } });
  hurried = await startTestService({ limits: { requestsPerAddress: 12, requestsPerContact: 4 } });
}, startMs * 2);
afterAll(async () => {
  await service.end();
  await hurried.end();
});

test(
  '201 messages a minute are a flood; a repeat of a stored one is not',
  async () => {
    const visitor = await visit(service);
    const send = (n: number) =>
      service.call('POST', `${visitor.path}/messages`, { content: `${n}`, echo_id: `f-${n}` });
    for (let n = 1; n <= 200; n += 1) expect((await send(n)).status).toBe(200);
    // However long that took, all of it was said within a minute.
    await service.db.query('update messages set created_at = now() where conversation_id = $1', [
      visitor.conversationId,
    ]);
    const flood = await send(201);
    expect(flood.status).toBe(422);
    expect(errorBody.parse(flood.body).errors).toEqual([
      { field: 'base', message: 'Too many messages', code: 'too_many_messages' },
    ]);
    const wait = Number(flood.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
    expect(flood.headers.get('access-control-expose-headers')).toContain('Retry-After');
    expect((await send(200)).status).toBe(200);
    await service.db.query(
      `update messages set created_at = created_at - interval '1 minute' where conversation_id = $1`,
      [visitor.conversationId],
    );
    expect((await send(201)).status).toBe(200);
  },
  startMs,
);

test.each([
  ['one conversation', (visitor: Visitor) => visitor.path],
  ['all of a contact', (visitor: Visitor) => `${visitor.contactPath}/conversations`],
  [
    'a span of messages for agents',
    (visitor: Visitor) =>
      `/api/v1/accounts/1/conversations/${visitor.conversationId}/messages?after=0&before=999999999`,
  ],
])(
  '%s, however long, comes whole and is never held whole',
  async (_, pathOf) => {
    const visitor = await visit(service);
    // 60 MB: more than lines and streams take in before somebody reads.
    await service.db.query(
      `insert into messages (account_id, inbox_id, conversation_id, content, message_type, created_at)
       select account_id, inbox_id, id, repeat('x', 100000), 0, now() - interval '1 day'
       from conversations, generate_series(1, 600) where display_id = $1`,
      [visitor.conversationId],
    );
    const begun = await fetch(service.url + pathOf(visitor), {
      headers: { api_access_token: service.apiAccessToken },
    });
    expect(begun.status).toBe(200);
    // What is said now is further back than what was read so far.
    const said = await service.call('POST', `${visitor.path}/messages`, { content: 'the last word' });
    expect(said.status).toBe(200);
    const messages = z.array(z.object({ id: z.number(), content: z.string() }));
    const thread = z.union([
      z.object({ messages }).transform((conversation) => conversation.messages),
      z.object({ payload: messages }).transform(({ payload }) => payload),
    ]);
    const [told = []] = z.array(thread).parse([await begun.json()].flat());
    const ids = told.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
    expect(ids).toHaveLength(601);
    expect(told.at(-1)?.content).toBe('the last word');
  },
  startMs,
);

test('a contact in a hurry is told to wait, and then an address; the agents are not', async () => {
  const visitor = await visit(hurried);
  // All at once: one after the other they are in no hurry on a slow machine.
  const answers = await Promise.all(Array.from({ length: 14 }, () => hurried.call('GET', visitor.path)));
  const late = answers.filter(({ status }) => status !== 200);
  expect(late).toHaveLength(11);
  for (const answer of late) {
    expect(answer.status).toBe(429);
    expect(errorBody.parse(answer.body).errors[0]).toMatchObject({
      field: 'base',
      code: 'too_many_requests',
    });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  }
  const others = await Promise.all(Array.from({ length: 14 }, () => hurried.call('GET', inboxPath)));
  expect(others.map(({ status }) => status)).toContain(429);
  expect((await hurried.agent('GET', '/api/v1/profile')).status).toBe(200);
});

test('who tries tokens is told to wait, and a good one of the same address works on', async () => {
  expect((await hurried.agent('GET', '/api/v1/profile')).status).toBe(200);
  const guess = (token: string) =>
    hurried.call('GET', '/api/v1/accounts/1/agents', undefined, { api_access_token: token });
  await setAccessToken(hurried.db, 2, 'test', 'a-token-never-used-before');
  // Twelve at least: one more for each five seconds that this takes.
  let refused = 0;
  let last = await guess('guess-0');
  for (; last.status === 401; refused += 1) last = await guess(`guess-${refused + 1}`);
  expect(refused).toBeGreaterThanOrEqual(12);
  expect(last.status).toBe(429);
  expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
  // Which of them is a token is not told now.
  expect((await guess('a-token-never-used-before')).status).toBe(429);
  expect((await hurried.agent('GET', '/api/v1/profile')).status).toBe(200);
});

test(
  'behind proxies of the owner each visitor has an address; without them nobody is believed',
  async () => {
    const limits = { requestsPerAddress: 2 };
    const [behind, alone] = await Promise.all([
      startTestService({ limits, proxies: 2 }),
      startTestService({ limits }),
    ]);
    const ask = async (at: TestService, hops: string) =>
      (await at.call('GET', inboxPath, undefined, { 'X-Forwarded-For': hops })).status;
    // Two proxies: the last is who asked the nearer one, the one before it the visitor.
    for (const forged of ['', '198.51.100.1, '])
      expect(await ask(behind, `${forged}203.0.113.7, 192.0.2.1`)).toBe(200);
    expect(await ask(behind, '198.51.100.2, 203.0.113.7, 192.0.2.1')).toBe(429);
    expect(await ask(behind, '203.0.113.8, 192.0.2.1')).toBe(200);
    expect(await ask(behind, '::ffff:203.0.113.7, 192.0.2.1')).toBe(429);
    // Some proxies write the port, which each connection has another of.
    for (const port of [1, 2]) expect(await ask(behind, `203.0.113.20:${port}, 192.0.2.1`)).toBe(200);
    expect(await ask(behind, '203.0.113.20:3, 192.0.2.1')).toBe(429);
    for (const own of ['[2001:db8:9::1]:1', '[2001:db8:9::2]'])
      expect(await ask(behind, `${own}, 192.0.2.1`)).toBe(200);
    expect(await ask(behind, '2001:db8:9::3, 192.0.2.1')).toBe(429);
    // Of the sixth version a visitor has a whole network.
    for (const own of ['2001:db8:1:2::1', '2001:0db8:1:2:a:b:c:d'])
      expect(await ask(behind, `${own}, 192.0.2.1`)).toBe(200);
    expect(await ask(behind, '2001:db8:1:2:ffff::9, 192.0.2.1')).toBe(429);
    expect(await ask(behind, '2001:db8:1:3::1, 192.0.2.1')).toBe(200);
    for (const visitor of ['203.0.113.7', '203.0.113.8']) expect(await ask(alone, visitor)).toBe(200);
    expect(await ask(alone, '203.0.113.9')).toBe(429);
    await Promise.all([behind.end(), alone.end()]);
  },
  startMs,
);

test('sockets count with all else that an address asks for, and who is refused one is told how long', async () => {
  const strict = await startTestService({ limits: { requestsPerAddress: 2 } });
  (await connect(strict)).close();
  expect((await strict.call('GET', inboxPath)).status).toBe(200);
  const socket = new WebSocket(`${strict.url.replace('http', 'ws')}/cable`, 'actioncable-v1-json');
  const [, answer] = await once(socket, 'unexpected-response');
  expect(answer.statusCode).toBe(429);
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  answer.destroy();
  await strict.end();
});

test('a socket in a hurry is cut, whether it was let in or not', async () => {
  const calm = await startTestService({ limits: { commandsPerSocket: 8 } });
  const visitor = await visit(calm);
  const rooms = [visitor.token, 'nobody'].map((token) => ({ channel: 'RoomChannel', pubsub_token: token }));
  for (const room of rooms) {
    const { socket, send, frame, frames } = await connect(calm);
    const cut = once(socket, 'close');
    const identifier = JSON.stringify(room);
    send({ command: 'subscribe', identifier });
    await frame(({ type }) => /^(confirm|reject)_subscription$/.test(type ?? ''));
    const presence = { command: 'message', identifier, data: '{"action":"update_presence"}' };
    const again = room.pubsub_token === 'nobody' ? { command: 'subscribe', identifier } : presence;
    for (let n = 0; n < 8; n += 1) send(again);
    await cut;
    expect(frames.filter((seen) => seen.identifier === identifier).length).toBeLessThanOrEqual(10);
  }
  await calm.end();
});

test(
  'a socket that hears nothing is closed after a while, and nobody else who is',
  async () => {
    // Long enough for those that are let in, on a machine that has other things to do.
    const strict = await startTestService({ limits: { deafSocketMs: 3000 } });
    const visitor = await visit(strict);
    const inside = await listen(strict, { pubsub_token: visitor.token });
    const [deaf, refused] = await Promise.all([connect(strict), connect(strict)]);
    const closed = Promise.all([deaf, refused].map(({ socket }) => once(socket, 'close')));
    const identifier = JSON.stringify({ channel: 'RoomChannel', pubsub_token: 'nobody' });
    refused.send({ command: 'subscribe', identifier });
    await refused.frame(({ type }) => type === 'reject_subscription');
    await closed;
    for (const { frames } of [deaf, refused])
      expect(frames.at(-1)).toEqual({ type: 'disconnect', reason: 'remote', reconnect: false });
    // Each is looked at when it is pinged.
    const pings = () => inside.frames.filter(({ type }) => type === 'ping').length;
    await expect.poll(pings).toBeGreaterThan(1);
    expect(inside.socket.readyState).toBe(inside.socket.OPEN);
    inside.close();
    await strict.end();
  },
  startMs,
);

test('a bucket fills again with time, by key', () => {
  let at = 0;
  const limit = rateLimit(60, () => at);
  for (let n = 0; n < 60; n += 1) expect(limit.take('a')).toBe(0);
  expect(limit.take('a')).toBe(1);
  expect(limit.take('b')).toBe(0);
  at = 1000;
  expect(limit.take('a')).toBe(0);
  expect(limit.take('a')).toBe(1);
});

const head = (path: string, bytes: number) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`;

test('a body that has begun and falls silent is cut, and nobody else who is', async () => {
  const strict = await startTestService({ limits: { silentBodyMs: 200 } });
  const idle = await connect(strict);
  const silent = net.connect(strict.port, '127.0.0.1');
  silent.on('error', () => undefined).write(`${head(`${inboxPath}/contacts`, 100)}{"name": "A`);
  await once(silent, 'close');
  expect(idle.socket.readyState).toBe(idle.socket.OPEN);
  idle.close();
  await strict.end();
});

test('a body that takes longer than a server waits for one on the whole is taken', async () => {
  const open = async (change: (server: http.Server) => void) => {
    const waits = { requestTimeout: 500, headersTimeout: 500, connectionsCheckingInterval: 20 };
    const server = http.createServer(waits, (request, response) => {
      request.on('error', () => undefined).resume();
      request.on('end', () => response.end('taken'));
    });
    change(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const address = server.address();
    if (!address || typeof address === 'string') throw new Error('the server listens on no port');
    const line = net.connect(address.port, '127.0.0.1');
    line.write(`${head('/', 4)}ab`);
    await once(server, 'request');
    return { server, line };
  };
  const patient = await open((server) => allowSlowBodies(server, startMs));
  const impatient = await open(() => undefined);
  expect(String(await once(impatient.line, 'data'))).toContain('408');
  patient.line.write('cd');
  expect(String(await once(patient.line, 'data'))).toContain('taken');
  for (const { server, line } of [patient, impatient]) {
    line.destroy();
    server.close();
  }
});

test('a message of 150,000 emoji may be written in escapes', async () => {
  const visitor = await visit(service);
  const body = `{"content":"${'\\ud83e\\udd8a'.repeat(150_000)}"}`;
  const sent = await service.call('POST', `${visitor.path}/messages`, body);
  expect(sent.status).toBe(200);
  expect(sent.body).toMatchObject({ content: '🦊'.repeat(150_000) });
});
