/**
 * Who was seen in the last seconds. In memory: presence does not outlive the process, and need not. Several processes
 * tell each other, a few times a second and all at once, so that a thousand beats are one word.
 */
import { z } from 'zod';
import type { SharedBus } from './shared-bus.js';

export interface Presence {
  beat(accountId: number, who: string): void;
  has(accountId: number, who: string): boolean;
  /** Names such as `user:2`, `contact:7`. */
  present(accountId: number): string[];
}

const windowMs = 20_000;
const now = () => performance.now();

export function presence(): Presence {
  const accounts = new Map<number, Map<string, number>>();
  const fresh = (accountId: number) => {
    const seenAt = accounts.get(accountId) ?? new Map<string, number>();
    // Whoever beats goes to the end, so the first that is fresh ends the search.
    for (const [who, at] of seenAt) {
      if (now() - at <= windowMs) break;
      seenAt.delete(who);
    }
    accounts.set(accountId, seenAt);
    return seenAt;
  };
  return {
    beat: (accountId, who) => {
      const seenAt = fresh(accountId);
      seenAt.delete(who);
      seenAt.set(who, now());
    },
    has: (accountId, who) =>
      now() - (accounts.get(accountId)?.get(who) ?? Number.NEGATIVE_INFINITY) <= windowMs,
    present: (accountId) => [...fresh(accountId).keys()],
  };
}

const shareMs = 250;
const beatEvent = 'presence.beat';
const beats = z.array(z.tuple([z.number(), z.string()]));

/** @returns how to stop sharing */
export function sharedPresence(own: Presence, bus: SharedBus): Presence & { stop(): void } {
  const untold = new Map<string, [number, string]>();
  const unhear = bus.subscribe(({ name, data }) => {
    if (name !== beatEvent) return;
    for (const [accountId, who] of beats.parse(data.beats)) own.beat(accountId, who);
  });
  const tell = () => {
    if (untold.size === 0) return;
    const data = { beats: [...untold.values()] };
    untold.clear();
    bus.tell({ topics: [], name: beatEvent, data });
  };
  const timer = setInterval(tell, shareMs);
  timer.unref();
  return {
    ...own,
    beat(accountId, who) {
      own.beat(accountId, who);
      untold.set(`${accountId}:${who}`, [accountId, who]);
    },
    stop() {
      clearInterval(timer);
      unhear();
    },
  };
}
