/** Searches find letters of every alphabet, large or small, whatever the machine is set to; else the log says so. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { hasPostgres, makePostgres, type TestPostgres } from '../support/processes.js';
import { makePlace, startMs, startTestService } from '../support/service.js';

const found = z.object({ meta: z.object({ count: z.number() }) });

async function searchesOn(databaseUrl: string) {
  const lines: string[] = [];
  const place = { ...(await makePlace()), databaseUrl };
  const service = await startTestService(
    { log: 'error', logTo: { write: (line) => void lines.push(line) } },
    place,
  );
  try {
    const counts: number[] = [];
    for (const [name, words] of [
      ['Émile', 'émile'],
      ['мария', 'МАРИЯ'],
    ] as const) {
      expect((await service.agent('POST', '/api/v1/accounts/1/contacts', { name })).status).toBe(200);
      const path = `/api/v1/accounts/1/contacts/search?q=${encodeURIComponent(words)}`;
      counts.push(found.parse((await service.agent('GET', path)).body).meta.count);
    }
    return { counts, warned: lines.filter((line) => line.includes('C.UTF-8')).length };
  } finally {
    await service.stop();
    await place.remove();
  }
}

describe.skipIf(!hasPostgres)('on PostgreSQL', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    // As in a container, where nothing is set.
    vi.stubEnv('LC_ALL', 'C');
    postgres = await makePostgres().finally(() => vi.unstubAllEnvs());
  }, startMs);
  afterAll(() => postgres?.remove());

  test('our own PostgreSQL knows them where the machine has no locale', async () => {
    expect(await searchesOn(postgres.url)).toEqual({ counts: [1, 1], warned: 0 });
  });

  async function createDatabase(name: string, encoding: string): Promise<string> {
    const db = new pg.Client(postgres.url);
    await db.connect();
    await db.query(`create database ${name} template template0 encoding '${encoding}' locale 'C'`);
    await db.end();
    const url = new URL(postgres.url);
    url.pathname = `/${name}`;
    return url.href;
  }

  test('of a database that knows only A to Z the operator is told', async () => {
    expect(await searchesOn(await createDatabase('plain', 'UTF8'))).toEqual({ counts: [0, 0], warned: 1 });
  });

  test('a database that has no room for every letter is refused before anything is made in it', async () => {
    const databaseUrl = await createDatabase('latin', 'LATIN1');
    const place = { ...(await makePlace()), databaseUrl };
    await expect(startTestService({}, place)).rejects.toThrow(
      'The database is kept in LATIN1: create it with the encoding UTF8.',
    );
    const db = new pg.Client(databaseUrl);
    await db.connect();
    expect((await db.query(`select 1 from pg_tables where schemaname = 'public'`)).rows).toEqual([]);
    await db.end();
    await place.remove();
  });
});
