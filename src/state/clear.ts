/** Another identity: nothing of the old one stays, neither shown nor kept. It does not know whose turn it is. */
import type { Local } from '../storage/local.js';
import type { Front } from './front.js';

export function dropFacts(local: Local, kept: readonly string[]): void {
  for (const { name } of local.all()) if (!kept.includes(name)) local.remove(name);
}

export function clear(front: Front): void {
  dropFacts(front.local, ['ledger', 'open', 'wishes', 'emoji', 'tone']);
  front.empty();
  front.$home.set(undefined);
  front.$seenId.set(0);
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
