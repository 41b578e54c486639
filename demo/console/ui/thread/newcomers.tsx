/**
 * Reads out what comes while a conversation is open, each message once, and what of here is not sent, each time it
 * fails. Not what was there, nor what is loaded of before, nor what was said here. Is not seen.
 */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { filesInShort } from '../../model/files.js';
import { inShort, type Row } from '../../model/rows.js';

const MOST_LETTERS = 500;

/** @param ready the messages of this conversation are here */
export function Newcomers({ rows, ready }: { rows: readonly Row[]; ready: boolean }) {
  const before = useRef<{ newest: number; keys: Set<string>; failed: Set<string> }>(undefined);
  const turn = useRef(0);
  const [said, setSaid] = useState<readonly { key: string; words: string }[]>([]);
  useLayoutEffect(() => {
    if (!ready) return;
    const bubbles = rows.filter((row) => row.kind === 'bubble');
    const known = before.current;
    const failed = bubbles.filter(({ entry }) => entry?.state === 'failed');
    before.current = {
      newest: Math.max(0, ...bubbles.map(({ message }) => message?.id ?? 0)),
      keys: new Set(bubbles.map(({ key }) => key)),
      failed: new Set(failed.map(({ key }) => key)),
    };
    if (!known) return;
    const come = bubbles.filter(
      ({ key, message }) => message && message.id > known.newest && !known.keys.has(key),
    );
    const words = [
      ...come.map((row) => {
        const whose = row.private ? `${row.author}, private note` : row.author;
        return `${whose}: ${inShort(row, MOST_LETTERS) || filesInShort(row.attachments)}`;
      }),
      ...failed.flatMap(({ key, entry }) => (entry && !known.failed.has(key) ? entry.problem : [])),
    ];
    if (!words.length) return;
    // The same words again are said again.
    turn.current += 1;
    setSaid(words.map((one, index) => ({ key: `${turn.current}-${index}`, words: one })));
  }, [rows, ready]);
  return (
    <div class="hidden newcomers" aria-live="polite">
      {said.map(({ key, words }) => (
        <p key={key}>{words}</p>
      ))}
    </div>
  );
}
