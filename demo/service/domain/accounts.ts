/** How an account, its people with their tokens and its inboxes come into the tables. It does not know who asks. */
import { randomToken, sha256 } from '../secrets.js';
import { one, type Queries } from '../store/database.js';

const week = [0, 1, 2, 3, 4, 5, 6].map((day) => {
  const closed = day === 0 || day === 6;
  return {
    day_of_week: day,
    closed_all_day: closed,
    open_hour: closed ? null : 9,
    open_minutes: closed ? null : 0,
    close_hour: closed ? null : 17,
    close_minutes: closed ? null : 0,
    open_all_day: false,
  };
});

export async function createUser(
  db: Queries,
  accountId: number,
  user: { name: string; displayName: string; email: string; role: 'administrator' | 'agent' },
): Promise<number> {
  const { id } = await one<{ id: number }>(
    db,
    'insert into users (name, display_name, email, pubsub_token) values ($1, $2, $3, $4) returning id',
    [user.name, user.displayName, user.email, randomToken()],
  );
  await db.query('insert into account_users (account_id, user_id, role) values ($1, $2, $3)', [
    accountId,
    id,
    user.role,
  ]);
  return id;
}

export async function createAccount(db: Queries, name: string): Promise<number> {
  return (await one<{ id: number }>(db, 'insert into accounts (name) values ($1) returning id', [name])).id;
}

export async function createInbox(
  db: Queries,
  accountId: number,
  inbox: { identifier: string; name: string },
): Promise<number> {
  const { id } = await one<{ id: number }>(
    db,
    `insert into inboxes (account_id, identifier, name, hmac_token, working_hours)
     values ($1, $2, $3, $4, $5::jsonb) returning id`,
    [accountId, inbox.identifier, inbox.name, randomToken(), JSON.stringify(week)],
  );
  return id;
}

/** The token itself is never stored. */
export async function setAccessToken(
  db: Queries,
  userId: number,
  name: string,
  token: string,
): Promise<void> {
  await db.query(
    `insert into access_tokens (token_hash, user_id, name) values ($1, $2, $3)
     on conflict (user_id, name) do update set token_hash = excluded.token_hash`,
    [sha256(token), userId, name],
  );
}
