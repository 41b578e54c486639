/**
 * What can go wrong between the console and the account API, as values, and the one sentence a person reads.
 * Knows no request and no store.
 */
export type ConsoleError = Failure & {
  /** Something was to be made and may have been: another try could make a second one. */
  mayBeMade?: true;
};

type Failure =
  /** No answer: a POST may or may not have arrived. */
  | { kind: 'network' }
  /** The service answered no; `said` is its own text, if it gave one, and `fields` what it says of each field. */
  | { kind: 'http'; status: number; said: string; fields: Readonly<Record<string, string>> }
  /** The answer does not fit `wire/`. `at` names the route, never its values. */
  | { kind: 'contract'; at: string };

export type Result<T> = { ok: true; value: T } | { ok: false; error: ConsoleError };

export const ok = <T>(value: T): Result<T> => ({ ok: true, value });
export const fail = (error: ConsoleError): { ok: false; error: ConsoleError } => ({ ok: false, error });

export function mapped<T, U>(answer: Result<T>, change: (value: T) => U): Result<U> {
  return answer.ok ? ok(change(answer.value)) : answer;
}

export const isUnauthorized = (error: ConsoleError): boolean => error.kind === 'http' && error.status === 401;

export const isGone = (error: ConsoleError): boolean => error.kind === 'http' && error.status === 404;

/** A POST that failed this way may still have been carried out. */
export function isUncertain(error: ConsoleError): boolean {
  return error.kind !== 'http' || error.status >= 500 || error.status === 408;
}

/** An answer to what makes something. */
export function making<T>(answer: Result<T>): Result<T> {
  return answer.ok || !isUncertain(answer.error) ? answer : fail({ ...answer.error, mayBeMade: true });
}

/** @param what did not work, as the start of a sentence: `The message was not sent`. */
export function sentence(what: string, error: ConsoleError): string {
  if (!error.mayBeMade) return `${what}: ${reason(error)}.`;
  return `${what.replace(' was not ', ' may have been ')}: ${reason(error)}. Look before you try again.`;
}

function reason(error: ConsoleError): string {
  switch (error.kind) {
    case 'network':
      return 'the service does not answer';
    case 'contract':
      return 'the service answered in a way this page does not understand';
    case 'http':
      if (error.status === 403) return 'only an administrator may do this';
      if (error.status === 404) return 'it is not there any more';
      if (error.status === 413) return 'it is too large';
      if (error.status === 429) return 'too many requests, wait a moment';
      if (error.status >= 500) return 'the service has a problem';
      return error.said.trim().replace(/\.$/, '') || `the service refused (${error.status})`;
  }
}
