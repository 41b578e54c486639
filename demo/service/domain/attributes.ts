/** Free maps: merged key by key, and bounded so that nobody keeps a library in them. */
import { z } from 'zod';
import type { Json } from '../store/rows.js';

const isMap = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function deepMerge(old: Json, more: Json): Json {
  const merged = new Map(Object.entries(old));
  for (const [key, value] of Object.entries(more)) {
    const before = merged.get(key);
    merged.set(key, isMap(before) && isMap(value) ? deepMerge(before, value) : value);
  }
  return Object.fromEntries(merged);
}

export const withoutKeys = (map: Json, keys: readonly string[]): Json =>
  Object.fromEntries(Object.entries(map).filter(([key]) => !keys.includes(key)));

const longestText = 1500;
const largestNumber = 9_999_999_999;

const isLong = (text: string) => text.length > longestText && [...text].length > longestText;

/** The reference's limits: texts of 1500 characters, numbers up to 9 999 999 999. */
export const attributes = z.record(z.string(), z.unknown()).superRefine((map, context) => {
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
