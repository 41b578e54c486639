/** Who has had the owner's first words, or needs none, as this browser knows. It shows nothing. */
import type { Stage } from '../embed/stage.js';

/**
 * The fact by which the owner's first words stay away: those that were sent away, or have led to the chat. Others are
 * new. In a file of its own, because what several files share would be one file more to fetch.
 * @see HABITS
 */
export const INVITED = 'invited';

/** What the page allows waits for the visitor; what is known of these words is kept by it at once. */
export function allowed<T>({ env: { keeping }, hall }: Stage, work: () => T): T {
  if (keeping?.level !== 'memory') return work();
  const [, level] = hall.waiting.findLast(([name]) => name === 'allow') ?? [];
  if (level === 'session' || level === 'persistent') keeping.level = level;
  const done = work();
  keeping.level = 'memory';
  return done;
}

/** Whoever has written or opened the chat, or has had these words: whether it is open is kept from the first opening on. */
export const isKnown = (stage: Stage, words: string): boolean =>
  allowed(stage, () => {
    const { get } = stage.front.local;
    return !!get('') || get('open') !== undefined || get(INVITED) === words;
  });
