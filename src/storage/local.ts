/**
 * Small facts in localStorage, shared by the tabs of a visitor: who we are, the draft, whether the window is open.
 * Where the browser refuses (blocked cookies, sandboxed frames, some web views) the same calls work in memory.
 * It does not know what the facts mean; whoever reads one passes it through a schema.
 */

import { toJson } from '../json.js';
import type { PageEnv } from '../page-env.js';

export interface Local {
  /** Parsed JSON of unknown shape; `undefined` when absent or unreadable. */
  get: (name: string) => unknown;
  set: (name: string, value: unknown) => void;
  remove: (name: string) => void;
  /** What this page alone holds of them, for want of a place, goes: what is kept is for others to take away. */
  forget: (but: readonly string[]) => void;
  /** Every fact that is kept, as it is written. */
  all: () => { name: string; text: string }[];
  /** Another tab changed the fact. Returns its undo. */
  onChange: (name: string, work: (value: unknown) => void) => () => void;
  /** False when facts live only as long as this page, and not because they shall. */
  kept: () => boolean;
}

/** One prefixed key per base URL and inbox; further facts are kept below it. */
export const scopeKey = (baseUrl: string, inboxIdentifier: string): string =>
  `parley:${baseUrl}#${inboxIdentifier}`;

export const localKey = (scope: string, name: string): string => (name ? `${scope}:${name}` : scope);

const parse = (text: string | null | undefined): unknown => {
  try {
    return text == null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
};

export function createLocal(env: PageEnv, scope: string): Local {
  const memory = new Map<string, string>();
  let kept = true;
  const attempt = <T>(work: (storage: Storage) => T): T | undefined => {
    try {
      const storage = env.localStorage();
      if (storage) return work(storage);
      if (storage === undefined) return undefined;
    } catch {}
    kept = false;
    return undefined;
  };
  return {
    get(name) {
      const key = localKey(scope, name);
      return parse(memory.get(key) ?? attempt((storage) => storage.getItem(key)));
    },
    set(name, value) {
      const key = localKey(scope, name);
      const text = toJson(value);
      const done = attempt((storage) => {
        storage.setItem(key, text);
        return true;
      });
      if (done) memory.delete(key);
      else memory.set(key, text);
    },
    remove(name) {
      const key = localKey(scope, name);
      memory.delete(key);
      attempt((storage) => storage.removeItem(key));
    },
    forget(but) {
      for (const key of memory.keys()) if (!but.includes(key.slice(scope.length + 1))) memory.delete(key);
    },
    all() {
      const found = new Map(memory);
      attempt((storage) => {
        for (let i = 0; i < storage.length; i++) {
          const key = storage.key(i) ?? '';
          if (key === scope || key.startsWith(`${scope}:`)) found.set(key, storage.getItem(key) ?? '');
        }
      });
      return [...found].map(([key, text]) => ({ name: key.slice(scope.length + 1), text }));
    },
    onChange(name, work) {
      const key = localKey(scope, name);
      return env.page.on('storage', (event) => {
        if (!('key' in event && 'newValue' in event && 'storageArea' in event)) return;
        // What is kept for this page alone is no matter of other tabs.
        const { storageArea } = event;
        if (event.key === key && attempt((storage) => storage === storageArea))
          work(parse(typeof event.newValue === 'string' ? event.newValue : undefined));
      });
    },
    kept() {
      attempt((storage) => storage.length);
      return kept;
    },
  };
}
