/**
 * Which of the small facts belong to whoever sits before the browser, and which to the browser itself. Only the former
 * go with an identity. It does not know when one ends.
 */
import type { Local } from '../storage/local.js';

/** The number of the inbox that this chat is of. */
export const INBOX = 'inbox';

/** The page was told that the visitor leaves, and may have gone before it was done: `reset` or `forget`. */
export const LEAVING = 'leave';

/** Habits of the browser, whoever sits before it; and that somebody leaves, until they have left. */
export const HABITS = ['ledger', 'open', 'wishes', 'emoji', 'tone', 'invited', INBOX, LEAVING];

/** What the visitor has begun to write, in the field or in a form. */
export const isTyped = (name: string): boolean => /^(?:draft|typed:)/.test(name);

/** What stays. @param same the same person under another name: what they have written is theirs */
export const lasting = (local: Local, same: boolean): string[] => [
  ...HABITS,
  ...local.all().flatMap(({ name }) => (same && isTyped(name) ? [name] : [])),
];

export function dropFacts(local: Local, kept: readonly string[]): void {
  for (const { name } of local.all()) if (!kept.includes(name)) local.remove(name);
}
