/**
 * Has the browser ask before the page goes with something in it that would be lost: what is not stored at the service
 * yet, and files. Drafts are kept. Knows no sending and no markup.
 */
import { effect } from 'nanostores';
import type { createDrafts } from './drafts.js';
import type { Outbox } from './outbox.js';

/** @returns its undo. */
export function guardLeaving(outbox: Outbox, drafts: ReturnType<typeof createDrafts>): () => void {
  const ask = (event: BeforeUnloadEvent) => event.preventDefault();
  // Listening alone keeps a page out of the back/forward cache of some browsers.
  return effect([outbox.$entries, drafts.$holdsFiles], (entries, holdsFiles) => {
    if (!entries.length && !holdsFiles) return;
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  });
}
