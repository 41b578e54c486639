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

/** The conversations that this browser knows of. */
export function knownIn({ local, $ledger }: Pick<Session, 'local' | '$ledger'>): number[] {
  const { claims, conversationId } = $ledger.get();
  const { data = [] } = messagesSchema.safeParse(local.get(FACT));
  const all = [conversationId, ...claims.map(({ home }) => home), ...data.map((one) => one.conversation_id)];
  return [...new Set(all)].filter((id) => id !== undefined);
}

export function createElsewhere({ local, own, note, $ledger }: Session) {
  const $elsewhere = atom<readonly Message[]>([]);
  const known = (message: Message) => $elsewhere.get().find(({ id }) => id === message.id);

  function recall(fact: unknown) {
    const { data = [] } = messagesSchema.safeParse(fact);
    const known = $elsewhere.get();
    $elsewhere.set(data.map((message) => known.find(({ id }) => id === message.id) ?? message));
  }

  function keep(messages: readonly Message[]) {
    $elsewhere.set(messages);
    note(
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
      const { claims, conversationId, anew } = $ledger.get();
      return (
        anew === true ||
        local.get(FACT) !== undefined ||
        claims.some(({ home }) => home !== undefined && home !== conversationId)
      );
    },
    /** @returns whether it is news */
    add(message: Message): boolean {
      const before = known(message);
      // Of some only the number is known: another tab was quicker to hear of it.
      if (before?.created_at) return false;
      keep([...$elsewhere.get().filter((one) => one !== before), message]);
      return true;
    },
    /** What is deleted is no news any more. */
    change(message: Message) {
      const before = known(message);
      if (!before) return;
      const others = $elsewhere.get().filter((one) => one !== before);
      keep(isTheirs(message) ? [...others, message] : others);
    },
    /** It was of a contact that is no more. */
    forget() {
      $elsewhere.set([]);
      local.remove(FACT);
    },
    /** The conversation is before the visitor's eyes. @returns what was new in it */
    shown(conversationId: number | undefined): readonly Message[] {
      const isOf = (message: Message) => message.conversation_id === conversationId;
      const news = $elsewhere.get().filter(isOf);
      if (news.length) keep($elsewhere.get().filter((message) => !isOf(message)));
      return news;
    },
    /**
     * All that there are. What was heard in the very second of the last look came after it.
     * @param before what was new when they were asked for: it is among them, or its conversation is gone
     */
    found(all: readonly Conversation[], before: readonly Message[]) {
      const others = all.filter(({ id }) => id !== $ledger.get().conversationId);
      if (!others.length && local.get(FACT) === undefined) return;
      const newest = Math.max(0, ...all.map(({ messages }) => messages.at(-1)?.id ?? 0));
      const fresh = others.flatMap(({ id, messages, contact_last_seen_at: at }) =>
        messages
          .filter((message) => isTheirs(message) && message.created_at >= at + (known(message) ? 0 : 1))
          .map((message) => ({ ...message, conversation_id: id })),
      );
      const isNews = ({ id }: Message) => id > newest && !before.some((old) => old.id === id);
      keep([...fresh, ...$elsewhere.get().filter(isNews)]);
    },
  };
}
