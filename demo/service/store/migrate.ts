/**
 * Brings the schema up to date. Every process may call it at its start: an advisory lock lets one work while the
 * others wait, and a table remembers what is done. Never edits a migration that has been published: add one.
 */
import type { Log } from '../log.js';
import { changeSchema } from './change-schema.js';
import { type Database, one } from './database.js';
import type { Migration } from './migration.js';
import { first0001 } from './migrations/0001-first.js';
import { organisation0002 } from './migrations/0002-organisation.js';
import { webhooks0003 } from './migrations/0003-webhooks.js';
import { automation0004 } from './migrations/0004-automation.js';
import { ruleDeliveries0005 } from './migrations/0005-rule-deliveries.js';
import { bus0010 } from './migrations/0010-bus.js';
import { load0020 } from './migrations/0020-load.js';
import { lists0021 } from './migrations/0021-lists.js';
import { avatars0030 } from './migrations/0030-avatars.js';
import { waiting0031 } from './migrations/0031-waiting.js';
import { receivers0032 } from './migrations/0032-receivers.js';
import { deleted0033 } from './migrations/0033-deleted.js';
import { queued0034 } from './migrations/0034-queued.js';
import { unread0035 } from './migrations/0035-unread.js';
import { narrowed0036 } from './migrations/0036-narrowed.js';
import { hot0037 } from './migrations/0037-hot.js';
import { pictures0038 } from './migrations/0038-pictures.js';
import { locked0039 } from './migrations/0039-locked.js';
import { claims0040 } from './migrations/0040-claims.js';

const migrations: readonly Migration[] = [
  first0001,
  organisation0002,
  webhooks0003,
  automation0004,
  ruleDeliveries0005,
  bus0010,
  load0020,
  lists0021,
  avatars0030,
  waiting0031,
  receivers0032,
  deleted0033,
  queued0034,
  unread0035,
  narrowed0036,
  hot0037,
  pictures0038,
  locked0039,
  claims0040,
];

/** One that is kept otherwise has no room for most of what people write: no emoji, no other alphabet. */
async function mustBeUtf8(db: Database): Promise<void> {
  const kept = await one<{ server_encoding: string }>(db, 'show server_encoding');
  // The other one keeps each letter as it comes; what it does not know of them is said when the service starts.
  if (kept.server_encoding !== 'UTF8' && kept.server_encoding !== 'SQL_ASCII')
    throw new Error(`The database is kept in ${kept.server_encoding}: create it with the encoding UTF8.`);
}

/**
 * Tables of a newer version may have what this one would break. Where processes share them an older one may end while
 * others are updated, and is started again: that goes on.
 */
function mustBeKnown(db: Database, log: Log, done: ReadonlySet<string>): void {
  const known = new Set(migrations.map(({ name }) => name));
  const newer = [...done].filter((name) => !known.has(name));
  if (newer.length === 0) return;
  if (!db.listen)
    throw new Error(
      'The database in DATA_DIR is of a newer version: start that one, or go back to what was saved before it.',
    );
  log.error({ schema: 'the database is of a newer version', newer });
}

export async function migrate(db: Database, log: Log): Promise<void> {
  await mustBeUtf8(db);
  await changeSchema(db, log, async (tx) => {
    await tx.query(
      'create table if not exists migrations (name text primary key, done_at timestamptz not null default now())',
    );
    const done = new Set(
      (await tx.query<{ name: string }>('select name from migrations')).map((row) => row.name),
    );
    mustBeKnown(db, log, done);
    for (const { name, statements } of migrations) {
      if (done.has(name)) continue;
      for (const statement of statements) await tx.query(statement);
      await tx.query('insert into migrations (name) values ($1)', [name]);
    }
  });
}
