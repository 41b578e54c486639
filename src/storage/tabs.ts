/**
 * The other tabs of the visitor: work that only one of them does at a time, and news told to all. Both are help
 * and not law: without Web Locks or BroadcastChannel, or with a lock that a frozen tab never gives back, the
 * compare-and-set in the ledger still decides. It does not know what the work or the news is.
 */
import type { Env } from '../env.js';
import { createLocal } from './local.js';

export interface Tabs {
  /**
   * Runs `work` while no other tab runs work of that name, but waits for a lock no longer than `patienceMs`; `work`
   * is told whether it has the lock.
   */
  exclusive: <T>(name: string, patienceMs: number, work: (locked: boolean) => Promise<T>) => Promise<T>;
  announce: (news: unknown) => void;
  onNews: (work: (news: unknown) => void) => () => void;
  close: () => void;
}

export function createTabs(env: Env, scope: string): Tabs {
  const listeners = new Set<(news: unknown) => void>();
  const hear = (news: unknown) => listeners.forEach((work) => void work(news));
  let channel: BroadcastChannel | undefined;
  try {
    channel = env.channel(scope);
    if (channel) channel.onmessage = (event) => hear(event.data);
  } catch {}
  // Without a channel, news passes through localStorage, which tells the other tabs of a change.
  const local = channel ? undefined : createLocal(env, scope);
  const deaf = local?.onChange('news', (value) => value !== undefined && hear(value));

  return {
    async exclusive<T>(name: string, patienceMs: number, work: (locked: boolean) => Promise<T>): Promise<T> {
      let run: Promise<T> | undefined;
      const begin = (locked: boolean) => {
        run ??= work(locked);
        return run;
      };
      try {
        const locks = env.locks();
        if (locks) {
          const waiting = new AbortController();
          const impatient = env.after(patienceMs, () => waiting.abort());
          await locks.request(`${scope}:${name}`, { signal: waiting.signal }, async () => {
            impatient();
            await begin(true);
          });
        }
      } catch (error) {
        if (run) throw error;
      }
      return begin(false);
    },
    announce(news) {
      try {
        channel?.postMessage(news);
        local?.set('news', news);
        local?.remove('news');
      } catch {}
    },
    onNews(work) {
      listeners.add(work);
      return () => listeners.delete(work);
    },
    close() {
      listeners.clear();
      deaf?.();
      channel?.close();
    },
  };
}
