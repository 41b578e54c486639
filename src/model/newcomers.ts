/** Which messages have come while the visitor looked on. It does not know how they are told of. */
import type { Message } from '../wire/message.js';
import { lowerBound } from './ascending.js';

/**
 * What the other side has said may be heard of after what was said since, by either side: by the next look, or by a
 * socket that is slower than an answer. It has come all the same. What another tab has shown has not.
 * @param list by id, ascending
 * @param before the same, as it was
 * @param seenId the newest that the visitor has had before their eyes, in whatever tab
 * @param historyTo the newest of the first page: that is history, and so is what lies before it
 */
export function newcomers(
  list: readonly Message[],
  before: readonly Message[] = [],
  seenId: number,
  historyTo: number,
): readonly Message[] {
  const had = (id: number) => before[lowerBound(before, id)]?.id === id;
  const after = had(seenId) ? historyTo : Math.max(historyTo, seenId);
  return list.filter(({ id }) => id > after && !had(id));
}
