/**
 * A list of the account's own things (labels, teams, rules …): read whenever somebody begins to look, changed through
 * the account API, and shown as the API answered. Knows no kind of thing.
 */
import { atom } from 'nanostores';
import type { Resource } from '../api/administration.js';
import { type Result, sentence } from '../errors.js';

export type Shelf<T extends { id: number }> = ReturnType<typeof createShelf<T>>;

export function createShelf<T extends { id: number }>(resource: Resource<T>) {
  /** Undefined until it was read once. */
  const $items = atom<readonly T[] | undefined>(undefined);
  const $problem = atom('');

  let reading: Promise<void> | undefined;
  /** How often something was changed here. */
  let changes = 0;

  async function read(): Promise<void> {
    const before = changes;
    const answer = await resource.list();
    reading = undefined;
    // What was asked before a change need not know of it.
    if (changes !== before) return load();
    $problem.set(answer.ok ? '' : sentence('This could not be loaded', answer.error));
    if (answer.ok) $items.set(answer.value);
  }

  /** Who looks while it is being read waits for the same answer. */
  function load(): Promise<void> {
    reading ??= read();
    return reading;
  }

  function put(item: T) {
    changes += 1;
    const items = $items.get() ?? [];
    const known = items.some(({ id }) => id === item.id);
    $items.set(known ? items.map((old) => (old.id === item.id ? item : old)) : [...items, item]);
  }

  return {
    $items,
    $problem,
    load,
    async create(fields: object): Promise<Result<T>> {
      const answer = await resource.create(fields);
      if (answer.ok) put(answer.value);
      // Whoever looks sees whether it was made.
      else if (answer.error.mayBeMade) {
        changes += 1;
        void load();
      }
      return answer;
    },
    async change(id: number, fields: object): Promise<Result<T>> {
      const answer = await resource.change(id, fields);
      if (answer.ok) put(answer.value);
      return answer;
    },
    async remove(id: number): Promise<Result<unknown>> {
      const answer = await resource.remove(id);
      if (!answer.ok) return answer;
      changes += 1;
      $items.set(($items.get() ?? []).filter((item) => item.id !== id));
      return answer;
    },
  };
}
