/**
 * Reads out what comes while a conversation is open, each message once. Not what was there, nor what is loaded of
 * before, nor what was said here. Is not seen.
 */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { filesInShort } from '../../model/files.js';
import { type Bubble, inShort, type Row } from '../../model/rows.js';

const MOST_LETTERS = 500;

/** @param ready the messages of this conversation are here */
export function Newcomers({ rows, ready }: { rows: readonly Row[]; ready: boolean }) {
  const before = useRef<{ newest: number; keys: Set<string> }>(undefined);
  const [said, setSaid] = useState<readonly Bubble[]>([]);
  useLayoutEffect(() => {
    if (!ready) return;
    const bubbles = rows.filter((row) => row.kind === 'bubble');
    const known = before.current;
    before.current = {
      newest: Math.max(0, ...bubbles.map(({ message }) => message?.id ?? 0)),
      keys: new Set(bubbles.map(({ key }) => key)),
    };
    const come =
      known &&
      bubbles.filter(({ key, message }) => message && message.id > known.newest && !known.keys.has(key));
    if (come?.length) setSaid(come);
  }, [rows, ready]);
  return (
    <div class="hidden newcomers" aria-live="polite">
      {said.map((row) => (
        <p key={row.key}>
          {row.author}
          {row.private && ', private note'}: {inShort(row, MOST_LETTERS) || filesInShort(row.attachments)}
        </p>
      ))}
    </div>
  );
}
