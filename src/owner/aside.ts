/**
 * Keeps the launcher and the window clear of bars that the page lays along its edge, such as a cookie banner: while one
 * lies where the launcher stands, both stand beyond it. It does not know what the bars are for.
 */
import type { Stage } from '../embed/stage.js';
import { view } from './view.js';

/** What takes more than this of the height is no bar: beyond it there is no room. */
const LARGEST = 0.6;

/** @param selector of the bars, of which there may be none as yet */
export function keepClear({ launcher, own }: Stage, selector: string): void {
  const { host, dock } = launcher;
  const isAbove = host.dataset.corner?.startsWith('top');
  let aside = 0;
  let frame: number | undefined;

  function look() {
    frame = undefined;
    const all = document.querySelectorAll(selector);
    // A page without bars is not asked for its layout.
    if (!all.length && !aside) return;
    const { clientHeight, clientWidth } = view();
    const stands = dock.getBoundingClientRect();
    // From the edge on which it stands; of the bars, too.
    const from = isAbove ? stands.top : clientHeight - stands.bottom;
    const side = stands.width ? stands : { left: stands.left - 1, right: stands.right + 1 };
    const bars = [...all].flatMap((bar) => {
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
    for (const { near, far } of bars.sort((a, b) => a.near - b.near))
      if (near < wanted + from - aside + stands.height && far > wanted + from - aside) wanted = far;
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
  // A bar may slide in and out, grow with the width, and come with the scrolling.
  const events = ['resize', 'scroll', 'transitionend', 'animationend'];
  for (const event of events) addEventListener(event, later, { capture: true, passive: true });
  own(() => {
    watch.disconnect();
    for (const event of events) removeEventListener(event, later, { capture: true });
    cancelAnimationFrame(frame ?? 0);
    host.style.removeProperty('--aside');
  });
  later();
}
