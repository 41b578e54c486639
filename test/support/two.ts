/**
 * Two processes on one PostgreSQL, asked in the same moment. A lock of the test's own holds both back until both have
 * looked, so what could happen once in a thousand times happens each time.
 */
import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { eventually } from './eventually.js';
import { makeSharedPlace } from './processes.js';
import { type Place, startMs, startTestService, type TestService } from './service.js';

export function useTwo() {
  let place: Place;
  let both: [TestService, TestService];
  beforeAll(async () => {
    place = await makeSharedPlace();
    both = [await startTestService({}, place), await startTestService({}, place)];
  }, 2 * startMs);
  afterAll(async () => {
    const [a, b] = both ?? [];
    await a?.stop();
    await b?.end();
  });

  /** The requests wait for rows that the test holds; each is sent when the one before it waits. */
  const holding = <T>(rows: string, requests: readonly (() => Promise<T>)[]): Promise<T[]> =>
    behind(`select 1 from ${rows} for update`, requests, []);

  /** @param change what the test does before it lets them go */
  async function behind<T>(
    lock: string,
    requests: readonly (() => Promise<T>)[],
    change: readonly string[],
  ): Promise<T[]> {
    const client = new pg.Client({ connectionString: place.databaseUrl });
    await client.connect();
    await client.query('begin');
    await client.query(lock);
    const under: Promise<T>[] = [];
    for (const request of requests) {
      under.push(request());
      await eventually('the request waits', async () => {
        // Within a transaction it would show for ever who was there at the first look.
        await client.query('select pg_stat_clear_snapshot()');
        const sql = `select count(*)::integer as waiting from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`;
        const { rows } = await client.query<{ waiting: number }>(sql);
        // Who waits for the same row as another waits for the other.
        return rows[0]?.waiting === under.length;
      });
    }
    for (const sql of change) await client.query(sql);
    await client.query('commit');
    await client.end();
    return Promise.all(under);
  }

  return {
    holding,
    behind,
    get both() {
      return both;
    },
  };
}
