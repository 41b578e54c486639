/** The chat window from its header to its composer, and what opens over both. */
import type { WritableAtom } from 'nanostores';
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Composer } from './composer.js';
import { type Screen, useSurroundings } from './context.js';
import { isFree } from './free.js';
import { Header } from './header.js';
import { PreChat, usePreChat } from './pre-chat.js';
import { FIELDS } from './shell.js';
import { Skeleton } from './skeleton.js';
import { StatusLine } from './status-line.js';
import { useLater } from './use-later.js';
import { useStore } from './use-store.js';

const SAID_MS = 10_000;
/** A finger leaves the focus in the field where it is. */
const GOING = ['pointerdown', 'focusin', 'input'];

export interface PanelProps {
  /** What is told above the composer, for a while: a failure at once, the rest when nothing else is being said. */
  $said: WritableAtom<{ words: string; calmly?: boolean }>;
}

export function Panel({ $said }: PanelProps): JSX.Element {
  const { chat, say, layer } = useSurroundings();
  const thread = useLater('thread', true, true);
  const toEnd = useRef(() => {});
  const front = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<'menu' | Screen>();
  const said = useStore($said);
  const { words, calmly } = said;
  const onSay = (words: string, calmly = false) => $said.set({ words, calmly });
  const ended = useStore(chat.$status) === 'resolved';
  const open = useStore(chat.$open);
  const more = useLater('more', at !== undefined);
  // Nobody presses for it.
  const { it: ending } = useLater('more', ended, true);
  const questions = usePreChat();
  const composing = questions === null;
  const answered = useRef(false);
  const composed = useRef(composing);
  const [goal, setGoal] = useState<{ to: 'menu' | 'composer' }>();
  const now = useRef(at);
  now.current = at;
  const screen = at === 'menu' ? undefined : at;
  const covered = screen !== undefined && more.it !== undefined;

  const hidden = useStore(chat.$away).includes('picture') || covered;

  /** Regions within what is covered say nothing: what they would have said they say once it is seen. */
  const [seen, setSeen] = useState(1);
  useEffect(() => {
    // What was told is not told once more.
    if (hidden && seen && words) onSay('');
    setSeen(hidden ? 0 : open ? 2 : 1);
  }, [hidden, open]);

  const focus = (what: string) => front.current?.querySelector<HTMLElement>(what)?.focus();
  /** Back to the thread, with the focus where the visitor goes on. */
  const leave = (to?: 'menu' | 'composer') => {
    // Who waited for an answer and has opened something else meanwhile stays there.
    if (now.current && now.current !== at) return;
    setGoal(to && { to });
    setAt(undefined);
  };
  useLayoutEffect(() => {
    if (goal && isFree(front.current)) focus(goal.to === 'menu' ? '.menu-button' : FIELDS);
  }, [goal]);
  // With the menu's own press, and not a frame after it: whoever writes on may be quicker.
  useLayoutEffect(() => {
    if (at !== 'menu') return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const place = front.current?.querySelector('.menu-place');
    // On its way or here, it goes when the visitor goes on elsewhere; not what was opened from it.
    const elsewhere = (event: Event) => {
      const path = event.composedPath();
      if (!place || path.includes(place)) return;
      // Within the window: Safari gives a pressed button no focus, but the window around it.
      if (event.currentTarget !== document && path[0] === place.closest('dialog')) return;
      // Later: drawn anew before the field has read what was typed, it would be empty again.
      clearTimeout(timer);
      timer = setTimeout(() => setAt((now) => (now === 'menu' ? undefined : now)));
    };
    // Of a focus that moves within the window the page is told nothing.
    const around = [document, place?.getRootNode()];
    for (const event of GOING) for (const one of around) one?.addEventListener(event, elsewhere, true);
    return () => {
      // A menu that is opened meanwhile is another one.
      clearTimeout(timer);
      for (const event of GOING) for (const one of around) one?.removeEventListener(event, elsewhere, true);
    };
  }, [at]);
  useLayoutEffect(() => (at ? layer?.(() => leave('menu')) : undefined), [at, layer]);
  // What comes from here on is out of sight, and so is all of it before there is a thread.
  useLayoutEffect(() => void chat.away('covered', covered || !thread.it), [covered, thread.it]);
  // Whoever opens it anew wants the conversation.
  useEffect(() => {
    if (!open) setAt(undefined);
  }, [open]);
  useEffect(() => {
    if (!more.failed || !at) return;
    setAt(undefined);
    onSay(say('partNotLoaded'));
  }, [more.failed, at]);
  useEffect(() => {
    if (!words || !seen) return undefined;
    const root = front.current;
    const hush = () => $said.get() === said && onSay('');
    const timer = setTimeout(() => {
      if (calmly) hush();
      // A failure has been read when whoever has had the time for it goes on.
      else if (root) root.onclick = root.oninput = hush;
    }, SAID_MS);
    return () => clearTimeout(timer);
  }, [said, !seen]);
  useLayoutEffect(() => {
    // The composer comes after the questions, to whoever has answered them or waits for it with the whole window.
    const root = front.current?.getRootNode();
    const waits = root instanceof ShadowRoot && root.activeElement instanceof HTMLDialogElement;
    if (composing && !composed.current && (answered.current ? isFree(front.current) : waits)) focus(FIELDS);
    composed.current = composing;
    answered.current = false;
  }, [composing]);

  const shared = { onLeave: leave, onGo: setAt, onSay };
  // The same words told again are heard again.
  const told = seen > 0 && words && <p key={said}>{words}</p>;
  return (
    <>
      <div ref={front} class={composing ? 'root' : 'root asked'} inert={covered}>
        <Header
          subtitle={thread.it && <thread.it.Subtitle />}
          expanded={at === 'menu'}
          onToggle={() => {
            // Who asks again has heard it, and is told anew.
            if (more.failed) onSay('');
            more.again();
            setAt(at ? undefined : 'menu');
          }}
          menu={at === 'menu' && more.it ? <more.it.Menu {...shared} /> : undefined}
        />
        {thread.it ? (
          <thread.it.Thread toEnd={toEnd} />
        ) : (
          <div class="scroll-area">
            <div class="thread">
              <Skeleton />
            </div>
          </div>
        )}
        <div class="notes">
          <StatusLine
            turn={seen}
            missing={thread.it ? undefined : thread.failed ? 'unavailable' : 'connecting'}
          />
          <div class="status" role="status">
            {calmly && told}
          </div>
          <div class="status" role="alert">
            {!calmly && told}
          </div>
          {ending && <ending.Ended {...shared} />}
        </div>
        {composing ? (
          <Composer covered={covered} onSent={() => toEnd.current()} />
        ) : (
          <PreChat
            fields={questions}
            onDone={() => {
              answered.current = true;
            }}
          />
        )}
      </div>
      {screen && more.it && <more.it.Screens screen={screen} {...shared} />}
      {/* Not in what a screen covers: what comes meanwhile is heard all the same. */}
      {thread.it && <thread.it.Announcer />}
    </>
  );
}
