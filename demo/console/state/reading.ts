/**
 * Which conversation is before the agent's eyes: the open one, unless the page is hidden or the details lie over the
 * thread. Knows no message.
 */
import { atom, computed, type ReadableAtom } from 'nanostores';
import type { Place } from './place.js';

/** As wide as the page is, at most, where the details take the place of the thread. @see shell.css */
const ONE_OF_TWO = '(max-width: 1179px)';

export function createReading(
  $openId: ReadableAtom<number | undefined>,
  $place: ReadableAtom<Place>,
): { $reading: ReadableAtom<number | undefined>; close(): void } {
  const room = matchMedia(ONE_OF_TWO);
  const $visible = atom(document.visibilityState === 'visible');
  const $tight = atom(room.matches);
  const onVisibility = () => $visible.set(document.visibilityState === 'visible');
  const onRoom = () => $tight.set(room.matches);
  document.addEventListener('visibilitychange', onVisibility);
  room.addEventListener('change', onRoom);
  return {
    $reading: computed([$openId, $place, $visible, $tight], (id, place, visible, tight) => {
      const covered = place.details && tight;
      // Between two conversations, the place is the first to know of the next.
      return visible && !covered && place.conversationId === id ? id : undefined;
    }),
    close() {
      document.removeEventListener('visibilitychange', onVisibility);
      room.removeEventListener('change', onRoom);
    },
  };
}
