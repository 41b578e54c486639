/**
 * Questions that may take long, whatever is asked: PostgreSQL gives them up in time, so that they do not hold the
 * connections that everybody needs. The embedded database has no clock to do so, and nobody but its one owner to wait.
 */
import { type Database, type Queries, sqlState } from './database.js';

const queryCanceled = '57014';

/**
 * @param ms for each statement of `work`
 * @param tooSlow what is thrown then
 */
export async function withPatience<T>(
  db: Database,
  ms: number,
  work: (tx: Queries) => Promise<T>,
  tooSlow: () => Error,
): Promise<T> {
  try {
    return await db.transaction(async (tx) => {
      await tx.query(`select set_config('statement_timeout', $1, true)`, [String(ms)]);
      return work(tx);
    });
  } catch (error) {
    throw sqlState(error) === queryCanceled ? tooSlow() : error;
  }
}
