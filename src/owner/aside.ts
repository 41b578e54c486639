/**
 * Keeps the launcher and the window clear of bars that the page lays along its edge, such as a cookie banner: while one
 * lies where the launcher stands, both stand beyond it. Where the page is looked at as a whole, the launcher also leaves
 * what is modal without being a dialog of the browser. It does not know what the bars are for.
 */
import type { Stage } from '../embed/stage.js';
import { view } from './view.js';

/** What takes more than this of the height is no bar: beyond it there is no room. */
const LARGEST = 0.6;
/** Whatever the page fixes there. */
const AUTO = 'auto';
/** A modal of the page's own making. The browser's lies above us, and makes us inert, by itself. */
const MODAL = '[aria-modal=true]:not(dialog)';
/** What fades or slides is not there at once, and of what moves in a root of its own nobody hears. */
const AGAIN_MS = 500;
const LOOKS = 2;

type Box = Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom'>;

/** @returns also beyond the root that it lies in; nothing for what is the page itself */
function above(element: Element): Element | undefined {
  const root = element.getRootNode();
  const over = element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
  return over && over !== document.body && over !== document.documentElement ? over : undefined;
}

/**
 * What the page has fixed where this box stands, whatever it is called.
 * @param within told of each root that lies in the page, as consent tools have: they shut themselves off from its styles
 */
function fixedIn(
  { left, right, top, bottom }: Box,
  host: Element,
  within: (root: ShadowRoot) => void,
): Element[] {
  const found = new Set<Element>();
  const known = new Map<Element, Element | undefined>();
  /** The fixed one that it lies in, if any. */
  function fixedOf(element: Element): Element | undefined {
    if (known.has(element)) return known.get(element);
    const over = above(element);
    const isFixed = getComputedStyle(element).position === 'fixed';
    const fixed = isFixed ? element : over && fixedOf(over);
    known.set(element, fixed);
    return fixed;
  }
  const look = (root: DocumentOrShadowRoot, x: number, y: number) => {
    for (const element of root.elementsFromPoint(x, y)) {
      // Engines differ in whether a root tells of what it lies in, too.
      if (element === host || (root !== document && !Object(root).contains(element))) continue;
      const fixed = fixedOf(element);
      // One that takes no press itself, or has no size, shows by what lies in it.
      let bar: Element | undefined;
      for (let at = fixed && element; at; at = at === fixed ? undefined : above(at))
        if (isMet(at, x, y)) bar = at;
      if (bar) found.add(bar);
      if (!element.shadowRoot) continue;
      within(element.shadowRoot);
      look(element.shadowRoot, x, y);
    }
  };
  for (const x of [left + 1, (left + right) / 2, right - 1])
    for (const y of [top + 1, (top + bottom) / 2, bottom - 1]) look(document, x, y);
  return [...found];
}

function isMet(element: Element, x: number, y: number): boolean {
  if (getComputedStyle(element).pointerEvents === 'none') return false;
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return left <= x && x <= right && top <= y && y <= bottom;
}

const isSeen = (element: Element) =>
  element.checkVisibility?.({ opacityProperty: true, visibilityProperty: true }) ?? true;

/** Not a drawer that waits beyond the edge. What has no size itself shows by what lies in it. */
function isInView(element: Element): boolean {
  const { left, right, top, bottom, width, height } = element.getBoundingClientRect();
  if (!width || !height) return [...element.children].some(isInView);
  const { clientHeight, clientWidth } = view();
  return right > 0 && left < clientWidth && bottom > 0 && top < clientHeight && isSeen(element);
}

/** @param selector of the bars, of which there may be none as yet; `auto`: whatever the page fixes there */
export function keepClear({ launcher, front, own }: Stage, selector: string): void {
  const { host, dock, root } = launcher;
  const { chat } = front;
  const isAbove = host.dataset.corner?.startsWith('top');
  let aside = 0;
  let frame: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let looks = 0;

  function look() {
    frame = undefined;
    const named = selector === AUTO ? undefined : document.querySelectorAll(selector);
    // A page without bars is not asked for its layout.
    if (named && !named.length && !aside) return;
    if (!named) {
      // A banner may come to be in a root that was empty when it was put there.
      for (const { shadowRoot } of document.body.children)
        if (shadowRoot && shadowRoot !== root) watchIn(shadowRoot);
      for (const one of watched) if (one instanceof ShadowRoot && !one.host.isConnected) watched.delete(one);
      const isCovered = [...watched].some((one) => [...one.querySelectorAll(MODAL)].some(isInView));
      hide(isCovered && !chat.$open.get());
      clearTimeout(timer);
      // Whatever takes it away again: there would be no launcher until something else moves.
      if (isCovered || looks-- > 0) timer = setTimeout(soon, AGAIN_MS);
    }
    // Beside what is modal nothing takes a press, and all of it is where it was.
    if (!named && (document.querySelector('dialog:modal') || root.querySelector('[data-modal][open]')))
      return;
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
        return isBar && isSeen(bar) && bar !== host && right > 0 && left < clientWidth
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
    else {
      for (let before = -1; before < wanted; ) {
        before = wanted;
        const from = home + wanted;
        const top = isAbove ? from : clientHeight - from - tall;
        const { left, right } = side;
        clear(spans(fixedIn({ left, right, top, bottom: top + tall }, host, watchIn)));
      }
      // There is no room beyond.
      if (wanted + home + tall > clientHeight) wanted = 0;
    }
    if (wanted === aside) return;
    aside = wanted;
    host.style.setProperty('--aside', `${aside}px`);
  }
  const soon = () => {
    frame ??= requestAnimationFrame(look);
  };
  const later = () => {
    looks = LOOKS;
    soon();
  };
  /** Not the dock: what is said in it, and caught, is for whoever calls the chat from the modal. */
  const hide = (hidden: boolean) => {
    for (const element of dock.querySelectorAll<HTMLElement>('.launcher, .badge'))
      element.style.visibility = hidden ? 'hidden' : '';
  };

  const watch = new MutationObserver(later);
  const watched = new Set<Document | ShadowRoot>();
  const watchIn = (root: Document | ShadowRoot) => {
    if (watched.has(root)) return;
    watched.add(root);
    later();
    watch.observe(root, {
      childList: true,
      subtree: true,
      attributeFilter: ['class', 'style', 'hidden', 'open', 'aria-hidden', 'aria-modal', 'inert'],
    });
  };
  watchIn(document);
  // A bar may slide in and out, grow with the width, come with the scrolling, and with its own files.
  const events = ['scroll', 'load', 'transitionend', 'animationend'];
  for (const event of events) document.addEventListener(event, later, { capture: true, passive: true });
  addEventListener('resize', later);
  own(chat.$open.listen(later));
  own(() => {
    watch.disconnect();
    for (const event of events) document.removeEventListener(event, later, { capture: true });
    removeEventListener('resize', later);
    cancelAnimationFrame(frame ?? 0);
    clearTimeout(timer);
    host.style.removeProperty('--aside');
    hide(false);
  });
}
