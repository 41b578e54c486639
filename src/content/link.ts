/**
 * Where an address from the wire may lead: http, https, mailto or tel, and only when what a reader sees of it is
 * where it goes. A pure decision with its reason. It knows no element and no text around the address.
 * @see reliability.md 1.2 (Signal's rules), 3.6 C1, C2
 */

export type Refusal =
  /** More than 4096 characters. */
  | 'long'
  | 'scheme'
  /** Outside of RFC 3986: spaces, controls, quotes, letters that must be percent-encoded. */
  | 'characters'
  | 'credentials'
  /** No host, one label, an empty label, percent signs, or another way to write a number. */
  | 'host'
  /** ASCII beside other letters, the dress of most look-alikes. */
  | 'mixed';

export type Link =
  | {
      ok: true;
      href: string;
      /** The address as it may be shown: its host in ASCII. */
      shown: string;
      /** Where it goes, in short: a host, a mail address, a number. */
      goes: string;
      web: boolean;
    }
  | { ok: false; why: Refusal };

const MAX_CHARACTERS = 4096;
const OUTSIDE = /[^\w.~:/?#[\]!$&'()*+,;=%@-]/;
const MAIL =
  /^mailto:([\w.!$&'*+=~-]{1,64}@[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63})+)(?:\?(?:subject|body)=[^&]*(?:&(?:subject|body)=[^&]*)*)?$/i;
const PHONE = /^tel:(\+?[\d().-]{2,32})$/i;

const no = (why: Refusal): Link => ({ ok: false, why });

/** @param pageHost the host of the page we are on: it may be linked to even where it has one label, as localhost */
export function linkTo(address: string, pageHost: string): Link {
  if (address.length > MAX_CHARACTERS) return no('long');
  if (/^https?:/i.test(address)) return webLink(address, pageHost);
  const [, goes] = MAIL.exec(address) ?? PHONE.exec(address) ?? [];
  if (!goes) return no('scheme');
  // An encoded line break would begin another header of the mail.
  if (OUTSIDE.test(address) || /%0[ad]/i.test(address)) return no('characters');
  return { ok: true, href: address, shown: address, goes, web: false };
}

function webLink(address: string, pageHost: string): Link {
  const [, scheme = '', authority = '', rest = ''] = /^(https?:\/\/)([^/?#\\]*)(.*)$/is.exec(address) ?? [];
  if (!authority) return no('host');
  if (OUTSIDE.test(rest)) return no('characters');
  if (authority.includes('@')) return no('credentials');
  const host = authority.replace(/:\d{1,5}$/, '').toLowerCase();
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    return no('host');
  }
  const labels = url.hostname.split('.');
  if (labels.some((label) => !label || label.length > 63) || url.hostname.length > 253) return no('host');
  if (/[^\0-\x7f]/.test(host)) {
    if (/[\p{C}\p{Z}]/u.test(host)) return no('characters');
    // Wide letters and the like turn into ASCII on the way.
    if (/[\0-\-/-\x7f]/.test(host) || !labels.every((label) => label.startsWith('xn--'))) return no('mixed');
  } else if (host !== url.hostname || !/^[\w.-]+$|^\[[\da-f:]+\]$/.test(host)) return no('host');
  if (labels.length < 2 && url.hostname !== pageHost) return no('host');
  return {
    ok: true,
    href: url.href,
    shown: host === url.hostname ? address : scheme + url.host + rest,
    goes: url.hostname,
    web: true,
  };
}

/** The address of a file or a picture: http or https and nothing else. */
export function webAddress(address: string | undefined, pageHost: string): string | undefined {
  const link = address ? linkTo(address, pageHost) : undefined;
  return link?.ok && link.web ? link.href : undefined;
}

/**
 * True when the words of a link may make a reader expect another place than the one it goes to.
 * @param words what the link says
 */
export function misleads(words: string, link: Link & { ok: true }, pageHost: string): boolean {
  const said = words
    .normalize('NFKC')
    .replace(/\p{Cf}+/gu, '')
    .trim();
  const numbers = /^tel:/i.test(link.href) && said.match(/\+?\d[\d\s()./-]{4,}/g);
  if (numbers) {
    const dialled = digits(link.goes);
    return !numbers
      .map(digits)
      .some((number) => dialled.endsWith(number) || (dialled.length > 4 && number.endsWith(dialled)));
  }
  // Marks, and what is not drawn at all, keep a dot from looking like one to us alone.
  const drawn = said.replace(/[\p{M}\p{DI}]+/gu, '');
  if (!/[\p{L}\p{N}]\s*[.。․ꓸ܁܂۔]\s*[\p{L}\p{N}]|:\/\/|@/u.test(drawn)) return false;
  if (`${link.shown}` === said || link.goes === said) return false;
  const named = linkTo(/:\/\//.test(said) ? said : `https://${said}`, pageHost);
  return !named.ok || bare(named.goes) !== bare(link.goes);
}

/** As far as two ways to write one number have them in common: without what is dialled before it within a country. */
const digits = (words: string) => words.replace(/\(0|\D/g, '').replace(/^(?:0+|8(?=\d{10}$))/, '');

const bare = (host: string) => host.replace(/^www\./, '');
