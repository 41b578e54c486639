/** What is new in the window. Apart from `unread.ts`, because the window and the engine are two files. */
import type { Row } from './transcript.js';

/** Those of the other side that are newer than a message. Rows that wait are the last ones. */
export function newRows(rows: readonly Row[], seenId: number): Row[] {
  let first = rows.length;
  while ((rows[first - 1]?.message?.id ?? (rows[first - 1] ? Infinity : 0)) > seenId) first--;
  return rows.slice(first).filter(({ mine }) => !mine);
}

export function newestId(rows: readonly Row[]): number {
  let last = rows.length - 1;
  while (rows[last] && !rows[last]?.message) last--;
  return rows[last]?.message?.id ?? 0;
}
