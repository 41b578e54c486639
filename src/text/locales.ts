/**
 * The file that is fetched for a visitor who does not read English: where each language lies, which it shall be, and
 * its sentences.
 */
import there from 'virtual:parley-locales';
import type { createLoader } from '../loader.js';
import { chooseLocale, directionOf } from './choose.js';
import type { Sentences } from './text.js';
import type { Found } from './wanted.js';

interface Names {
  names: { default: string };
}

/** With the sentences comes where the names of emoji lie, which most visitors never need. */
type Catalogues = Record<string, { default: Partial<Sentences>; emoji: string }>;

let loader: ReturnType<typeof createLoader<Catalogues>> | undefined;

/**
 * @param wanted language tags, the liked best first
 * @param create makes a loader: whoever asks has it already
 * @param base what the files are relative to
 * @throws when its file does not come
 */
export async function fetchLanguage(
  wanted: readonly string[],
  create: typeof createLoader,
  base: string,
  nonce: string,
): Promise<Found> {
  const { tag, catalogue } = chooseLocale(wanted, [...Object.keys(there), 'en']);
  // One for all: it knows what failed before.
  loader ??= create<Catalogues>(there, base, nonce, 'assets/');
  const file = catalogue === 'en' ? undefined : await loader.open(catalogue);
  const names = file && create<Names>({ names: file.emoji }, base, nonce, 'assets/');
  return {
    locale: tag,
    dir: directionOf(catalogue),
    catalogue,
    sentences: file?.default ?? {},
    ...(names && { nameEmoji: async () => (await names.open('names')).default }),
  };
}
