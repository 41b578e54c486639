/**
 * Rows in chunks, so that thousands of them cost little: one that comes changes one chunk. A row never moves from one
 * chunk to another, because its node would be made anew. It does not know how chunks are drawn.
 */
import type { Row } from './transcript.js';

export interface Chunk {
  /** For life; ascending. Older chunks come before the first, so it may be negative. */
  key: number;
  rows: readonly Row[];
}

/** Chunks that are drawn together. */
export interface Pile {
  key: number;
  chunks: readonly Chunk[];
}

const SIZE = 50;
const PILE = 16;

/** In piles, for life as well: even chunks that are out of sight cost something, each by itself. */
export function piles(all: readonly Chunk[]): readonly Pile[] {
  const made: { key: number; chunks: Chunk[] }[] = [];
  for (const chunk of all) {
    const key = Math.floor(chunk.key / PILE);
    const last = made.at(-1);
    if (last?.key === key) last.chunks.push(chunk);
    else made.push({ key, chunks: [chunk] });
  }
  return made;
}

/** @param before the chunks as they were; those that stay are the same objects */
export function chunks(rows: readonly Row[], before: readonly Chunk[]): readonly Chunk[] {
  let [front, from] = [0, 0];
  for (let chunk = before[0]; chunk && stands(chunk, rows, from); chunk = before[++front])
    from += chunk.rows.length;
  if (front === before.length && from === rows.length) return before;
  let [back, to] = [before.length, rows.length];
  for (
    let chunk = before[back - 1];
    chunk && back > front && to - chunk.rows.length >= from && stands(chunk, rows, to - chunk.rows.length);
    chunk = before[--back - 1]
  )
    to -= chunk.rows.length;
  // The neighbours of what has changed may have room for it.
  if (front > 0) from -= before[--front]?.rows.length ?? 0;
  if (back < before.length) to += before[back++]?.rows.length ?? 0;

  const old = before.slice(front, back);
  const changed = rows.slice(from, to);
  const made: { key: number; rows: Row[] }[] = [];
  const places = placesOf(changed, old);
  // Not by entries(): pages of a certain age have another one.
  changed.forEach((row, i) => {
    const key = places[i] ?? 0;
    const last = made.at(-1);
    if (last?.key === key) last.rows.push(row);
    else made.push({ key, rows: [row] });
  });
  return [
    ...before.slice(0, front),
    ...made.map(
      (chunk) =>
        old.find(({ key, rows }) => key === chunk.key && stands({ key, rows }, chunk.rows, 0, true)) ?? chunk,
    ),
    ...before.slice(back),
  ];
}

function stands(chunk: Chunk, rows: readonly Row[], at: number, whole = false): boolean {
  const { length } = chunk.rows;
  let same = 0;
  while (same < length && rows[at + same] === chunk.rows[same]) same++;
  return same === length && (!whole || length === rows.length);
}

/** The chunk of each row: the one where it is already, else one beside it. */
function placesOf(rows: readonly Row[], old: readonly Chunk[]): number[] {
  const homes = new Map(old.flatMap((chunk) => chunk.rows.map((row) => [row.key, chunk.key] as const)));
  const count = new Map<number, number>();
  const places: number[] = [];
  const put = (i: number, key: number) => {
    places[i] = key;
    count.set(key, (count.get(key) ?? 0) + 1);
  };
  const full = (key: number) => (count.get(key) ?? 0) >= SIZE;

  let low = Number.NEGATIVE_INFINITY;
  let first: number | undefined;
  rows.forEach(({ key }, i) => {
    const home = homes.get(key);
    // One that was tried again has moved to the end.
    if (home === undefined || home < low) return;
    low = home;
    first ??= i;
    put(i, home);
  });
  first ??= 0;
  if (places[first] === undefined) put(first, 0);
  for (let i = first - 1; i >= 0; i--) {
    const after = places[i + 1] ?? 0;
    put(i, full(after) ? after - 1 : after);
  }
  let next: number | undefined;
  const nexts: (number | undefined)[] = [];
  for (let i = rows.length - 1; i > first; i--) {
    nexts[i] = next;
    next = places[i] ?? next;
  }
  for (let i = first + 1; i < rows.length; i++) {
    if (places[i] !== undefined) continue;
    const last = places[i - 1] ?? 0;
    // What waits may still change its place with its neighbours, so it is in one chunk with them.
    const settled = rows[i - 1]?.message !== undefined && rows[i]?.message !== undefined;
    put(i, nexts[i] ?? (settled && full(last) ? last + 1 : last));
  }
  return places;
}
