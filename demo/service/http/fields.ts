/** Schemas that several routes share. Loose where the reference is loose, with the code of each refusal fixed. */
import { z } from 'zod';

/** Characters as people count them: an emoji is one, not two. */
export const limitedText = (most: number) =>
  z
    .string()
    .refine((text) => text.length <= most || [...text].length <= most, {
      error: `is too long (maximum is ${most} characters)`,
      params: { code: 'too_long' },
    })
    .meta({ maxLength: most });

const contentLimit = 150_000;
export const content = limitedText(contentLimit);

export const shortText = limitedText(255);
const checked = (pattern: RegExp, error: string) =>
  shortText.refine((text) => pattern.test(text), { error }).meta({ maxLength: 255, pattern: pattern.source });

/** The description of a text that may be blank: what is refused otherwise, and what is not. */
function blankOr(schema: z.ZodType): z.GlobalMeta {
  const { pattern, ...rest } = schema.meta() ?? {};
  return typeof pattern === 'string' ? { ...rest, pattern: `^\\s*$|${pattern}` } : rest;
}
const isBlank = (text: string) => text.trim() === '';

/** Absent, null and blank mean the same: this value is not given. */
const given = <T>(schema: z.ZodType<T, string>) =>
  z
    .string()
    .meta(blankOr(schema))
    .nullish()
    .transform((text) => (typeof text === 'string' && !isBlank(text) ? text : undefined))
    .pipe(schema.optional());

/** Absent stays; null and blank clear. */
export const clearable = (schema: z.ZodType<string, string>) =>
  z
    .string()
    .meta(blankOr(schema))
    .nullish()
    .transform((text) => (typeof text === 'string' && isBlank(text) ? null : text))
    .pipe(schema.nullish());

export const name = given(shortText);
export const identifier = given(shortText);
export const identifierHash = given(shortText);
export const emailText = checked(
  /^[^\s@<>(),;:"\\]+@[^\s@<>(),;:"\\]+\.[^\s@.]+$/,
  'is not an e-mail address',
);
export const phoneText = checked(/^\+[1-9]\d{1,14}$/, 'is not a phone number such as +12025550123');
export const avatarText = limitedText(2048)
  .refine((text) => /^https?:\/\//i.test(text) && URL.canParse(text), {
    error: 'is not an http or https address',
  })
  .meta({ maxLength: 2048, pattern: '^[Hh][Tt][Tt][Pp][Ss]?://' });
/** Where something can be sent. Counted in bytes, for a unique index takes no more than 2704 of them. */
export const webAddress = z
  .string()
  .trim()
  .refine((text) => Buffer.byteLength(text) <= 2048, {
    error: 'is too long (maximum is 2048 bytes)',
    params: { code: 'too_long' },
  })
  .refine((text) => /^https?:\/\/[^\s/]/i.test(text) && URL.canParse(text), {
    error: 'is not an http or https address',
  })
  .meta({ maxLength: 2048 });
export const email = given(emailText);
export const phoneNumber = given(phoneText);
export const avatarUrl = given(avatarText);
export const echoId = limitedText(255)
  .nullish()
  .transform((text) => text || undefined);

const largestId = 999_999_999_999_999;

/** The key of a contact stands in addresses, where a dot or two are no name but a step. */
export const sourceId = shortText
  .min(1, 'must not be empty')
  .refine((text) => text !== '.' && text !== '..', { error: 'cannot be part of an address' })
  .meta({ pattern: '^(?!\\.{1,2}$)' });

/** Numbers that name rows. */
export const rowId = z.number().int().min(0).max(largestId);
export const userIds = z.array(rowId).max(1000);

/** What must be said and must not be blank. */
export const title = shortText
  .transform((text) => text.trim())
  .refine((text) => text !== '', { error: 'must not be blank', params: { code: 'required' } });

/** What is searched for: blanks around the words are none of them. */
const words = limitedText(500);
const trimmed = (text: string) => text.trim();
export const searched = words.transform(trimmed);
export const someSearched = words
  .min(1, 'must not be empty')
  .meta({ pattern: '\\S' })
  .transform(trimmed)
  .refine((text) => text !== '', { error: 'must not be empty', params: { code: 'too_short' } });

/** Numbers that name rows, in queries where everything is text. */
export const idText = z
  .string()
  .regex(/^\d+$/, 'is not a number')
  .transform(Number)
  .refine((id) => id <= largestId, { error: 'is too large' })
  .meta({ type: 'integer', minimum: 0, maximum: largestId, pattern: undefined });

export const pageText = z
  .string()
  .regex(/^[1-9]\d{0,5}$/, 'is not a page number')
  .transform(Number)
  .meta({ type: 'integer', minimum: 1, maximum: 999_999, pattern: undefined })
  .default(1);

export const secondsText = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, 'is not a number of seconds')
  .transform(Number)
  .meta({ type: 'integer', minimum: 1, maximum: 999_999_999, pattern: undefined });

/** In queries and forms, which know text alone, also as other languages write it: `True`, `1`. */
export const flag = z.union(
  [
    z.boolean(),
    z
      .string()
      .regex(/^(?:true|false|[01])$/i)
      .meta({ pattern: '^(?:[Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee]|[01])$' })
      .transform((text) => text === '1' || text.toLowerCase() === 'true'),
  ],
  'must be true or false',
);

/** Whatever it is: only two words mean something. */
export const typingStatus = z
  .unknown()
  .optional()
  .meta({ description: 'on or off; anything else does nothing' });

/** @returns nothing for what cannot name a row, so that it is 404 and never an error of the database */
export function idOf(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
