/** The sentences of the emoji picker, as its parts ask for them. */
import type { Say } from '../text/text.js';

export interface EmojiText {
  /** The name of the whole. */
  picker: string;
  /** Names the search field, and stands in it while it is empty. */
  search: string;
  close: string;
  recent: string;
  /** Smileys, people, nature, food, travel, activities, objects, symbols. */
  groups: readonly string[];
  tone: string;
  /** Without a tone, then from light to dark. */
  tones: readonly string[];
  hits: (count: number) => string;
  /** A sentence in place of the hits. */
  none: string;
}

export const emojiText = (say: Say): EmojiText => ({
  picker: say('emoji'),
  search: say('emojiSearch'),
  close: say('emojiClose'),
  recent: say('emojiRecent'),
  groups: [
    say('emojiSmileys'),
    say('emojiPeople'),
    say('emojiNature'),
    say('emojiFood'),
    say('emojiTravel'),
    say('emojiActivities'),
    say('emojiObjects'),
    say('emojiSymbols'),
  ],
  tone: say('skinTone'),
  tones: [
    say('toneNone'),
    say('toneLight'),
    say('toneMediumLight'),
    say('toneMedium'),
    say('toneMediumDark'),
    say('toneDark'),
  ],
  hits: (count) => say('emojiHits', { count }),
  none: say('emojiNone'),
});
