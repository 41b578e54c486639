/**
 * History and an entry in doubt: "this message is yours" or "it is not here". It knows no clock; whether absence
 * proves anything is for the caller, who knows when the attempt ended.
 */
import type { Message } from '../wire/message.js';
import type { Ledger, OutboxEntry } from './ledger.js';

/** Services trim and fold what they store; two texts are the same when they differ in nothing else. */
const normalise = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .normalize('NFC')
    .replace(/[ \t]+(?=\n|$)/g, '')
    .trim();

/**
 * @param messages every message of the conversation newer than the entry's `afterId`, ascending by id
 * @param claims the messages that already count for some entry
 * @returns the lowest message that is the visitor's, by our name for it, else equal in text and files and claimed by no other entry
 */
export function adopt(
  messages: readonly Message[],
  entry: OutboxEntry,
  claims: Ledger['claims'],
): Message | undefined {
  const after = entry.afterId ?? 0;
  const claimed = new Set(claims.map((claim) => claim.id));
  let first = messages.length;
  while ((messages[first - 1]?.id ?? 0) > after) first--;
  const theirs = messages.slice(first).filter((m) => m.message_type === 0);
  return (
    theirs.find((m) => m.echo_id === entry.echoId) ??
    theirs.find(
      (m) => m.echo_id === undefined && !claimed.has(m.id) && sameText(m, entry) && sameFiles(m, entry),
    )
  );
}

const sameText = (message: Message, entry: OutboxEntry) =>
  normalise(message.content ?? '') === normalise(entry.content);

function sameFiles(message: Message, entry: OutboxEntry): boolean {
  const theirs = (message.attachments ?? []).map((a) => a.file_size ?? -1).sort((a, b) => a - b);
  const ours = entry.files.map((f) => f.size).sort((a, b) => a - b);
  return theirs.length === ours.length && theirs.every((size, i) => size === ours[i]);
}
