/**
 * What a first start puts into an empty database: one account with two people, one API inbox and a few attribute
 * definitions. A later start changes nothing but the console's access token, which follows its option, and adds an
 * inbox where none has the name that it is given.
 */
import { createAccount, createInbox, createUser, setAccessToken } from './domain/accounts.js';
import { type EventBus, type Kept, scopeChanged } from './events.js';
import { randomToken, sha256 } from './secrets.js';
import { type Database, first, one, type Queries } from './store/database.js';
import { locks } from './store/locks.js';

const definitions = [
  ['Plan', 'list', 'plan', 'contact_attribute', ['Free', 'Team', 'Business']],
  ['City', 'text', 'city', 'contact_attribute', []],
  ['Page', 'link', 'page_url', 'conversation_attribute', []],
  ['Order number', 'text', 'order_number', 'conversation_attribute', []],
] as const;

async function firstStart(tx: Queries): Promise<void> {
  const account = await createAccount(tx, 'Demo');
  await createUser(tx, account, {
    name: 'Ada Admin',
    displayName: 'Ada',
    email: 'ada@demo.example',
    role: 'administrator',
  });
  await createUser(tx, account, {
    name: 'Grace Agent',
    displayName: 'Grace',
    email: 'grace@demo.example',
    role: 'agent',
  });
  for (const [name, type, key, model, values] of definitions) {
    await tx.query(
      `insert into custom_attribute_definitions
         (account_id, attribute_display_name, attribute_display_type, attribute_key, attribute_model, attribute_values)
       values ($1, $2, $3, $4, $5, $6::jsonb)`,
      [account, name, type, key, model, JSON.stringify(values)],
    );
  }
}

/** Whoever was the first administrator before may be none by now, and whoever had the token before hears nothing more. */
async function followToken(tx: Queries, bus: EventBus, admin: number, token: string): Promise<Kept> {
  const others = await tx.query<{ user_id: number }>(
    `select user_id from access_tokens where name = 'console' and (user_id <> $1 or token_hash <> $2)`,
    [admin, sha256(token)],
  );
  for (const { user_id: id } of others)
    await tx.query('update users set pubsub_token = $2 where id = $1', [id, randomToken()]);
  await tx.query(`delete from access_tokens where name = 'console' and user_id <> $1`, [admin]);
  await setAccessToken(tx, admin, 'console', token);
  const heard = await tx.query<{ account_id: number; user_id: number }>(
    'select account_id, user_id from account_users where user_id = any($1::bigint[])',
    [others.map(({ user_id }) => user_id)],
  );
  const events = heard.map(({ account_id, user_id }) => scopeChanged(account_id, [user_id]));
  return events.length ? bus.keep(tx, events) : { events };
}

/** @param bus tells the processes that run already whose sockets are let in no more */
export async function seed(
  db: Database,
  bus: EventBus,
  options: { inboxIdentifier: string; apiAccessToken: string },
): Promise<void> {
  const kept = await db.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [locks.seed]);
    if (!(await first(tx, 'select id from accounts limit 1'))) await firstStart(tx);
    const admin = await one<{ account_id: number; user_id: number }>(
      tx,
      `select account_id, user_id from account_users where role = 'administrator' order by account_id, user_id limit 1`,
    );
    if (!(await first(tx, 'select id from inboxes where identifier = $1', [options.inboxIdentifier]))) {
      const inbox = await createInbox(tx, admin.account_id, {
        identifier: options.inboxIdentifier,
        name: 'Demo shop',
      });
      await tx.query(
        'insert into inbox_members (inbox_id, user_id) select $1, user_id from account_users where account_id = $2',
        [inbox, admin.account_id],
      );
    }
    return followToken(tx, bus, admin.user_id, options.apiAccessToken);
  });
  if (kept.events.length) bus.publish(kept);
}
