/** A contact's conversations as lines of a list. It knows no words for a time or a state. */
import type { Conversation } from '../wire/conversation.js';
import type { Message } from '../wire/message.js';

export interface ConversationLine {
  id: number;
  /** `open`, `resolved`, `pending` or `snoozed`. */
  status: string | undefined;
  /** Absent before the first message. */
  last?: Message;
  /** Messages of the other side that the visitor has not had before their eyes. */
  unread: number;
  /** Words go into this one. */
  current: boolean;
}

/** What the other side has said, and not taken back. */
export const isTheirs = ({ message_type: type, content_attributes }: Message): boolean =>
  (type === 1 || type === 3) && !content_attributes.deleted;

/**
 * The service knows the last look into each, on whatever device, to the second.
 * @param since what has come since they were listed
 * @param seenId the newest message that was seen here
 */
export function conversationLines(
  conversations: readonly Conversation[],
  since: readonly Message[],
  currentId: number | undefined,
  seenId: number,
): ConversationLine[] {
  return conversations
    .map((conversation) => {
      const newest = conversation.messages.at(-1)?.id ?? 0;
      const news = since.filter((one) => one.conversation_id === conversation.id && one.id > newest);
      const messages = [...conversation.messages, ...news.sort((a, b) => a.id - b.id)];
      const last = messages.at(-1);
      const unread = messages.filter(
        (message) =>
          isTheirs(message) &&
          message.created_at > conversation.contact_last_seen_at &&
          (conversation.id !== currentId || message.id > seenId),
      );
      return {
        id: conversation.id,
        status: conversation.status,
        ...(last && { last }),
        unread: unread.length,
        current: conversation.id === currentId,
      };
    })
    .sort((a, b) => (b.last?.id ?? 0) - (a.last?.id ?? 0) || b.id - a.id);
}
