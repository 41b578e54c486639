/**
 * The one line at the foot of the page: what went wrong last, with a way to mend it, or what was just done. One
 * notice per source, so that a source can take back its own. Knows no error kinds.
 */
import { atom, computed } from 'nanostores';

export interface Notice {
  /** Of each another: the same words again are said again. */
  turn: number;
  text: string;
  tone: 'problem' | 'done';
  /** What can be done about it: usually to try again, and else to have it said no more. */
  act: { words: string; run: () => void } | undefined;
}

const DONE_MS = 5_000;
const AGAIN = 'Try again';

export type Notices = ReturnType<typeof createNotices>;

export function createNotices() {
  const $all = atom<Readonly<Record<string, Notice>>>({});
  const $notice = computed($all, (all) => Object.values(all).at(-1));
  let turn = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function hush(source: string) {
    if (!(source in $all.get())) return;
    const { [source]: _, ...rest } = $all.get();
    $all.set(rest);
  }
  function put(source: string, notice: Omit<Notice, 'turn'>) {
    const { [source]: last, ...rest } = $all.get();
    // What goes on failing by itself is said once.
    const goesOn = last?.tone === 'problem' && last.text === notice.text;
    if (!goesOn) turn += 1;
    $all.set({ ...rest, [source]: { ...notice, turn: goesOn ? last.turn : turn } });
  }
  return {
    $notice,
    hush,
    problem: (source: string, text: string, run?: () => void, words = AGAIN) =>
      put(source, {
        text,
        tone: 'problem',
        act: run
          ? {
              words,
              run() {
                // Whoever tries again is told again.
                if (words === AGAIN) hush(source);
                run();
              },
            }
          : { words: 'Dismiss', run: () => hush(source) },
      }),
    done(text: string) {
      put('done', { text, tone: 'done', act: undefined });
      clearTimeout(timer);
      timer = setTimeout(hush, DONE_MS, 'done');
    },
  };
}
