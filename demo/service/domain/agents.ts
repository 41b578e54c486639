/**
 * The people of an account: taken in, changed, let go. Whoever is let go, or sees less than before, leaves no
 * work behind that nobody sees.
 */
import { type Core, commitNow } from '../core.js';
import { forbidden, notFound, unprocessable } from '../errors.js';
import { scopeChanged } from '../events.js';
import { randomToken } from '../secrets.js';
import { type Database, first, one, type Queries } from '../store/database.js';
import type { AgentRow, Role, UserRow } from '../store/rows.js';
import { refuseTaken } from '../store/taken.js';
import { createUser, setAccessToken } from './accounts.js';
import { agentsOf } from './agent-rows.js';
import { type Held, release, releaseMost } from './release.js';

export interface AgentFields {
  name?: string | undefined;
  role?: Role | undefined;
  availability?: UserRow['availability'] | undefined;
  auto_offline?: boolean | undefined;
}

async function agent(db: Queries, accountId: number, id: number): Promise<AgentRow> {
  const [row] = await agentsOf(db, accountId, [id]);
  if (!row) throw notFound('agent_id');
  return row;
}

async function write(tx: Queries, accountId: number, id: number, fields: AgentFields): Promise<void> {
  await tx.query(
    `update users set name = coalesce($2, name), availability = coalesce($3, availability) where id = $1`,
    [id, fields.name ?? null, fields.availability ?? null],
  );
  await tx.query(
    `update account_users set role = coalesce($3, role), auto_offline = coalesce($4, auto_offline)
     where account_id = $1 and user_id = $2`,
    [accountId, id, fields.role ?? null, fields.auto_offline ?? null],
  );
}

/** @returns also the only sight of the access token, for a system that acts on this person's behalf */
export function addAgent(
  db: Database,
  accountId: number,
  fields: AgentFields & { name: string; email: string; role: Role },
): Promise<{ agent: AgentRow; accessToken: string | undefined }> {
  return refuseTaken('email', () =>
    db.transaction(async (tx) => {
      const email = fields.email.toLowerCase();
      const { name, role } = fields;
      const known = await first<{ id: number }>(
        tx,
        'select id from users where lower(email) = $1 for update',
        [email],
      );
      if (known) {
        const lives = await first(tx, 'select 1 from account_users where user_id = $1', [known.id]);
        await tx.query('insert into account_users (account_id, user_id, role) values ($1, $2, $3)', [
          accountId,
          known.id,
          role,
        ]);
        // Somebody of another account: their name, their state and their tokens are theirs. Whom all have let go has none.
        if (lives) return { agent: await agent(tx, accountId, known.id), accessToken: undefined };
      }
      const id = known?.id ?? (await createUser(tx, accountId, { name, displayName: '', email, role }));
      await write(tx, accountId, id, fields);
      const accessToken = randomToken(24);
      await setAccessToken(tx, id, 'agent', accessToken);
      // Whoever kept what they listened with when they were let go hears nothing by it.
      if (known) await tx.query('update users set pubsub_token = $2 where id = $1', [id, randomToken(24)]);
      return { agent: await agent(tx, accountId, id), accessToken };
    }),
  );
}

const activeMs = 60_000;

/** Whether they are still with the account, and stay so until the transaction ends. */
export const stays = async (tx: Queries, accountId: number, id: number): Promise<boolean> => {
  const sql = 'select 1 from account_users where account_id = $1 and user_id = $2 for key share';
  return (await first(tx, sql, [accountId, id])) !== undefined;
};

/** Somebody is at work here. Written once a minute at most, whatever they do and in whichever process. */
export async function noteActive(
  db: Queries,
  { account_id, id, active_at }: Pick<AgentRow, 'account_id' | 'id'> & { active_at: Date | null },
): Promise<void> {
  if (active_at && Math.abs(Date.now() - active_at.getTime()) < activeMs) return;
  await db.query(
    `update account_users set active_at = now() where account_id = $1 and user_id = $2
       and (active_at is null or active_at < now() - make_interval(secs => $3))`,
    [account_id, id, activeMs / 1000],
  );
}

/**
 * An account without an administrator could never be changed again.
 * @param but whoever is about to go
 */
async function keepOneAdministrator(tx: Queries, accountId: number, but?: number): Promise<void> {
  const { count } = await one<{ count: number }>(
    tx,
    `select count(*) as count from account_users
     where account_id = $1 and role = 'administrator' and user_id is distinct from $2`,
    [accountId, but ?? null],
  );
  if (count === 0) {
    throw unprocessable('role', 'The account needs an administrator', 'last_administrator');
  }
}

export const lockAccount = (tx: Queries, id: number) =>
  tx.query('select id from accounts where id = $1 for no key update', [id]);

/** Name and state are the person's own, in every account they are in: no account changes them for the others. */
async function refuseShared(tx: Queries, accountId: number, id: number, fields: AgentFields): Promise<void> {
  const field = (['name', 'availability'] as const).find((name) => fields[name] !== undefined);
  if (!field) return;
  const sql = 'select 1 from account_users where user_id = $1 and account_id <> $2 limit 1';
  if (await first(tx, sql, [id, accountId])) {
    throw forbidden(field, 'This person belongs to another account, too');
  }
}

/** What they have and see only as an administrator. */
async function seenByOffice(db: Queries, accountId: number, id: number): Promise<Held> {
  const inboxes = await db.query<{ id: number }>(
    `select id from inboxes where account_id = $1
       and id not in (select inbox_id from inbox_members where user_id = $2)`,
    [accountId, id],
  );
  return { column: 'assignee_id', by: [id], inboxIds: inboxes.map((inbox) => inbox.id) };
}

/** @param by whoever changes it: one's own name and state one may always change */
export async function changeAgent(
  core: Core,
  by: AgentRow,
  id: number,
  fields: AgentFields,
): Promise<AgentRow> {
  const { account_id: accountId } = by;
  const check = async (db: Queries) => {
    if (by.id !== id) await refuseShared(db, accountId, id, fields);
    return agent(db, accountId, id);
  };
  if (fields.role === 'agent' && (await check(core.db)).role === 'administrator') {
    // Before anything of theirs is given away; below it is asked once more.
    await keepOneAdministrator(core.db, accountId, id);
    await releaseMost(core, by, await seenByOffice(core.db, accountId, id));
  }
  return commitNow(core, async (change) => {
    const { tx, emit } = change;
    await lockAccount(tx, accountId);
    const before = await check(tx);
    await write(tx, accountId, id, fields);
    await keepOneAdministrator(tx, accountId);
    const after = await agent(tx, accountId, id);
    if (after.role === before.role) return after;
    emit(scopeChanged(accountId, [id]));
    if (after.role === 'agent') await release(change, by, await seenByOffice(tx, accountId, id));
    return after;
  });
}

export async function removeAgent(core: Core, by: AgentRow, id: number): Promise<void> {
  const { account_id: accountId } = by;
  const held: Held = { column: 'assignee_id', by: [id] };
  // Before anything of theirs is given away; below it is asked once more.
  await keepOneAdministrator(core.db, accountId, id);
  await releaseMost(core, by, held);
  await commitNow(core, async (change) => {
    const { tx, emit } = change;
    await lockAccount(tx, accountId);
    // Another account may let them go, or take them in, in this moment: whether they are nobody's is asked below.
    await tx.query('select id from users where id = $1 for update', [id]);
    emit(scopeChanged(accountId, [id]));
    const params = [accountId, id];
    await tx.query('delete from account_users where account_id = $1 and user_id = $2', params);
    await keepOneAdministrator(tx, accountId);
    await tx.query(
      `delete from inbox_members where user_id = $2
         and inbox_id in (select id from inboxes where account_id = $1)`,
      params,
    );
    await tx.query(
      'delete from team_members where user_id = $2 and team_id in (select id from teams where account_id = $1)',
      params,
    );
    await release(change, by, held);
    // Nobody without an account has anything to open with a token.
    await tx.query(
      `delete from access_tokens where user_id = $1
         and not exists (select 1 from account_users where user_id = $1)`,
      [id],
    );
  });
}
