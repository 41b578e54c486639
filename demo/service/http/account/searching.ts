/** Searches of agents may have every message of an account read: for a while, and then they are told so. */
import type { Core } from '../../core.js';
import { Refusal } from '../../errors.js';
import type { Queries } from '../../store/database.js';
import { withPatience } from '../../store/patience.js';

const againSeconds = '5';
const tooSlow = () => {
  const message = 'takes too long to search for; other words may be quicker';
  return new Refusal(503, 'The search takes too long', [{ field: 'q', message, code: 'too_slow' }], {
    'Retry-After': againSeconds,
  });
};

/**
 * @param q nothing: no search, and no hurry
 * @throws Refusal 503
 */
export const searching = <T>(
  { db, limits }: Core,
  q: string | undefined,
  work: (db: Queries) => Promise<T>,
): Promise<T> => (q ? withPatience(db, limits.searchMs, work, tooSlow) : work(db));
