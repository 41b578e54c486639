/**
 * Says that something was not sent while its conversation is not the one that is read: its bubble alone would say so to
 * an empty room. Knows no sending and no markup.
 */
import { computed, type ReadableAtom } from 'nanostores';
import { nameOf } from '../model/known-conversation.js';
import type { Conversations } from './conversations.js';
import type { Notices } from './notices.js';
import type { Outbox } from './outbox.js';
import type { Places } from './place.js';

interface Needs {
  outbox: Outbox;
  $reading: ReadableAtom<number | undefined>;
  conversations: Conversations;
  notices: Notices;
  place: Places;
}

/** @returns its undo. */
export function watchStuck({ outbox, $reading, conversations, notices, place }: Needs): () => void {
  const $stuck = computed([outbox.$entries, $reading], (entries, reading) =>
    entries.find((entry) => entry.state === 'failed' && entry.conversationId !== reading),
  );
  const $words = computed([$stuck, conversations.$known], (entry, known) => {
    if (!entry) return '';
    const conversation = known.get(entry.conversationId);
    const where = conversation ? `with ${nameOf(conversation)}` : entry.conversationId;
    return `${entry.problem} It waits in the conversation ${where}.`;
  });
  return $words.subscribe((words) => {
    const id = $stuck.get()?.conversationId;
    if (id === undefined) notices.hush('stuck');
    else notices.problem('stuck', words, () => place.go({ conversationId: id }), 'Show it');
  });
}
