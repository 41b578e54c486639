/**
 * Another identity: nothing of the old one stays, neither kept nor shown. What is kept goes once, by whoever ends it:
 * the other tabs would take what the next one has written since. It does not know whose turn it is.
 */
import { lasting } from './facts.js';
import type { Front } from './front.js';

export function clear(front: Front, same: boolean): void {
  front.local.forget(lasting(front.local, same));
  front.empty(same);
  front.$home.set(undefined);
  front.$seenAt.set(0);
  front.$rows.set(undefined);
  front.$unread.set(0);
  front.$line.set('idle');
  front.$troubles.set([]);
  front.$typing.set(undefined);
  front.$hasOlder.set(undefined);
  front.$progress.set(undefined);
  front.$conversations.set(undefined);
  front.$status.set(undefined);
  // Not known until the next engine has looked: what is typed into the questions goes with them.
  front.$known.set(undefined);
  front.$news.set([]);
}
