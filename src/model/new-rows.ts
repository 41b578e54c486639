/** What is new in the window. Apart from `unread.ts`, because the window and the engine are two files. */
import { firstOf } from './ascending.js';
import type { Row } from './transcript.js';

/** Where the rows begin that are newer than a message. Rows that wait count as newer. */
const newFrom = (rows: readonly Row[], seenId: number): number =>
  firstOf(rows, ({ message }) => (message?.id ?? Infinity) > seenId);

const isTheirs = ({ mine, message }: Row) => !mine && !message?.content_attributes.deleted;

/** Those of the other side that are newer than a message, and have not been taken back. */
export const newRows = (rows: readonly Row[], seenId: number): Row[] =>
  rows.slice(newFrom(rows, seenId)).filter(isTheirs);

/** The first of them. */
export const firstNew = (rows: readonly Row[], seenId: number): Row | undefined =>
  rows.slice(newFrom(rows, seenId)).find(isTheirs);

export function newestId(rows: readonly Row[]): number {
  let last = rows.length - 1;
  while (rows[last] && !rows[last]?.message) last--;
  return rows[last]?.message?.id ?? 0;
}
