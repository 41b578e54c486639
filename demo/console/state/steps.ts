/**
 * From the open conversation to the one before it or after it in the list, also where it has just left the list, and
 * from the last one on to the next page. Knows no key.
 */
import type { ReadableAtom } from 'nanostores';
import type { Conversations } from './conversations.js';
import type { Places } from './place.js';

export function createSteps(
  { $list, $filters, $more, showMore }: Conversations,
  $openId: ReadableAtom<number | undefined>,
  place: Places,
) {
  /** Who stood around the open one when it left the list: the nearest first. */
  let left: { id: number; before: number[]; after: number[] } | undefined;
  let filters = $filters.get();
  let isGoingOn = false;

  const close = $list.listen((list, old = []) => {
    const before = old.map(({ id }) => id);
    const id = $openId.get();
    const at = id === undefined ? -1 : before.indexOf(id);
    // Another list has other neighbours.
    if (filters !== $filters.get()) left = undefined;
    else if (id !== undefined && at >= 0 && !list.some((one) => one.id === id)) {
      left = { id, before: before.slice(0, at).reverse(), after: before.slice(at + 1) };
    }
    filters = $filters.get();
  });

  function nextTo(by: 1 | -1): number | undefined {
    const ids = $list.get().map(({ id }) => id);
    const open = $openId.get();
    const at = open === undefined ? -1 : ids.indexOf(open);
    if (at >= 0) return ids[at + by];
    if (left?.id !== open) return by > 0 ? ids[0] : ids.at(-1);
    const [near, far] = by > 0 ? [left?.after, left?.before] : [left?.before, left?.after];
    const next = near?.find((id) => ids.includes(id));
    if (next !== undefined) return next;
    // It was the last on this side: on from its neighbour on the other one, where there may be more by now.
    const other = far?.find((id) => ids.includes(id));
    if (other === undefined) return by > 0 ? ids[0] : ids.at(-1);
    return ids[ids.indexOf(other) + by];
  }

  async function step(by: 1 | -1) {
    const open = $openId.get();
    if (nextTo(by) === undefined && by > 0 && $more.get()) {
      if (isGoingOn) return;
      isGoingOn = true;
      await showMore();
      isGoingOn = false;
      if (open !== $openId.get()) return;
    }
    const next = nextTo(by);
    if (next !== undefined) place.go({ conversationId: next });
  }

  return { step, close };
}
