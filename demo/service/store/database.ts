/**
 * The few words the service speaks to its database. PGlite and PostgreSQL both answer to them with the same SQL
 * (PostgreSQL 15 and newer). Knows nothing of tables.
 */
import { setTimeout } from 'node:timers/promises';

export interface Queries {
  query<Row>(text: string, params?: readonly unknown[]): Promise<Row[]>;
}

/** Of a transaction, where there are others. */
export interface Patience {
  /** How long a statement waits for what another transaction has locked; it throws `lockNotAvailable` then. */
  lockMs?: number | undefined;
  /** Nobody waits for its statements: an answer may take as long as it takes. */
  isLong?: boolean;
}

export interface Database extends Queries {
  /** Commits when `work` resolves, rolls back when it throws. */
  transaction<T>(work: (tx: Queries) => Promise<T>, patience?: Patience): Promise<T>;
  /** Where several processes share the database: calls of each other, and word when some may have been missed. */
  listen?(
    channel: string,
    heard: (payload: string) => void,
    missed: () => void,
  ): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/** The database was not asked: it gave no connection in time. */
export class NoConnection extends Error {
  override name = 'NoConnection';
  constructor(cause: unknown) {
    super('the database gave no connection', { cause });
  }
}

const lost = new WeakSet<object>();

/** For whoever speaks to the database: the line broke, or the server has time for nobody. */
export const noteLost = (error: unknown): void => {
  if (error instanceof Error) lost.add(error);
};

/** Whether the database gave no answer: what it was asked is not to blame. */
export const isLost = (error: unknown): boolean =>
  error instanceof NoConnection || (error instanceof Error && lost.has(error));

/** The first row, or nothing. */
export async function first<Row>(
  db: Queries,
  text: string,
  params?: readonly unknown[],
): Promise<Row | undefined> {
  return (await db.query<Row>(text, params))[0];
}

/** The row that must be there: an insert or update with `returning`, a count. */
export async function one<Row>(db: Queries, text: string, params?: readonly unknown[]): Promise<Row> {
  const row = await first<Row>(db, text, params);
  if (!row) throw new Error('a statement that must give a row gave none');
  return row;
}

export const byId = <Row extends { id: number }>(rows: readonly Row[]) =>
  new Map(rows.map((row) => [row.id, row]));

/** PostgreSQL's code of an error, such as `uniqueViolation`. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** PostgreSQL said no, so nothing of it is stored. Of a connection that ended one cannot know. */
export function isRefusal(error: unknown): boolean {
  const state = sqlState(error) ?? '';
  return /^[0-9A-Z]{5}$/.test(state) && !/^(08|57|E)/.test(state);
}

/** The database was not asked, or said no: what was to be stored is not there. */
export const isUnstored = (error: unknown): boolean => error instanceof NoConnection || isRefusal(error);

export const uniqueViolation = '23505';
/** What was to be pointed at went away meanwhile. */
const foreignKeyViolation = '23503';
const serializationFailure = '40001';
export const deadlock = '40P01';
export const lockNotAvailable = '55P03';
const races = [uniqueViolation, foreignKeyViolation, serializationFailure, deadlock];

/** Long enough for whoever waited to wake up, and not the same for two who both step back. */
const stepBackMs = () => 10 + 40 * Math.random();

/**
 * Repeats `work` when another transaction was quicker: the second look finds what the other one stored. Who was in a
 * deadlock steps back first: a row that is free goes to whoever asks, not to whoever waits, and would be taken from
 * the other one again.
 * @param states of PostgreSQL that say so
 */
export async function withRaces<T>(work: () => Promise<T>, states: readonly string[] = races): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const state = sqlState(error) ?? '';
      if (attempt >= 5 || !states.includes(state)) throw error;
      if (state === deadlock) await setTimeout(attempt * stepBackMs());
    }
  }
}
