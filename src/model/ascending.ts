/** Lists that ascend. */
import type { Message } from '../wire/message.js';

/** Where those of a list that fit begin; all that follow fit, too. */
export function firstOf<T>(list: readonly T[], fits: (one: T) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const one = list[middle];
    if (one !== undefined && fits(one)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Where the message with this id is, or would be. */
export const lowerBound = (messages: readonly Message[], id: number): number =>
  firstOf(messages, (message) => message.id >= id);
