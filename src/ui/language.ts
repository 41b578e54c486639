/**
 * Fetches the visitor's language and gives the sentences to whoever shows them. English is always here, and stands
 * in where a language cannot be fetched. It does not know what is said.
 */
import { atom } from 'nanostores';
import { createLoader, type Files } from '../embed/loader.js';
import type { Settings } from '../settings.js';
import { chooseLocale, directionOf, wantedLocales } from '../text/choose.js';
import { en } from '../text/en.js';
import { createSay, type Say, type Sentences } from '../text/text.js';

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
  open: () => Promise<{ locales: Files<string> }>,
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
    let chosen = chooseLocale(wanted.slice(0, 1), ['en']);
    let sentences: Partial<Sentences> = {};
    if (wanted.length && chosen.tag !== wanted[0]) {
      try {
        const { locales } = await open();
        chosen = chooseLocale(wanted, [...Object.keys(locales), 'en']);
        if (chosen.catalogue !== 'en') {
          const loader = createLoader<Record<string, { default: Partial<Sentences> }>>(locales, base, nonce);
          sentences = (await loader.open(chosen.catalogue))?.default ?? {};
        }
      } catch {
        chosen = { tag: 'en', catalogue: 'en' };
      }
    }
    // A later choice has overtaken this one.
    if (turn === asked) $language.set(as(chosen.tag, directionOf(chosen.catalogue), sentences));
  }

  return { $language, speak };
}
