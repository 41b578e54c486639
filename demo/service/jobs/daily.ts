/**
 * What keeps a service in order that runs for long, once a day. The embedded database has nobody beside it who takes away
 * what was changed, counts its rows, and shortens its log. And files whose message was never stored, because the process
 * died or nobody knew whether it was, are named by no row.
 */
import type { Core } from '../core.js';
import { errorFacts, type Log } from '../log.js';
import type { Database } from '../store/database.js';
import { locks } from '../store/locks.js';
import { type Loop, startLoop } from './loop.js';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** An update that starts a process each few hours leaves time for it. */
const firstMs = 60 * minuteMs;
const namesAtOnce = 1000;
/** Whoever looks into an older copy of the database, or tries another one, finds the files again that theirs names. */
const asideMs = 30 * dayMs;

/** One table after another: whoever asks for something has their turn between them. */
export async function tidyDatabase(db: Database, isStopping = () => false): Promise<void> {
  const tables = await db.query<{ name: string }>(
    `select quote_ident(relname) as name from pg_class
     where relkind = 'r' and relnamespace = current_schema()::regnamespace order by relname`,
  );
  for (const { name } of tables) {
    if (isStopping()) return;
    await db.query(`vacuum (analyze) ${name}`);
  }
  await db.query('checkpoint');
}

const namedSql = `select key from attachments where key = any($1::text[])
  union all select key from avatars where key = any($1::text[])`;

/** @param ageMs of a file that is named by now, if it will ever be */
export async function forgetFiles(
  { db, uploads }: Pick<Core, 'db' | 'uploads'>,
  log: Log,
  ageMs = dayMs,
  goneMs = asideMs,
): Promise<void> {
  const kept = await uploads.keptFor(ageMs);
  const aside = await uploads.asideFor(0);
  const keys = [...kept, ...aside];
  const named = await db.transaction(
    async (tx) => {
      const [lock] = await tx.query<{ free: boolean }>('select pg_try_advisory_xact_lock($1) as free', [
        locks.files,
      ]);
      const found = new Set<string>();
      for (let at = 0; lock?.free && at < keys.length; at += namesAtOnce) {
        const rows = await tx.query<{ key: string }>(namedSql, [keys.slice(at, at + namesAtOnce)]);
        for (const { key } of rows) found.add(key);
      }
      return lock?.free ? found : undefined;
    },
    { isLong: true },
  );
  if (!named) return;
  const isNamed = (key: string) => named.has(key);
  const isUnnamed = (key: string) => !named.has(key);
  await uploads.bringBack(aside.filter(isNamed));
  const unnamed = kept.filter(isUnnamed);
  // A folder beside another database than its own, as after a start with a wrong address.
  if (unnamed.length > kept.filter(isNamed).length) {
    log.error({ job: 'daily', files: 'most are of no message here, so all stay', count: unnamed.length });
    return;
  }
  if (unnamed.length) log.info({ job: 'daily', files: 'set aside for 30 days', count: unnamed.length });
  await uploads.discard((await uploads.asideFor(goneMs)).filter(isUnnamed));
  await uploads.setAside(unnamed);
}

export function startDaily(core: Core, log: Log): Loop {
  let dueAt = performance.now() + firstMs;
  let stopping = false;
  // What fails is tried again the next day, and keeps nothing else from its turn.
  const attempt = (work: Promise<void>) =>
    work.catch((error: unknown) => log.error({ job: 'daily', ...errorFacts(error) }));
  const work = async () => {
    if (performance.now() < dueAt) return false;
    dueAt = performance.now() + dayMs;
    if (!core.db.listen) await attempt(tidyDatabase(core.db, () => stopping));
    if (!stopping) await attempt(forgetFiles(core, log));
    return false;
  };
  const loop = startLoop('daily', work, minuteMs, log);
  return {
    wake: loop.wake,
    stop() {
      stopping = true;
      return loop.stop();
    },
  };
}
