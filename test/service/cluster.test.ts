/**
 * Three processes on one PostgreSQL: whoever is on one talks to whoever is on another, in one order, and a process
 * that dies takes nothing along.
 */
import { once } from 'node:events';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { agentOn, useCluster, visitOn } from '../support/cluster.js';
import { eventually } from '../support/eventually.js';
import { hasPostgres, type Running } from '../support/processes.js';
import { type Listener, listen, request, startMs } from '../support/service.js';

const withId = z.looseObject({ id: z.number() });
const profile = z.object({ id: z.number(), pubsub_token: z.string(), account_id: z.number() });

const idsHeard = (listener: Listener) =>
  listener.events().flatMap(({ event, data }) => (event === 'message.created' ? [Number(data.id)] : []));

describe.skipIf(!hasPostgres)('three processes on one PostgreSQL', () => {
  const here = useCluster();

  test('three first starts at once make one account, and one token', () => {
    expect(new Set(here.all.map((one) => one.token)).size).toBe(1);
  });

  test('a visitor on one process and an agent on another talk, type and see each other', async () => {
    const [a, b, c] = here.all;
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
    const [a, b, c] = here.all;
    const administrator = await agentOn(c);
    const agents = '/api/v1/accounts/1/agents';
    const fields = { name: 'Tim', email: 'tim@demo.example', role: 'agent' };
    const tim = z
      .object({ id: z.number(), access_token: z.string() })
      .parse((await a.agent('POST', agents, fields)).body);
    await b.agent('POST', '/api/v1/accounts/1/inbox_members', { inbox_id: 1, user_ids: [tim.id] });
    const headers = { api_access_token: tim.access_token };
    const shown = await request(`${c.url}/api/v1/profile`, 'GET', undefined, headers);
    const { pubsub_token } = profile.parse(shown.body);
    const visitor = await visitOn(b);
    // Whoever came in before their process has heard that they are in the inbox would be sent away for that.
    await administrator.event('contact.created', (data) => data.id === visitor.id);
    const agent = await listen(c, { pubsub_token, user_id: tim.id, account_id: 1 });
    await a.call('POST', `${visitor.path}/messages`, { content: 'before' });
    await agent.event('message.created', (data) => data.content === 'before');
    const closed = once(agent.socket, 'close');
    await a.agent('DELETE', `${agents}/${tim.id}`);
    await b.call('POST', `${visitor.path}/messages`, { content: 'after' });
    await closed;
    expect(JSON.stringify(agent.events())).not.toContain('after');
    administrator.close();
  });

  test('an event far larger than a notification arrives whole', async () => {
    const visitor = await visitOn(here.all[0]);
    const agent = await agentOn(here.all[1]);
    const content = 'long '.repeat(20_000);
    await here.all[0].call('POST', `${visitor.path}/messages`, { content, echo_id: 'long' });
    const heard = await agent.event('message.created', (data) => data.echo_id === 'long');
    expect(heard.data.content).toBe(content);
    agent.close();
  });

  test('everybody hears one conversation in one order, whichever process wrote', async () => {
    const visitor = await visitOn(here.all[0]);
    const listeners = await Promise.all(
      here.all.map((one) => listen(one, { pubsub_token: visitor.pubsub_token })),
    );
    // Who is there comes to each at its own time, and the conversation's own beginning only where that is still news.
    for (const listener of listeners) await listener.event('presence.update');
    await here.all[0].call('POST', `${visitor.path}/messages`, { content: 'begin', echo_id: 'begin' });
    for (const listener of listeners)
      await listener.event('message.created', (data) => data.echo_id === 'begin');
    const lane = async (one: Running, name: number) => {
      for (let n = 0; n < 15; n += 1) {
        await one.call('POST', `${visitor.path}/messages`, { content: 'x', echo_id: `${name}-${n}` });
        if (n % 5 === 0) await one.call('POST', `${visitor.path}/toggle_status`);
      }
    };
    await Promise.all(here.all.map(lane));
    await here.all[2].call('POST', `${visitor.path}/messages`, { content: 'end', echo_id: 'end' });
    const stories: unknown[] = [];
    for (const listener of listeners) {
      await listener.event('message.created', (data) => data.echo_id === 'end');
      const ids = idsHeard(listener);
      expect(ids).toHaveLength(47);
      expect(ids).toEqual([...ids].sort((a, b) => a - b));
      // What follows from the last message may still be on its way to some.
      const events = listener.events();
      const at = (name: string) => events.findIndex(({ data }) => data.echo_id === name);
      stories.push(events.slice(at('begin'), at('end') + 1));
      listener.close();
    }
    for (const story of stories) expect(story).toEqual(stories[0]);
  });

  test('one echo_id through three processes at once is one message', async () => {
    const visitor = await visitOn(here.all[0]);
    const answers = await Promise.all(
      [...here.all, ...here.all].map((one) =>
        one.call('POST', `${visitor.path}/messages`, { content: 'once', echo_id: 'raced' }),
      ),
    );
    // Addresses of files and the like aside, all say the same.
    expect(new Set(answers.map(({ body }) => withId.parse(body).id)).size).toBe(1);
  });

  test('a table that a newer process changes is no trouble for those that run', async () => {
    const [a] = here.all;
    const visitor = await visitOn(a);
    const everything = async () => {
      for (let n = 0; n < 20; n += 1) {
        const sent = await a.call('POST', `${visitor.path}/messages`, { content: 'x' });
        expect([sent.status, (await a.call('GET', visitor.path)).status]).toEqual([200, 200]);
      }
    };
    await everything();
    const client = new pg.Client({ connectionString: here.databaseUrl });
    await client.connect();
    await client.query(
      'alter table messages add column newer text; alter table contacts add column newer text',
    );
    await client.end();
    await everything();
  });

  test('a process that stops within a transaction keeps no rows from the others', async () => {
    const [a, b] = here.all;
    const [visitor, other] = [await visitOn(a), await visitOn(b)];
    const begin = (one: Running, { path }: typeof visitor) =>
      one.call('POST', path.replace(/\/\d+$/, ''), {});
    const client = new pg.Client({ connectionString: here.databaseUrl });
    await client.connect();
    await client.query('begin');
    await client.query('select 1 from accounts for update');
    const asked = begin(a, visitor);
    await eventually('it waits for the account', async () => {
      const waiting = await client.query('select 1 from pg_locks where not granted');
      return waiting.rows.length > 0;
    });
    a.child.kill('SIGSTOP');
    try {
      await client.query('commit');
      // The account's row is of the one that stopped by now: nobody else can number a conversation.
      expect((await begin(b, other)).status).toBe(200);
    } finally {
      a.child.kill('SIGCONT');
      await client.end();
    }
    expect((await asked).status).toBe(500);
    expect((await begin(a, visitor)).status).toBe(200);
  });

  test('a webhook that is narrowed while a message is being written is not told of it', async () => {
    const { body } = await here.all[0].agent('POST', '/api/v1/accounts/1/webhooks', {
      url: 'https://receiver.example/narrowed',
      subscriptions: ['message_created'],
    });
    const hook = withId.parse(body);
    const second = withId.parse(
      (
        await here.all[0].agent('POST', '/api/v1/accounts/1/inboxes', {
          name: 'Other',
          channel: { type: 'api' },
        })
      ).body,
    );
    const visitor = await visitOn(here.all[0]);
    const client = new pg.Client({ connectionString: here.databaseUrl });
    const watcher = new pg.Client({ connectionString: here.databaseUrl });
    await Promise.all([client.connect(), watcher.connect()]);
    await client.query('begin');
    await client.query('update webhooks set inbox_id = $2 where id = $1', [hook.id, second.id]);
    const said = here.all[0].call('POST', `${visitor.path}/messages`, { content: 'in between' });
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
    await here.all[0].agent('DELETE', `/api/v1/accounts/1/webhooks/${hook.id}`);
  });

  test(
    'a process killed in the middle of a conversation loses nothing',
    async () => {
      const [a, b] = here.all;
      const doomed = await here.start();
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
});
