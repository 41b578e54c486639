/** A contact's conversations as lines of a list. It knows no words for a time or a state. */
import type { Conversation } from '../wire/conversation.js';
import type { Message, Sender } from '../wire/message.js';

export interface ConversationLine {
  id: number;
  /** `open`, `resolved`, `pending` or `snoozed`. */
  status: string | undefined;
  /** The last words; empty for a file. Absent before the first message. */
  last?: { words: string; mine: boolean; sender: Sender | null | undefined; at: number };
  /** Messages of the other side that the visitor has not had before their eyes. */
  unread: number;
  /** Words go into this one. */
  current: boolean;
}

export const isTheirs = (message: Message): boolean =>
  message.message_type === 1 || message.message_type === 3;

/**
 * The service knows the last look into each, on whatever device, to the second.
 * @param seenId the newest message that was seen here
 */
export function conversationLines(
  conversations: readonly Conversation[],
  currentId: number | undefined,
  seenId: number,
): ConversationLine[] {
  return conversations
    .map((conversation) => {
      const last = conversation.messages.at(-1);
      const unread = conversation.messages.filter(
        (message) =>
          isTheirs(message) &&
          message.created_at > conversation.contact_last_seen_at &&
          (conversation.id !== currentId || message.id > seenId),
      );
      return {
        id: conversation.id,
        status: conversation.status,
        ...(last && {
          last: {
            words: last.content ?? '',
            mine: last.message_type === 0,
            sender: last.sender,
            at: last.created_at * 1000,
          },
        }),
        newest: last?.id ?? 0,
        unread: unread.length,
        current: conversation.id === currentId,
      };
    })
    .sort((a, b) => b.newest - a.newest || b.id - a.id)
    .map(({ newest: _order, ...line }) => line);
}
