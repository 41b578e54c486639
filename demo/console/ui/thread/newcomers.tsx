/**
 * Reads out what comes while a conversation is open, each message once, the visitor's answers to questions, and what of
 * here is not sent, each time it fails. Not what was there, nor what is loaded of before, nor what was said here. Is not
 * seen.
 */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { filesInShort } from '../../model/files.js';
import { answerInShort } from '../../model/question.js';
import { type Bubble, inShort, type Row } from '../../model/rows.js';
import { useVoice } from '../kit/use-voice.js';

const MOST_LETTERS = 500;

interface Before {
  /** Nothing before history has come: what it brings was there. */
  history: { newest: number; keys: Set<string>; unanswered: Set<string> } | undefined;
  failed: Set<string>;
}

const answerIn = ({ message }: Bubble) => (message ? answerInShort(message) : '');
const keysOf = (bubbles: readonly Bubble[]) => new Set(bubbles.map(({ key }) => key));

interface Props {
  rows: readonly Row[];
  /** The messages of this conversation are here. */
  ready: boolean;
  visitor: string;
}

export function Newcomers({ rows, ready, visitor }: Props) {
  const before = useRef<Before>(undefined);
  const [region, say] = useVoice();
  useLayoutEffect(() => {
    const bubbles = rows.filter((row) => row.kind === 'bubble');
    const known = before.current;
    const failed = bubbles.filter(({ entry }) => entry?.state === 'failed');
    before.current = {
      history: ready
        ? {
            newest: Math.max(0, ...bubbles.map(({ message }) => message?.id ?? 0)),
            keys: keysOf(bubbles),
            unanswered: keysOf(bubbles.filter((row) => answerIn(row) === '')),
          }
        : known?.history,
      failed: keysOf(failed),
    };
    if (!known) return;
    const there = ready ? known.history : undefined;
    const come = bubbles.filter(
      ({ key, message }) => there && message && message.id > there.newest && !there.keys.has(key),
    );
    const answers = bubbles.filter((row) => there?.unanswered.has(row.key) && answerIn(row) !== '');
    const words = [
      ...come.map((row) => {
        const whose = row.private ? `${row.author}, private note` : row.author;
        return `${whose}: ${inShort(row, MOST_LETTERS) || filesInShort(row.attachments)}`;
      }),
      ...answers.map((row) => `${visitor}: ${answerIn(row)}`),
      ...failed.flatMap(({ key, entry }) => (entry && !known.failed.has(key) ? entry.problem : [])),
    ];
    if (words.length) say(...words);
  }, [rows, ready, visitor]);
  return region;
}
