/**
 * What a message says: plain words with links, or markdown. A long text is shown in parts, one at a time, so that no
 * text stops the page.
 */
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { beginning, calm } from '../content/clean.js';
import { mayLink } from '../content/linkify.js';
import { looksMarked } from '../content/looks-marked.js';
import { parse } from '../content/markdown.js';
import { blocks, inlines, plain, type Rendering } from '../content/tree.js';
import { useSurroundings } from './context.js';

/** What is shown at first, and of how many lines a later part may be. */
const PART = { characters: 2_000, lines: 40, moreLines: 100 };
/** What one press adds at most, a part a frame: 20,000 characters. */
const PARTS = 10;
/** More than these never stand in the page at once: earlier ones give way. */
const AT_ONCE = 20;
const MAX_LINKS = 100;
/** What is longer is not repeated in every part. */
const MAX_FIRST = 500;
/** A few emoji and nothing else, with what joins and colours them; other drawn signs pass for some. */
const EMOJI = /^[\p{So}\p{Sk}\p{M}\p{Cf}]{1,8}$/u;
/**
 * Code, in a list too, from its first line to its last one, or to the end of the text. And a table with its first two
 * lines, which say that it is one.
 */
const OPENED =
  /^[ \d*+.)-]*((([`~])\3\3+) *(?:[\w+#.-]{1,20} *)?)$(?:.*?\n *\2\3* *$|.*)|^( *\|[^\n]*\n(?=[ :-]*\|)(?=[ |:]*-)[ |:-]+)$(?:\n *\|[^\n]*)*/gms;

interface Saying {
  words: string;
  /** Whether markdown is meant. */
  marked: boolean;
  kind?: string;
}

interface Piece {
  words: string;
  /** False for one that begins or ends within a word: half an address leads elsewhere. */
  whole: boolean;
}

export function Content({ words, marked, kind = '' }: Saying): JSX.Element {
  const parts = useMemo(() => partsOf(calm(words), marked), [words]);
  const [only] = parts;
  return parts.length > 1 || !only ? (
    <Parts parts={parts} marked={marked} kind={kind} />
  ) : (
    <Part {...only} marked={marked} kind={kind} />
  );
}

function Parts({ parts, marked, kind }: { parts: Piece[]; marked: boolean; kind: string }): JSX.Element {
  const { say } = useSurroundings();
  const [end, setEnd] = useState(1);
  const [wanted, setWanted] = useState(1);
  /** What stands before the button that goes under the focus: after it the new part comes, and the focus goes there. */
  const before = useRef<Element | null>(null);
  useLayoutEffect(() => {
    const next = before.current?.nextElementSibling;
    before.current = null;
    if (!(next instanceof HTMLElement)) return;
    next.tabIndex = -1;
    next.focus({ preventScroll: true });
  }, [end]);
  const goal = Math.min(wanted, parts.length);
  useEffect(() => {
    if (end === goal) return undefined;
    const frame = requestAnimationFrame(() => setEnd(end < goal ? end + 1 : end - 1));
    return () => cancelAnimationFrame(frame);
  }, [end, goal]);
  const begin = Math.max(0, end - AT_ONCE);
  const left = parts.length - end;
  return (
    <>
      {begin > 0 && (
        <button
          key="earlier"
          type="button"
          class="more earlier"
          onClick={() => setWanted(Math.max(AT_ONCE, end - PARTS))}
        >
          {say('showEarlier')}
        </button>
      )}
      {parts.slice(begin, end).map((part, i) => (
        <Part key={begin + i} {...part} marked={marked} kind={begin + i ? `${kind} part` : kind} />
      ))}
      {left > 0 && (
        <button
          key="more"
          type="button"
          class="more"
          onClick={({ currentTarget }) => {
            if (left <= PARTS) before.current = currentTarget.previousElementSibling;
            setWanted(end + PARTS);
          }}
        >
          {left > PARTS ? say('showMore') : say('showAll')}
        </button>
      )}
    </>
  );
}

function Part({ words, marked, kind, whole }: Required<Saying> & Piece): JSX.Element {
  return useMemo(() => {
    const rendering: Rendering = {
      pageHost: window.location.hostname,
      links: whole && mayLink(words) ? MAX_LINKS : 0,
    };
    const name = `content ${kind}`.trim();
    const tree = marked && looksMarked(words) ? parse(words) : undefined;
    const [only] = tree?.length === 1 ? tree : [];
    if (!tree || only?.type === 'p') {
      return (
        <p class={EMOJI.test(words) ? `${name} big` : name} dir="auto">
          {only?.type === 'p' ? inlines(only.children, rendering) : plain(words, rendering)}
        </p>
      );
    }
    return (
      <div class={`${name} blocks`} dir="auto">
        {blocks(tree, rendering)}
      </div>
    );
  }, [words, whole, marked, kind]);
}

/** A short text is one part. */
function partsOf(words: string, marked: boolean): Piece[] {
  const parts: Piece[] = [];
  let at = 0;
  let whole = true;
  const opened = marked ? [...words.matchAll(OPENED)] : [];
  /** How the code or the table began that was cut: with it, what follows is one as well. */
  let open = '';
  do {
    // A few words more are no part of their own.
    const few = PART.characters * 1.1;
    const most = words.length - at > few ? PART.characters : few;
    const part = beginning(words.slice(at, at + most + 1), most, at ? PART.moreLines : PART.lines);
    let end = at + part.length;
    const line = words.lastIndexOf('\n', end);
    const cut = opened.find(({ index, 0: all }) => index < end && end < index + all.length);
    const [, fence, , , head = ''] = cut ?? [];
    const first = fence ?? head;
    const inFirst = cut && line < cut.index + first.length;
    // What has hardly begun goes to the next part; a line of it is not cut, unless it is longer than a part.
    if (cut && inFirst && cut.index > at) end = cut.index - 1;
    else if (cut && line > at) end = line;
    const ends = /^\s|^$/.test(words.charAt(end));
    parts.push({ words: open + words.slice(at, end), whole: whole && ends });
    const goesOn = !inFirst && first.length < MAX_FIRST && (fence ?? parse(head)[0]?.type === 'table');
    open = goesOn ? `${first}\n` : '';
    whole = ends;
    // The line break or the space that parts two parts is the end of the first.
    at = /[\n ]/.test(words.charAt(end)) ? end + 1 : end;
  } while (at < words.length);
  return parts;
}
