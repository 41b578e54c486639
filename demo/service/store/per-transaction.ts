/** What a transaction asks once and remembers, and what it writes at its end in one statement. Knows no tables. */
import type { Queries } from './database.js';

/** The same answer for the rest of the transaction: another one may have changed what was asked for since. */
export function askedOnce<Value>(
  ask: (tx: Queries, id: number) => Promise<Value>,
): (tx: Queries, id: number) => Promise<Value> {
  const answers = new WeakMap<Queries, Map<number, Promise<Value>>>();
  return (tx, id) => {
    const known = answers.get(tx) ?? new Map<number, Promise<Value>>();
    answers.set(tx, known);
    const answer = known.get(id) ?? ask(tx, id);
    known.set(id, answer);
    return answer;
  };
}

export interface Ending {
  tx: Queries;
  atEnd(work: () => Promise<void>): void;
}

/** Rows that are gathered while a transaction runs. */
export function writtenAtEnd<Row>(
  write: (tx: Queries, rows: readonly Row[]) => Promise<void>,
): (ending: Ending, row: Row) => void {
  const gathered = new WeakMap<Queries, Row[]>();
  return ({ tx, atEnd }, row) => {
    const rows = gathered.get(tx);
    if (rows) {
      rows.push(row);
      return;
    }
    const firstRows = [row];
    gathered.set(tx, firstRows);
    atEnd(() => write(tx, firstRows));
  };
}
