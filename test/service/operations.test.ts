/** For whoever runs the service: alive, ready, counted, drained, and logs that tell no secret. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { defaultLimits } from '../../demo/service/limits.js';
import { openPostgres } from '../../demo/service/store/postgres.js';
import { type Built, buildService, hasPostgres, launch, makePostgres } from '../support/processes.js';
import { inboxPath, listen, startMs, startTestService, type TestService, visit } from '../support/service.js';

let built: Built;
let service: TestService;
beforeAll(async () => {
  [built, service] = await Promise.all([buildService(), startTestService()]);
}, startMs);
afterAll(async () => {
  await service.end();
  await built.remove();
});

async function metrics(): Promise<string> {
  const { body, headers } = await service.call('GET', '/metrics');
  expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  return z.string().parse(body);
}

const counted = (text: string, series: string) => {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
};

test('alive and ready, while the database answers', async () => {
  for (const path of ['/healthz', '/readyz', '/health']) {
    expect((await service.call('GET', path)).body).toEqual({ status: 'ok' });
  }
});

test('requests are counted by route and status, with how long they took; sockets and messages, too', async () => {
  const visitor = await visit(service);
  const heard = await listen(service, { pubsub_token: visitor.token });
  for (let n = 0; n < 3; n += 1)
    await service.call('POST', `${visitor.path}/messages`, { content: 'count me' });
  await service.call('GET', `${inboxPath}/contacts/nobody`);
  const text = await metrics();
  const name = 'parley_http_request_duration_seconds';
  const route = `${inboxPath.replace('demo-inbox', ':inbox_identifier')}/contacts/:contact_identifier`;
  const messages = `method="POST",route="${route}/conversations/:conversation_id/messages",status="200"`;
  expect(counted(text, `${name}_count{${messages}}`)).toBe(3);
  expect(counted(text, `${name}_count{method="GET",route="${route}",status="404"}`)).toBe(1);
  expect(counted(text, 'parley_messages_total')).toBe(3);
  expect(counted(text, 'parley_events_total{event="conversation.created"}')).toBe(1);
  expect(counted(text, 'parley_sockets')).toBe(1);
  expect(counted(text, 'parley_resident_memory_bytes')).toBeGreaterThan(1_000_000);
  for (const queue of ['deliveries', 'dead_deliveries', 'rule_events']) {
    expect(counted(text, `parley_queue_length{queue="${queue}"}`)).toBe(0);
  }
  const buckets = text
    .split('\n')
    .filter((line) => line.startsWith(`${name}_bucket{${messages},`))
    .map((line) => Number(line.split(' ').at(-1)));
  expect(buckets).toEqual([...buckets].sort((a, b) => a - b));
  expect(buckets.at(-1)).toBe(3);
  for (const line of text.trimEnd().split('\n')) {
    expect(line).toMatch(/^(# (HELP|TYPE) parley_\w+ .+|parley_\w+(\{(\w+="[^"\n]*",?)+\})? [\d.e+-]+)$/);
  }
  expect(text).not.toContain(visitor.sourceId);
  heard.close();
});

test(
  'told to end, a process takes nothing new, sends its sockets away, finishes what it began, and leaves',
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'parley-drain-'));
    const running = await launch(built.main, [], { PORT: '0', DATA_DIR: dataDir, LOG: 'info' });
    const contact = z.object({ source_id: z.string(), pubsub_token: z.string() });
    const made = contact.parse((await running.call('POST', `${inboxPath}/contacts`, {})).body);
    const path = `${inboxPath}/contacts/${made.source_id}`;
    await running.call('POST', `${path}/conversations`, {});
    const socket = await listen(running, { pubsub_token: made.pubsub_token });
    const body = JSON.stringify({ content: 'begun before the end' });
    const slow = http.request(`${running.url}${path}/conversations/1/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': body.length },
    });
    const answered = once(slow, 'response');
    slow.write(body.slice(0, 5));
    // Its head has arrived when a request after it was answered.
    await running.call('GET', '/healthz');
    const exit = running.end('SIGTERM');
    expect(await socket.frame((frame) => frame.type === 'disconnect')).toMatchObject({
      reason: 'server_restart',
      reconnect: true,
    });
    await expect(fetch(`${running.url}/healthz`)).rejects.toThrow();
    slow.end(body.slice(5));
    const [response] = await answered;
    expect(response.statusCode).toBe(200);
    expect(response.headers.connection).toBe('close');
    expect(await exit).toBe(0);
    await rm(dataDir, { recursive: true, force: true });
  },
  startMs,
);

test(
  'a process that is about to end says so while it still answers',
  async () => {
    const draining = await startTestService({ drainMs: 5000 });
    const stopped = draining.stop();
    const { status, body, headers } = await draining.call('GET', '/readyz');
    expect(status).toBe(503);
    expect(body).toMatchObject({ errors: [{ field: 'base', code: 'not_ready' }] });
    expect(headers.get('connection')).toBe('close');
    expect((await draining.call('GET', '/healthz')).status).toBe(200);
    await stopped;
    await draining.place.remove();
  },
  startMs,
);

test.skipIf(!hasPostgres)(
  'without its database a process is alive but not ready; its log has request ids and no secret',
  async () => {
    const postgres = await makePostgres();
    const dataDir = await mkdtemp(join(tmpdir(), 'parley-log-'));
    const env = { PORT: '0', DATA_DIR: dataDir, DATABASE_URL: postgres.url, LOG: 'info' };
    const running = await launch(built.main, [], env);
    await running.call('POST', `${inboxPath}/contacts`, { source_id: 'CANARY', email: 'canary@example.com' });
    await running.agent('GET', '/api/v1/accounts/1/contacts/search?q=CANARY');
    expect((await running.call('GET', '/readyz')).status).toBe(200);
    await postgres.remove();
    expect((await running.call('GET', '/readyz')).status).toBe(503);
    expect((await running.call('GET', '/healthz')).status).toBe(200);
    expect((await running.call('GET', `${inboxPath}/contacts/CANARY`)).status).toBe(503);
    await running.end('SIGTERM');
    const log = running.log();
    expect(log).not.toMatch(/canary/i);
    for (const secret of [running.token, new URL(postgres.url).password]) expect(log).not.toContain(secret);
    const lines = log
      .trimEnd()
      .split('\n')
      .map((line) => z.looseObject({ level: z.number() }).parse(JSON.parse(line)));
    const asked = lines.filter((line) => 'method' in line);
    expect(asked.length).toBeGreaterThan(5);
    for (const line of asked) expect(line.request).toMatch(/^[\w-]{12}$/);
    await rm(dataDir, { recursive: true, force: true });
  },
  startMs,
);

test.skipIf(!hasPostgres)(
  'a connection that is cut between two statements of a transaction fails that one alone',
  async () => {
    const postgres = await makePostgres();
    const { connectionMs, answerMs } = defaultLimits;
    const database = await openPostgres(postgres.url, () => {}, connectionMs, answerMs);
    const alive = (pid: number) =>
      database.query('select 1 from pg_stat_activity where pid = $1', [pid]).then((rows) => rows.length);
    const work = database.transaction(async (tx) => {
      const [own] = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
      const pid = own?.pid ?? 0;
      await database.query('select pg_terminate_backend($1)', [pid]);
      await expect.poll(() => alive(pid)).toBe(0);
      await tx.query('select 1');
    });
    await expect(work).rejects.toThrow();
    expect(await database.query('select 1 as one')).toEqual([{ one: 1 }]);
    await database.close();
    await postgres.remove();
  },
  startMs,
);

test.skipIf(!hasPostgres)(
  'a question that is given up does not keep waiting in the database',
  async () => {
    const postgres = await makePostgres();
    const database = await openPostgres(postgres.url, () => {}, defaultLimits.connectionMs, 500);
    const holder = new pg.Client(postgres.url);
    await holder.connect();
    await holder.query('create table held ()');
    await holder.query('begin; lock table held in access exclusive mode');
    const waiting = async () => (await holder.query('select 1 from pg_locks where not granted')).rows.length;
    const asked = expect(database.query('select * from held')).rejects.toThrow('timeout');
    await expect.poll(waiting).toBe(1);
    await asked;
    await expect.poll(waiting, { timeout: 15_000 }).toBe(0);
    await holder.end();
    await database.close();
    await postgres.remove();
  },
  startMs,
);

test.skipIf(!hasPostgres)(
  'a connection to a server that only reads by now is not written through again',
  async () => {
    const postgres = await makePostgres();
    const { connectionMs, answerMs } = defaultLimits;
    const database = await openPostgres(postgres.url, () => {}, connectionMs, answerMs);
    const demote = () => database.query('set session characteristics as transaction read only');
    await demote();
    await expect(database.query('create table one ()')).rejects.toThrow('read-only');
    await database.query('create table one ()');
    await demote();
    const write = () => database.transaction((tx) => tx.query('create table two ()'));
    await expect(write()).rejects.toThrow('read-only');
    await write();
    await database.close();
    await postgres.remove();
  },
  startMs,
);

test.skipIf(!hasPostgres)(
  'a database that says no to its address is a sentence without the password',
  async () => {
    const postgres = await makePostgres();
    const { host, password } = new URL(postgres.url);
    const silent = net.createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port: nobody } = z.object({ port: z.number() }).parse(silent.address());
    const refused = (from: string, to: string, ms = defaultLimits.connectionMs) =>
      openPostgres(postgres.url.replace(from, to), () => {}, ms, ms).then(
        () => '',
        (error: unknown) => String(error),
      );
    expect(await refused('/postgres', '/nothing')).toBe(
      `Error: PostgreSQL at ${host} refuses DATABASE_URL: database "nothing" does not exist.`,
    );
    expect(await refused(password, 'CANARY')).toBe(
      `Error: PostgreSQL at ${host} refuses DATABASE_URL: password authentication failed for user "parley".`,
    );
    expect(await refused(host, `127.0.0.1:${nobody}`, 200)).toBe(
      `Error: No PostgreSQL answers at 127.0.0.1:${nobody} (ETIMEDOUT): start it, or set DATABASE_URL to where it is.`,
    );
    silent.close();
    const page = http.createServer().listen(0, '127.0.0.1');
    await once(page, 'listening');
    const { port: other } = z.object({ port: z.number() }).parse(page.address());
    expect(await refused(host, `127.0.0.1:${other}`)).toMatch(
      new RegExp(
        `^Error: No PostgreSQL can be spoken to at 127\\.0\\.0\\.1:${other} \\(.+\\): check DATABASE_URL\\.$`,
      ),
    );
    page.close();
    const holder = new pg.Client(postgres.url);
    await holder.connect();
    // It goes as soon as those have gone who are there, and lets nobody else in.
    process.kill(postgres.pid ?? 0, 'SIGTERM');
    await expect
      .poll(() => refused('', ''))
      .toBe(`Error: No PostgreSQL answers at ${host} (57P03): start it, or set DATABASE_URL to where it is.`);
    await holder.end();
    await postgres.remove();
  },
  startMs,
);

test.skipIf(!hasPostgres)(
  'a user of the database who may make nothing in it is a sentence',
  async () => {
    const postgres = await makePostgres();
    const owner = new pg.Client(postgres.url);
    await owner.connect();
    await owner.query(`create role guest login password 'as-a-guest'`);
    await owner.end();
    const url = new URL(postgres.url);
    url.username = 'guest';
    url.password = 'as-a-guest';
    const dataDir = await mkdtemp(join(tmpdir(), 'parley-guest-'));
    await expect(
      launch(built.main, [], { PORT: '0', DATA_DIR: dataDir, DATABASE_URL: url.href }),
    ).rejects.toThrow(
      /^The database refuses what the service needs \(permission denied for schema public\): the user of DATABASE_URL must own it\.$/m,
    );
    await rm(dataDir, { recursive: true, force: true });
    await postgres.remove();
  },
  startMs,
);
