/** Words that waited for so long that only the visitor can say whether they shall still leave. It has no clock of its own. */
import type { Ledger, OutboxEntry } from './ledger.js';
import { OVERDUE } from './lost.js';

const LONG_MS = 24 * 60 * 60_000;

/** Tried again they are other ones. */
const keyOf = ({ echoId, queuedAt }: OutboxEntry) => `${echoId}:${queuedAt}`;

/**
 * Each is judged once, when this page first sees it: what another one, or one before it, has left may have waited for
 * long, and a clock that jumps while words wait before the visitor's eyes changes nothing.
 * @returns the move that takes what was overdue then, and surely has not arrived, out of the queue
 */
export function createShelf(): (ledger: Ledger, now: number) => Ledger | undefined {
  const overdue = new Map<string, boolean>();
  const isOver = (entry: OutboxEntry) => entry.state === 'queued' && overdue.get(keyOf(entry));
  return (ledger, now) => {
    for (const entry of ledger.outbox)
      if (!overdue.has(keyOf(entry))) overdue.set(keyOf(entry), Math.abs(now - entry.queuedAt) > LONG_MS);
    return ledger.outbox.some(isOver)
      ? {
          ...ledger,
          outbox: ledger.outbox.map((entry) =>
            isOver(entry) ? { ...entry, state: 'failed', status: OVERDUE } : entry,
          ),
        }
      : undefined;
  };
}
