/** What is fetched later, as a component waits for it. */
import { useCallback, useEffect, useState } from 'preact/hooks';
import { useSurroundings } from './context.js';
import type { Files, Late } from './later.js';

export interface Awaited<T> {
  /** It, once it is wanted and here. */
  it: T | undefined;
  failed: boolean;
  again: () => void;
}

const AGAIN_MS = 5_000;

/** @param surely tried again by itself until it is here; `failed` stays so long */
export function useLater<N extends keyof Files>(
  name: N,
  wanted: boolean,
  surely?: boolean,
): Awaited<Files[N]> {
  const late: Late<Files[N]> | undefined = useSurroundings().later?.[name];
  const [it, setIt] = useState(late?.now);
  const [failed, setFailed] = useState(false);
  const [tries, setTries] = useState(0);
  const again = useCallback(() => {
    if (!surely) setFailed(false);
    setTries((count) => count + 1);
  }, []);
  useEffect(() => {
    if (!wanted || it || !late) return;
    let over = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    if (!surely) setFailed(false);
    late.open().then(
      (here) => over || setIt(() => here),
      () => {
        if (over) return;
        setFailed(true);
        if (surely) timer = setTimeout(again, AGAIN_MS);
      },
    );
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [late, wanted, tries]);
  return {
    it: wanted ? it : undefined,
    failed,
    again,
  };
}
