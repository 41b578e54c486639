/** What the other side has said and the visitor has not seen. */
import type { Message } from '../wire/message.js';
import { lowerBound } from './ascending.js';

/** Messages are ascending by id; agents' and automatic ones count. */
export const unseen = (messages: readonly Message[], seenId: number): Message[] =>
  messages.slice(lowerBound(messages, seenId + 1)).filter(({ message_type: type }) => type !== 0);
