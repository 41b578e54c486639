/** What the rules of all accounts do while somebody has a conversation for long, or the database is not there. */
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hasPostgres, makeSharedPlace } from '../support/processes.js';
import {
  type Place,
  startMs,
  startTestService,
  type TestService,
  type Visitor,
  visit,
} from '../support/service.js';

const account = '/api/v1/accounts/1';

describe.skipIf(!hasPostgres)('on PostgreSQL', () => {
  let place: Place;
  let service: TestService;
  let holder: pg.Client;
  const lines: string[] = [];
  beforeAll(async () => {
    place = await makeSharedPlace();
    service = await startTestService(
      { log: 'error', logTo: { write: (line) => void lines.push(line) } },
      place,
    );
    await service.agent('POST', `${account}/automation_rules`, {
      name: 'See',
      event_name: 'message_created',
      conditions: [],
      actions: [{ action_name: 'add_label', action_params: ['seen'] }],
    });
    holder = new pg.Client({ connectionString: place.databaseUrl });
    await holder.connect();
  }, startMs);
  afterEach(() => holder?.query('rollback'));
  afterAll(async () => {
    await holder?.end();
    await service?.end();
  });

  const say = async ({ path }: Visitor, content: string, at = service) =>
    (await at.call('POST', `${path}/messages`, { content })).status;
  const shown = z.looseObject({ labels: z.array(z.string()) });
  const labels = async ({ conversationId }: Visitor) =>
    shown.parse((await service.agent('GET', `${account}/conversations/${conversationId}`)).body).labels;
  /** Something that rules are to judge, once it is due. */
  const queue = (visitors: readonly Visitor[]) =>
    service.db.query(
      `insert into rule_events (account_id, conversation_id, event_name, run_at)
       select 1, id, 'message_created', 'infinity' from conversations
       where display_id = any($1::bigint[]) order by id`,
      [visitors.map(({ conversationId }) => conversationId)],
    );
  const makeDue = () => service.db.query(`update rule_events set run_at = now() where run_at > now()`);
  const hold = async (visitors: readonly Visitor[]) => {
    await holder.query('begin');
    await holder.query('select 1 from conversations where display_id = any($1::bigint[]) for update', [
      visitors.map(({ conversationId }) => conversationId),
    ]);
  };
  const attempts = async () => {
    const rows = await service.db.query<{ attempts: number }>('select attempts from rule_events');
    return rows.map((row) => row.attempts);
  };

  /**
   * 1. more conversations than are looked at together are held in another transaction, and wait for rules;
   * 2. the contact of one of them writes, and waits, in the same process;
   * 3. somebody else writes: rules act there at once;
   * 4. the transaction ends, and rules act where it was.
   */
  test('rules act elsewhere while conversations are held, and there when they no longer are', async () => {
    const held = await Promise.all(Array.from({ length: 25 }, () => visit(service)));
    const free = await visit(service);
    await queue(held);
    await hold(held);
    const late = held.slice(0, 3).map((visitor) => say(visitor, 'late'));
    const blocked = 'select 1 from pg_locks where not granted';
    await expect.poll(async () => (await holder.query(blocked)).rows.length).toBeGreaterThan(0);
    await makeDue();
    expect(await say(free, 'at once')).toBe(200);
    await expect.poll(() => labels(free), { timeout: 10_000 }).toEqual(['seen']);
    expect(await attempts()).toEqual(held.map(() => 0));
    await holder.query('rollback');
    expect(await Promise.all(late)).toEqual([200, 200, 200]);
    for (const visitor of held) await expect.poll(() => labels(visitor)).toEqual(['seen']);
    await expect.poll(attempts).toEqual([]);
  });

  test('what is held for longer than an answer is waited for is not given up', async () => {
    const impatient = await startTestService({ limits: { answerMs: 1000 }, log: 'silent' }, place);
    const held = await visit(service);
    await queue([held]);
    await hold([held]);
    await makeDue();
    // Whoever waits for the row is cut after a second.
    expect(await say(held, 'in vain', impatient)).toBe(500);
    const free = await visit(service);
    await say(free, 'at once', impatient);
    await expect.poll(() => labels(free)).toEqual(['seen']);
    expect(await attempts()).toEqual([0]);
    await holder.query('rollback');
    await expect.poll(() => labels(held)).toEqual(['seen']);
    await impatient.stop();
  });

  test('that the database is not there is no failure of a rule, however often', async () => {
    const visitor = await visit(service);
    await queue([visitor]);
    await holder.query('begin');
    await holder.query('lock table automation_rules in access exclusive mode');
    const cut = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    for (let times = 0; times < 6; times += 1) {
      await expect
        .poll(async () => {
          await makeDue();
          await holder.query('select pg_stat_clear_snapshot()');
          return (await holder.query(cut)).rows.length;
        })
        .toBe(1);
    }
    expect(await attempts()).toEqual([0]);
    await holder.query('rollback');
    await makeDue();
    await expect.poll(() => labels(visitor)).toEqual(['seen']);
  });

  test('what is given up is told', async () => {
    lines.length = 0;
    const visitor = await visit(service);
    await queue([visitor]);
    await service.db.query('update rule_events set attempts = 4');
    await service.db.query(
      `alter table conversations add constraint broken check (labels <> '["seen"]') not valid`,
    );
    await makeDue();
    await expect.poll(attempts).toEqual([]);
    await expect
      .poll(() => lines.map((line): unknown => JSON.parse(line)))
      .toContainEqual(expect.objectContaining({ job: 'rules', outcome: 'given up' }));
    await service.db.query('alter table conversations drop constraint broken');
    expect(await labels(visitor)).toEqual([]);
  });
});
