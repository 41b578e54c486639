/** Where the focus goes when what had it goes away. It does not know what that was. */
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

/**
 * To where the visitor writes.
 * @param after what may take `from` away first; whoever has gone elsewhere until then stays there
 */
export function goHome(from: Element | null, after?: Promise<unknown>): void {
  const panel = from?.closest('dialog');
  const go = () => panel?.querySelector<HTMLElement>('.composer textarea')?.focus();
  if (!after) {
    go();
    return;
  }
  const root = from?.getRootNode();
  const around: unknown[] = [];
  for (let at = from; at; at = at.parentElement) around.push(at);
  void after.then(() => {
    const lost = document.activeElement === document.body;
    if (lost || (root instanceof ShadowRoot && around.includes(root.activeElement))) go();
  });
}

/**
 * A control that goes away under the focus would leave it to the page: no key would reach the window any more. What is
 * left around it takes the focus instead, unless somebody else has given it a place.
 */
export function useKeptFocus(inside: RefObject<Element | null>): void {
  useEffect(() => {
    const dialog = inside.current?.closest('dialog');
    const root = dialog?.getRootNode();
    if (!dialog || !(root instanceof ShadowRoot)) return undefined;
    /** What has the focus, and all that is around it. */
    let held: Element[] = [];
    const taken = () => {
      held = [];
      for (let at = root.activeElement; at; at = at.parentElement) held.push(at);
    };
    // Who goes elsewhere has given it up. Some browsers say the same of what goes away, and before it has gone.
    const left = () => setTimeout(() => root.activeElement || !held[0]?.isConnected || taken());
    const lost = (changes: MutationRecord[]) => {
      const [had] = held;
      if (!had || root.activeElement || document.activeElement !== document.body) return;
      const moved = ({ removedNodes }: MutationRecord) => held.some((one) => [...removedNodes].includes(one));
      // Without moveBefore, what is put elsewhere has lost it, too.
      if (had.isConnected && !changes.some(moved)) return;
      const next = held.find((one) => one.isConnected && (one === had || one.matches('[tabindex], .row')));
      held = [];
      if (!(next instanceof HTMLElement)) return;
      if (next.tabIndex < 0) next.tabIndex = -1;
      next.focus({ preventScroll: true });
    };
    dialog.addEventListener('focusin', taken);
    dialog.addEventListener('focusout', left);
    const watch = new MutationObserver(lost);
    watch.observe(dialog, { childList: true, subtree: true });
    taken();
    return () => {
      watch.disconnect();
      dialog.removeEventListener('focusin', taken);
      dialog.removeEventListener('focusout', left);
    };
  }, []);
}
