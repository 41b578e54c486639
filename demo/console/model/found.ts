/**
 * The words that were searched for, with a little of what stands around them: as much as fits into one line. Pure; which
 * message has them is the service's to know, and it may find what we cannot see, such as words between marks.
 */
import { plainWords } from '../../../src/content/plain-words.js';
import type { Message } from '../wire/schemas.js';
import type { Known } from './known-conversation.js';
import { isMarked } from './rows.js';

export interface Found {
  message: Message;
  before: string;
  words: string;
  after: string;
}

/** The words themselves must be seen, in a column of 30 characters. */
const BEFORE = 14;
const AFTER = 160;
/** Of a long message so much is freed from its marks. */
const AROUND = 600;

function place(text: string, search: string): { start: number; end: number } | undefined {
  // Not by lower case: some letters are two then, and what comes after them stands elsewhere.
  const pattern = new RegExp(search.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'iu');
  const hit = pattern.exec(text);
  return hit ? { start: hit.index, end: hit.index + hit[0].length } : undefined;
}

/** What is left of a beginning that has to be cut, from a whole word on where there is one. */
function shortened(before: string): string {
  const flat = before.replace(/\s+/g, ' ').trimStart();
  if (flat.length <= BEFORE) return flat;
  const tail = flat.slice(-BEFORE);
  const word = tail.indexOf(' ');
  return `… ${word >= 0 && word < BEFORE - 1 ? tail.slice(word + 1) : tail.replace(/^[\uDC00-\uDFFF]/, '')}`;
}

/** @returns nothing where the words cannot be seen in the message that was found */
export function foundIn({ found_message: message }: Known, search: string): Found | undefined {
  if (!message || !search) return undefined;
  const raw = message.content ?? '';
  const rough = place(raw, search);
  if (!rough) return undefined;
  const near = raw.slice(Math.max(0, rough.start - AROUND), rough.end + AROUND);
  const plain = isMarked(message) ? plainWords(near) : near;
  const text = place(plain, search) ? plain : near;
  const exact = place(text, search);
  if (!exact) return undefined;
  return {
    message,
    before: shortened(text.slice(0, exact.start)),
    words: text.slice(exact.start, exact.end),
    after: text.slice(exact.end, exact.end + AFTER),
  };
}
