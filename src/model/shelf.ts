/** Words that waited for so long that only the visitor can say whether they shall still leave. It knows no clock. */
import type { Ledger, OutboxEntry } from './ledger.js';
import { OVERDUE } from './lost.js';

const LONG_MS = 24 * 60 * 60_000;

/** Tried again they are other ones. */
const keyOf = ({ echoId, queuedAt }: OutboxEntry) => `${echoId}:${queuedAt}`;

/**
 * @param found what pages before this one have left
 * @param now when they were found: a clock that jumps while a page runs changes nothing
 * @returns the move that takes what was overdue then, and surely has not arrived, out of the queue
 */
export function createShelf({ outbox }: Ledger, now: number): (ledger: Ledger) => Ledger | undefined {
  const overdue = new Set(outbox.filter(({ queuedAt }) => Math.abs(now - queuedAt) > LONG_MS).map(keyOf));
  const isOver = (entry: OutboxEntry) => entry.state === 'queued' && overdue.has(keyOf(entry));
  return (ledger) =>
    ledger.outbox.some(isOver)
      ? {
          ...ledger,
          outbox: ledger.outbox.map((entry) =>
            isOver(entry) ? { ...entry, state: 'failed', status: OVERDUE } : entry,
          ),
        }
      : undefined;
}
