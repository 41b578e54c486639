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
  const english = speaking('en', 'ltr', sentences, en, late);
  const $language = atom(english);
  let asked = 0;
  /** What is wanted and did not come. */
  let missed: (() => void) | undefined;

  /** @param setting the owner's choice; else the page's language, else the browser's */
  async function speak(setting: string | undefined): Promise<void> {
    const turn = ++asked;
    missed = undefined;
    const language = await findLanguage(wantedBy(setting), sentences, fetchLanguage, en, late).catch(
      () => undefined,
    );
    // A later choice has overtaken this one.
    if (turn !== asked) return;
    if (!language) missed = () => speak(setting);
    $language.set(language ?? english);
  }

  return { $language, speak, again: () => missed?.() };
}
