/** Binds a nanostore to a component. Knows no particular store. */
import type { ReadableAtom } from 'nanostores';
import { useLayoutEffect, useState } from 'preact/hooks';

export function useStore<T>(store: ReadableAtom<T>): T {
  const [value, setValue] = useState<T>(() => store.get());
  useLayoutEffect(() => store.subscribe((next) => setValue(() => next)), [store]);
  return value;
}
