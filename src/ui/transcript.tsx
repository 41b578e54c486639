/**
 * The conversation as a list that stays at its end unless the reader has gone up. Rows are drawn in chunks, of which
 * those out of sight cost nothing and yet can be found and selected. It does not know what a row says.
 */
import type { JSX } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { when } from '../content/when.js';
import { type Chunk, chunks, piles } from '../model/chunks.js';
import { firstNew, newestId, newRows } from '../model/new-rows.js';
import type { Row } from '../model/transcript.js';
import { Avatar, nameOf } from './avatar.js';
import { Bubble } from './bubble.js';
import { useSurroundings } from './context.js';
import { useKeptFocus } from './focus.js';
import { Greeting } from './greeting.js';
import { DownIcon } from './icons.js';
import { createPlace, listsIn, type Place } from './place.js';
import { onResize } from './resized.js';
import { copy, describe, met, rowOf } from './row-events.js';
import { Skeleton } from './skeleton.js';
import { heedOnce } from './twice.js';
import { useDress } from './use-dress.js';
import { useStore } from './use-store.js';
import { useTimed, useToday } from './use-timed.js';
import { useUncover } from './use-uncover.js';

/** So near to the top the next page is fetched. */
const AHEAD_PX = 400;
/** About how high a row is that has not been drawn yet. */
const ROW_PX = 60;
const NONE: readonly Chunk[] = [{ key: 0, rows: [] }];

export interface TranscriptProps {
  /** Set here: brings the reader to the end. */
  toEnd: { current: () => void };
}

export function Transcript({ toEnd }: TranscriptProps): JSX.Element {
  const { chat, say, locale, settings, inline, close } = useSurroundings();
  const known = useStore(chat.$rows);
  const rows = known ?? [];
  const typing = useStore(chat.$typing);
  const hasOlder = useStore(chat.$hasOlder);
  const open = useStore(chat.$open);
  const home = useStore(chat.$home);
  const scroller = useRef<HTMLDivElement>(null);
  const told = useRef<HTMLDivElement>(null);
  const place = useRef<Place | undefined>(undefined);
  const drawn = useRef<readonly Chunk[]>([]);
  drawn.current = chunks(rows, drawn.current);
  /** As of when all of it had found its place: what comes while the reader goes up has not been seen. */
  const newest = useRef(0);
  /** The newest message when the reader left the end. */
  const [leftAt, setLeftAt] = useState<number>();
  /** What was new when the window was opened: after the one message, up to the other. */
  const [fresh, setFresh] = useState<{ after: number; until: number }>();
  const [older, setOlder] = useState<'loading' | 'failed'>();
  const decided = useRef(false);
  const begun = useRef(true);
  /** Nobody saw how the view was led to what was new. */
  const led = useRef(false);
  const tabStop = useRef<HTMLElement | undefined>(undefined);
  const first = fresh && firstNew(rows, fresh.after);
  const divider = fresh && (first?.message?.id ?? Infinity) <= fresh.until ? first?.key : undefined;
  /** Here, under the owner's words; they stay above the answer to them, unless the service says them itself. */
  const [begunHere, setBegunHere] = useState(known?.length === 0);
  const repeated = () =>
    rows.slice(0, 9).some(({ mine, content }) => !mine && content.trim() === settings.greeting);
  const greeted = begunHere && settings.greeting && !repeated();
  const coming = leftAt === undefined ? 0 : newRows(rows, leftAt).length;
  const { today, zone } = useToday(open);
  const timed = useTimed(rows.length > 0);

  /** The same element for the same chunk: Preact then passes it over. */
  const elements = useMemo(() => new WeakMap<Chunk, JSX.Element>(), [today, zone, divider, say, timed]);
  const shown = (chunk: Chunk) => {
    const element = elements.get(chunk) ?? (
      <Rows key={chunk.key} chunk={chunk} today={today} divider={divider} timed={timed} />
    );
    elements.set(chunk, element);
    return element;
  };

  toEnd.current = () => {
    // Who answers has seen it.
    chat.away('behind', false);
    setFresh(undefined);
    place.current?.toEnd();
  };
  useLayoutEffect(() => {
    const stops = [
      chat.$rows.listen((rows) => rows?.length || setBegunHere(rows !== undefined)),
      // The first words make one.
      chat.$home.listen((_, before) => before && setBegunHere(false)),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [chat]);
  useKeptFocus(scroller);
  useDress(scroller, open);
  useUncover(scroller, open && !inline, close);
  useLayoutEffect(() => heedOnce(scroller.current?.closest('dialog')), []);
  useLayoutEffect(() => {
    chat.away('up', leftAt !== undefined);
    return () => chat.away('up', false);
  }, [leftAt]);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element?.firstElementChild) return undefined;
    place.current = createPlace(element, (away, beginning) =>
      setLeftAt(away ? (beginning ? chat.seenBefore() : newest.current) : undefined),
    );
    return onResize([element, element.firstElementChild], () => settle.current());
  }, []);

  // Whoever opens the window or goes to another conversation begins at its end. Its rows stay: the first words have made it.
  useLayoutEffect(
    () => () => {
      decided.current = false;
      begun.current = true;
      setFresh(undefined);
      setOlder(undefined);
      place.current?.toEnd();
    },
    [open, home],
  );
  useLayoutEffect(() => {
    if (open && !decided.current && known && hasOlder !== undefined) {
      decided.current = true;
      const after = chat.seenBefore();
      const until = newestId(rows);
      begun.current = !after || after >= until;
      if (!begun.current) setFresh({ after, until });
    }
  }, [open, home, known, hasOlder]);

  // What comes while another page is before the reader begins below a line; who was at the end comes back to that.
  useLayoutEffect(() => {
    if (!open || !decided.current || !(document.hidden || chat.away('behind'))) return;
    const after = chat.seenBefore(true);
    if (!after || !firstNew(rows, after)) return;
    if (after === fresh?.after) begun.current = leftAt !== undefined;
    else {
      led.current = false;
      setFresh({ after, until: newestId(rows) });
    }
  }, [known, fresh]);
  // What was read in another tab meanwhile is not new any more: they are where they were.
  useLayoutEffect(
    () =>
      chat.$unread.listen((unread) => {
        if (unread || !document.hidden) return;
        setFresh(undefined);
        if (led.current) place.current?.toEnd();
        led.current = false;
      }),
    [],
  );

  const settle = useRef(() => {});
  settle.current = () => {
    // What comes first is read from its beginning.
    if (known?.length === 0) return scroller.current?.scrollTo(0, 0);
    if (begun.current || !scroller.current?.clientHeight) return place.current?.keep();
    const element = scroller.current.querySelector('.new')?.parentElement;
    if (!element) return place.current?.keep();
    begun.current = true;
    led.current = document.hidden;
    place.current?.begin(element);
  };
  const look = useRef(() => {});
  look.current = () => {
    const { clientHeight = 0, scrollTop = 0 } = scroller.current ?? {};
    if (hasOlder && !older && clientHeight && scrollTop < AHEAD_PX && !place.current?.atEnd())
      void loadOlder();
  };
  useLayoutEffect(() => {
    settle.current();
    newest.current = newestId(rows);
    const element = scroller.current;
    const last = element && listsIn(element).at(-1)?.querySelectorAll<HTMLElement>('.copy');
    const root = element?.getRootNode();
    const focused = root instanceof ShadowRoot && root.activeElement === tabStop.current;
    if (last?.length && !focused) stopAt(last[last.length - 1]);
    // Who is up there already does not scroll once more.
    look.current();
  }, [known, typing, open, older, divider, hasOlder]);

  /** Of all the small buttons beside the messages, Tab stops at one; the arrows lead to the others. */
  function stopAt(button: HTMLElement | undefined) {
    if (!button) return;
    if (tabStop.current) tabStop.current.tabIndex = -1;
    tabStop.current = button;
    button.tabIndex = 0;
  }

  /** Whatever language is spoken by then. */
  const speak = useRef(say);
  speak.current = say;

  function pressed(event: MouseEvent) {
    const button = met(event, '.copy');
    const row = button && scroller.current && rowOf(scroller.current, drawn.current, button);
    if (row) copy(button, row, (key) => speak.current(key), told.current);
  }

  function focused(event: FocusEvent) {
    const button = met(event, '.copy');
    const row = button && scroller.current && rowOf(scroller.current, drawn.current, button);
    if (row) describe(button, row, say);
  }

  /** When it was said, and what its button does, for whoever points at it: told besides, it would be heard twice. */
  function pointed(event: PointerEvent) {
    const button = met(event, '.copy');
    if (button) button.title = button.getAttribute('aria-label') ?? '';
    const line = met(event, '.line');
    const row = line && scroller.current && rowOf(scroller.current, drawn.current, line);
    if (row) line.title = when(row.at, locale, { dateStyle: 'medium', timeStyle: 'short' });
  }

  function keyDown(event: KeyboardEvent) {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!step || event.target === scroller.current) return;
    const buttons = [...(scroller.current?.querySelectorAll<HTMLElement>('.copy') ?? [])];
    const at = event.target instanceof HTMLElement ? buttons.indexOf(event.target) : -1;
    const next = at < 0 ? undefined : buttons[at + step];
    if (!next) return;
    event.preventDefault();
    stopAt(next);
    next.focus();
  }

  const tell = (words: string) => {
    if (told.current) told.current.textContent = words;
  };

  async function loadOlder() {
    setOlder('loading');
    const loaded = await chat.loadOlder();
    tell('');
    // What has become of it is no matter in another conversation.
    if (chat.$home.get() === home) setOlder(loaded.ok ? undefined : 'failed');
  }

  function scrolled() {
    place.current?.scrolled();
    look.current();
  }

  return (
    <div class="scroll-area">
      <div
        ref={scroller}
        class="transcript"
        part="transcript"
        role="log"
        aria-live="off"
        aria-label={say('transcript')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        onScroll={scrolled}
        onToggle={() => place.current?.back()}
        onKeyDown={keyDown}
        onClick={pressed}
        onFocusIn={focused}
        onPointerOver={pointed}
      >
        <div class={greeted ? 'thread greeted' : 'thread'}>
          {hasOlder && (
            <div class="older">
              {older === 'failed' && <p role="alert">{say('olderFailed')}</p>}
              <button
                type="button"
                class="small"
                aria-disabled={older === 'loading'}
                onClick={() => {
                  // Another name of a button is not heard everywhere. Whoever comes to it may have them fetched already.
                  tell(say('olderLoading'));
                  if (older !== 'loading') void loadOlder();
                }}
              >
                {say(older === 'loading' ? 'olderLoading' : older ? 'retry' : 'older')}
              </button>
            </div>
          )}
          {!known && <Skeleton />}
          {(known?.length === 0 || greeted) && <Greeting />}
          {piles(drawn.current.length ? drawn.current : NONE).map(({ key, chunks }) => (
            <section key={key} class="pile" style={room(...chunks)}>
              {chunks.map(shown)}
            </section>
          ))}
          {typing && (
            <div class="typing">
              <Avatar sender={typing} name={nameOf(typing) ?? say('agent')} />
              <span class="dots" aria-hidden="true">
                <i />
                <i />
                <i />
              </span>
              <span class="sr">{say('typing', { name: nameOf(typing) ?? say('agent') })}</span>
            </div>
          )}
        </div>
      </div>
      <div class="sr" role="status" ref={told} />
      {leftAt !== undefined && rows.length > 0 && (
        <button
          type="button"
          class="latest"
          aria-label={coming ? say('latestNew', { count: coming }) : say('latest')}
          onClick={() => {
            chat.away('behind', false);
            place.current?.toEnd();
            scroller.current?.focus({ preventScroll: true });
          }}
        >
          <DownIcon />
          {coming > 0 && (
            <span class="count">
              {Math.min(coming, 99).toLocaleString(locale)}
              {coming > 99 && '+'}
            </span>
          )}
        </button>
      )}
    </div>
  );
}

/** For as long as nobody knows better. */
const room = (...all: readonly Chunk[]) => ({
  containIntrinsicSize: `auto ${all.reduce((sum, { rows }) => sum + rows.length * ROW_PX, 0)}px`,
});

interface RowsShown {
  chunk: Chunk;
  /** Tomorrow it is yesterday. */
  today: string;
  divider: string | undefined;
  timed: boolean;
}

function Rows({ chunk, today, divider, timed }: RowsShown): JSX.Element {
  /** The same element for the same row: Preact then passes it over. */
  const elements = useMemo(() => new WeakMap<Row, JSX.Element>(), [today, timed]);
  const shown = (row: Row) => {
    const divided = row.key === divider;
    const element = (!divided && elements.get(row)) || (
      <Bubble key={row.key} row={row} today={today} divided={divided} timed={timed} />
    );
    if (!divided) elements.set(row, element);
    return element;
  };
  return (
    <ol class="rows" style={room(chunk)}>
      {chunk.rows.map(shown)}
    </ol>
  );
}
