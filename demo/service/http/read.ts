/**
 * Reads what a request carries: JSON of bounded size, checked text, checked shape. Every refusal is of the
 * specified body; nothing here writes.
 */
import type { z } from 'zod';
import type { Core } from '../core.js';
import { invalid, Refusal, tooLarge, unprocessable } from '../errors.js';
import type { HttpContext } from './endpoint.js';
import { readBytes } from './json-bytes.js';

const deepest = 64;
/** What is wrong with a value is told, and takes longer to find than to send: more of them than any page has. */
const mostValues = 20_000;

/**
 * PostgreSQL keeps no NUL in text, and JSON has no word for a number that was too large to be read: refused. Half a
 * surrogate pair is no character: replaced, as every encoder does. Gives a copy, for a key named `__proto__` must
 * stay a key.
 * @throws Refusal 422 as said, 413 when there are too many values to look at
 */
export function cleanText(value: unknown): unknown {
  let seen = 0;
  const clean = (one: unknown, path: readonly string[]): unknown => {
    seen += 1;
    if (seen > mostValues) throw tooLarge('body', `Too many values (maximum is ${mostValues})`);
    return cleanValue(one, path, clean);
  };
  return clean(value, []);
}

function cleanValue(
  value: unknown,
  path: readonly string[],
  clean: (value: unknown, path: readonly string[]) => unknown,
): unknown {
  if (typeof value === 'string') return cleanString(value, path);
  if (typeof value === 'number' && !Number.isFinite(value))
    throw unprocessable(path.join('.') || 'body', 'is too large a number', 'invalid_value');
  if (typeof value !== 'object' || value === null) return value;
  if (path.length > deepest) throw unprocessable(path[0] ?? 'body', 'is nested too deeply', 'invalid_value');
  if (Array.isArray(value)) return value.map((item, index) => clean(item, [...path, String(index)]));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [cleanString(key, path), clean(item, [...path, key])]),
  );
}

function cleanString(text: string, path: readonly string[]): string {
  if (text.includes('\0')) {
    throw unprocessable(path.join('.') || 'body', 'contains a NUL character', 'invalid_value');
  }
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}

const isJson = (type: string) => /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type);

/** What comes within it is as good as what came at once: nearly all is asked for only once who asks. */
const onceMs = 1000;

/**
 * Whoever may is asked for before the body, and the body may take minutes: meanwhile they may have been let go.
 * @param began when the body began to be read
 */
export async function stillMay(http: HttpContext, began: number): Promise<void> {
  if (performance.now() - began > onceMs) await http.get('askAgain')?.();
}

/** An empty body is an empty object: several operations take nothing. */
export async function readJson(http: HttpContext, { limits, coming }: Core): Promise<unknown> {
  const began = performance.now();
  const bytes = await readBytes(http, limits, coming);
  await stillMay(http, began);
  if (bytes.length === 0) return {};
  const type = http.req.header('content-type') ?? 'application/json';
  if (!isJson(type)) {
    const message = 'The body must be JSON, sent as application/json';
    throw new Refusal(415, message, [{ field: 'content-type', message, code: 'unsupported_media_type' }]);
  }
  try {
    const parsed: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return parsed;
  } catch {
    const message = 'The body is not valid JSON';
    throw new Refusal(400, message, [{ field: 'body', message, code: 'invalid_json' }]);
  }
}

export function check<T>(schema: z.ZodType<T>, value: unknown, root: string): T {
  // `reportInput` lets an absent field be told from one of the wrong type.
  const result = schema.safeParse(cleanText(value), { reportInput: true });
  if (!result.success) throw invalid(result.error, root);
  return result.data;
}
