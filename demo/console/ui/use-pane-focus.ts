/**
 * Where one column at a time is shown, the focus goes from one to the next: to the heading of what was opened, and back
 * to what opened it. Who has it elsewhere keeps it. Knows no data.
 */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { isShown } from './kit/use-orphan.js';

export type Pane = 'list' | 'thread' | 'details';

/** @param id of the open conversation */
export function usePaneFocus(pane: Pane, id: number | undefined): void {
  const last = useRef({ pane, id });
  useLayoutEffect(() => {
    const from = last.current;
    last.current = { pane, id };
    if (from.pane === pane || isShown(document.activeElement)) return;
    const find = (selector: string) => document.querySelector<HTMLElement>(selector);
    if (pane === 'details') find('#details-title')?.focus();
    // A thread that is new takes it by itself.
    else if (pane === 'thread' && from.pane === 'details') find('.to-details')?.focus();
    else if (pane === 'list') (find(`#conversation-${from.id}`) ?? find('#list-title'))?.focus();
  }, [pane, id]);
}
