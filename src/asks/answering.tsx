/**
 * An answer on its way: one at a time, what was entered stays until it has arrived, and the focus goes to what takes
 * the place of the controls. It does not know what is asked.
 */
import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ChatError, Result } from '../errors.js';
import type { Key } from '../text/text.js';
import { useSurroundings } from '../ui/context.js';
import { typedIn } from './form.js';

export interface Answering {
  sending: boolean;
  problem: Key | undefined;
  /** It has failed before: what sends it again stays where it is. */
  repeated: boolean;
  give: (work: () => Promise<Result<void>>) => void;
  /** The same again. */
  again: () => void;
  /** The visitor keeps to what was answered before, unless the other answer is on its way already. */
  giveUp: (back: () => void) => void;
  /** What stands there once it is answered, and is called as it is told to whoever has gone on. */
  done: (label: string) => JSX.IntrinsicElements['div'];
}

/**
 * @param answered whether the answer is shown, and not the question
 * @param form whose answer it is: what was typed there need not be kept any more
 */
export function useAnswering(answered: boolean, refused: Key, form?: string): Answering {
  const { chat, aloud } = useSurroundings();
  const [state, setState] = useState<Key | undefined>();
  const last = useRef(async () => {});
  const busy = useRef(false);
  const failed = useRef(false);
  /** The controls are left in this way. */
  const given = useRef<'by answering' | 'as it was' | undefined>(undefined);
  const done = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (answered && form && chat.recall(typedIn(form))) chat.keep(typedIn(form), undefined);
    const element = done.current;
    const how = given.current;
    // It has arrived after all.
    if (answered) failed.current = false;
    if (answered) setState((now) => (now === 'answerFailed' ? undefined : now));
    if (!answered || !how || !element) return;
    given.current = undefined;
    const to = how === 'as it was' && element.querySelector('button');
    const root = element.getRootNode();
    const at = root instanceof ShadowRoot && root.activeElement;
    // Who writes on meanwhile is left alone, here or on the page.
    if (at ? at.contains(element) : document.activeElement === document.body)
      (to || element).focus({ preventScroll: true });
    else if (how === 'by answering') {
      const words = [...element.querySelectorAll('dt, dd')].map(({ textContent }) => textContent);
      for (const tell of aloud ?? []) tell([element.getAttribute('aria-label'), ...words].join(' '));
    }
  }, [answered]);
  return {
    repeated: failed.current,
    sending: state === 'sendingAnswer',
    problem: state === 'sendingAnswer' ? undefined : state,
    done: (label) => ({ ref: done, tabIndex: -1, role: 'group', 'aria-label': label }),
    again: () => void last.current(),
    giveUp(back) {
      if (busy.current) return;
      given.current = 'as it was';
      failed.current = false;
      setState(undefined);
      back();
    },
    give(work) {
      // Pressed meanwhile, it is not what is sent again.
      if (busy.current) return;
      last.current = async () => {
        if (busy.current) return;
        busy.current = true;
        given.current = 'by answering';
        setState('sendingAnswer');
        const result = await work();
        busy.current = false;
        const problem = result.ok ? undefined : isRefusal(result.error) ? refused : 'answerFailed';
        failed.current = problem === 'answerFailed';
        // Whatever answers it later, it is not this press.
        if (problem === 'answerFailed') given.current = undefined;
        setState(problem);
      };
      void last.current();
    },
  };
}

const isRefusal = (error: ChatError) => error.kind === 'http' && error.status === 422;

/** What became of the answer, as long as it is not shown itself. */
export function Outcome({ answering }: { answering: Answering }): JSX.Element {
  const { say } = useSurroundings();
  const { sending, problem, repeated, again } = answering;
  const still = sending && repeated;
  return (
    <>
      <p class={sending ? 'outcome' : 'sr'} role="status">
        {sending && say('sendingAnswer')}
      </p>
      {(problem || still) && (
        <div class="wrong" role="alert">
          {problem && <p>{say(problem)}</p>}
          {(still || problem === 'answerFailed') && (
            <button
              key="again"
              type="button"
              class="tall action"
              aria-disabled={sending}
              // What is in the form by now, and not what could not be sent.
              onClick={({ currentTarget }) => {
                const go = currentTarget.closest('form')?.querySelector<HTMLElement>('.go');
                if (go) go.click();
                else again();
              }}
            >
              {say('retry')}
            </button>
          )}
        </div>
      )}
    </>
  );
}
