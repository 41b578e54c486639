/** Free maps: merged key by key, and bounded so that nobody keeps a library in them. */
import { z } from 'zod';
import { unprocessable } from '../errors.js';
import type { Json } from '../store/rows.js';

const isMap = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every frame and every list that shows somebody carries their map: a larger one would drown whoever reads it. */
const mostBytes = 64 * 1024;
const tooLarge = `is too large (maximum is ${mostBytes} bytes)`;
const isLarge = (told: unknown) => Buffer.byteLength(JSON.stringify(told)) > mostBytes;

function joined(old: Json, more: Json): Json {
  const merged = new Map(Object.entries(old));
  for (const [key, value] of Object.entries(more)) {
    const before = merged.get(key);
    merged.set(key, isMap(before) && isMap(value) ? joined(before, value) : value);
  }
  return Object.fromEntries(merged);
}

/**
 * @param merged what `more` became with what was there before
 * @throws Refusal 422 where that is too much
 */
export function bounded(merged: Json, more: Json, field = 'custom_attributes'): Json {
  if (Object.keys(more).length && isLarge(merged)) throw unprocessable(field, tooLarge, 'too_big');
  return merged;
}

/** @throws Refusal 422 as `bounded` */
export const deepMerge = (old: Json, more: Json, field?: string): Json =>
  bounded(joined(old, more), more, field);

/** What two know together; where that is too much, what the second knows alone. */
export function joinedOrSecond(first: Json, second: Json): Json {
  const both = joined(first, second);
  return isLarge(both) ? second : both;
}

export const withoutKeys = (map: Json, keys: readonly string[]): Json =>
  Object.fromEntries(Object.entries(map).filter(([key]) => !keys.includes(key)));

const longestText = 1500;
const largestNumber = 9_999_999_999;

const isLong = (text: string) => text.length > longestText && [...text].length > longestText;

/** `z.record` would leave this name out without a word. */
export const unheard = '__proto__';

/** Anything by name. */
export const anyMap = z.preprocess(
  (value, context) => {
    if (isMap(value) && Object.hasOwn(value, unheard))
      context.addIssue({ code: 'custom', path: [unheard], message: 'cannot be a name', input: value });
    return value;
  },
  z.record(z.string(), z.unknown()),
);

/** Only as much as can be told. */
export const tellable = <Schema extends z.ZodType>(schema: Schema) =>
  schema.refine((told) => !isLarge(told), { error: tooLarge, params: { code: 'too_big' } });

export const freeMap = tellable(anyMap);

/** The reference's limits: texts of 1500 characters, numbers up to 9 999 999 999. */
export const attributes = freeMap.superRefine((map, context) => {
  for (const [key, value] of Object.entries(map)) {
    const issue = (message: string, code: string) =>
      context.addIssue({ code: 'custom', path: [key], message, params: { code } });
    if (typeof value === 'string' && isLong(value)) {
      issue(`is too long (maximum is ${longestText} characters)`, 'too_long');
    }
    if (typeof value === 'number' && Math.abs(value) > largestNumber) {
      issue(`is too large (maximum is ${largestNumber})`, 'too_big');
    }
  }
});
