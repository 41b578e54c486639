/** Snoozes that are over while somebody has a conversation for long, or one of them cannot be woken. */
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { hasPostgres, makeSharedPlace } from '../support/processes.js';
import { startMs, startTestService, type TestService, type Visitor, visit } from '../support/service.js';

describe.skipIf(!hasPostgres)('on PostgreSQL', () => {
  let service: TestService;
  let holder: pg.Client;
  beforeAll(async () => {
    const place = await makeSharedPlace();
    service = await startTestService({}, place);
    holder = new pg.Client({ connectionString: place.databaseUrl });
    await holder.connect();
  }, startMs);
  afterEach(() => holder?.query('rollback'));
  afterAll(async () => {
    await holder?.end();
    await service?.end();
  });

  const these = 'where display_id = any($1::bigint[])';
  const numbers = (visitors: readonly Visitor[]) => [visitors.map(({ conversationId }) => conversationId)];
  /** Over when the statement is, or a while after. */
  const snooze = (visitors: readonly Visitor[], seconds = 0) =>
    service.db.query(
      `update conversations set status = 'snoozed', snoozed_until = now() + make_interval(secs => $2) ${these}`,
      [...numbers(visitors), seconds],
    );
  const hold = async (visitors: readonly Visitor[]) => {
    await holder.query('begin');
    await holder.query(`select 1 from conversations ${these} for update`, numbers(visitors));
  };
  const asleep = async () =>
    (await service.db.query(`select 1 from conversations where status = 'snoozed'`)).length;

  /**
   * 1. a conversation is held in another transaction, and its snooze is over soon;
   * 2. its contact writes, and waits, in the same process;
   * 3. another one, whose snooze is over later, is woken;
   * 4. the transaction ends, and so is the first.
   */
  test('one in which somebody waits keeps no other asleep', async () => {
    const [held, free] = [await visit(service), await visit(service)];
    await snooze([held], 10);
    await hold([held]);
    const late = service.call('POST', `${held.path}/messages`, { content: 'late' });
    const blocked = 'select 1 from pg_locks where not granted';
    await expect.poll(async () => (await holder.query(blocked)).rows.length).toBeGreaterThan(0);
    await snooze([free], 11);
    await expect.poll(asleep).toBe(1);
    await holder.query('rollback');
    expect((await late).status).toBe(200);
    await expect.poll(asleep).toBe(0);
  });

  test('as many as are looked at together are asked for without haste while they are held', async () => {
    const held = await Promise.all(Array.from({ length: 20 }, () => visit(service)));
    const free = await visit(service);
    await snooze(held, 10);
    await hold(held);
    await snooze([free], 11);
    await expect.poll(asleep).toBe(20);
    const commits = async () => {
      const sql = 'select xact_commit::int as count from pg_stat_database where datname = current_database()';
      return (await service.db.query<{ count: number }>(sql))[0]?.count ?? 0;
    };
    const before = await commits();
    await setTimeout(4000);
    expect((await commits()) - before).toBeLessThan(400);
    await holder.query('rollback');
    await expect.poll(asleep).toBe(0);
  });

  test('one that cannot be woken keeps no other asleep', async () => {
    const [broken, sound] = [await visit(service), await visit(service)];
    await service.db.query(
      `alter table conversations add constraint broken
         check (display_id <> ${broken.conversationId} or status <> 'open') not valid`,
    );
    await service.db.query(`update conversations set status = 'resolved' ${these}`, numbers([broken]));
    await snooze([broken]);
    await snooze([sound]);
    await expect.poll(asleep).toBe(1);
    await service.db.query('alter table conversations drop constraint broken');
    await expect.poll(asleep).toBe(0);
  });
});
