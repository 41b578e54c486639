/**
 * A store that survives a reload, read back through a schema: of this tab in sessionStorage, or of this browser in
 * localStorage. Knows nothing of what it keeps; where storage is refused it lives in memory.
 */
import { atom, type WritableAtom } from 'nanostores';
import type { ZodType } from 'zod';

const PREFIX = 'parley-console:';

function parse<T>(schema: ZodType<T>, text: string | null): T | undefined {
  try {
    return schema.safeParse(JSON.parse(text ?? '')).data;
  } catch {
    // Nothing readable.
    return undefined;
  }
}

/** @param storage a getter, because the mere word may throw */
export function kept<T>(
  name: string,
  schema: ZodType<T>,
  initial: T,
  storage: () => Storage = () => sessionStorage,
): WritableAtom<T> {
  const $store = atom<T>(initial);
  try {
    const read = parse(schema, storage().getItem(PREFIX + name));
    if (read !== undefined) $store.set(read);
  } catch {
    // Nothing kept.
  }
  $store.listen((value) => {
    try {
      storage().setItem(PREFIX + name, JSON.stringify(value));
    } catch {
      // Memory is all we have.
    }
  });
  return $store;
}

/** Takes over what another tab of this browser keeps. Returns its undo. */
export function follow<T>(name: string, schema: ZodType<T>, $store: WritableAtom<T>): () => void {
  const onStorage = ({ key, newValue }: StorageEvent) => {
    const read = key === PREFIX + name ? parse(schema, newValue) : undefined;
    if (read !== undefined) $store.set(read);
  };
  addEventListener('storage', onStorage);
  return () => removeEventListener('storage', onStorage);
}

/** Forgets everything kept of this tab but these: whoever signs in next must find no words of another. */
export function forgetKept(but: readonly string[] = []): void {
  const left = but.map((name) => PREFIX + name);
  try {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(PREFIX) && !left.includes(key)) sessionStorage.removeItem(key);
    }
  } catch {
    // Nothing to forget.
  }
}
