/**
 * PostgreSQL over the network, for more than one person's trial. Gives `bigint` as a number, as PGlite does: our
 * identifiers and counts stay far below 2^53.
 */
import pg from 'pg';
import { type Database, deadlock, type Queries, sqlState, withRaces } from './database.js';

const int8 = 20;

const names = new Map<string, string>();
let named = 0;

/** A statement with a name is read and planned once for each connection, not at each call: our texts are few. */
function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  named += 1;
  const name = `parley_${named}`;
  names.set(text, name);
  return name;
}

const planIsStale = '0A000';

/** A newer process may have added a column to a table that this one has plans for: then under new names. */
async function withFreshPlans<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (sqlState(error) !== planIsStale) throw error;
    names.clear();
    return work();
  }
}

const queries = (client: pg.Pool | pg.PoolClient): Queries => ({
  async query<Row>(text: string, params: readonly unknown[] = []) {
    const statement = { name: nameOf(text), text, values: [...params] };
    const result = await client.query<Row & pg.QueryResultRow>(statement);
    return result.rows;
  },
});

const againMs = 500;

/** A connection of its own that listens, and listens again when it was cut. */
async function listen(
  connectionString: string,
  channel: string,
  heard: (payload: string) => void,
  missed: () => void,
): Promise<() => Promise<void>> {
  let stopped = false;
  let current: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  async function connect(): Promise<void> {
    const client = new pg.Client({
      connectionString,
      keepAlive: true,
      // It is silent for long: a host that vanished without a word would be believed for hours.
      keepAliveInitialDelayMillis: 10_000,
    });
    current = client;
    let isOver = false;
    const over = () => {
      if (isOver) return;
      isOver = true;
      client.end().catch(() => undefined);
      if (!stopped) timer = setTimeout(again, againMs);
    };
    client.on('error', over);
    client.on('end', over);
    client.on('notification', ({ payload }) => heard(payload ?? ''));
    try {
      await client.connect();
      await client.query(`listen ${pg.escapeIdentifier(channel)}`);
    } catch (error) {
      over();
      throw error;
    }
  }
  const again = () => {
    connect().then(missed, () => undefined);
  };
  const stop = async () => {
    stopped = true;
    clearTimeout(timer);
    await current?.end().catch(() => undefined);
  };
  try {
    await connect();
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}

/** What the system says of an address at which nobody answers. */
const unreached = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
]);

/** For whoever wrote the address: where it leads, without the password in it, and what came of it. */
function explained(connectionString: string, error: unknown): unknown {
  const code = sqlState(error);
  if (!(error instanceof Error) || code === undefined) return error;
  const at = URL.canParse(connectionString) ? ` at ${new URL(connectionString).host}` : '';
  // Of several addresses of one name the error has no words, only a code.
  return new Error(
    unreached.has(code)
      ? `No PostgreSQL answers${at} (${code}): start it, or set DATABASE_URL to where it is.`
      : `PostgreSQL${at} refuses DATABASE_URL: ${error.message}.`,
  );
}

export async function openPostgres(
  connectionString: string,
  onIdleError: (error: Error) => void,
): Promise<Database> {
  const types = new pg.TypeOverrides();
  types.setTypeParser(int8, Number);
  const pool = new pg.Pool({
    connectionString,
    max: 16,
    types,
    // Our questions are small: compiling one takes longer than answering it.
    onConnect: async (client) => {
      await client.query('set jit = off');
    },
  });
  // Without a listener a connection the server drops while idle would end the process.
  pool.on('error', onIdleError);
  try {
    await pool.query('select 1');
  } catch (error) {
    await pool.end();
    throw explained(connectionString, error);
  }
  const direct = queries(pool);
  return {
    query: (text, params) => withFreshPlans(() => direct.query(text, params)),
    // The loser of two that wait for each other has done nothing, and does it once more.
    transaction: (work) => withFreshPlans(() => withRaces(() => inTransaction(pool, work), [deadlock])),
    listen: (channel, heard, missed) => listen(connectionString, channel, heard, missed),
    close: () => pool.end(),
  };
}

async function inTransaction<T>(pool: pg.Pool, work: (tx: Queries) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken = false;
  // Cut between two statements, it tells nobody else; and an error that nobody hears ends the process.
  const onCut = () => {
    broken = true;
  };
  client.on('error', onCut);
  try {
    await client.query('begin');
    const result = await work(queries(client));
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {
      broken = true;
    });
    throw error;
  } finally {
    client.off('error', onCut);
    client.release(broken);
  }
}
