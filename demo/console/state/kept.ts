/**
 * A store that survives a reload of this tab, in sessionStorage, read back through a schema. Knows nothing of what
 * it keeps; where storage is refused it lives in memory.
 */
import { atom, type WritableAtom } from 'nanostores';
import type { ZodType } from 'zod';

const PREFIX = 'parley-console:';

export function kept<T>(name: string, schema: ZodType<T>, initial: T): WritableAtom<T> {
  const $store = atom<T>(initial);
  try {
    const read = schema.safeParse(JSON.parse(sessionStorage.getItem(PREFIX + name) ?? ''));
    if (read.success) $store.set(read.data);
  } catch {
    // Nothing kept, or nothing readable.
  }
  $store.listen((value) => {
    try {
      sessionStorage.setItem(PREFIX + name, JSON.stringify(value));
    } catch {
      // Memory is all we have.
    }
  });
  return $store;
}

/** Forgets everything kept: signing out must leave no words behind. */
export function forgetKept(): void {
  try {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
    }
  } catch {
    // Nothing to forget.
  }
}
