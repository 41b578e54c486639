/** The things of a shelf, read anew whenever a component begins to look. Knows no kind of thing. */
import { useEffect } from 'preact/hooks';
import type { Shelf } from '../state/shelf.js';
import { useStore } from './use-store.js';

export function useShelf<T extends { id: number }>(shelf: Shelf<T>): readonly T[] | undefined {
  useEffect(() => {
    void shelf.load();
  }, [shelf]);
  return useStore(shelf.$items);
}
