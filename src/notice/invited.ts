import type { Local } from '../storage/local.js';

/**
 * The fact by which the owner's first words stay away: those that were sent away, or have led to the chat. Others are
 * new. In a file of its own, because what several files share would be one file more to fetch.
 * @see HABITS
 */
export const INVITED = 'invited';

/** Whoever has written or opened the chat, or has had these words: whether it is open is kept from the first opening on. */
export const isKnown = ({ get }: Local, words: string): boolean =>
  !!get('') || get('open') !== undefined || get(INVITED) === words;
