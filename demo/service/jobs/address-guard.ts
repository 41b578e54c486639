/**
 * Which addresses a webhook may reach. Whoever writes a webhook must not make this machine speak to itself or its
 * neighbours, so the address that a name gives is checked at the moment it is connected to, and that very address
 * is used: a name that changes its mind in between gains nothing.
 */
import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

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
// The last three carry an IPv4 address inside them.
const v6: readonly [string, number][] = [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
  ['2001:db8::', 32],
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

export const publicOnly: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, []);
    const [head] = addresses;
    if (!head || addresses.some(({ address }) => isPrivateAddress(address))) {
      return callback(new PrivateAddress(), []);
    }
    return options.all ? callback(null, addresses) : callback(null, head.address, head.family);
  });
};
