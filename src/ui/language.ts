/**
 * Fetches the visitor's language and gives the sentences to whoever shows them. English is always here, and stands
 * in where a language cannot be fetched. It does not know what is said.
 */
import { atom } from 'nanostores';
import { createLoader } from '../embed/loader.js';
import type { Settings } from '../settings.js';
import { en } from '../text/en.js';
import type { Languages } from '../text/locales.js';
import { createSay, type Say, type Sentences } from '../text/text.js';
import { wantedLocales } from '../text/wanted.js';

export interface Language {
  say: Say;
  /** A language tag: how dates and numbers are written, too. */
  locale: string;
  dir: 'ltr' | 'rtl';
}

/**
 * @param open fetches the list of languages
 * @param base what the files are relative to
 * @param late sentences that come later, in English
 */
export function createLanguage(
  settings: Settings,
  open: () => Promise<Languages>,
  base: string,
  nonce: string | undefined,
  late: Partial<Sentences>,
) {
  const as = (tag: string, dir: Language['dir'], ...more: Partial<Sentences>[]): Language => ({
    say: createSay(tag, settings.sentences, ...more, en, late),
    locale: tag,
    dir,
  });
  const $language = atom(as('en', 'ltr'));
  let asked = 0;

  /** @param setting the owner's choice; else the page's language, else the browser's */
  async function speak(setting: string | undefined): Promise<void> {
    const turn = ++asked;
    const wanted = wantedLocales(setting, document.documentElement.lang, navigator.languages);
    let language = as(wanted[0] ?? 'en', 'ltr');
    // To look at a tag more closely costs a slow phone a frame.
    if (!/^en\b/.test(language.locale)) {
      try {
        const { locales, chooseLocale, directionOf } = await open();
        const { tag, catalogue } = chooseLocale(wanted, [...Object.keys(locales), 'en']);
        let sentences: Partial<Sentences> = {};
        if (catalogue !== 'en') {
          const loader = createLoader<Record<string, { default: Partial<Sentences> }>>(locales, base, nonce);
          sentences = (await loader.open(catalogue))?.default ?? {};
        }
        language = as(tag, directionOf(catalogue), sentences);
      } catch {
        language = as('en', 'ltr');
      }
    }
    // A later choice has overtaken this one.
    if (turn === asked) $language.set(language);
  }

  return { $language, speak };
}
