/** What can go wrong, as values. Nothing here is thrown at a person; `text/` turns a kind into a sentence. */

/** One complaint of the service about one field of a request. */
export interface FieldError {
  field: string;
  message: string;
  code: string;
}

export type ChatError =
  /** No answer: a POST may or may not have arrived. */
  | { kind: 'network' }
  /** The line was cut, or the visitor changed their mind, before all of it had left: it was not carried out. */
  | { kind: 'unsent' }
  /** The service answered no. `retryAfterMs` only when it said so and we may read it. */
  | { kind: 'http'; status: number; retryAfterMs?: number; fields: FieldError[] }
  /** The answer does not fit `wire/`: a POST may have been carried out. `at` names the route, never its values. */
  | { kind: 'contract'; at: string }
  /** The browser would not keep it. */
  | { kind: 'storage' }
  /** The identity changed meanwhile; the answer concerns nobody any more. */
  | { kind: 'gone' };

export type Result<T> = { ok: true; value: T } | { ok: false; error: ChatError };

export const ok = <T>(value: T): Result<T> => ({ ok: true, value });
export const fail = (error: ChatError): { ok: false; error: ChatError } => ({ ok: false, error });

/**
 * What an error says about a POST: `again` it was not carried out and may be repeated later; `uncertain` it may
 * have been carried out; `final` it was not and never will be.
 */
export type Verdict = 'again' | 'uncertain' | 'final';

export function verdict(error: ChatError): Verdict {
  switch (error.kind) {
    case 'network':
    case 'contract':
      return 'uncertain';
    case 'http':
      if (error.status === 429 || isFlood(error)) return 'again';
      return error.status >= 500 || error.status === 408 || error.status < 400 ? 'uncertain' : 'final';
    case 'unsent':
    case 'storage':
    case 'gone':
      return 'again';
  }
}

/** The service takes a limited number of messages a minute in one conversation and says so with 422. */
function isFlood(error: { status: number; fields: FieldError[] }): boolean {
  return error.status === 422 && error.fields.some((f) => /^too.many.messages/i.test(f.code || f.message));
}

export const isNotFound = (error: ChatError): boolean => error.kind === 'http' && error.status === 404;

/** Nobody is let in without a proof of who they are, or not with this one. */
export const isBarred = (error: ChatError): boolean =>
  error.kind === 'http' && (error.status === 401 || error.status === 403);

/** The values are not what the service takes. */
export const isRefused = (error: ChatError): boolean => error.kind === 'http' && error.status === 422;

/** There is no more room in the browser. */
export const isFull = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'QuotaExceededError';
