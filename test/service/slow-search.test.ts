/** A search that the database does not answer in time is told so, and leaves its connection to the others. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasPostgres, makeSharedPlace } from '../support/processes.js';
import { errorBody, startMs, startTestService, type TestService, visit } from '../support/service.js';

const account = '/api/v1/accounts/1';

describe.skipIf(!hasPostgres)('on PostgreSQL', () => {
  let service: TestService;
  let client: pg.Client;
  beforeAll(async () => {
    const place = await makeSharedPlace();
    service = await startTestService({ limits: { searchMs: 500 } }, place);
    const visitor = await visit(service, { name: 'Ada Words' });
    await service.call('POST', `${visitor.path}/messages`, { content: 'some words' });
    client = new pg.Client({ connectionString: place.databaseUrl });
    await client.connect();
  }, startMs);
  afterAll(async () => {
    await client?.end();
    await service?.end();
  });

  test.each([
    ['messages', 'messages', '/conversations?q=words'],
    ['how many conversations have words', 'messages', '/conversations/meta?q=words'],
    ['contacts', 'contacts', '/contacts/search?q=words'],
  ])('%s', async (_, table, path) => {
    // Whoever waits for a lock takes as long as whoever reads too much.
    await client.query(`begin; lock table ${table} in access exclusive mode`);
    try {
      // More than there are connections.
      const all = await Promise.all(Array.from({ length: 20 }, () => service.agent('GET', account + path)));
      for (const answer of all) {
        expect(answer.status).toBe(503);
        expect(errorBody.parse(answer.body).errors).toMatchObject([{ field: 'q', code: 'too_slow' }]);
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      }
    } finally {
      await client.query('rollback');
    }
    // Nothing of it is left for who has the connection next. On a busy machine a search that waits for nobody is late, too.
    await expect.poll(async () => (await service.agent('GET', account + path)).status).toBe(200);
    const times = await Promise.all(
      Array.from({ length: 20 }, () => service.db.query('show statement_timeout')),
    );
    expect(new Set(times.map(([row]) => Object(row).statement_timeout))).toEqual(new Set(['0']));
  });

  test('a list that searches for nothing waits for its turn', async () => {
    await client.query('begin; lock table messages in access exclusive mode');
    const listed = service.agent('GET', `${account}/conversations`);
    const waits = `select 1 from pg_stat_activity where wait_event_type = 'Lock'`;
    await expect.poll(async () => (await service.db.query(waits)).length).toBeGreaterThan(0);
    await client.query('rollback');
    expect((await listed).status).toBe(200);
  });
});
