/** One request to the account API, its answer through a schema. Knows no operation and repeats nothing. */
import type { ZodType } from 'zod';
import { fail, isUnauthorized, ok, type Result } from '../errors.js';
import { errorBodySchema } from '../wire/schemas.js';

const TIME_LIMIT_MS = 15_000;
/** Of a poor line, in a second. */
const SLOW_BYTES = 32_768;
/** Browsers refuse a keepalive body when all of them together exceed 64 KiB. */
const KEEPALIVE_BYTES = 16_000;

/** Words have 15 s; files a second more for every 32 KiB. */
export function limitMs(body: Call['body']): number {
  if (!(body instanceof FormData)) return TIME_LIMIT_MS;
  const bytes = [...body.values()].reduce(
    (sum, value) => sum + (typeof value === 'string' ? value.length : value.size),
    0,
  );
  return TIME_LIMIT_MS + Math.ceil(bytes / SLOW_BYTES) * 1000;
}

export interface Call {
  method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** A list is sent once for each of its values. */
  query?: Record<string, string | number | readonly string[] | undefined>;
  body?: object | FormData;
}

export type Ask = <T>(schema: ZodType<T>, path: string, call?: Call) => Promise<Result<T>>;

export async function call<T>(
  token: string,
  schema: ZodType<T>,
  path: string,
  { method = 'GET', query = {}, body }: Call = {},
): Promise<Result<T>> {
  const url = new URL(path, location.origin);
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value)) for (const one of value) url.searchParams.append(name, one);
    else if (value !== undefined && value !== '') url.searchParams.set(name, String(value));
  }
  const sent = body instanceof FormData ? body : body && JSON.stringify(body);
  const isText = typeof sent === 'string';
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, {
      method,
      headers: {
        // The same with an underscore is left out by some proxies on the way.
        'api-access-token': token,
        accept: 'application/json',
        ...(isText && { 'content-type': 'application/json' }),
      },
      ...(sent && { body: sent }),
      // Who sends and leaves must be heard.
      keepalive: isText && sent.length < KEEPALIVE_BYTES,
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.timeout(limitMs(body)),
    });
    text = await response.text();
  } catch {
    return fail({ kind: 'network' });
  }
  if (!response.ok) return fail({ kind: 'http', status: response.status, ...said(parse(text)) });
  const read = schema.safeParse(parse(text));
  return read.success ? ok(read.data) : fail({ kind: 'contract', at: path });
}

/** @param onUnauthorized called whenever the service no longer accepts the token, after whoever asked has heard so. */
export function asker(token: string, root: string, onUnauthorized: () => void): Ask {
  return async (schema, path, options) => {
    const answer = await call(token, schema, root + path, options);
    if (!answer.ok && isUnauthorized(answer.error)) setTimeout(onUnauthorized);
    return answer;
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function said(body: unknown): { said: string; fields: Record<string, string> } {
  const read = errorBodySchema.safeParse(body).data;
  const [first] = read?.errors ?? [];
  const named = first?.field && first.field !== 'base' ? `${first.field.replaceAll('_', ' ')} ` : '';
  const own = first?.message ? `${/^[A-Z]/.test(first.message) ? '' : named}${first.message}` : '';
  return {
    said: own || read?.description || read?.message || read?.error || '',
    fields: Object.fromEntries(
      (read?.errors ?? []).flatMap(({ field, message }) => (field && message ? [[field, message]] : [])),
    ),
  };
}
