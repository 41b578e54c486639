/** The sentences of the language in which the visitor is spoken to. It does not know who says them, nor when. */
import { createSay, type Say, type Sentences } from './text.js';
import { type FetchLanguage, type Found, isEnglish } from './wanted.js';

export interface Language {
  say: Say;
  /** A language tag: how dates and numbers are written, too. */
  locale: string;
  dir: 'ltr' | 'rtl';
  /** Absent in English, which the emoji picker brings. */
  nameEmoji?: Found['nameEmoji'];
}

/** @param catalogues the first that has a sentence gives it */
export const speaking = (
  locale: string,
  dir: Language['dir'],
  ...catalogues: readonly Partial<Sentences>[]
): Language => ({ say: createSay(locale, ...catalogues), locale, dir });

/**
 * @param wanted language tags, the liked best first
 * @param own the owner's sentences, in the place of ours
 * @param english those that there are
 * @throws when its file does not come
 */
export async function findLanguage(
  wanted: readonly string[],
  own: Partial<Sentences>,
  fetchLanguage: FetchLanguage,
  ...english: readonly Partial<Sentences>[]
): Promise<Language> {
  const [tag = 'en'] = wanted;
  if (isEnglish(tag)) return speaking(tag, 'ltr', own, ...english);
  const found = await fetchLanguage(wanted);
  const language = speaking(found.locale, found.dir, own, found.sentences, ...english);
  return { ...language, nameEmoji: found.nameEmoji };
}
