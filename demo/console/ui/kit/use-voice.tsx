/**
 * Says something to who does not see it, the same words again, too; gone once it was heard: whoever reads on past there
 * would meet it a second time. Is not seen. Knows nothing of what is said.
 */
import type { JSX } from 'preact';
import { useCallback, useLayoutEffect, useState } from 'preact/hooks';

const STANDS_MS = 10_000;

interface Said {
  turn: number;
  words: readonly string[];
}

/** @returns the region, and what fills it anew */
export function useVoice(): [region: JSX.Element, say: (...words: readonly string[]) => void] {
  const [{ turn, words }, setSaid] = useState<Said>({ turn: 0, words: [] });
  const say = useCallback(
    (...words: readonly string[]) => setSaid((last) => ({ turn: last.turn + 1, words })),
    [],
  );
  useLayoutEffect(() => {
    if (!words.length) return;
    const timer = setTimeout(() => setSaid((last) => ({ ...last, words: [] })), STANDS_MS);
    return () => clearTimeout(timer);
  }, [words]);
  const region = (
    <div class="hidden" aria-live="polite">
      {words.map((one, index) => (
        <p key={`${turn}-${index}`}>{one}</p>
      ))}
    </div>
  );
  return [region, say];
}
