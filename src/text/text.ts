/**
 * How a sentence is found and filled in. A catalogue is plain data, so that it can be translated, checked and
 * replaced by the owner one sentence at a time; grammar of number is the browser's (`Intl.PluralRules`). It does not
 * know where catalogues come from.
 */
import type { english } from './english.js';

/** One form for each plural category that the language has; `other` always. */
export type Plural = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;
export type Key = keyof typeof english;
export type Sentences = Record<Key, string | Plural>;

/** What an owner says: sentences in the place of ours and, in one language, what options say in all others. */
export type Wording = Partial<Record<string, string | Plural>>;
/** By language tags; under none what is for all of them. */
export type Own = ReadonlyMap<string, Wording>;
/** What is put in the place of `{name}`. Numbers are written as the language writes them; `count` decides the form. */
export type Values = Record<string, string | number>;
export type Say = (key: Key, values?: Values) => string;

/** @param catalogues the first that has a sentence gives it; the last ones have them all between them */
export function createSay(locale: string, ...catalogues: readonly Partial<Sentences>[]): Say {
  /** The first ones of a page cost a slow phone 60 ms and more: not before a number is said. */
  let plurals: Intl.PluralRules | undefined;
  let numbers: Intl.NumberFormat | undefined;
  return (key, values = {}) => {
    const sentence = catalogues.find((sentences) => sentences[key] !== undefined)?.[key] ?? '';
    const { count } = values;
    let chosen = sentence;
    if (typeof chosen !== 'string') {
      plurals ??= new Intl.PluralRules(locale);
      chosen = chosen[plurals.select(typeof count === 'number' ? count : 0)] ?? chosen.other;
    }
    return chosen.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name] ?? '';
      if (typeof value !== 'number') return value;
      numbers ??= new Intl.NumberFormat(locale);
      return numbers.format(value);
    });
  };
}
