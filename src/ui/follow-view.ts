/**
 * What the visitor sees of the page, which only the visual viewport tells: the on-screen keyboard covers a part of it,
 * or pushes it up. It is written into the element as `--view-height` and `--view-top`; what fills it is not known here.
 */

export type On = (target: EventTarget, event: string, work: () => void) => void;

/**
 * @param on listens for as long as there is the element
 * @param fills whether the element fills what is seen
 * @param looked the height was read, which may be the same as before
 * @returns takes back what is still to be read
 */
export function followView(
  element: HTMLElement,
  on: On,
  fills: () => boolean,
  looked: (height: number) => void,
): () => void {
  const view = window.visualViewport;
  let timers: ReturnType<typeof setTimeout>[] = [];
  const stop = () => {
    for (const timer of timers) clearTimeout(timer);
  };
  if (!view) return stop;
  const look = () => {
    const { height, offsetTop, scale } = view;
    looked(height);
    // Who has zoomed in sees a part of it, and it stays as large as it was.
    if (scale > 1.01) return;
    // Nothing is pushed up further than it is covered: when the keyboard has gone, some iOS still say that it is.
    const covered = Math.max(innerHeight, document.documentElement.clientHeight) - height;
    element.style.setProperty('--view-height', `${height}px`);
    element.style.setProperty('--view-top', `${Math.max(0, Math.min(offsetTop, covered))}px`);
  };
  // iOS may tell of it before its numbers are right, and not at all when an app comes back.
  const again = () => {
    stop();
    if (fills()) timers = AGAIN_MS.map((ms) => setTimeout(look, ms));
  };
  on(view, 'resize', () => {
    look();
    again();
  });
  on(view, 'scroll', look);
  on(element, 'focusout', again);
  on(window, 'pageshow', again);
  on(document, 'visibilitychange', again);
  // Asking for it lays out the page; beside the page, nothing is measured by it before a keyboard comes.
  if (fills()) look();
  return stop;
}

/** Two frames, and a keyboard's way out. */
const AGAIN_MS = [40, 300];
