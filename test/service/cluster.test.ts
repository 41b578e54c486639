/**
 * Three processes on one PostgreSQL: whoever is on one talks to whoever is on another, in one order, and a process
 * that dies takes nothing along.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { eventually } from '../support/eventually.js';
import {
  type Built,
  buildService,
  hasPostgres,
  launch,
  makePostgres,
  type Running,
  root,
  type TestPostgres,
} from '../support/processes.js';
import { connect, inboxPath, type Listener, listen, request, startMs } from '../support/service.js';

const pair = z.object({ source_id: z.string(), pubsub_token: z.string(), id: z.number() });
const withId = z.looseObject({ id: z.number() });
const profile = z.object({ id: z.number(), pubsub_token: z.string(), account_id: z.number() });

let built: Built;
let postgres: TestPostgres;
let dataDir: string;
let all: [Running, Running, Running];

const cluster = join(root, 'demo/cluster.mjs');

async function start(): Promise<Running> {
  return launch(built.main, [], { PORT: '0', DATA_DIR: dataDir, DATABASE_URL: postgres.url, LOG: 'info' });
}

async function visitOn(service: Running) {
  const contact = pair.parse((await service.call('POST', `${inboxPath}/contacts`, {})).body);
  const contactPath = `${inboxPath}/contacts/${contact.source_id}`;
  const { id } = withId.parse((await service.call('POST', `${contactPath}/conversations`, {})).body);
  return {
    ...contact,
    conversation: `/api/v1/accounts/1/conversations/${id}`,
    path: `${contactPath}/conversations/${id}`,
  };
}

async function agentOn(service: Running): Promise<Listener> {
  const me = profile.parse((await service.agent('GET', '/api/v1/profile')).body);
  return listen(service, { pubsub_token: me.pubsub_token, user_id: me.id, account_id: me.account_id });
}

async function cutListening(): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where query ilike 'listen %' and pid <> pg_backend_pid()`,
  );
  await client.end();
}

const idsHeard = (listener: Listener) =>
  listener.events().flatMap(({ event, data }) => (event === 'message.created' ? [Number(data.id)] : []));

describe.skipIf(!hasPostgres)('three processes on one PostgreSQL', () => {
  beforeAll(async () => {
    [built, postgres, dataDir] = await Promise.all([
      buildService(),
      makePostgres(),
      mkdtemp(join(tmpdir(), 'parley-cluster-')),
    ]);
    all = await Promise.all([start(), start(), start()]);
  }, 2 * startMs);
  afterAll(async () => {
    await Promise.all((all ?? []).map((one) => one.end('SIGTERM')));
    await postgres?.remove();
    await built?.remove();
    await rm(dataDir, { recursive: true, force: true });
  });

  test('three first starts at once make one account, and one token', () => {
    expect(new Set(all.map((one) => one.token)).size).toBe(1);
  });

  test('a visitor on one process and an agent on another talk, type and see each other', async () => {
    const [a, b, c] = all;
    const visitor = await visitOn(a);
    const contact = await listen(a, { pubsub_token: visitor.pubsub_token });
    const agent = await agentOn(b);
    await a.call('POST', `${visitor.path}/toggle_typing`, { typing_status: 'on' });
    await agent.event('conversation.typing_on', (data) => Object(data.user).id === visitor.id);
    await a.call('POST', `${visitor.path}/messages`, { content: 'question', echo_id: 'q-1' });
    await agent.event('message.created', (data) => data.echo_id === 'q-1');
    await b.agent('POST', `${visitor.conversation}/toggle_typing_status`, { typing_status: 'on' });
    await contact.event('conversation.typing_on', (data) => Object(data.user).type === 'user');
    await c.agent('POST', `${visitor.conversation}/messages`, { content: 'answer' });
    await contact.event('message.created', (data) => data.content === 'answer');
    await a.call('POST', `${visitor.path}/update_last_seen`);
    await agent.event('message.updated', (data) => data.status === 'read');
    await eventually('the third process knows who is there', async () => {
      const shown = await c.agent('GET', `/api/v1/accounts/1/contacts/${visitor.id}`);
      return JSON.stringify(shown.body).includes('"availability_status":"online"');
    });
    // Processes tell each other of a beat a few times a second, each at its own time.
    await eventually('who comes late to the third process hears that the agent is there', async () => {
      const late = await listen(c, { pubsub_token: visitor.pubsub_token });
      const { data } = await late.event('presence.update');
      late.close();
      return Object(data.users)['1'] === 'online';
    });
    for (const socket of [contact, agent]) socket.close();
  });

  test('who is let go through one process hears nothing more through another', async () => {
    const [a, b, c] = all;
    const agents = '/api/v1/accounts/1/agents';
    const fields = { name: 'Tim', email: 'tim@demo.example', role: 'agent' };
    const tim = z
      .object({ id: z.number(), access_token: z.string() })
      .parse((await a.agent('POST', agents, fields)).body);
    await b.agent('POST', '/api/v1/accounts/1/inbox_members', { inbox_id: 1, user_ids: [tim.id] });
    const headers = { api_access_token: tim.access_token };
    const shown = await request(`${c.url}/api/v1/profile`, 'GET', undefined, headers);
    const { pubsub_token } = profile.parse(shown.body);
    const agent = await listen(c, { pubsub_token, user_id: tim.id, account_id: 1 });
    const visitor = await visitOn(b);
    await a.call('POST', `${visitor.path}/messages`, { content: 'before' });
    await agent.event('message.created', (data) => data.content === 'before');
    const closed = once(agent.socket, 'close');
    await a.agent('DELETE', `${agents}/${tim.id}`);
    await b.call('POST', `${visitor.path}/messages`, { content: 'after' });
    await closed;
    expect(JSON.stringify(agent.events())).not.toContain('after');
  });

  test('an event far larger than a notification arrives whole', async () => {
    const visitor = await visitOn(all[0]);
    const agent = await agentOn(all[1]);
    const content = 'long '.repeat(20_000);
    await all[0].call('POST', `${visitor.path}/messages`, { content, echo_id: 'long' });
    const heard = await agent.event('message.created', (data) => data.echo_id === 'long');
    expect(heard.data.content).toBe(content);
    agent.close();
  });

  test('everybody hears one conversation in one order, whichever process wrote', async () => {
    const visitor = await visitOn(all[0]);
    const listeners = await Promise.all(
      all.map((one) => listen(one, { pubsub_token: visitor.pubsub_token })),
    );
    const lane = async (one: Running, name: number) => {
      for (let n = 0; n < 15; n += 1) {
        await one.call('POST', `${visitor.path}/messages`, { content: 'x', echo_id: `${name}-${n}` });
        if (n % 5 === 0) await one.call('POST', `${visitor.path}/toggle_status`);
      }
    };
    await Promise.all(all.map(lane));
    await all[2].call('POST', `${visitor.path}/messages`, { content: 'end', echo_id: 'end' });
    const stories: unknown[] = [];
    for (const listener of listeners) {
      await listener.event('message.created', (data) => data.echo_id === 'end');
      const ids = idsHeard(listener);
      expect(ids).toHaveLength(46);
      expect(ids).toEqual([...ids].sort((a, b) => a - b));
      // What follows from the last message may still be on its way to some.
      const events = listener.events();
      stories.push(events.slice(0, events.findIndex(({ data }) => data.echo_id === 'end') + 1));
      listener.close();
    }
    for (const story of stories) expect(story).toEqual(stories[0]);
  });

  test('one echo_id through three processes at once is one message', async () => {
    const visitor = await visitOn(all[0]);
    const answers = await Promise.all(
      [...all, ...all].map((one) =>
        one.call('POST', `${visitor.path}/messages`, { content: 'once', echo_id: 'raced' }),
      ),
    );
    // Addresses of files and the like aside, all say the same.
    expect(new Set(answers.map(({ body }) => withId.parse(body).id)).size).toBe(1);
  });

  test('a table that a newer process changes is no trouble for those that run', async () => {
    const [a] = all;
    const visitor = await visitOn(a);
    const everything = async () => {
      for (let n = 0; n < 20; n += 1) {
        const sent = await a.call('POST', `${visitor.path}/messages`, { content: 'x' });
        expect([sent.status, (await a.call('GET', visitor.path)).status]).toEqual([200, 200]);
      }
    };
    await everything();
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    await client.query(
      'alter table messages add column newer text; alter table contacts add column newer text',
    );
    await client.end();
    await everything();
  });

  test('a cut connection to PostgreSQL sends the sockets back to read again, and all goes on', async () => {
    const visitor = await visitOn(all[0]);
    const contact = await listen(all[0], { pubsub_token: visitor.pubsub_token });
    await cutListening();
    const told = await contact.frame((frame) => frame.type === 'disconnect');
    expect(told).toMatchObject({ reason: 'server_restart', reconnect: true });
    const again = await listen(all[0], { pubsub_token: visitor.pubsub_token });
    await all[1].call('POST', `${visitor.path}/messages`, { content: 'after the cut' });
    await again.event('message.created', (data) => data.content === 'after the cut');
    again.close();
  });

  test('what was under way while the connection was cut is heard when it is done', async () => {
    const visitor = await visitOn(all[0]);
    const pairs = 'select id from contact_inboxes where source_id = $1';
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    const topic = `pair:${(await client.query(pairs, [visitor.source_id])).rows[0].id}`;
    await client.query('begin');
    await client.query('insert into bus_events (writer, events) values ($1, $2)', [
      'slow',
      JSON.stringify([{ topics: [topic], name: 'message.created', data: { content: 'slow' } }]),
    ]);
    // Later by number, done before it.
    await all[1].call('POST', `${visitor.path}/messages`, { content: 'quick' });
    const contact = await listen(all[0], { pubsub_token: visitor.pubsub_token });
    await cutListening();
    await contact.frame((frame) => frame.type === 'disconnect');
    const again = await listen(all[0], { pubsub_token: visitor.pubsub_token });
    await client.query('commit');
    await client.end();
    await again.event('message.created', (data) => data.content === 'slow');
    again.close();
  });

  test(
    'the sweep leaves the number to go on from',
    async () => {
      const visitor = await visitOn(all[0]);
      await all[0].call('POST', `${visitor.path}/messages`, { content: 'x' });
      const client = new pg.Client({ connectionString: postgres.url });
      await client.connect();
      const count = async (which: string) =>
        Number((await client.query(`select count(*) from bus_events where ${which}`)).rows[0].count);
      const { rows } = await client.query(
        `update bus_events set created_at = now() - interval '1 hour' returning id`,
      );
      const newest = Math.max(...rows.map(({ id }) => Number(id)));
      // Twice a minute; one that was written in this very moment is two minutes old by then.
      await eventually('the old ones are gone', async () => !(await count(`id < ${newest}`)), 180_000);
      expect(await count(`id >= ${newest}`)).toBeGreaterThan(0);
      await client.end();
    },
    2 * startMs,
  );

  test('numbers far ahead of those known send the sockets back to read again, and all goes on', async () => {
    const visitor = await visitOn(all[0]);
    const contact = await listen(all[1], { pubsub_token: visitor.pubsub_token });
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    await client.query(`select setval(pg_get_serial_sequence('bus_events', 'id'), 50000000)`);
    await client.end();
    await all[0].call('POST', `${visitor.path}/messages`, { content: 'far ahead' });
    const told = await contact.frame((frame) => frame.type === 'disconnect');
    expect(told).toMatchObject({ reason: 'server_restart', reconnect: true });
    const again = await listen(all[1], { pubsub_token: visitor.pubsub_token });
    await all[0].call('POST', `${visitor.path}/messages`, { content: 'after the jump' });
    await again.event('message.created', (data) => data.content === 'after the jump');
    again.close();
  });

  test('numbers that begin anew, as after a crash of the database, send the sockets back to read again', async () => {
    const visitor = await visitOn(all[0]);
    const contact = await listen(all[1], { pubsub_token: visitor.pubsub_token });
    await all[0].call('POST', `${visitor.path}/messages`, { content: 'before' });
    await contact.event('message.created', (data) => data.content === 'before');
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    await client.query(
      `truncate bus_events; select setval(pg_get_serial_sequence('bus_events', 'id'), 1, false)`,
    );
    await client.end();
    await contact.frame((frame) => frame.type === 'disconnect');
    const again = await listen(all[1], { pubsub_token: visitor.pubsub_token });
    await all[0].call('POST', `${visitor.path}/messages`, { content: 'begun anew' });
    await again.event('message.created', (data) => data.content === 'begun anew');
    again.close();
  });

  test('an event that commits while the database holds up everybody for longer than it is waited for is told', async () => {
    const visitor = await visitOn(all[0]);
    const contact = await listen(all[1], { pubsub_token: visitor.pubsub_token });
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    const pairs = 'select id from contact_inboxes where source_id = $1';
    const topic = `pair:${(await client.query(pairs, [visitor.source_id])).rows[0].id}`;
    await client.query('begin');
    await client.query('insert into bus_events (writer, events) values ($1, $2)', [
      'slow',
      JSON.stringify([{ topics: [topic], name: 'message.created', data: { content: 'held up' } }]),
    ]);
    await all[0].call('POST', `${visitor.path}/messages`, { content: 'not held up' });
    await contact.event('message.created', (data) => data.content === 'not held up');
    await client.query('lock table bus_events in access exclusive mode; select pg_sleep(32)');
    await client.query('commit');
    await client.end();
    await contact.event('message.created', (data) => data.content === 'held up');
    contact.close();
  });

  test('a webhook that is narrowed while a message is being written is not told of it', async () => {
    const { body } = await all[0].agent('POST', '/api/v1/accounts/1/webhooks', {
      url: 'https://receiver.example/narrowed',
      subscriptions: ['message_created'],
    });
    const hook = withId.parse(body);
    const second = withId.parse(
      (await all[0].agent('POST', '/api/v1/accounts/1/inboxes', { name: 'Other', channel: { type: 'api' } }))
        .body,
    );
    const visitor = await visitOn(all[0]);
    const client = new pg.Client({ connectionString: postgres.url });
    const watcher = new pg.Client({ connectionString: postgres.url });
    await Promise.all([client.connect(), watcher.connect()]);
    await client.query('begin');
    await client.query('update webhooks set inbox_id = $2 where id = $1', [hook.id, second.id]);
    const said = all[0].call('POST', `${visitor.path}/messages`, { content: 'in between' });
    await eventually('it waits for what becomes of the webhook', async () => {
      // Within a transaction it would be told what it was told first.
      const waiting = await watcher.query(
        `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like 'insert into webhook_deliveries%'`,
      );
      return waiting.rows.length > 0;
    });
    await client.query('commit');
    expect((await said).status).toBe(200);
    const told = await client.query('select 1 from webhook_deliveries where webhook_id = $1', [hook.id]);
    expect(told.rows).toEqual([]);
    await Promise.all([client.end(), watcher.end()]);
    await all[0].agent('DELETE', `/api/v1/accounts/1/webhooks/${hook.id}`);
  });

  test(
    'a process killed in the middle of a conversation loses nothing',
    async () => {
      const [a, b] = all;
      const doomed = await start();
      const visitor = await visitOn(a);
      const agent = await agentOn(b);
      const dying = await listen(doomed, { pubsub_token: visitor.pubsub_token });
      const cut = once(dying.socket, 'close');
      const acknowledged: string[] = [];
      const lane = async (name: number) => {
        for (let n = 0; n < 25; n += 1) {
          const body = { content: `${name}-${n}`, echo_id: `${name}-${n}` };
          // As the widget does: no answer means to ask again, with the same name, wherever the balancer leads.
          for (let via = doomed; ; via = a) {
            const answer = await via.call('POST', `${visitor.path}/messages`, body).catch(() => undefined);
            if (answer?.status === 200) break;
          }
          acknowledged.push(body.echo_id);
          if (acknowledged.length === 30) doomed.child.kill('SIGKILL');
        }
      };
      await Promise.all([0, 1, 2].map(lane));
      await cut;
      await a.call('POST', `${visitor.path}/messages`, { content: 'end', echo_id: 'end' });
      await agent.event('message.created', (data) => data.echo_id === 'end');
      const echoes = agent
        .events()
        .flatMap(({ event, data }) =>
          event === 'message.created' &&
          Object(data.conversation).contact_inbox?.source_id === visitor.source_id
            ? [String(data.echo_id)]
            : [],
        );
      expect(echoes).toHaveLength(76);
      expect(new Set(echoes)).toEqual(new Set([...acknowledged, 'end']));
      const shown = z.looseObject({ messages: z.array(z.looseObject({ echo_id: z.string() })) });
      const { messages } = shown.parse((await b.call('GET', visitor.path)).body);
      expect(messages.map((message) => message.echo_id)).toEqual(echoes);
      agent.close();
    },
    2 * startMs,
  );

  test(
    'one command starts PostgreSQL and three processes behind one address',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'parley-command-'));
      // A port of its own, because 0 is nobody's public address; below those that a system gives to whoever asks for any.
      const port = 20_000 + (process.pid % 12_000);
      await chmod(folder, 0o755);
      const running = await launch(cluster, [`--main=${built.main}`], {
        PORT: String(port),
        HOST: '0.0.0.0',
        DATA_DIR: join(folder, 'data'),
      });
      // One cannot visit "all interfaces", nor fetch files from there.
      expect(running.url).toBe(`http://localhost:${port}`);
      const visitor = await visitOn(running);
      const sockets = await Promise.all(
        [1, 2, 3].map(() => listen(running, { pubsub_token: visitor.pubsub_token })),
      );
      await running.call('POST', `${visitor.path}/messages`, { content: 'behind the balancer' });
      for (const socket of sockets) {
        await socket.event('message.created', (data) => data.content === 'behind the balancer');
        socket.close();
      }
      (await connect(running)).close();
      expect(await running.end('SIGTERM')).toBe(0);
      await rm(folder, { recursive: true, force: true });
    },
    2 * startMs,
  );
});

test.each([
  ['PostgreSQL', {}, /^No PostgreSQL found\. Install .* or set DATABASE_URL/],
  ['a port', { PORT: 'many' }, /^PORT must be a port between 1 and 65535\.\n$/],
])('without %s the command says what it needs', async (_, more, sentence) => {
  const child = spawn(process.execPath, [cluster, '--main=unused'], {
    env: { PATH: process.env.PATH ?? '', POSTGRES_BIN: '/nowhere', ...more },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (text) => {
    said += text;
  });
  const [code] = await once(child, 'close');
  expect(code).toBe(1);
  expect(said).toMatch(sentence);
});
