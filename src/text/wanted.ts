/** Which languages the visitor may want to be spoken to in. It does not know which there are. */
import type { Sentences } from './text.js';

export interface Found {
  locale: string;
  dir: 'ltr' | 'rtl';
  sentences: Partial<Sentences>;
}

/**
 * @param wanted language tags, the liked best first
 * @throws when its file does not come
 */
export type FetchLanguage = (wanted: readonly string[]) => Promise<Found>;

/** Language tags from the most wanted to the least: the owner's, else the page's, else the browser's. */
export function wantedLocales(
  setting: string | undefined,
  page: string | undefined,
  browser: readonly string[],
): string[] {
  const tags = setting ? [setting] : page ? [page] : browser;
  return tags.flatMap((tag) => {
    try {
      return Intl.getCanonicalLocales(tag);
    } catch {
      return [];
    }
  });
}

/** @param locale as the owner has written it, if it is a text */
export const wantedBy = (locale: unknown): string[] =>
  wantedLocales(
    typeof locale === 'string' ? locale : undefined,
    document.documentElement.lang,
    navigator.languages,
  );

/** To look at a tag more closely costs a slow phone a frame. */
export const isEnglish = (tag: string): boolean => /^en\b/.test(tag);
