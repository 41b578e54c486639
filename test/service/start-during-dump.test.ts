/** A newer process starts while somebody reads the tables for long, as a dump does. */
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { hasPostgres, makeSharedPlace } from '../support/processes.js';
import { startMs, startTestService } from '../support/service.js';

describe.skipIf(!hasPostgres)('on PostgreSQL', () => {
  test(
    'a start that would change a table waits for a dump, and nobody waits behind it',
    async () => {
      const place = await makeSharedPlace();
      const running = await startTestService({}, place);
      const dump = new pg.Client({ connectionString: place.databaseUrl });
      await dump.connect();
      // As an older version has left it.
      await dump.query(`alter table webhook_deliveries drop column inbox_id;
        delete from migrations where name = '0036-narrowed'`);
      await dump.query('begin; lock table webhook_deliveries in access share mode');
      const lines: string[] = [];
      const newer = startTestService(
        { log: 'error', logTo: { write: (line) => void lines.push(line) } },
        place,
      );
      const told = () => lines.filter((line) => line.includes('"schema":"waits'));
      await expect.poll(told, { timeout: 60_000 }).toHaveLength(1);
      await running.db.query('select count(*) from webhook_deliveries');
      await dump.query('commit');
      await dump.end();
      const started = await newer;
      await started.db.query('select inbox_id from webhook_deliveries');
      expect(told()).toHaveLength(1);
      await started.stop();
      await running.end();
    },
    startMs,
  );
});
