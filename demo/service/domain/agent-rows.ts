/** The agents of an account as everybody reads them. What changes them is in `agents.ts`, which knows who must hear it. */
import type { Queries } from '../store/database.js';
import type { MemberRow } from '../store/rows.js';

/** @param ids all of the account without them */
export async function agentsOf(
  db: Queries,
  accountId: number,
  ids?: readonly number[],
): Promise<MemberRow[]> {
  return db.query<MemberRow>(
    `select u.*, au.*, a.name as account_name
     from users u join account_users au on au.user_id = u.id join accounts a on a.id = au.account_id
     where au.account_id = $1 and ($2::bigint[] is null or u.id = any($2::bigint[])) order by u.name, u.id`,
    [accountId, ids ?? null],
  );
}
