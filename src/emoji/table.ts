/** What emoji there are, how they are called and found, and their skin tones. It knows no markup and no sentence. */
import table from 'virtual:parley-emoji';

export interface Emoji {
  emoji: string;
  /** English, lower case. */
  name: string;
  /** The words it is found by, a space before each. */
  words: string;
}

/** 0 is the yellow one, then from light to dark. */
export type Tone = 0 | 1 | 2 | 3 | 4 | 5;
export const TONES: readonly Tone[] = [0, 1, 2, 3, 4, 5];
export const toneOf = (value: unknown): Tone => TONES.find((tone) => tone === value) ?? 0;

const split = (words: string): string[] =>
  words
    .toLowerCase()
    .split(/[\s-]+/)
    .filter(Boolean);

/** In the order of `groups` in EmojiText. */
export const groups: readonly Emoji[][] = table.split('\n').map((line) => {
  let code = 0;
  return line.split(',').map((entry) => {
    const [, gap, name = '', more = ''] = /^(-?[\dA-Z]*)([^;]*)(.*)/.exec(entry) ?? [];
    code += 1 + (gap ? Number.parseInt(gap, 36) : 0);
    const char = String.fromCodePoint(code);
    return {
      // Without the selector, these are drawn as text.
      emoji: /\p{Emoji_Presentation}/u.test(char) ? char : `${char}\ufe0f`,
      name,
      words: ` ${split(name + more.replace(';', ' ')).join(' ')}`,
    };
  });
});

const all = groups.flat();

/** The same in a skin tone, if it has any. The handshake got its own after what most machines can draw. */
export const withTone = (emoji: string, tone: Tone): string =>
  tone && /^(?!🤝)\p{Emoji_Modifier_Base}/u.test(emoji)
    ? emoji.replace('\ufe0f', '') + String.fromCodePoint(0x1f3fa + tone)
    : emoji;

/** Every word has to begin one of its words; names that begin like the query come first. */
export function find(query: string): Emoji[] {
  const wanted = split(query);
  const begins = ({ words }: Emoji) => Number(words.startsWith(` ${wanted.join(' ')}`));
  return all
    .filter(({ words }) => wanted.every((word) => words.includes(` ${word}`)))
    .sort((a, b) => begins(b) - begins(a));
}

/** Those we know, in their tones and with their names. */
export function named(picked: readonly string[]): Emoji[] {
  const bare = (emoji: string) => emoji.replace(/[\ufe0f\u{1f3fb}-\u{1f3ff}]/gu, '');
  const known = new Map(all.map((entry) => [bare(entry.emoji), entry]));
  return picked.flatMap((emoji) => {
    const entry = known.get(bare(emoji));
    return entry ? [{ ...entry, emoji }] : [];
  });
}
