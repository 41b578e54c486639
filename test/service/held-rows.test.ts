/**
 * Somebody holds rows for long, as two contacts with thousands of conversations do that are made one:
 * 1. the conversations, or the contacts, of some visitors are held in another transaction;
 * 2. these visitors write, and wait;
 * 3. everybody else writes, and is answered at once;
 * 4. the transaction ends, and what waited is stored.
 */
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hasPostgres, makeSharedPlace } from '../support/processes.js';
import {
  type Answer,
  errorBody,
  type Place,
  startMs,
  startTestService,
  type TestService,
  type Visitor,
  visit,
} from '../support/service.js';

describe.skipIf(!hasPostgres)('on PostgreSQL', () => {
  let service: TestService;
  let holder: pg.Client;
  let place: Place;
  beforeAll(async () => {
    place = await makeSharedPlace();
    service = await startTestService({}, place);
    holder = new pg.Client({ connectionString: place.databaseUrl });
    await holder.connect();
  }, startMs);
  afterEach(() => holder?.query('rollback'));
  afterAll(async () => {
    await holder?.end();
    await service?.end();
  });

  test.each([
    ['conversations', 'select 1 from conversations where display_id = any($1::bigint[]) for update'],
    [
      'contacts',
      `select 1 from contacts where id in
         (select contact_id from conversations where display_id = any($1::bigint[])) for update`,
    ],
  ])('who writes where the %s are held holds up nobody else', async (_, hold) => {
    const say = async ({ path }: Visitor, content: string) =>
      (await service.call('POST', `${path}/messages`, { content })).status;
    const held = [await visit(service), await visit(service), await visit(service)];
    const free = [await visit(service), await visit(service)];
    await holder.query('begin');
    await holder.query(hold, [held.map(({ conversationId }) => conversationId)]);
    const waiting: Promise<number>[] = [];
    const blocked = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    for (const [n, visitor] of held.entries()) {
      waiting.push(say(visitor, 'late'));
      await expect.poll(async () => (await service.db.query(blocked)).length).toBe(n + 1);
    }
    expect(await Promise.all(free.map((visitor) => say(visitor, 'at once')))).toEqual([200, 200]);
    const [agent] = free;
    const path = `/api/v1/accounts/1/conversations/${agent?.conversationId}/messages`;
    expect((await service.agent('POST', path, { content: 'so do agents' })).status).toBe(200);
    await holder.query('rollback');
    expect(await Promise.all(waiting)).toEqual([200, 200, 200]);
    const stored = await service.db.query(`select 1 from messages where content = 'late'`);
    expect(stored.length % 3).toBe(0);
  });

  test('however many wait, there are connections for everybody else', async () => {
    const held = await Promise.all(Array.from({ length: 20 }, () => visit(service)));
    const free = await visit(service);
    await holder.query('begin');
    await holder.query('select 1 from conversations where display_id = any($1::bigint[]) for update', [
      held.map(({ conversationId }) => conversationId),
    ]);
    const late = held.map(({ path }) => service.call('POST', `${path}/messages`, { content: 'late' }));
    const blocked = 'select 1 from pg_locks where not granted';
    await expect.poll(async () => (await holder.query(blocked)).rows.length).toBeGreaterThanOrEqual(4);
    const said = await service.call('POST', `${free.path}/messages`, { content: 'at once' });
    expect(said.status).toBe(200);
    expect((await service.call('GET', free.path)).status).toBe(200);
    await holder.query('rollback');
    for (const { status } of await Promise.all(late)) expect(status).toBe(200);
  });

  const conversations = 'select 1 from conversations where display_id = any($1::bigint[]) for update';
  const theirs = `(select contact_id from conversations where display_id = any($1::bigint[]))`;
  const contacts = `select 1 from contacts where id in ${theirs} for update`;
  const pairs = `select 1 from contact_inboxes where contact_id in ${theirs} for update`;
  type Verb = (visitor: Visitor) => Promise<Answer>;
  const byContact =
    (method: string, path: string, body?: object): Verb =>
    (visitor) =>
      service.call(method, visitor.path + path, body);
  const byAgent =
    (path: string, body?: object): Verb =>
    ({ conversationId }) =>
      service.agent('POST', `/api/v1/accounts/1/conversations/${conversationId}/${path}`, body);
  test.each<[string, string, Verb]>([
    ['see', conversations, byContact('POST', '/update_last_seen')],
    ['resolve', conversations, byContact('POST', '/toggle_status')],
    ['have seen to', conversations, byAgent('update_last_seen')],
    ['set the status of', conversations, byAgent('toggle_status', { status: 'pending' })],
    ['label', conversations, byAgent('labels', { labels: ['late'] })],
    ['assign', conversations, byAgent('assignments', { assignee_id: 1 })],
    ['silence', contacts, byAgent('mute')],
    ['rename', contacts, ({ contactPath }) => service.call('PATCH', contactPath, { name: 'late' })],
    [
      'edit',
      contacts,
      ({ contactId }) => service.agent('PUT', `/api/v1/accounts/1/contacts/${contactId}`, { name: 'late' }),
    ],
    ['open', pairs, ({ contactPath }) => service.call('POST', `${contactPath}/conversations`, {})],
  ])('however many %s what is held, there are connections for everybody else', async (_, hold, verb) => {
    const held = await Promise.all(Array.from({ length: 20 }, () => visit(service)));
    const free = await visit(service);
    await holder.query('begin');
    await holder.query(hold, [held.map(({ conversationId }) => conversationId)]);
    let done = 0;
    const late = held.map(async (visitor) => {
      const { status } = await verb(visitor);
      done += 1;
      return status;
    });
    const blocked = 'select 1 from pg_locks where not granted';
    await expect.poll(async () => (await holder.query(blocked)).rows.length).toBeGreaterThanOrEqual(4);
    const said = await service.call('POST', `${free.path}/messages`, { content: 'at once' });
    expect(said.status).toBe(200);
    expect((await service.call('GET', free.path)).status).toBe(200);
    expect((await verb(free)).status).toBe(200);
    expect(done).toBe(0);
    await holder.query('rollback');
    expect(new Set(await Promise.all(late))).toEqual(new Set([200]));
  });

  /**
   * A webhook has much in its log, and waiting:
   * 1. some of that is held, so that taking it away waits, as it takes its time where there is very much;
   * 2. the webhook is narrowed, or deleted;
   * 3. everybody writes, and is answered at once;
   * 4. what was held is free again, and gone.
   */
  const hooks = '/api/v1/accounts/1/webhooks';
  const many = `insert into webhook_deliveries (account_id, webhook_id, lane, event, body, state, leased_until, finished_at)
    select 1, $1, 'held/' || n, 'conversation_updated', '{}', state, now() + interval '1 hour',
      case when state = 'delivered' then now() end
    from generate_series(1, 700) n, unnest(array['waiting', 'delivered']) state`;
  const listed = z.object({
    payload: z.object({
      webhooks: z.array(z.looseObject({ id: z.number(), subscriptions: z.array(z.string()) })),
    }),
  });
  test.each([
    ['narrowed', 'PATCH', ['message_created'], { waiting: 0, delivered: 700 }],
    ['deleted', 'DELETE', [], { waiting: 0, delivered: 0 }],
  ])('a webhook that is %s holds up no message', async (_, method, during, left) => {
    const free = [await visit(service), await visit(service), await visit(service)];
    const subscriptions = ['message_created', 'conversation_updated'];
    const made = await service.agent('POST', hooks, { url: `http://127.0.0.1:9/${method}`, subscriptions });
    const { id } = z.looseObject({ id: z.number() }).parse(made.body);
    const shown = async () => {
      const { webhooks } = listed.parse((await service.agent('GET', hooks)).body).payload;
      return webhooks.find((hook) => hook.id === id);
    };
    await service.db.query(many, [id]);
    await holder.query('begin');
    await holder.query('select 1 from webhook_deliveries where webhook_id = $1 for update', [id]);
    const url = 'http://127.0.0.1:9/elsewhere';
    const body = method === 'PATCH' ? { url, subscriptions: during } : undefined;
    const changing = service.agent(method, `${hooks}/${id}`, body);
    const blocked = 'select 1 from pg_locks where not granted';
    await expect.poll(async () => (await holder.query(blocked)).rows.length).toBeGreaterThan(0);
    for (const { path, conversationId } of free) {
      expect((await service.call('POST', `${path}/messages`, { content: 'at once' })).status).toBe(200);
      const reply = `/api/v1/accounts/1/conversations/${conversationId}/messages`;
      expect((await service.agent('POST', reply, { content: 'so do agents' })).status).toBe(200);
    }
    expect(await shown()).toMatchObject({ url: `http://127.0.0.1:9/${method}`, subscriptions: during });
    await holder.query('rollback');
    expect((await changing).status).toBe(200);
    if (method === 'PATCH') expect(await shown()).toMatchObject({ url, subscriptions: during });
    else expect(await shown()).toBeUndefined();
    const [kept] = await service.db.query(
      `select count(*) filter (where state = 'waiting') as waiting,
         count(*) filter (where state = 'delivered') as delivered
       from webhook_deliveries where webhook_id = $1 and event = 'conversation_updated'`,
      [id],
    );
    expect(kept).toEqual(left);
  });

  test(
    'who gets no connection in time is told to come back',
    async () => {
      const strict = await startTestService({ limits: { connectionMs: 500 } }, place);
      const { contactPath } = await visit(strict);
      await holder.query('begin');
      await holder.query('lock table contacts in access exclusive mode');
      const refused: Answer[] = [];
      const asked = Array.from({ length: 30 }, async () => {
        const answer = await strict.call('GET', contactPath);
        if (answer.status !== 200) refused.push(answer);
        return answer.status;
      });
      await expect.poll(() => refused.length).toBeGreaterThan(0);
      await holder.query('rollback');
      expect(new Set(await Promise.all(asked))).toEqual(new Set([200, 503]));
      for (const { body, headers } of refused) {
        expect(errorBody.parse(body).errors).toMatchObject([{ code: 'not_ready' }]);
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      }
      expect((await strict.call('GET', contactPath)).status).toBe(200);
      await strict.stop();
    },
    startMs,
  );
});
