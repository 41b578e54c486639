/**
 * The focus for what comes in the place of what had it, such as a form after a wait: only where nobody has it that can
 * be seen. Knows neither of the two.
 */
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** What was hidden a moment ago has the focus still. */
export const isShown = (element: Element | null): boolean =>
  element !== null && element !== document.body && element.getClientRects().length > 0;

/** @param isWanted at first sight, a page leaves the focus where the browser begins */
export function useOrphan<T extends HTMLElement>(isWanted: boolean): RefObject<T | null> {
  const ref = useRef<T>(null);
  useLayoutEffect(() => {
    if (isWanted && !isShown(document.activeElement)) ref.current?.focus();
  }, []);
  return ref;
}
