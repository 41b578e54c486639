/**
 * The focus for what comes in the place of what had it, such as a form after a wait: only where nobody has it. Knows
 * neither of the two.
 */
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** @param isWanted at first sight, a page leaves the focus where the browser begins */
export function useOrphan<T extends HTMLElement>(isWanted: boolean): RefObject<T | null> {
  const ref = useRef<T>(null);
  useLayoutEffect(() => {
    if (isWanted && document.activeElement === document.body) ref.current?.focus();
  }, []);
  return ref;
}
