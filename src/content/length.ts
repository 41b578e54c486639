/** The length of a recording, which browsers that record write nowhere: they find it at its end. */
import type { TargetedEvent } from 'preact';

/** Beyond every end. */
const FAR_S = 1e6;

/** Looks for the end of a sound before it is played, and comes back. */
export function findLength({ currentTarget: sound }: TargetedEvent<HTMLMediaElement>): void {
  if (sound.duration !== Number.POSITIVE_INFINITY || !sound.paused) return;
  sound.addEventListener(
    'durationchange',
    () => {
      if (sound.paused) sound.currentTime = 0;
    },
    { once: true },
  );
  sound.currentTime = FAR_S;
}
