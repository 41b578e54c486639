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
    if (!changed.size)
      queueMicrotask(() => {
        for (const one of changed) tell(one, facts.get(one) ?? null);
        changed.clear();
      });
    changed.add(key);
  }

  const remove = (key: string) => {
    if (facts.delete(key)) change(key);
  };
  const storage: Storage = {
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
  return {
    storage,
    fill(given) {
      for (const [key, value] of Object.entries(given)) if (key.startsWith('parley:')) facts.set(key, value);
    },
  };
}
