/** The second half of a double press is not meant for what the first one has put in its place. */

/** So near to the one before, in px, and so soon after it where a browser does not count presses. */
const NEAR = 24;
const SOON_MS = 500;

/** It is not there any more, or the window lies over it. */
const isGone = (on: Element, dialog: Element) =>
  !on.getClientRects().length ||
  getComputedStyle(on).visibility !== 'visible' ||
  (dialog.hasAttribute('data-modal') && !dialog.contains(on));

/** @returns the undo */
export function heedOnce(dialog: HTMLElement | null | undefined): () => void {
  if (!dialog) return () => {};
  let last: { on: Element | null; x: number; y: number; at: number } | undefined;
  const hear = (event: MouseEvent) => {
    const { target, clientX: x, clientY: y, timeStamp: at, detail, type } = event;
    // By keyboard, or by a program.
    if (!detail) return;
    const on = target instanceof Element ? target.closest('button, a, label, [role=menuitem]') : null;
    const again = last && Math.hypot(x - last.x, y - last.y) < NEAR && (detail > 1 || at - last.at < SOON_MS);
    if (again && on && last?.on && on !== last.on && isGone(last.on, dialog)) {
      event.preventDefault();
      event.stopImmediatePropagation();
    } else if (type === 'click') last = { on, x, y, at };
  };
  const launcher = dialog.parentNode?.querySelector<HTMLElement>('.launcher');
  // With mousedown alone the focus would go there.
  const kinds = ['mousedown', 'click'] as const;
  for (const kind of kinds) for (const heard of [dialog, launcher]) heard?.addEventListener(kind, hear, true);
  // Whoever has typed in between has begun something else.
  const forget = () => {
    last = undefined;
  };
  dialog.addEventListener('keydown', forget, true);
  return () => {
    dialog.removeEventListener('keydown', forget, true);
    for (const kind of kinds)
      for (const heard of [dialog, launcher]) heard?.removeEventListener(kind, hear, true);
  };
}
