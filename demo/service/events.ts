/**
 * Carries what happened from the rules to the sockets. The bus in here lives inside one process; `shared-bus.ts` has
 * the one for several. Topics name rows, never tokens, so an event may pass through anything.
 */
import type { Queries } from './store/database.js';

export interface ServiceEvent {
  /** Everyone who hears it: `account:1` for its agents, `pair:7` for one contact in one inbox. */
  topics: readonly string[];
  /** Whoever caused it and must not hear it, such as `user:2`. */
  except?: string;
  name: string;
  data: Record<string, unknown>;
}

/** What one transaction has to tell. */
export interface Kept {
  events: readonly ServiceEvent[];
  /** Where the bus keeps them in a table. */
  id?: number;
}

export interface EventBus {
  /** Inside the transaction that caused them: what is committed is told, whoever dies. */
  keep(tx: Queries, events: readonly ServiceEvent[]): Promise<Kept>;
  /** After the commit. */
  publish(kept: Kept): void;
  /** @param missed some events may never come: whoever hears should look at the truth again */
  subscribe(listener: (event: ServiceEvent) => void, missed?: () => void): () => void;
}

export const accountTopic = (accountId: number) => `account:${accountId}`;
export const pairTopic = (pairId: number) => `pair:${pairId}`;
export const userName = (userId: number) => `user:${userId}`;
export const contactName = (contactId: number) => `contact:${contactId}`;

export function localBus(): EventBus {
  const listeners = new Set<(event: ServiceEvent) => void>();
  return {
    keep: async (_, events) => ({ events }),
    publish({ events }) {
      for (const event of events) for (const listener of listeners) listener(event);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
