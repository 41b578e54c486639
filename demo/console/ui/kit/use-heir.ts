/**
 * Who has the focus after what has it has gone, by its own press or by a colleague's: else the keyboard begins at the
 * top of the page. Knows neither of the two.
 */
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * @param find the heir, while the one that goes is still in the page
 * @returns for the one that goes
 */
export function useHeir<T extends HTMLElement>(
  find: (going: T) => HTMLElement | null | undefined,
): RefObject<T | null> {
  const ref = useRef<T>(null);
  useLayoutEffect(() => {
    const going = ref.current;
    return () => {
      if (going?.contains(document.activeElement)) find(going)?.focus();
    };
  }, []);
  return ref;
}
