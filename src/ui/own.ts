/**
 * The owner's words as they are in the window's language: those that were written for it, else those for all. It does
 * not know where they stand.
 */
import { asWords, type Settings } from '../settings.js';
import type { Language } from '../text/language.js';
import type { Surroundings } from './context.js';

/**
 * @param outreach may be the greeting, and is then so in this language, too
 * @param lang of what was written for all languages
 */
export function inLanguage(
  settings: Settings,
  { wording, locale }: Language,
  outreach: unknown,
  lang: string,
): Pick<Surroundings, 'settings' | 'own' | 'langOf'> {
  const greets = settings.greeting === asWords(outreach) && !('greeting' in wording);
  const own = (name: string) => asWords(wording[greets && name === 'greeting' ? 'outreach' : name]);
  return {
    settings: {
      ...settings,
      title: own('title') ?? settings.title,
      greeting: own('greeting') ?? settings.greeting,
    },
    own,
    langOf: (name) => (own(name) ? locale : lang),
  };
}
