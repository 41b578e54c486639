/**
 * Keeps the launcher and the window clear of bars that the page lays along its edge, such as a cookie banner: while one
 * lies where the launcher stands, both stand beyond it. It does not know what the bars are for.
 */
import type { Stage } from '../embed/stage.js';
import { view } from './view.js';

/** What takes more than this of the height is no bar: beyond it there is no room. */
const LARGEST = 0.6;
/** Whatever the page fixes there. */
const AUTO = 'auto';

type Box = Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom'>;

/** What the page has fixed where this box stands, whatever it is called. What takes no press is in nobody's way. */
function fixedIn({ left, right, top, bottom }: Box, host: Element): Element[] {
  const found = new Set<Element>();
  const look = (root: DocumentOrShadowRoot, x: number, y: number) => {
    for (const element of root.elementsFromPoint(x, y)) {
      // Engines differ in whether a root tells of what it lies in, too.
      if (element === host || (root !== document && !Object(root).contains(element))) continue;
      if (getComputedStyle(element).position === 'fixed') found.add(element);
      // Consent tools shut themselves off from the styles of the page.
      if (element.shadowRoot) look(element.shadowRoot, x, y);
    }
  };
  for (const x of [left + 1, (left + right) / 2, right - 1])
    for (const y of [top + 1, (top + bottom) / 2, bottom - 1]) look(document, x, y);
  return [...found];
}

/** @param selector of the bars, of which there may be none as yet; `auto`: whatever the page fixes there */
export function keepClear({ launcher, own }: Stage, selector: string): void {
  const { host, dock } = launcher;
  const isAbove = host.dataset.corner?.startsWith('top');
  let aside = 0;
  let frame: number | undefined;

  function look() {
    frame = undefined;
    const named = selector === AUTO ? undefined : document.querySelectorAll(selector);
    // A page without bars is not asked for its layout.
    if (named && !named.length && !aside) return;
    const { clientHeight, clientWidth } = view();
    const stands = dock.getBoundingClientRect();
    const { height: tall } = stands;
    // From the edge on which it would stand if there were none; of the bars, too.
    const home = (isAbove ? stands.top : clientHeight - stands.bottom) - aside;
    const side = stands.width ? stands : { left: stands.left - 1, right: stands.right + 1 };
    const spans = (all: Iterable<Element>) =>
      [...all].flatMap((bar) => {
        const { left, right, top, bottom, width, height } = bar.getBoundingClientRect();
        const isBar =
          width && height && height < clientHeight * LARGEST && left < side.right && right > side.left;
        const isSeen = bar.checkVisibility?.({ opacityProperty: true, visibilityProperty: true }) ?? true;
        return isBar && isSeen && bar !== host && right > 0 && left < clientWidth
          ? [isAbove ? { near: top, far: bottom } : { near: clientHeight - bottom, far: clientHeight - top }]
          : [];
      });
    let wanted = 0;
    // The nearest first: the next one may lie just beyond it.
    const clear = (bars: ReturnType<typeof spans>) => {
      for (const { near, far } of bars.sort((a, b) => a.near - b.near))
        if (near < wanted + home + tall && far > wanted + home) wanted = far;
    };
    if (named) clear(spans(named));
    else
      for (let before = -1; before < wanted; ) {
        before = wanted;
        const from = home + wanted;
        const top = isAbove ? from : clientHeight - from - tall;
        clear(spans(fixedIn({ left: side.left, right: side.right, top, bottom: top + tall }, host)));
      }
    if (wanted === aside) return;
    aside = wanted;
    host.style.setProperty('--aside', `${aside}px`);
  }
  const later = () => {
    frame ??= requestAnimationFrame(look);
  };

  const watch = new MutationObserver(later);
  watch.observe(document, {
    childList: true,
    subtree: true,
    attributeFilter: ['class', 'style', 'hidden', 'open', 'aria-hidden', 'inert'],
  });
  // A bar may slide in and out, grow with the width, come with the scrolling, and with its own files.
  const events = ['resize', 'scroll', 'load', 'transitionend', 'animationend'];
  for (const event of events) addEventListener(event, later, { capture: true, passive: true });
  own(() => {
    watch.disconnect();
    for (const event of events) removeEventListener(event, later, { capture: true });
    cancelAnimationFrame(frame ?? 0);
    host.style.removeProperty('--aside');
  });
  later();
}
