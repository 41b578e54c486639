/**
 * A store in the place of the one that the web view refuses: it lives as long as the page, and the app keeps a copy.
 * It does not know what is kept.
 */

export interface AppStorage {
  storage: Storage;
  /** What the app has kept before. */
  fill(facts: Readonly<Record<string, string>>): void;
}

/** @param tell hears of every change, with null for what is gone */
export function createAppStorage(tell: (key: string, value: string | null) => void): AppStorage {
  const facts = new Map<string, string>();
  const changed = new Set<string>();

  /** Words change with every key that is pressed: the last of a task is told. */
  function change(key: string) {
    if (changed.has(key)) return;
    changed.add(key);
    // Each by itself: an app that fails at one still hears of the others, and of this one the next time.
    queueMicrotask(() => {
      changed.delete(key);
      tell(key, facts.get(key) ?? null);
    });
  }

  const remove = (key: string) => {
    if (facts.delete(key)) change(key);
  };
  const calls: Storage = {
    get length() {
      return facts.size;
    },
    key: (index) => [...facts.keys()][index] ?? null,
    getItem: (key) => facts.get(key) ?? null,
    setItem(key, value) {
      if (facts.get(key) === value) return;
      facts.set(key, value);
      change(key);
    },
    removeItem: remove,
    clear: () => [...facts.keys()].forEach(remove),
  };
  // The launcher has no bytes for calls: it reads and writes facts as a browser's own store lets everybody.
  const storage = new Proxy(calls, {
    get: (_, name) => Reflect.get(calls, name) ?? facts.get(String(name)),
    set(_, name, value) {
      calls.setItem(String(name), `${value}`);
      return true;
    },
    ownKeys: () => [...facts.keys()],
    getOwnPropertyDescriptor: (_, name) =>
      facts.has(String(name))
        ? { value: facts.get(String(name)), writable: true, enumerable: true, configurable: true }
        : undefined,
  });
  return {
    storage,
    fill(given) {
      for (const [key, value] of Object.entries(given)) if (key.startsWith('parley:')) facts.set(key, value);
    },
  };
}
