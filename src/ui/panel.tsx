/** The chat window from its header to its composer, and what opens over both. */
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Screen } from '../more/more.js';
import { Asking, useQuestions } from './asking.js';
import { Composer } from './composer.js';
import { useSurroundings } from './context.js';
import { Header } from './header.js';
import { useLater } from './later.js';
import { FIELDS } from './shell.js';
import { Skeleton } from './skeleton.js';
import { StatusLine } from './status-line.js';
import { useStore } from './use-store.js';

const AGAIN_MS = 5_000;
const SAID_MS = 10_000;

export function Panel(): JSX.Element {
  const { chat, say, layer } = useSurroundings();
  const thread = useLater('thread', true);
  useEffect(() => {
    const timer = thread.failed ? setTimeout(thread.again, AGAIN_MS) : undefined;
    return () => clearTimeout(timer);
  }, [thread.failed]);
  const toEnd = useRef(() => {});
  const front = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<'menu' | Screen>();
  const [said, setSaid] = useState('');
  const ended = useStore(chat.$status) === 'resolved';
  const open = useStore(chat.$open);
  const more = useLater('more', at !== undefined || ended);
  const questions = useQuestions();
  const composing = questions === null;
  const answered = useRef(false);
  const composed = useRef(composing);
  const [goal, setGoal] = useState<{ to: 'menu' | 'composer' }>();
  const covered = at !== undefined && at !== 'menu' && more.it !== undefined;

  const focus = (what: string) => front.current?.querySelector<HTMLElement>(what)?.focus();
  /** Back to the thread, with the focus where the visitor goes on. */
  const leave = (to?: 'menu' | 'composer') => {
    setGoal(to && { to });
    setAt(undefined);
  };
  useLayoutEffect(() => {
    if (goal) focus(goal.to === 'menu' ? '.menu-button' : FIELDS);
  }, [goal]);
  useLayoutEffect(() => (at ? layer?.(() => leave('menu')) : undefined), [at, layer]);
  // Whoever opens it anew wants the conversation.
  useEffect(() => {
    if (!open) setAt(undefined);
  }, [open]);
  useEffect(() => {
    if (!more.failed || !at) return;
    setAt(undefined);
    setSaid(say('notLoaded'));
  }, [more.failed, at]);
  useEffect(() => {
    const timer = said && setTimeout(() => setSaid(''), SAID_MS);
    return () => clearTimeout(timer || undefined);
  }, [said]);
  useLayoutEffect(() => {
    // The composer comes after the questions, to whoever has answered them or waits for it with the whole window.
    const root = front.current?.getRootNode();
    const waits = root instanceof ShadowRoot && root.activeElement instanceof HTMLDialogElement;
    if (composing && !composed.current && (answered.current || waits)) focus(FIELDS);
    composed.current = composing;
    answered.current = false;
  }, [composing]);

  const shared = { onLeave: leave, onGo: setAt, onSay: setSaid };
  return (
    <>
      <div ref={front} class={composing ? 'root' : 'root asked'} inert={covered}>
        <Header
          subtitle={thread.it && <thread.it.Subtitle />}
          expanded={at === 'menu'}
          onToggle={() => {
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
        <StatusLine />
        <div class="status" role="alert">
          {said && <p>{said}</p>}
        </div>
        {ended && more.it && <more.it.Ended {...shared} />}
        {composing ? (
          <Composer onSent={() => toEnd.current()} />
        ) : (
          <Asking
            fields={questions}
            onDone={() => {
              answered.current = true;
            }}
          />
        )}
      </div>
      {at && at !== 'menu' && more.it && <more.it.Screens screen={at} {...shared} />}
      {/* Not in what a screen covers: what comes meanwhile is heard all the same. */}
      {thread.it && <thread.it.Announcer />}
    </>
  );
}
