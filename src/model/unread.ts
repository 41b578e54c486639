/** What the other side has said and the visitor has not seen. */
import type { Conversation } from '../wire/conversation.js';
import type { Message } from '../wire/message.js';
import { lowerBound } from './ascending.js';

/** Messages are ascending by id; agents' and automatic ones count, but not what has been taken back. */
export const unseen = (messages: readonly Message[], seenId: number): Message[] =>
  messages
    .slice(lowerBound(messages, seenId + 1))
    .filter(({ message_type, content_attributes }) => message_type !== 0 && !content_attributes.deleted);

/**
 * The newest message that the visitor has looked at on any device, or 0. The service tells the second of that look, not
 * the message; so this holds for what the same answer brings, and not for what is said later in that second.
 */
export const lookedAt = ({ messages, contact_last_seen_at: at }: Conversation): number =>
  messages.findLast(({ created_at }) => at > 0 && created_at <= at)?.id ?? 0;
