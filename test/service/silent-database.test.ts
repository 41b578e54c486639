/** A database that takes every question and answers none, as one whose disk hangs or whose host has vanished. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  type Built,
  buildService,
  hasPostgres,
  launch,
  makePostgres,
  type TestPostgres,
} from '../support/processes.js';
import { listen, startMs, startTestService, visit } from '../support/service.js';
import { silentLine } from '../support/silence.js';

describe.skipIf(!hasPostgres)('while PostgreSQL is silent', () => {
  let built: Built;
  let postgres: TestPostgres;
  beforeAll(async () => {
    [built, postgres] = await Promise.all([buildService(), makePostgres()]);
  }, startMs);
  afterAll(async () => {
    await postgres?.remove();
    await built?.remove();
  });

  async function launchOn(url: string) {
    const dataDir = await mkdtemp(join(tmpdir(), 'parley-silent-'));
    const running = await launch(built.main, [], { PORT: '0', DATA_DIR: dataDir, DATABASE_URL: url });
    return { ...running, remove: () => rm(dataDir, { recursive: true, force: true }) };
  }

  test(
    'what is counted of a process is told, without what waits in the database',
    async () => {
      const line = await silentLine(postgres.url);
      const running = await launchOn(line.url);
      const read = async () => z.string().parse((await running.call('GET', '/metrics')).body);
      expect(await read()).toContain('parley_queue_length{');
      line.fallSilent();
      const told = await read();
      expect(told).toContain('parley_sockets 0\n');
      expect(told).not.toContain('parley_queue_length');
      line.close();
      await running.end('SIGTERM');
      await running.remove();
    },
    startMs,
  );

  test(
    'a process that is told to end leaves all the same, and says that something was left',
    async () => {
      const line = await silentLine(postgres.url);
      const running = await launchOn(line.url);
      line.fallSilent();
      expect(await running.end('SIGTERM')).toBe(1);
      line.close();
      await running.remove();
    },
    startMs,
  );

  test(
    'one that is replaced meanwhile is asked anew: what happens is heard, and what is due is done',
    async () => {
      const line = await silentLine(postgres.url);
      const dataDir = await mkdtemp(join(tmpdir(), 'parley-silent-'));
      const service = await startTestService(
        { limits: { answerMs: 3000 } },
        { dataDir, databaseUrl: line.url, remove: () => rm(dataDir, { recursive: true, force: true }) },
      );
      const visitor = await visit(service);
      const contact = await listen(service, { pubsub_token: visitor.token });
      // The last of a subscription: one that fails is told to come back.
      await contact.event('presence.update');
      line.fallSilent();
      line.answerAnew();
      // Past the line.
      const other = new pg.Client({ connectionString: postgres.url });
      await other.connect();
      const pair = await other.query('select id from contact_inboxes where source_id = $1', [
        visitor.sourceId,
      ]);
      await other.query('insert into bus_events (writer, events) values ($1, $2)', [
        'other',
        JSON.stringify([
          { topics: [`pair:${pair.rows[0].id}`], name: 'message.created', data: { content: 'elsewhere' } },
        ]),
      ]);
      const snoozed = `update conversations set status = 'snoozed', snoozed_until = now() returning id`;
      const { id } = (await other.query(snoozed)).rows[0];
      const heard = () => contact.events().some(({ data }) => data.content === 'elsewhere');
      await expect.poll(heard, { timeout: 60_000 }).toBe(true);
      const status = async () =>
        (await other.query('select status from conversations where id = $1', [id])).rows[0].status;
      await expect.poll(status, { timeout: 60_000 }).toBe('open');
      contact.close();
      await other.end();
      line.close();
      await service.end();
    },
    startMs,
  );
});
