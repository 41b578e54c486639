/** An answer of the account API while its page is shown: asked again when what is asked changes. Knows no page. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type Result, sentence } from '../../errors.js';

export interface Answered<T> {
  /** The last good answer, which stays while the next is on its way. */
  value: T | undefined;
  problem: string;
  reload(): Promise<void>;
  put(value: T): void;
}

/** @param key what is asked, in words: another key asks again */
export function useAnswer<T>(key: string, ask: () => Promise<Result<T>>): Answered<T> {
  const [value, setValue] = useState<T | undefined>(undefined);
  const [problem, setProblem] = useState('');
  const latest = useRef(ask);
  latest.current = ask;
  const turn = useRef(0);

  const reload = useCallback(async () => {
    turn.current += 1;
    const mine = turn.current;
    const answer = await latest.current();
    if (mine !== turn.current) return;
    setProblem(answer.ok ? '' : sentence('This could not be loaded', answer.error));
    if (answer.ok) setValue(() => answer.value);
  }, []);

  useEffect(() => {
    void reload();
    return () => {
      turn.current += 1;
    };
  }, [key, reload]);

  return { value, problem, reload, put: (next) => setValue(() => next) };
}
