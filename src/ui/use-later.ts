/** What is fetched later, as a component waits for it. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { useSurroundings } from './context.js';
import type { Files, Late } from './later.js';

export interface Awaited<T> {
  /** It, once it is wanted and here. */
  it: T | undefined;
  failed: boolean;
  again: () => void;
}

const AGAIN_MS = 5_000;
/** A file of a release that is no more may never come. */
const MOST_MS = 10 * 60_000;

/** @param surely tried again by itself until it is here, by a page that is seen; `failed` stays so long */
export function useLater<N extends keyof Files>(
  name: N,
  wanted: boolean,
  surely?: boolean,
): Awaited<Files[N]> {
  const late: Late<Files[N]> | undefined = useSurroundings().later?.[name];
  const [it, setIt] = useState(late?.now);
  const [failed, setFailed] = useState(false);
  const [tries, setTries] = useState(0);
  const waitMs = useRef(AGAIN_MS);
  const again = useCallback(() => {
    if (!surely) setFailed(false);
    setTries((count) => count + 1);
  }, []);
  useEffect(() => {
    if (!wanted || it || !late) return;
    let over = false;
    let due = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => void (due && !document.hidden && again());
    const hurry = () => {
      due = true;
      look();
    };
    if (!surely) setFailed(false);
    late.open().then(
      (here) => over || setIt(() => here),
      () => {
        if (over) return;
        setFailed(true);
        if (!surely) return;
        timer = setTimeout(hurry, waitMs.current);
        waitMs.current = Math.min(waitMs.current * 2, MOST_MS);
        addEventListener('online', hurry);
        document.addEventListener('visibilitychange', look);
      },
    );
    return () => {
      over = true;
      clearTimeout(timer);
      removeEventListener('online', hurry);
      document.removeEventListener('visibilitychange', look);
    };
  }, [late, wanted, tries]);
  return {
    it: wanted ? it : undefined,
    failed,
    again,
  };
}
