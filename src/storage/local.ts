/**
 * Small facts: who we are, the draft, whether the window is open. In localStorage, shared by the tabs of a visitor; by
 * level in sessionStorage or in memory alone; and where the browser refuses (blocked cookies, sandboxed frames, some web
 * views) the same calls work in memory.
 * It does not know what the facts mean; whoever reads one passes it through a schema.
 */

import { toJson } from '../json.js';
import type { PageEnv } from '../page-env.js';
import type { Hear, Held } from '../page-held.js';

export interface Local {
  /** Parsed JSON of unknown shape; `undefined` when absent or unreadable. */
  get: (name: string) => unknown;
  set: (name: string, value: unknown) => void;
  /** @param moved it is kept elsewhere from now on */
  remove: (name: string, moved?: boolean) => void;
  /** What this page alone holds of them, for want of a place, goes: what is kept is for others to take away. */
  forget: (but: readonly string[]) => void;
  /**
   * Takes facts away wherever a page may have kept them, also where this one keeps nothing.
   * @param names all but the ledger, when absent
   */
  wipe: (names?: readonly string[]) => void;
  /** Every fact that is kept, as it is written. */
  all: () => { name: string; text: string }[];
  /**
   * Another tab has changed the fact, another chat on this page, or another page since this one was left. Returns its
   * undo.
   * @param alone what this chat has of it is not what the others on its page have
   */
  onChange: (name: string, work: (value: unknown) => void, alone?: boolean) => () => void;
  /** More is there than this chat knew: it hears of the fact as of one that has changed just now. */
  hear: (name: string) => void;
  held: Held;
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

/** @param held by a chat that was on this page before */
export function createLocal(
  env: PageEnv,
  scope: string,
  held: Held = { facts: new Map(), files: new Map(), chosen: [] },
): Local {
  const memory = held.facts;
  const own = new Set<Hear>();
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
  const read = (key: string) => memory.get(key) ?? attempt((storage) => storage.getItem(key));
  const tell: Hear = (...change) => {
    for (const hear of env.beside ?? []) if (!own.has(hear)) hear(...change);
  };
  return {
    held,
    get: (name) => parse(read(localKey(scope, name))),
    set(name, value) {
      const key = localKey(scope, name);
      const text = toJson(value);
      const done = attempt((storage) => {
        storage.setItem(key, text);
        return storage;
      });
      if (!done) return void memory.set(key, text);
      memory.delete(key);
      tell(key, done, text);
    },
    remove(name, moved) {
      const key = localKey(scope, name);
      memory.delete(key);
      const done = attempt((storage) => {
        storage.removeItem(key);
        return storage;
      });
      if (done && !moved) tell(key, done);
    },
    forget(but) {
      for (const key of memory.keys()) if (!but.includes(key.slice(scope.length + 1))) memory.delete(key);
    },
    wipe(names) {
      for (const place of env.places ?? [env.localStorage])
        try {
          const storage = place();
          for (const key of Object.keys(storage ?? {})) {
            const name = key === scope ? '' : key.slice(scope.length + 1);
            const ours = key === localKey(scope, name);
            if (ours && (names ? names.includes(name) : name !== 'ledger')) storage?.removeItem(key);
          }
        } catch {}
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
    onChange(name, work, alone) {
      const key = localKey(scope, name);
      const hear: Hear = (changed, area, text) => {
        // What is kept for this page alone is no matter of other tabs.
        if (changed === key && attempt((storage) => storage === area))
          work(parse(typeof text === 'string' ? text : undefined));
      };
      own.add(hear);
      if (!alone) env.beside?.add(hear);
      // A page that is kept for the way back is told nothing of what others do meanwhile.
      let before: unknown;
      const undos = [
        env.page.on('storage', (event) => {
          if ('key' in event && 'newValue' in event && 'storageArea' in event)
            hear(event.key, event.storageArea, event.newValue);
        }),
        env.page.on('pagehide', () => {
          before = read(key);
        }),
        env.page.on('pageshow', (event) => {
          const text = read(key);
          if ('persisted' in event && event.persisted && text !== before) work(parse(text));
        }),
      ];
      return () => {
        own.delete(hear);
        env.beside?.delete(hear);
        for (const undo of undos) undo();
      };
    },
    hear(name) {
      const key = localKey(scope, name);
      attempt((storage) => own.forEach((hear) => void hear(key, storage, read(key))));
    },
    kept() {
      // What could not be kept once has gone, or could since.
      kept ||= !memory.size;
      attempt((storage) => storage.length);
      return kept;
    },
  };
}
