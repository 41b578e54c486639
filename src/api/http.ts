/**
 * One request and its answer as a `Result`. It knows time limits, error bodies and `Retry-After`; it does not know
 * what the routes mean, and never puts an address or a text into an error.
 */
import type * as z from 'zod/mini';
import type { Env } from '../env.js';
import { type ChatError, fail, ok, type Result } from '../errors.js';
import { toJson } from '../json.js';
import { readErrorBody } from '../wire/error-body.js';
import { upload, type Watched } from './upload.js';

type Header = (name: string) => string | null;

/**
 * @param route its template, for error reports: it holds no secret
 * @param schema `undefined` for routes that answer nothing
 * @param watched for files, where the browser can count what leaves: the time limit then is for the answer alone
 */
export type Http = <T>(
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  route: string,
  schema: z.ZodMiniType<T> | undefined,
  body?: Record<string, unknown> | FormData,
  limitMs?: number,
  watched?: Watched,
) => Promise<Result<T>>;

export const REQUEST_LIMIT_MS = 20_000;
/** Browsers refuse a keepalive body when all of them together exceed 64 KiB. */
const KEEPALIVE_BYTES = 16_000;
const RETRY_MIN_MS = 1_000;
const RETRY_MAX_MS = 15 * 60_000;

/** @param signal ends every request at once. @param onAnswer hears the headers of every answer */
export function createHttp(
  env: Env,
  baseUrl: string,
  signal: AbortSignal,
  onAnswer: (header: Header) => void,
): Http {
  return async (method, path, route, schema, body, limitMs = REQUEST_LIMIT_MS, watched) => {
    // What waited for something else is late, and nobody's.
    if (signal.aborted) return fail({ kind: 'gone' });
    if (env.upload && watched && body instanceof FormData) {
      const answer = await upload(env, env.upload(), baseUrl + path, body, {
        signal,
        answerMs: REQUEST_LIMIT_MS,
        watched,
      });
      if (typeof answer === 'string') return fail({ kind: signal.aborted ? 'gone' : answer });
      const { status, text, header } = answer;
      onAnswer(header);
      return status < 300 ? read(text, schema, route) : fail(refusal(status, header, text));
    }
    const aborter = new AbortController();
    const abort = () => aborter.abort();
    const late = env.after(limitMs, abort);
    signal.addEventListener('abort', abort);
    try {
      // Null prototypes: a page that pollutes Object.prototype must not reach our requests.
      const init: RequestInit = Object.assign(Object.create(null), {
        method,
        mode: 'cors',
        credentials: 'omit',
        cache: 'no-store',
        redirect: 'error',
        referrerPolicy: 'no-referrer',
        signal: aborter.signal,
      });
      if (body instanceof FormData) init.body = body;
      else if (body) {
        init.body = toJson(body);
        init.headers = [['Content-Type', 'application/json']];
        init.keepalive = init.body.length < KEEPALIVE_BYTES;
      }
      const response = await env.fetch(baseUrl + path, init);
      const header: Header = (name) => response.headers.get(name);
      onAnswer(header);
      const text = await response.text();
      if (!response.ok) return fail(refusal(response.status, header, text));
      return read(text, schema, route);
    } catch {
      return fail({ kind: signal.aborted ? 'gone' : 'network' });
    } finally {
      late();
      signal.removeEventListener('abort', abort);
    }
  };
}

function read<T>(text: string, schema: z.ZodMiniType<T> | undefined, route: string): Result<T> {
  // Routes without an answer have no schema; nobody reads their value.
  if (!schema) return ok(undefined as T);
  const parsed = schema.safeParse(parseJson(text));
  return parsed.success ? ok(parsed.data) : fail({ kind: 'contract', at: route });
}

function refusal(status: number, header: Header, text: string): ChatError {
  const error = { kind: 'http', status, fields: readErrorBody(parseJson(text)) } as const;
  const retryAfterMs = readRetryAfter(header('retry-after'));
  return retryAfterMs === undefined ? error : { ...error, retryAfterMs };
}

/** Seconds or a date; clamped, because both ends have been seen to be absurd. */
function readRetryAfter(header: string | null): number | undefined {
  if (!header) return undefined;
  const ms = /^-?\d+(\.\d+)?$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, RETRY_MIN_MS), RETRY_MAX_MS) : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
