/** Which messages have come while the visitor looked on. It does not know how they are told of. */
import type { Message } from '../wire/message.js';

/**
 * What the other side has said may be heard of after what the visitor has said since: by the next look, or by a socket
 * that is slower than an answer. It has come all the same. What another tab has shown has not.
 * @param list by id, ascending
 * @param before the same, as it was: the first page of it is history, and so is what lies before that
 * @param seenId the newest that the visitor has had before their eyes, in whatever tab
 */
export function newcomers(
  list: readonly Message[],
  before: readonly Message[] = [],
  seenId: number,
): readonly Message[] {
  let last = before.length;
  while (before[last - 1]?.message_type === 0) last--;
  const own = before.slice(last).map(({ id }) => id);
  const known = Math.max((before[last - 1] ?? before[0])?.id ?? 0, own.includes(seenId) ? 0 : seenId);
  let first = list.length;
  while ((list[first - 1]?.id ?? 0) > known) first--;
  return list.slice(first).filter(({ id }) => !own.includes(id));
}
