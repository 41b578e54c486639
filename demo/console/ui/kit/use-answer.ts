/** An answer of the account API while its page is shown: asked again when what is asked changes. Knows no page. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { isGone, type Result, sentence } from '../../errors.js';

export interface Answered<T> {
  /** The last good answer, which stays while the next is on its way, and until another question has no answer. */
  value: T | undefined;
  problem: string;
  /** It is not there any more, though the last good answer may be here still. */
  isGone: boolean;
  reload(): Promise<void>;
  /** What is known better by now, also than by an answer that is on its way. */
  put(value: T): void;
}

/** @param key what is asked, in words: another key asks again */
export function useAnswer<T>(key: string, ask: () => Promise<Result<T>>): Answered<T> {
  const [answered, setAnswered] = useState<{ key: string; value: T } | undefined>(undefined);
  const [problem, setProblem] = useState('');
  const [gone, setGone] = useState(false);
  const latest = useRef({ key, ask });
  latest.current = { key, ask };
  const turn = useRef(0);
  const puts = useRef(0);

  const reload = useCallback(async (): Promise<void> => {
    turn.current += 1;
    const mine = turn.current;
    const before = puts.current;
    const { key, ask } = latest.current;
    const answer = await ask();
    if (mine !== turn.current) return;
    // What was asked before a change need not know of it.
    if (puts.current !== before) return reload();
    setGone(!answer.ok && isGone(answer.error));
    setProblem(answer.ok ? '' : sentence('This could not be loaded', answer.error));
    // What was answered to another question would stand here as the answer to this one.
    setAnswered((last) => (answer.ok ? { key, value: answer.value } : last?.key === key ? last : undefined));
  }, []);

  useEffect(() => {
    void reload();
    return () => {
      turn.current += 1;
    };
  }, [key, reload]);

  const put = (value: T) => {
    puts.current += 1;
    setAnswered({ key, value });
  };
  return { value: answered?.value, problem, isGone: gone, reload, put };
}

/** What was known last: of how many there are, while nobody can say, so that there is a way back. */
export function useLast<T>(value: T | undefined): T | undefined {
  const last = useRef(value);
  if (value !== undefined) last.current = value;
  return last.current;
}
