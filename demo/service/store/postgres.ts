/**
 * PostgreSQL over the network, for more than one person's trial. Gives `bigint` as a number, as PGlite does: our
 * identifiers and counts stay far below 2^53.
 */
import pg from 'pg';
import {
  type Database,
  deadlock,
  NoConnection,
  noteLost,
  type Patience,
  type Queries,
  sqlState,
  withRaces,
} from './database.js';

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

/** A connection that somebody has. */
interface Line {
  client: pg.PoolClient;
  /** It is not used again. */
  isBroken: boolean;
}

/** A server that another one has taken the place of goes on answering, and only reads. */
const readOnly = '25006';

/** What the database says no to is over, and so is what took too long there; of all else one cannot know. */
const isOver = (error: unknown) => {
  const state = sqlState(error) ?? '';
  return state !== readOnly && /^([0-4]\w{4}|55P03|57014)$/.test(state);
};

async function ask<Row>(line: Line, statement: string | pg.QueryConfig): Promise<Row[]> {
  try {
    return (await line.client.query<Row & pg.QueryResultRow>(statement)).rows;
  } catch (error) {
    if (!isOver(error)) {
      line.isBroken = true;
      noteLost(error);
    }
    throw error;
  }
}

/** More than any timer of Node knows would be none. */
const noLimitMs = 2 ** 31 - 1;

const queries = (line: Line, { isLong = false }: Patience = {}): Queries => ({
  query<Row>(text: string, params: readonly unknown[] = []) {
    const limit = isLong ? { query_timeout: noLimitMs } : {};
    const statement = { name: nameOf(text), text, values: [...params], ...limit };
    return ask<Row>(line, statement);
  },
});

/** Many are silent for long: a host that vanished without a word would be believed for hours. */
const kept = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

/** Should this machine vanish within a transaction, PostgreSQL would keep its rows from everybody as long. */
const notForEver = `set idle_in_transaction_session_timeout = '10s'`;
/** Where the system of the server can. */
const foundOut = `set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3;
  set tcp_user_timeout = '30s'`;

/** A question is given up by us alone: while it waits for a row, its connection is one that others cannot have. */
const unheard = `set client_connection_check_interval = '5s'`;

const againMs = 500;

/** A connection of its own that listens, and listens again when it was cut. */
async function listen(
  how: pg.ClientConfig,
  channel: string,
  heard: (payload: string) => void,
  missed: () => void,
): Promise<() => Promise<void>> {
  let stopped = false;
  let current: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  async function connect(): Promise<void> {
    const client = new pg.Client(how);
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

/** What the system says of an address at which nobody answers, and PostgreSQL while it starts or ends. */
const unreached = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  '57P01',
  '57P02',
  '57P03',
]);

/** For whoever wrote the address: where it leads, without the password in it, and what came of it. */
function explained(connectionString: string, error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  // Who was waited for in vain has no code; nor has what is no PostgreSQL, or wants another way to speak.
  const code = sqlState(error) ?? (error.message.includes('timeout') ? 'ETIMEDOUT' : undefined);
  const at = URL.canParse(connectionString) ? ` at ${new URL(connectionString).host}` : '';
  if (code === undefined)
    return new Error(`No PostgreSQL can be spoken to${at} (${error.message}): check DATABASE_URL.`);
  // Of several addresses of one name the error has no words, only a code.
  return new Error(
    unreached.has(code)
      ? `No PostgreSQL answers${at} (${code}): start it, or set DATABASE_URL to where it is.`
      : `PostgreSQL${at} refuses DATABASE_URL: ${error.message}.`,
  );
}

/**
 * @param connectionMs how long is waited for a connection: for a new one, and for one of ours that is free
 * @param answerMs how long is waited for an answer. A host that vanishes after it was asked is believed for a quarter of
 *   an hour: until then the system sends the question again, and does not ask whether somebody is there
 */
export async function openPostgres(
  connectionString: string,
  onIdleError: (error: Error) => void,
  connectionMs: number,
  answerMs: number,
): Promise<Database> {
  const types = new pg.TypeOverrides();
  types.setTypeParser(int8, Number);
  const how = { connectionString, connectionTimeoutMillis: connectionMs, query_timeout: answerMs, ...kept };
  const pool = new pg.Pool({
    ...how,
    max: 16,
    types,
    // Our questions are small: compiling one takes longer than answering it.
    onConnect: async (client) => {
      await client.query(`set jit = off; ${notForEver}`);
      await client.query(foundOut).catch(() => undefined);
      await client.query(unheard).catch(() => undefined);
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
  return {
    query: (text, params) => withFreshPlans(() => alone(pool, text, params)),
    // The loser of two that wait for each other has done nothing, and does it once more.
    transaction: (work, patience = {}) =>
      withFreshPlans(() => withRaces(() => inTransaction(pool, work, patience), [deadlock])),
    listen: (channel, heard, missed) => listen(how, channel, heard, missed),
    close: () => pool.end(),
  };
}

async function connected<T>(pool: pg.Pool, work: (line: Line) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch((cause: unknown) => {
    throw new NoConnection(cause);
  });
  const line = { client, isBroken: false };
  // Cut between two statements, it tells nobody else; and an error that nobody hears ends the process.
  const onCut = () => {
    line.isBroken = true;
  };
  client.on('error', onCut);
  try {
    return await work(line);
  } finally {
    client.off('error', onCut);
    client.release(line.isBroken);
  }
}

const alone = <Row>(pool: pg.Pool, text: string, params: readonly unknown[] | undefined) =>
  connected(pool, (line) => queries(line).query<Row>(text, params));

const inTransaction = <T>(pool: pg.Pool, work: (tx: Queries) => Promise<T>, patience: Patience): Promise<T> =>
  connected(pool, async (line) => {
    const { lockMs } = patience;
    try {
      // Together: one way to the database and back.
      await ask(line, lockMs === undefined ? 'begin' : `begin; set local lock_timeout = ${lockMs}`);
      const result = await work(queries(line, patience));
      await ask(line, 'commit');
      return result;
    } catch (error) {
      // Behind a question that is not answered this one would wait, too; and who is cut off is rolled back.
      if (!line.isBroken) await ask(line, 'rollback').catch(() => undefined);
      throw error;
    }
  });
