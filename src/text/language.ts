/** The sentences of the language in which the visitor is spoken to. It does not know who says them, nor when. */
import { createSay, type Own, type Say, type Sentences, type Wording } from './text.js';
import { type FetchLanguage, type Found, isEnglish } from './wanted.js';

export interface Language {
  say: Say;
  /** A language tag: how dates and numbers are written, too. */
  locale: string;
  dir: 'ltr' | 'rtl';
  /** What the owner says in it, and in no other. */
  wording: Wording;
  /** Absent in English, which the emoji picker brings. */
  nameEmoji?: Found['nameEmoji'];
}

/**
 * @param catalogue the language as we have it
 * @param own the owner's words, in the place of ours
 * @param catalogues the first that has a sentence gives it
 */
export function speaking(
  locale: string,
  dir: Language['dir'],
  catalogue: string,
  own: Own,
  ...catalogues: readonly Partial<Sentences>[]
): Language {
  const [base = ''] = locale.split('-');
  const wording = own.get(locale) ?? own.get(catalogue) ?? own.get(base) ?? {};
  return { say: createSay(locale, wording, own.get('') ?? {}, ...catalogues), locale, dir, wording };
}

/**
 * @param wanted language tags, the liked best first
 * @param own the owner's words, in the place of ours
 * @param english those that there are
 * @throws when its file does not come
 */
export async function findLanguage(
  wanted: readonly string[],
  own: Own,
  fetchLanguage: FetchLanguage,
  ...english: readonly Partial<Sentences>[]
): Promise<Language> {
  const [tag = 'en'] = wanted;
  if (isEnglish(tag)) return speaking(tag, 'ltr', 'en', own, ...english);
  const found = await fetchLanguage(wanted);
  const { locale, dir, catalogue, sentences } = found;
  const language = speaking(locale, dir, catalogue, own, sentences, ...english);
  return { ...language, nameEmoji: found.nameEmoji };
}
