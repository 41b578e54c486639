/**
 * Fetches the visitor's language and gives the sentences to whoever shows them. English is always here, and stands
 * in until a language that did not come is asked for again. It does not know what is said.
 */
import { atom } from 'nanostores';
import { createLoader } from '../embed/loader.js';
import type { Settings } from '../settings.js';
import { en } from '../text/en.js';
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
  open: () => Promise<typeof import('../text/locales.js')>,
  base: string,
  nonce: string | undefined,
  late: Partial<Sentences>,
) {
  const as = (locale: string, dir: Language['dir'], ...more: Partial<Sentences>[]): Language => ({
    say: createSay(locale, settings.sentences, ...more, en, late),
    locale,
    dir,
  });
  const $language = atom(as('en', 'ltr'));
  let asked = 0;
  /** What is wanted and did not come. */
  let missed: (() => void) | undefined;

  /** @param setting the owner's choice; else the page's language, else the browser's */
  async function speak(setting: string | undefined): Promise<void> {
    const turn = ++asked;
    missed = undefined;
    const wanted = wantedLocales(setting, document.documentElement.lang, navigator.languages);
    let language = as(wanted[0] ?? 'en', 'ltr');
    let failed = false;
    // To look at a tag more closely costs a slow phone a frame.
    if (!/^en\b/.test(language.locale)) {
      try {
        const { locale, dir, sentences } = await (await open()).fetchLanguage(
          wanted,
          createLoader,
          base,
          nonce,
        );
        language = as(locale, dir, sentences);
      } catch {
        language = as('en', 'ltr');
        failed = true;
      }
    }
    // A later choice has overtaken this one.
    if (turn !== asked) return;
    if (failed) missed = () => speak(setting);
    $language.set(language);
  }

  return { $language, speak, again: () => missed?.() };
}
