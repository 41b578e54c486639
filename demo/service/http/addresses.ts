/** Who asks, by address, and how often: one count for everything that the public may ask, sockets included. */
import type { IncomingMessage } from 'node:http';
import { rateLimit } from '../rate-limit.js';

export interface Addresses {
  /** As the farthest of our proxies saw them: what stands before that anybody may have written. */
  of(request: IncomingMessage): string;
  /** @returns 0 when they may ask, else after how many seconds to come back */
  take(request: IncomingMessage): number;
}

/** @param proxies how many of the owner's own stand before us */
export function countAddresses(perMinute: number, proxies: number): Addresses {
  const limit = rateLimit(perMinute);
  const of = ({ headers, socket }: IncomingMessage) => {
    const hops = String(headers['x-forwarded-for'] ?? '').split(',');
    const told = proxies > 0 ? hops.at(-proxies)?.trim() : undefined;
    return told || (socket.remoteAddress ?? '');
  };
  return { of, take: (request) => limit.take(of(request)) };
}
