/**
 * The embedded database: PostgreSQL compiled to WebAssembly, in a folder. One connection, so transactions wait
 * for each other. Does not guard the folder against a second process: `pid-lock.ts` does.
 */
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { z } from 'zod';
import type { Database, Queries } from './database.js';

interface Runner {
  query<Row>(text: string, params?: unknown[]): Promise<{ rows: Row[] }>;
}

const queries = (runner: Runner): Queries => ({
  async query<Row>(text: string, params: readonly unknown[] = []) {
    return (await runner.query<Row>(text, [...params])).rows;
  },
});

const systemFault = z.object({ name: z.literal('ErrnoError'), errno: z.number() });
/** ENOSPC, in the numbers of WebAssembly. */
const noRoom = 51;

/** What its file system throws is no `Error`, and has a number alone. */
function explained(error: unknown): unknown {
  if (error instanceof Error) return error;
  const { errno } = systemFault.safeParse(error).data ?? {};
  return new Error(
    errno === noRoom
      ? 'There is no room left in DATA_DIR: the database needs 40 MB to begin.'
      : `The database in DATA_DIR could not be opened${errno === undefined ? '' : ` (${errno})`}.`,
    { cause: error },
  );
}

export async function openPglite(directory: string): Promise<Database> {
  const pglite = await PGlite.create(directory, { extensions: { pg_trgm } }).catch((error: unknown) => {
    throw explained(error);
  });
  return {
    ...queries(pglite),
    transaction: (work) => pglite.transaction((tx) => work(queries(tx))),
    close: () => pglite.close(),
  };
}
