/**
 * The thread itself: stays at the newest message while the agent is there, stays where it is while they read older
 * ones. Knows rows, no messages.
 */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Bubble } from '../../model/rows.js';
import { $now } from '../../state/clock.js';
import type { Desk } from '../../state/desk.js';
import { Icon } from '../icons.js';
import { useHeir } from '../kit/use-heir.js';
import { dayName, isoDay } from '../times.js';
import { useStore } from '../use-store.js';
import { BubbleRow } from './bubble.js';
import { Newcomers } from './newcomers.js';

const NEAR_PX = 80;

export function Log({ desk, visitor }: { desk: Desk; visitor: string }) {
  const rows = useStore(desk.$rows);
  const state = useStore(desk.thread.$state);
  const complete = useStore(desk.thread.$complete);
  const now = useStore($now);
  const log = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const seen = useRef({ height: 0, atEnd: true, first: '', last: '' });
  const [behind, setBehind] = useState(false);
  const first = rows.find((row) => row.kind !== 'day')?.key ?? '';
  const last = rows.at(-1)?.key ?? '';

  const byId = new Map(
    rows.flatMap((row) => (row.kind === 'bubble' && row.message ? [[row.message.id, row] as const] : [])),
  );
  function quotedBy({ attributes }: Bubble): Bubble | undefined {
    return typeof attributes.in_reply_to === 'number' ? byId.get(attributes.in_reply_to) : undefined;
  }

  function toEnd() {
    log.current?.scrollTo({ top: log.current.scrollHeight });
    setBehind(false);
  }

  useLayoutEffect(() => {
    const box = log.current;
    if (!box) return;
    const before = seen.current;
    const ours = rows.at(-1);
    const justSent = last !== before.last && ours?.kind === 'bubble' && ours.entry !== undefined;
    if (before.atEnd || justSent) toEnd();
    else if (first !== before.first) box.scrollTop += box.scrollHeight - before.height;
    else if (last !== before.last) setBehind(true);
    seen.current = { ...seen.current, height: box.scrollHeight, first, last };
  }, [rows, first, last]);

  // The box changes with the reply box and the window, its content when an image arrives.
  useLayoutEffect(() => {
    const box = log.current;
    if (!box) return;
    const observer = new ResizeObserver(() => seen.current.atEnd && toEnd());
    observer.observe(box);
    if (list.current) observer.observe(list.current);
    return () => observer.disconnect();
  }, []);

  function onScroll() {
    const box = log.current;
    if (!box) return;
    const atEnd = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_PX;
    seen.current.atEnd = atEnd;
    if (atEnd) setBehind(false);
  }

  return (
    <div class="log-frame">
      <div
        ref={log}
        class="log"
        role="log"
        // Twenty old messages would be read out with the first new one.
        aria-live="off"
        aria-label="Conversation"
        aria-busy={state === 'loading' || state === 'earlier'}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard
        tabIndex={0}
        onScroll={onScroll}
      >
        {!complete && rows.length > 0 && (
          <Passing look="quiet earlier" onClick={() => void desk.thread.loadEarlier()}>
            {state === 'earlier' ? 'Loading …' : 'Load earlier'}
          </Passing>
        )}
        <ol ref={list}>
          {rows.map((row) => {
            if (row.kind === 'bubble') {
              return <BubbleRow key={row.key} row={row} quoted={quotedBy(row)} desk={desk} />;
            }
            return (
              <li key={row.key} class={row.kind}>
                {row.kind === 'day' ? (
                  <time dateTime={isoDay(row.atMs)}>{dayName(row.atMs, now)}</time>
                ) : (
                  <span dir="auto">{row.text}</span>
                )}
              </li>
            );
          })}
        </ol>
        {state === 'loading' && rows.length === 0 && <p class="empty">Loading the messages …</p>}
      </div>
      <Newcomers rows={rows} ready={state === 'ready'} visitor={visitor} />
      {behind && (
        <Passing look="primary newest" onClick={toEnd}>
          <Icon name="down" /> New message
        </Passing>
      )}
    </div>
  );
}

interface PassingProps {
  look: string;
  onClick(): void;
  children: ComponentChildren;
}

/** A button that goes by its own press; the thread has the focus then. */
function Passing({ look, onClick, children }: PassingProps) {
  const ref = useHeir<HTMLButtonElement>((going) =>
    going.closest('.log-frame')?.querySelector<HTMLElement>('[role=log]'),
  );
  return (
    <button ref={ref} type="button" class={look} onClick={onClick}>
      {children}
    </button>
  );
}
