/** A list of messages that ascends by id. */
import type { Message } from '../wire/message.js';

/** Where the message with this id is, or would be. */
export function lowerBound(messages: readonly Message[], id: number): number {
  let low = 0;
  let high = messages.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((messages[middle]?.id ?? id) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}
