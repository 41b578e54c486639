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
  // In the one way to write it, but for the zeros that may be left out.
  const { hostname } = new URL(`http://[${address.replace(/%.*$/, '')}]`);
  const [before = [], after = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((groups) => groups.split(':').filter(Boolean));
  const zeros = Array<string>(8 - before.length - after.length).fill('0');
  return [...before, ...zeros, ...after].slice(0, 4).join(':');
}

/** Some proxies write the port, too. */
const withoutPort = (told: string) =>
  told.replace(/^\[([^\]]*)\](?::\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1');

/** @param proxies how many of the owner's own stand before us */
export function countAddresses(perMinute: number, proxies: number): Addresses {
  const limit = rateLimit(perMinute);
  const of = ({ headers, socket }: IncomingMessage) => {
    const hops = String(headers['x-forwarded-for'] ?? '').split(',');
    const told = proxies > 0 ? hops.at(-proxies)?.trim() : undefined;
    return network((told && withoutPort(told)) || (socket.remoteAddress ?? ''));
  };
  return { of, take: (request) => limit.take(of(request)) };
}
