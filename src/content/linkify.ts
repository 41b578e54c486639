/** Finds the addresses in a text that is otherwise plain. It does not decide which of them are good: `link.ts` does. */
import { linkTo } from './link.js';

export type Piece = string | { href: string; shown: string };

/** Bidi controls and drawn boxes can make an address look like another one: such a text has no links at all. */
export const mayLink = (text: string): boolean => !/[\u202a-\u202e\u2066-\u2069\u2500-\u259f]/.test(text);

// Counted repetitions: a long word costs no more than its length times 64.
const ADDRESS =
  /(?:https?:\/\/|www\.)[^\s<>"'`()/?#\\«»‘-‟–—…،؛؟۔।、。，！？；：）】」』》]{1,255}(?:[/?#][!#-;=?-[\]^_a-z{-~]*)?|(?:mailto|tel):[!#-;=?-[\]^_a-z{-~]{1,4096}|[\w.+-]{1,64}@[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63}){1,8}/gi;

/** @param budget how many links may still be made; counted down */
export function linkify(text: string, pageHost: string, budget: { links: number }): Piece[] {
  if (budget.links <= 0 || !/[:@]|www\./i.test(text)) return [text];
  const pieces: Piece[] = [];
  const addresses = new RegExp(ADDRESS);
  let at = 0;
  for (let found = addresses.exec(text); found && budget.links > 0; found = addresses.exec(text)) {
    const address = trimmed(found[0]);
    const end = found.index + address.length;
    addresses.lastIndex = end;
    if (/[\w@/\\%]$|\w:$/.test(text.slice(Math.max(0, found.index - 2), found.index))) continue;
    // The address goes on with letters that it must not have: half of it would lead elsewhere.
    if (/^(?:["'`]\w|[\p{L}\p{N}\p{M}\p{Cf}\\@])/u.test(text.slice(end, end + 2))) continue;
    const link = linkTo(complete(address), pageHost);
    if (!link.ok) continue;
    if (found.index > at) pieces.push(text.slice(at, found.index));
    pieces.push({ href: link.href, shown: link.shown.endsWith(address) ? address : link.shown });
    budget.links--;
    at = end;
  }
  if (at < text.length) pieces.push(text.slice(at));
  return pieces;
}

const complete = (address: string) =>
  /^www\./i.test(address) ? `https://${address}` : /^[^:/?#]+@/.test(address) ? `mailto:${address}` : address;

/** A sentence's own marks at the end do not belong to the address, nor does a bracket that it did not open. */
function trimmed(address: string): string {
  let unopened = 0;
  for (const character of address) unopened += character === ')' ? 1 : character === '(' ? -1 : 0;
  let end = address.length;
  for (; end > 1; end--) {
    const last = address[end - 1] ?? '';
    if (last === ')' && unopened > 0) unopened--;
    else if (!'.,;:!?\'"*~]}'.includes(last)) break;
  }
  return address.slice(0, end);
}
