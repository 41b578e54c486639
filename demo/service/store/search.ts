/**
 * What makes searching quick where the database has the means, the extension pg_trgm. Where it has not, or this user
 * may not create it, searches read every row, which is right and slow. Tried at each start: somebody may have created
 * it since.
 */
import type { Log } from '../log.js';
import { changeSchema } from './change-schema.js';
import { type Database, first, sqlState } from './database.js';

const wanted = [
  {
    name: 'contacts_search',
    sql: `create index contacts_search on contacts using gin
      (name gin_trgm_ops, email gin_trgm_ops, phone_number gin_trgm_ops, identifier gin_trgm_ops)`,
  },
];

/** Not there, not allowed, or no such class of operators: the ways in which a database says that it cannot. */
const cannot = ['0A000', '42501', '58P01', '42704', 'XX000'];

/** @returns whether searches have their index */
export async function prepareSearch(db: Database, log: Log): Promise<boolean> {
  try {
    await changeSchema(db, log, async (tx) => {
      await tx.query('create extension if not exists pg_trgm');
      for (const { name, sql } of wanted) {
        if (await first(tx, 'select 1 from pg_indexes where indexname = $1', [name])) continue;
        await tx.query(sql);
      }
    });
    return true;
  } catch (error) {
    if (cannot.includes(sqlState(error) ?? '')) return false;
    throw error;
  }
}

/**
 * Searches find words however their letters are written: large or small, of whatever alphabet. A database that was made
 * in the locale C knows only A to Z.
 */
export async function knowsLetters(db: Database): Promise<boolean> {
  return Boolean(await first(db, `select 1 where 'É' ilike 'é'`));
}
