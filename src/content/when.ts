/**
 * A time in the reader's words. Formatters are dear, so each is made once per page and language; and once more where the
 * reader has flown, because it keeps the clock of the place in which it was made.
 */
const made = new Map<string, Intl.DateTimeFormat>();

/** @param at what a calendar has: see `timeOf` */
export function when(at: number, locale: string | undefined, options: Intl.DateTimeFormatOptions): string {
  const key = [new Date().getTimezoneOffset(), locale, ...Object.entries(options)].join();
  let format = made.get(key);
  if (!format) {
    try {
      format = new Intl.DateTimeFormat(locale, options);
    } catch {
      // The page's `lang` need not be a language.
      format = new Intl.DateTimeFormat(undefined, options);
    }
    made.set(key, format);
  }
  return format.format(at);
}

/** A time from outside as one that a calendar has; others would make it throw. */
export const timeOf = (at: number): number => (Math.abs(at) <= 8.64e15 ? at : 0);

/** The year, where it is not this one. */
export const yearOf = (then: Date, now: Date): Intl.DateTimeFormatOptions =>
  then.getFullYear() === now.getFullYear() ? {} : { year: 'numeric' };
