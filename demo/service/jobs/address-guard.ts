/**
 * Which addresses a webhook may reach. Whoever writes a webhook must not make this machine speak to itself or its
 * neighbours, so the address that a name gives is checked at the moment it is connected to, and that very address
 * is used: a name that changes its mind in between gains nothing.
 */
import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { setTimeout } from 'node:timers/promises';

const refused = new BlockList();
const v4: readonly [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];
// The first and the last four carry an IPv4 address inside them.
const v6: readonly [string, number][] = [
  ['::', 96],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
  ['2001:db8::', 32],
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2002::', 16],
];
for (const [net, prefix] of v4) refused.addSubnet(net, prefix, 'ipv4');
for (const [net, prefix] of v6) refused.addSubnet(net, prefix, 'ipv6');

export class PrivateAddress extends Error {
  constructor() {
    super('The address is private');
  }
}

/** IPv4 inside IPv6 (`::ffff:127.0.0.1`) is seen through. */
export function isPrivateAddress(address: string): boolean {
  const family = isIP(address);
  return family === 0 || refused.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/** The host of a URL, when it is written as an address: nobody looks that up. */
export function literalAddress(url: URL): string | undefined {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return isIP(host) ? host : undefined;
}

/** Told at once, by a name server or for want of one: then the machine's own list of hosts may know the name. */
const unknown = ['ENOTFOUND', 'ENODATA', 'ECONNREFUSED'];
const triesOfName = 2;
/** There are name servers that are silent about IPv6 alone. */
const sixMs = 300;

const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/**
 * The machine's own way waits in two threads for everybody and cannot be given up: names of which no server says
 * anything would hold up all others. So the name servers are asked from here.
 * @param servers instead of the machine's own
 */
async function addressesOf(hostname: string, over: AbortSignal, servers?: readonly string[]) {
  const resolver = new Resolver({ tries: triesOfName });
  if (servers) resolver.setServers([...servers]);
  const cancel = () => resolver.cancel();
  over.addEventListener('abort', cancel);
  const faults: unknown[] = [];
  const ask = async (family: 4 | 6): Promise<LookupAddress[]> => {
    try {
      const all = await (family === 4 ? resolver.resolve4(hostname) : resolver.resolve6(hostname));
      return all.map((address) => ({ address, family }));
    } catch (error) {
      faults.push(error);
      return [];
    }
  };
  try {
    const late = ask(6);
    const four = await ask(4);
    const six = four.length ? await Promise.race([late, setTimeout(sixMs, [], { ref: false })]) : await late;
    if (four.length + six.length) return [...four, ...six];
  } finally {
    over.removeEventListener('abort', cancel);
    resolver.cancel();
  }
  const fault = faults.find((error) => !unknown.includes(codeOf(error)));
  if (fault) throw fault;
  return lookup(hostname, { all: true });
}

/** @param over whoever asks has given up */
export const publicOnly =
  (over: AbortSignal, servers?: readonly string[]): LookupFunction =>
  (hostname, { all, family }, callback) => {
    const found = (addresses: readonly LookupAddress[]) => {
      if (addresses.some(({ address }) => isPrivateAddress(address))) throw new PrivateAddress();
      const fit = addresses.filter((one) => !family || one.family === Number(`${family}`.replace('IPv', '')));
      const [head] = fit;
      if (!head) throw new Error('no address');
      return { fit, head };
    };
    addressesOf(hostname, over, servers)
      .then(found)
      .then(
        ({ fit, head }) => (all ? callback(null, fit) : callback(null, head.address, head.family)),
        (error: Error) => callback(error, []),
      );
  };
