/** Who has had the owner's first words, or needs none, as this browser knows. It shows nothing. */
import type { Stage } from '../embed/stage.js';

/**
 * The fact by which the owner's first words stay away: those that were sent away, or have led to the chat. Others are
 * new. In a file of its own, because what several files share would be one file more to fetch.
 * @see HABITS
 */
export const INVITED = 'invited';

/** So many are remembered, the newest of them: others come back. */
const MOST = 20;

/** What the page allows waits for the visitor; what is known of these words is kept by it at once. */
export function allowed<T>({ env: { keeping }, hall }: Stage, work: () => T): T {
  if (keeping?.level !== 'memory') return work();
  const [, level] = hall.waiting.findLast(([name]) => name === 'allow') ?? [];
  if (level === 'session' || level === 'persistent') keeping.level = level;
  const done = work();
  keeping.level = 'memory';
  return done;
}

/** A single one was once kept as it is. */
const textsOf = (kept: unknown): unknown[] => (kept === undefined ? [] : [kept].flat());

/** Whoever has written or opened the chat, or has had these words: whether it is open is kept from the first opening on. */
export const isKnown = (stage: Stage, words: string): boolean =>
  allowed(stage, () => {
    const { get } = stage.front.local;
    return !!get('') || get('open') !== undefined || textsOf(get(INVITED)).includes(words);
  });

export const noteInvited = (stage: Stage, words: string): void =>
  allowed(stage, () => {
    const { get, set } = stage.front.local;
    set(INVITED, [...textsOf(get(INVITED)).filter((one) => one !== words), words].slice(-MOST));
  });
