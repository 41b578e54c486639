/**
 * The file that is fetched for a visitor who does not read English: where each language lies, which it shall be, and
 * its sentences.
 */
import there from 'virtual:parley-locales';
import type { createOpener } from '../loader.js';
import { chooseLocale, directionOf } from './choose.js';
import type { Sentences } from './text.js';
import type { Found } from './wanted.js';

interface Names {
  default: string;
}

/** With the sentences comes where the names of emoji lie, which most visitors never need. */
interface Catalogue {
  default: Partial<Sentences>;
  emoji: string;
}

/** One for each, and for all who ask: it knows what failed before. */
const openers: Record<string, () => Promise<Catalogue>> = Object.create(null);

/**
 * @param wanted language tags, the liked best first
 * @param create makes a loader: whoever asks has it already
 * @param base what the files are relative to
 * @throws when its file does not come
 */
export async function fetchLanguage(
  wanted: readonly string[],
  create: typeof createOpener,
  base: string,
  nonce: string,
): Promise<Found> {
  const { tag, catalogue } = chooseLocale(wanted, [...Object.keys(there), 'en']);
  const named = there[catalogue];
  if (named) openers[catalogue] ??= create<Catalogue>(named, base, nonce);
  const file = await openers[catalogue]?.();
  const names = file && create<Names>(file.emoji, base, nonce);
  return {
    locale: tag,
    dir: directionOf(catalogue),
    catalogue,
    sentences: file?.default ?? {},
    ...(names && { nameEmoji: async () => (await names()).default }),
  };
}
