/**
 * The language of the window. English is always here, and stands in until a language that did not come is asked for
 * again. It does not know what is said.
 */
import { atom } from 'nanostores';
import type { Settings } from '../settings.js';
import { en } from '../text/en.js';
import { findLanguage, speaking } from '../text/language.js';
import type { Sentences } from '../text/text.js';
import { type FetchLanguage, wantedBy } from '../text/wanted.js';

/** @param late sentences that come later, in English */
export function createLanguage(
  { sentences }: Pick<Settings, 'sentences'>,
  fetchLanguage: FetchLanguage,
  late: Partial<Sentences>,
) {
  const english = speaking('en', 'ltr', 'en', sentences, en, late);
  const $language = atom(english);
  let asked = 0;
  /** What is wanted and did not come. */
  let missed: (() => void) | undefined;

  async function find(wanted: readonly string[]): Promise<void> {
    const turn = ++asked;
    missed = undefined;
    const language = await findLanguage(wanted, sentences, fetchLanguage, en, late).catch(() => undefined);
    // A later choice has overtaken this one.
    if (turn !== asked) return;
    // By then a page that follows us says that it is in English.
    if (!language) missed = () => find(wanted);
    $language.set(language ?? english);
  }

  return {
    $language,
    /** @param setting the owner's choice; else the page's language, else the browser's */
    speak: (setting: string | undefined) => find(wantedBy(setting)),
    again: () => missed?.(),
  };
}
