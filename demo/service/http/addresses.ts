/** Who asks, by address, and how often: one count for everything that the public may ask, sockets included. */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { rateLimit } from '../rate-limit.js';

export interface Addresses {
  /** As the farthest of our proxies saw them: what stands before that anybody may have written. */
  of(request: IncomingMessage): string;
  /** @returns 0 when they may ask, else after how many seconds to come back */
  take(request: IncomingMessage): number;
}

/** Of an address of the sixth version, the network: whoever has one has all the others in it, 2^64 of them. */
function network(address: string): string {
  if (isIP(address) !== 6) return address;
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  const [head = '', tail] = address.replace(/%.*$/, '').split('::');
  const parts = head.split(':').filter(Boolean);
  const end = tail?.split(':').filter(Boolean) ?? [];
  const zeros = tail === undefined ? 0 : 8 - parts.length - end.length;
  const all = [...parts, ...Array<string>(zeros).fill('0'), ...end];
  return all
    .slice(0, 4)
    .map((part) => Number.parseInt(part, 16).toString(16))
    .join(':');
}

/** @param proxies how many of the owner's own stand before us */
export function countAddresses(perMinute: number, proxies: number): Addresses {
  const limit = rateLimit(perMinute);
  const of = ({ headers, socket }: IncomingMessage) => {
    const hops = String(headers['x-forwarded-for'] ?? '').split(',');
    const told = proxies > 0 ? hops.at(-proxies)?.trim() : undefined;
    return network(told || (socket.remoteAddress ?? ''));
  };
  return { of, take: (request) => limit.take(of(request)) };
}
