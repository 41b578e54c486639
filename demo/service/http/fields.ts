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

export const contentLimit = 150_000;
export const content = limitedText(contentLimit);

export const shortText = limitedText(255);
const checked = (pattern: RegExp, error: string) =>
  shortText.refine((text) => pattern.test(text), { error }).meta({ maxLength: 255, pattern: pattern.source });

/** The description of a text that may be blank: what is refused otherwise, and what is not. */
function blankOr(schema: z.ZodType): z.GlobalMeta {
  const { pattern, ...rest } = schema.meta() ?? {};
  return typeof pattern === 'string' ? { ...rest, pattern: `^$|${pattern}` } : rest;
}

/** Absent, null and blank mean the same: this value is not given. */
const given = <T>(schema: z.ZodType<T, string>) =>
  z
    .string()
    .meta(blankOr(schema))
    .nullish()
    .transform((text) => text || undefined)
    .pipe(schema.optional());

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

/** Numbers that name rows. */
export const rowId = z.number().int().min(0).max(largestId);
export const userIds = z.array(rowId).max(1000);

/** What must be said and must not be blank. */
export const title = shortText
  .transform((text) => text.trim())
  .refine((text) => text !== '', { error: 'must not be blank', params: { code: 'required' } });

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

export const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]);

/** @returns nothing for what cannot name a row, so that it is 404 and never an error of the database */
export function idOf(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
