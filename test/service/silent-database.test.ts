/** A database that takes every question and answers none, as one whose disk hangs. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
import { startMs } from '../support/service.js';
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
});
