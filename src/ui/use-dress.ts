/** Follows what the page says of its colours while the window is open. It does not know what is made of that. */
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import { useSurroundings } from './context.js';

/** @param within something of the window */
export function useDress(within: RefObject<HTMLElement | null>, open: boolean): void {
  const { dress } = useSurroundings();
  useEffect(() => {
    const root = within.current?.getRootNode();
    if (!open || !dress || !(root instanceof ShadowRoot)) return undefined;
    const watch = new MutationObserver(dress);
    const look = (one: Element) => watch.observe(one, { attributes: true });
    look(document.documentElement);
    look(document.body);
    // A part of the page may have colours of its own.
    for (let one: Element | null = root.host; one; one = one.parentElement) look(one);
    // What was said since the window was shown.
    dress();
    return () => watch.disconnect();
  }, [open, dress]);
}
