/** Random names nobody can guess, and comparisons that take the same time whatever they find. */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

export const randomToken = (bytes = 18) => randomBytes(bytes).toString('base64url');

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Hashing both sides first makes the lengths equal, which `timingSafeEqual` asks for. */
export function sameSecret(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

/** Lower-case hex, as `identifier_hash` and signatures are written. */
export const hmacOf = (key: string, text: string) => createHmac('sha256', key).update(text).digest('hex');
