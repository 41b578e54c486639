/**
 * Changes of the tables while others use them. Who waits for a table has everybody wait behind it who comes later, so
 * it is waited for briefly, again and again: a dump may have it for hours. One process at a time.
 */
import { setTimeout } from 'node:timers/promises';
import type { Log } from '../log.js';
import { type Database, lockNotAvailable, type Queries, sqlState } from './database.js';
import { locks } from './locks.js';

const lockMs = 2000;
/** Those who came meanwhile are served. */
const againMs = 3000;

export const changeSchema = (db: Database, log: Log, work: (tx: Queries) => Promise<void>): Promise<void> =>
  db.transaction(
    async (tx) => {
      // Nobody waits behind those who wait for this one, and as long as it is ours nobody else tries.
      await tx.query('select pg_advisory_xact_lock($1)', [locks.schema]);
      await tx.query(`set local lock_timeout = ${lockMs}`);
      await tx.query('savepoint unchanged');
      for (let isTold = false; ; isTold = true) {
        try {
          return await work(tx);
        } catch (error) {
          if (sqlState(error) !== lockNotAvailable) throw error;
          // Whatever the work has got of tables is free again.
          await tx.query('rollback to savepoint unchanged');
          if (!isTold)
            log.error({ schema: 'waits for who has a table that is to be changed, such as a dump' });
          await setTimeout(againMs);
        }
      }
    },
    { isLong: true },
  );
