/** How many messages of the other side are newer than what the visitor has seen. */
import type { Message } from '../wire/message.js';

/** Messages are ascending by id; agents' and automatic ones count. */
export function unreadCount(messages: readonly Message[], seenId: number): number {
  let count = 0;
  for (let i = messages.length - 1; i >= 0; i--) {
    const message = messages[i];
    if (!message || message.id <= seenId) break;
    if (message.message_type !== 0) count++;
  }
  return count;
}
