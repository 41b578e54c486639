/** What emoji there are, how they are called and found, and their skin tones. It knows no markup and no sentence. */
import list from 'virtual:parley-emoji';
import { SPACELESS, split } from './words.js';

export interface Emoji {
  emoji: string;
  name: string;
  /** A language tag: that of its name. */
  lang: string;
  /** The words it is found by, a space before each. */
  words: string;
}

/** 0 is the yellow one, then from light to dark. */
export type Tone = 0 | 1 | 2 | 3 | 4 | 5;
export const TONES: readonly Tone[] = [0, 1, 2, 3, 4, 5];
export const toneOf = (value: unknown): Tone => TONES.find((tone) => tone === value) ?? 0;

/** The same in a skin tone, if it has any. The handshake got its own after what most machines can draw. */
export const withTone = (emoji: string, tone: Tone): string =>
  tone && /^(?!🤝)\p{Emoji_Modifier_Base}/u.test(emoji)
    ? emoji.replace('\ufe0f', '') + String.fromCodePoint(0x1f3fa + tone)
    : emoji;

const bare = (emoji: string) => emoji.replace(/[\ufe0f\u{1f3fb}-\u{1f3ff}]/gu, '');

export type Table = ReturnType<typeof readTable>;

/**
 * @param names how they are called in another language, as `names-plugin.ts` writes it; by English words they are found
 * all the same
 * @param locale the tag of that language
 */
export function readTable(names?: string, locale = 'en') {
  const called = names?.split(',') ?? [];
  let at = 0;
  /** In the order of `groups` in EmojiText. */
  const groups: readonly Emoji[][] = list.split('\n').map((line) => {
    let code = 0;
    return line.split(',').map((entry) => {
      const [, gap, english = '', more = ''] = /^(-?[\dA-Z]*)([^;]*)(.*)/.exec(entry) ?? [];
      code += 1 + (gap ? Number.parseInt(gap, 36) : 0);
      const char = String.fromCodePoint(code);
      const own = called[at++] ?? '';
      return {
        // Without the selector, these are drawn as text.
        emoji: /\p{Emoji_Presentation}/u.test(char) ? char : `${char}\ufe0f`,
        name: own.split(';')[0] || english,
        lang: own ? locale : 'en',
        words: ` ${split(`${own};${english}${more}`.replaceAll(';', ' ')).join(' ')}`,
      };
    });
  });
  const all = groups.flat();
  return {
    groups,

    /**
     * Every word has to begin one of its words; names that begin like the query come first. Where there is none, the
     * first word alone, as far as it goes in its other forms, too.
     */
    find(query: string): Emoji[] {
      const by = (wanted: string[]) => {
        const begins = ({ words }: Emoji) => Number(words.startsWith(` ${wanted.join(' ')}`));
        return all
          .filter(({ words }) =>
            wanted.every((word) => words.includes(SPACELESS.test(word) ? word : ` ${word}`)),
          )
          .sort((a, b) => begins(b) - begins(a));
      };
      const wanted = split(query);
      const hits = by(wanted);
      const [stem = ''] = /^.{3,}(?=e$)|^.{4,}/u.exec(wanted[0] ?? '') ?? [];
      return hits.length || !stem ? hits : by([stem]);
    },

    /** Those we know, in their tones and with their names. */
    named(picked: readonly string[]): Emoji[] {
      const known = new Map(all.map((entry) => [bare(entry.emoji), entry]));
      return picked.flatMap((emoji) => {
        const entry = known.get(bare(emoji));
        return entry ? [{ ...entry, emoji }] : [];
      });
    },
  };
}
