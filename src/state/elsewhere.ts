/**
 * What the other side has said in conversations that are not before the visitor's eyes: heard over the line, or found
 * among all conversations. The next page and the other tabs know of it by its numbers, which are kept; words are not. It
 * does not know when the service is asked.
 */
import { atom } from 'nanostores';
import { isTheirs } from '../model/conversations.js';
import type { Conversation } from '../wire/conversation.js';
import { type Message, messagesSchema } from '../wire/message.js';
import type { Session } from './session.js';

const FACT = 'elsewhere';

export function createElsewhere({ local, own, $ledger }: Session) {
  const $elsewhere = atom<readonly Message[]>([]);
  const isKnown = (message: Message) => $elsewhere.get().some(({ id }) => id === message.id);

  function recall(fact: unknown) {
    const { data = [] } = messagesSchema.safeParse(fact);
    const known = $elsewhere.get();
    $elsewhere.set(data.map((message) => known.find(({ id }) => id === message.id) ?? message));
  }

  function keep(messages: readonly Message[]) {
    $elsewhere.set(messages);
    local.set(
      FACT,
      messages.map(({ id, conversation_id, message_type }) => ({ id, conversation_id, message_type })),
    );
  }

  recall(local.get(FACT));
  own(local.onChange(FACT, recall));

  return {
    $elsewhere,
    /** Whether this browser knows of more than one conversation. */
    several(): boolean {
      const { claims, conversationId } = $ledger.get();
      return (
        local.get(FACT) !== undefined ||
        claims.some(({ home }) => home !== undefined && home !== conversationId)
      );
    },
    /** @returns whether it is news */
    add(message: Message): boolean {
      if (isKnown(message)) return false;
      keep([...$elsewhere.get(), message]);
      return true;
    },
    /** The conversation is before the visitor's eyes. */
    shown(conversationId: number | undefined) {
      const left = $elsewhere.get().filter((message) => message.conversation_id !== conversationId);
      if (left.length < $elsewhere.get().length) keep(left);
    },
    /** All that there are. What was heard in the very second of the last look came after it. */
    found(all: readonly Conversation[]) {
      if (all.length < 2 && local.get(FACT) === undefined) return;
      const newest = Math.max(0, ...all.map(({ messages }) => messages.at(-1)?.id ?? 0));
      const fresh = all.flatMap(({ id, messages, contact_last_seen_at: at }) =>
        id === $ledger.get().conversationId
          ? []
          : messages
              .filter((message) => isTheirs(message) && message.created_at >= at + (isKnown(message) ? 0 : 1))
              .map((message) => ({ ...message, conversation_id: id })),
      );
      keep([...fresh, ...$elsewhere.get().filter(({ id }) => id > newest)]);
    },
  };
}
