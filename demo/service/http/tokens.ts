/** Where a request names its token, and what holds up whoever tries tokens. Does not know whose they are. */
import type { MiddlewareHandler } from 'hono';
import { tooMany } from '../errors.js';
import { rateLimit } from '../rate-limit.js';
import { sha256 } from '../secrets.js';
import type { HttpContext, Variables } from './endpoint.js';

/** Proxies leave out the first one. */
export const tokenHeaders = ['api_access_token', 'api-access-token'] as const;

export function tokenOf(http: HttpContext): string {
  const [given, otherwise] = tokenHeaders;
  return http.req.header(given) ?? http.req.header(otherwise) ?? '';
}

/**
 * Counts by address what came without a valid one. A token that was good since the start is let through whatever others
 * of its address do, so that nobody locks out the agents beside them.
 */
export function limitGuesses(
  perMinute: number,
  addressOf: (http: HttpContext) => string,
): MiddlewareHandler<{ Bindings: HttpContext['env']; Variables: Variables }> {
  const perAddress = rateLimit(perMinute);
  const good = new Set<string>();
  return async (http, next) => {
    const address = addressOf(http);
    const token = sha256(tokenOf(http));
    const wait = good.has(token) ? 0 : perAddress.wait(address);
    if (wait) throw tooMany(wait);
    await next();
    if (http.get('isKnown')) good.add(token);
    else if (http.res.status === 401) {
      good.delete(token);
      perAddress.take(address);
    }
  };
}
