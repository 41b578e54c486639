/**
 * Whether one source of a content security policy lets an address through, as browsers read it. It does not know what
 * else the policy says, nor where the address leads.
 */

/** A policy for http is one for https, too. */
const isOf = (scheme: string, protocol: string) =>
  scheme === protocol || (scheme === 'http:' && protocol === 'https:');

const HOST = /^(?:([a-z][\w+.-]*:)\/\/)?([\w.*-]+)(?::(\d+|\*))?(\/.*)?$/i;

/**
 * @param address of http or https
 * @param page the address of the page that has the policy
 * @see https://www.w3.org/TR/CSP3/#match-url-to-source-expression
 */
export function lets(source: string, address: string, page: string): boolean {
  const { protocol, hostname, port, pathname } = new URL(address);
  const own = new URL(page);
  if (source === '*') return true;
  if (/^'self'$/i.test(source)) return lets(own.origin, address, page);
  if (/^[a-z][\w+.-]*:$/i.test(source)) return isOf(source.toLowerCase(), protocol);
  const [, scheme = own.protocol, host, at, path = '/'] = HOST.exec(source) ?? [];
  if (!host || !isOf(scheme.toLowerCase(), protocol)) return false;
  const name = host.toLowerCase();
  if (!(name.startsWith('*') ? hostname.endsWith(name.slice(1)) : hostname === name)) return false;
  const usual = protocol === 'https:' ? '443' : '80';
  const real = port || usual;
  const isPort =
    at === undefined ? real === usual : at === '*' || at === real || `${at} ${real}` === '80 443';
  if (!isPort) return false;
  return path.endsWith('/') ? pathname.startsWith(path) : pathname === path;
}
