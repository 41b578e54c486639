/**
 * The embedded database: PostgreSQL compiled to WebAssembly, in a folder. One connection, so transactions wait
 * for each other. Does not guard the folder against a second process: `pid-lock.ts` does.
 */
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import type { Database, Queries } from './database.js';

interface Runner {
  query<Row>(text: string, params?: unknown[]): Promise<{ rows: Row[] }>;
}

const queries = (runner: Runner): Queries => ({
  async query<Row>(text: string, params: readonly unknown[] = []) {
    return (await runner.query<Row>(text, [...params])).rows;
  },
});

export async function openPglite(directory: string): Promise<Database> {
  const pglite = await PGlite.create(directory, { extensions: { pg_trgm } });
  return {
    ...queries(pglite),
    transaction: (work) => pglite.transaction((tx) => work(queries(tx))),
    close: () => pglite.close(),
  };
}
