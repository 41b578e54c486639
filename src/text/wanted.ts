/** Which languages the visitor may want to be spoken to in. It does not know which there are. */
import type { Sentences } from './text.js';

export interface Found {
  locale: string;
  dir: 'ltr' | 'rtl';
  /** The language as we have it, `zh-Hant` for `zh-TW`. */
  catalogue: string;
  sentences: Partial<Sentences>;
  /** How emoji are called in it; rejects when that does not come. */
  nameEmoji?: () => Promise<string>;
}

/**
 * @param wanted language tags, the liked best first
 * @throws when its file does not come
 */
export type FetchLanguage = (wanted: readonly string[]) => Promise<Found>;

/**
 * A language tag as browsers write it; servers say `pt_BR`. What is not there is not asked about: to refuse a first
 * one takes a slow phone up to 8 ms.
 */
export function asTag(value: unknown): string | undefined {
  if (!value) return undefined;
  try {
    return Intl.getCanonicalLocales(`${value}`.replaceAll('_', '-'))[0];
  } catch {
    return undefined;
  }
}

/** Language tags from the most wanted to the least: the owner's, else the page's, else the browser's. */
export const wantedLocales = (
  setting: string | undefined,
  page: string | undefined,
  browser: readonly string[],
): string[] =>
  [[setting], [page], browser]
    .map((tags) => tags.flatMap((tag) => asTag(tag) ?? []))
    .find(({ length }) => length) ?? [];

/** @param locale as the owner has written it, if it is a text */
export const wantedBy = (locale: unknown): string[] =>
  wantedLocales(
    typeof locale === 'string' ? locale : undefined,
    document.documentElement.lang,
    // There are pages that hide it.
    navigator.languages ?? [],
  );

/** To look at a tag more closely costs a slow phone a frame. */
export const isEnglish = (tag: string): boolean => /^en\b/.test(tag);
