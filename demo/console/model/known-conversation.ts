/** A conversation as the console knows it: what was told of it, put together; its visitor's answers, and what is unread. */
import type { Contact, Conversation, Message } from '../wire/schemas.js';
import { answerInShort } from './question.js';

/** A question that the visitor has answered: the service counts no answer as a message. */
export interface Answered {
  message: Message;
  /** The newest message when it came: a newer one is more to be read. */
  afterId: number;
  /** Unix seconds by the service's clock: when it came, or later where nobody knows. */
  at: number;
  unread: number;
}
/** A conversation together with its last message that is not a mere note of the service, and the last answer. */
export type Known = Conversation & {
  preview: Message | undefined;
  answered: Answered | undefined;
  /** The newest message that was there when `unread_count` was told. */
  countedId: number;
};

export const unreadOf = ({ unread_count, answered }: Known): number => unread_count + (answered?.unread ?? 0);

/**
 * The conversation with an answer to be read, told twice or once.
 * @param at Unix seconds by the service's clock
 */
export function answered(old: Known, message: Message, at: number): Known {
  const isTold = old.answered?.message.id === message.id;
  return {
    ...old,
    answered: {
      message,
      afterId: Math.max(message.id, old.preview?.id ?? 0),
      at: Math.max(at, old.agent_last_seen_at),
      unread: (old.answered?.unread ?? 0) + (isTold ? 0 : 1),
    },
    last_activity_at: Math.max(old.last_activity_at, at),
  };
}

/** With its answer read where an agent has replied since, or seen the conversation. */
export function answerRead(known: Known): Known {
  const { answered, preview, agent_last_seen_at } = known;
  if (!answered?.unread) return known;
  const isReplied = preview && preview.id > answered.afterId && isReply(preview);
  if (!isReplied && agent_last_seen_at <= answered.at) return known;
  return { ...known, answered: { ...answered, unread: 0 } };
}

const isReply = ({ message_type, private: isPrivate, sender }: Message) =>
  message_type === 1 && !isPrivate && sender?.type === 'user';

/** What the visitor answered, where nothing newer was said; empty otherwise. */
export function answerOf({ preview, answered }: Known): string {
  const newest = answered && answered.afterId >= (preview?.id ?? 0) ? answered.message : preview;
  return newest ? answerInShort(newest) : '';
}

/** The socket's shape lacks some fields of the list's: what is missing stays as it was. */
export function learn(old: Known | undefined, fresh: Conversation): Known {
  const there = [fresh.last_non_activity_message, ...fresh.messages];
  const candidates = [old?.preview, ...there];
  // A list that was on its way does not bring back the words of a message that was deleted meanwhile.
  const isNewer = (next: Message, best: Message) =>
    next.id > best.id || (next.id === best.id && best.content_attributes.deleted !== true);
  const preview = candidates.reduce<Message | undefined>(
    (best, next) => (next && next.message_type !== 2 && (!best || isNewer(next, best)) ? next : best),
    undefined,
  );
  const sender = fresh.meta.sender
    ? learnContact(old?.meta.sender ?? undefined, fresh.meta.sender)
    : old?.meta.sender;
  return answerRead({
    ...fresh,
    countedId: Math.max(old?.countedId ?? 0, ...there.map((message) => message?.id ?? 0)),
    created_at: fresh.created_at || old?.created_at || 0,
    last_activity_at: Math.max(fresh.last_activity_at, old?.last_activity_at ?? 0),
    contact_last_seen_at: Math.max(fresh.contact_last_seen_at, old?.contact_last_seen_at ?? 0),
    agent_last_seen_at: Math.max(fresh.agent_last_seen_at, old?.agent_last_seen_at ?? 0),
    meta: { ...fresh.meta, sender },
    preview,
    answered: old?.answered,
    found_message: fresh.found_message ?? old?.found_message,
  });
}

export function learnContact(old: Contact | undefined, fresh: Contact): Contact {
  return {
    ...fresh,
    created_at: fresh.created_at || old?.created_at || 0,
    last_activity_at: fresh.last_activity_at || old?.last_activity_at || 0,
  };
}

export const nameOf = (conversation: Conversation): string => {
  const contact = conversation.meta.sender;
  return contact?.name || contact?.email || contact?.phone_number || `Visitor ${contact?.id ?? ''}`.trim();
};
