/**
 * The kinds of fields that answers, frames and the ledger are made of. What is checked in one go is one small check of
 * our own: every kind of schema that the library has to bring is paid by whoever sends a message.
 */
import * as z from 'zod/mini';

/** Read as absent when it is not what it should be. */
export const text = z.catch(z.optional(z.string()), undefined);
export const number = z.catch(z.optional(z.number()), undefined);

/** `null` for whatever is no text; absent stays absent. */
export const nullishText = z.catch(z.nullish(z.string()), null);

/** A number in JSON: neither infinite nor out of the range in which every integer is one of its own. */
export const int = z.custom<number>(Number.isSafeInteger);

/** A key or a token. */
export const filled = z.custom<string>((value) => typeof value === 'string' && value !== '');

/** What an object of any names holds, all of one kind. */
export const mapOf = <T>(fits: (value: unknown) => boolean) =>
  z.custom<Record<string, T>>(
    (value) =>
      typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value) &&
      Object.values(value).every(fits),
  );

/** Of names that nobody foresaw. */
export const map = z.catch(
  mapOf<unknown>(() => true),
  {},
);
