/**
 * The one way to say no. A `Refusal` is thrown by rules and routes, and becomes the specified error body
 * `{description, errors: [{field, message, code}]}`. Knows no HTTP but the status.
 */
import type { z } from 'zod';

export interface FieldError {
  field: string;
  message: string;
  code: string;
}

export type RefusalStatus =
  | 400
  | 401
  | 403
  | 404
  | 405
  | 408
  | 413
  | 415
  | 416
  | 417
  | 422
  | 429
  | 431
  | 500
  | 503;

/** Enough for anybody to mend; an answer must not be larger than what was asked. */
const mostErrors = 100;
const longestText = 1000;
const short = (text: string) => (text.length > longestText ? `${text.slice(0, longestText - 1)}…` : text);

export class Refusal extends Error {
  readonly errors: readonly FieldError[];

  constructor(
    readonly status: RefusalStatus,
    description: string,
    errors: readonly FieldError[],
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(description);
    this.errors = errors
      .slice(0, mostErrors)
      .map(({ field, message, code }) => ({ field: short(field), message: short(message), code }));
  }
}

export const notFound = (field: string, message = 'Resource could not be found') =>
  new Refusal(404, message, [{ field, message, code: 'not_found' }]);

export const nothingThere = () => notFound('path', 'There is nothing at this address');

export function refuseMethod(allowed: readonly string[]): Refusal {
  const allow = [...new Set(allowed)].map((method) => method.toUpperCase()).join(', ');
  const message = `This address answers to ${allow}`;
  return new Refusal(405, message, [{ field: 'method', message, code: 'method_not_allowed' }], {
    Allow: allow,
  });
}

export const unprocessable = (field: string, message: string, code: string) =>
  new Refusal(422, 'The request is not valid', [{ field, message, code }]);

export const unauthorized = (field: string, message: string, code: string) =>
  new Refusal(401, message, [{ field, message, code }]);

export const forbidden = (field: string, message: string) =>
  new Refusal(403, message, [{ field, message, code: 'forbidden' }]);

export const tooLarge = (field: string, message: string) =>
  new Refusal(413, 'The request is too large', [{ field, message, code: 'too_large' }]);

export const tooMany = (retryAfterSeconds: number) =>
  new Refusal(
    429,
    'Too many requests',
    [{ field: 'base', message: 'Too many requests, try again later', code: 'too_many_requests' }],
    { 'Retry-After': String(retryAfterSeconds) },
  );

export const notReady = (message: string, retryAfterSeconds: number) =>
  new Refusal(503, message, [{ field: 'base', message, code: 'not_ready' }], {
    'Retry-After': String(retryAfterSeconds),
  });

export const internal = () => {
  const message = 'Something went wrong on our side';
  return new Refusal(500, message, [{ field: 'base', message, code: 'internal_error' }]);
};

export const refusedBody = ({ message, errors }: Refusal) => ({ description: message, errors });

const askedForType = ['invalid_type', 'invalid_union', 'invalid_value'];

function codeOf(issue: z.core.$ZodIssue): string {
  if (issue.input === undefined && askedForType.includes(issue.code)) return 'required';
  switch (issue.code) {
    case 'too_big':
      return issue.origin === 'string' ? 'too_long' : 'too_big';
    case 'too_small':
      return issue.origin === 'string' ? 'too_short' : 'too_small';
    case 'invalid_type':
    case 'invalid_union':
      return 'invalid_type';
    case 'custom': {
      const code = issue.params?.code;
      return typeof code === 'string' ? code : 'invalid_value';
    }
    default:
      return 'invalid_value';
  }
}

/** Where a value is meant in one of several ways, and what is wrong lies within it, that is what is told. */
function meant(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const [way, ...others] = issue.errors.filter((issues) => issues.every(({ path }) => path.length > 0));
  if (!way || others.length > 0) return [issue];
  return way.flatMap((inner) => meant({ ...inner, path: [...issue.path, ...inner.path] }));
}

/** `root` names the whole (body, query) when the fault lies in no single field. */
export function invalid(error: z.core.$ZodError, root: string): Refusal {
  return new Refusal(
    422,
    'The request is not valid',
    error.issues.flatMap(meant).map((issue) => ({
      field: issue.path.length ? issue.path.map(String).join('.') : root,
      message: issue.message,
      code: codeOf(issue),
    })),
  );
}
