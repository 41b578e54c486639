/** The length of a recording, which browsers that record write nowhere: they find it at its end. */
import type { TargetedEvent } from 'preact';

/** Beyond every end. */
const FAR_S = 1e6;

/** Looks for the end of a sound before it is played, and comes back. */
export function findLength({ currentTarget: sound }: TargetedEvent<HTMLMediaElement>): void {
  if (sound.duration !== Number.POSITIVE_INFINITY || !sound.paused) return;
  // Also under the hands of whoever has pressed meanwhile.
  const back = () => {
    sound.currentTime = 0;
  };
  sound.addEventListener('durationchange', back, { once: true });
  sound.currentTime = FAR_S;
}
