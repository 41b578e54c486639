/** What is wrong for longer than a moment, as the visitor sees it and the page hears of it. It does not know why. */
import type { ChatError } from '../errors.js';
import type { Front, Trouble } from './front.js';

export function createTroubles(front: Front) {
  const trouble = (kind: Trouble, there: boolean) => {
    const others = front.$troubles.get().filter((other) => other !== kind);
    if (there || others.length !== front.$troubles.get().length)
      front.$troubles.set(there ? [...others, kind] : others);
  };
  return {
    trouble,
    /** The visitor sees that the service says no to everything, and the page hears with what, once. */
    closed(error: ChatError | undefined) {
      const news = error && !front.$troubles.get().includes('unavailable');
      trouble('unavailable', !!error);
      if (news) front.$objection.set({ error });
    },
  };
}
