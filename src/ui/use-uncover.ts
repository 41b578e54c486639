/**
 * Beside the page the window may lie over what of the page has the focus, or the focus is on the button that closes it:
 * then Escape closes the window, as it does from within. It does not know what is closed besides.
 */
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import { isEscape } from './escape.js';

/** @param within something of the window */
export function useUncover(within: RefObject<Element | null>, open: boolean, close: () => void): void {
  useEffect(() => {
    const dialog = within.current?.closest('dialog');
    const root = dialog?.getRootNode();
    if (!open || !dialog || !(root instanceof ShadowRoot)) return undefined;
    const hear = (event: KeyboardEvent) => {
      if (!isEscape(event)) return;
      const focused = root.activeElement ?? document.activeElement;
      if (!root.activeElement?.matches('.launcher') && !liesUnder(focused, dialog, root.host)) return;
      event.preventDefault();
      close();
    };
    document.addEventListener('keydown', hear);
    return () => document.removeEventListener('keydown', hear);
  }, [open]);
}

/** All of it, and what is seen there is the window: a menu or a dialog of the page may lie over that. */
function liesUnder(element: Element | null, dialog: Element, host: Element): boolean {
  if (!element || dialog.contains(element)) return false;
  const [inner, outer] = [element.getBoundingClientRect(), dialog.getBoundingClientRect()];
  const around = host.getRootNode();
  if (!(around instanceof Document || around instanceof ShadowRoot)) return false;
  return (
    around.elementFromPoint((inner.left + inner.right) / 2, (inner.top + inner.bottom) / 2) === host &&
    inner.top >= outer.top &&
    inner.bottom <= outer.bottom &&
    inner.left >= outer.left &&
    inner.right <= outer.right
  );
}
