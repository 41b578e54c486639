/**
 * Carries what happened from the rules to the sockets. The bus in here lives inside one process; `shared-bus.ts` has
 * the one for several. Topics name rows, never tokens, so an event may pass through anything.
 */
import { z } from 'zod';
import type { Queries } from './store/database.js';

export interface ServiceEvent {
  /**
   * Everyone who hears it: `account:1` for its administrators, `agents:1` for all other agents, `inbox:4` for those who
   * belong to it, `pair:7` for one contact in one inbox. None for what only the service itself is told.
   */
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
export const agentsTopic = (accountId: number) => `agents:${accountId}`;
export const inboxTopic = (inboxId: number) => `inbox:${inboxId}`;
export const pairTopic = (pairId: number) => `pair:${pairId}`;
export const userName = (userId: number) => `user:${userId}`;
export const contactName = (contactId: number) => `contact:${contactId}`;

const scopeEvent = 'agents.scope_changed';
const scoped = z.object({ account_id: z.number(), user_ids: z.array(z.number()) });

/** What these people may hear is no longer what they were let in for: their sockets must come anew. */
export const scopeChanged = (accountId: number, userIds: readonly number[]): ServiceEvent => ({
  topics: [],
  name: scopeEvent,
  data: { account_id: accountId, user_ids: userIds },
});

/** @returns whose it changed, as `userName` says it, and where; nothing for any other event */
export function readScopeChanged({ name, data }: ServiceEvent) {
  if (name !== scopeEvent) return undefined;
  const { account_id: accountId, user_ids: ids } = scoped.parse(data);
  return { accountId, names: new Set(ids.map(userName)) };
}

const moveEvent = 'pairs.moved';
const moved = z.object({ pair_ids: z.array(z.number()), contact_id: z.number() });

/** These pairs are another contact's now. */
export const pairsMoved = (pairIds: readonly number[], contactId: number): ServiceEvent => ({
  topics: [],
  name: moveEvent,
  data: { pair_ids: pairIds, contact_id: contactId },
});

/** @returns the topics of the pairs and the name of their contact, nothing for any other event */
export function readPairsMoved({ name, data }: ServiceEvent) {
  if (name !== moveEvent) return undefined;
  const { pair_ids: ids, contact_id: contactId } = moved.parse(data);
  return { topics: ids.map(pairTopic), name: contactName(contactId) };
}

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
