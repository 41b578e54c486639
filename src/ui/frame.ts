/**
 * How the window stands on the page: in the top layer, where no z-index of the host reaches; beside the page where
 * there is room, over it where there is not. It does not know what the window shows.
 */
import { isEscape } from './escape.js';
import { followView } from './follow-view.js';

/** How a window is made to stand on the page; the last two say whether it is meant to be seen, and that it is not any more. */
export type MakeFrame = typeof createFrame;

export interface Frame {
  /** @param asked by the visitor, here and now; what opens by itself does not push before a dialog of the page */
  show: (asked: boolean) => void;
  hide: () => void;
  destroy: () => void;
}

/** The browser is on its way back from an entry of ours by our own wish: whichever chat wished it, the next may be here. */
let leaving = false;
const arrived = () => {
  leaving = false;
};

/**
 * @param isOpen whether it is meant to be seen
 * @param close the visitor wants it closed, or what lies over it; that alone, where the window stays
 */
export function createFrame(
  dialog: HTMLDialogElement,
  root: ShadowRoot,
  isOpen: () => boolean,
  close: (stays?: boolean) => unknown,
): Frame {
  const narrow = matchMedia('(max-width: 479px), (max-height: 420px)');
  const undos: (() => void)[] = [];
  const on = (target: EventTarget, event: string, work: (event: Event) => void, first = false) => {
    target.addEventListener(event, work, first);
    undos.push(() => target.removeEventListener(event, work, first));
  };
  /** The page holds on to the focus: only a modal window gets it. */
  let trapped = false;
  /** When the visitor moved the focus, and since when it has been in the window. */
  let moved = 0;
  let since: number | undefined;
  /** On a phone, an entry of ours lies in the history for the way back to take instead of the page. */
  let entered = false;
  const isShown = () => dialog.open || isPopoverOpen(dialog);
  const onEntry = () => history.state?.parley === true;

  function enter() {
    // Before the page is shown there is no other entry than its own.
    if (!narrow.matches || ('prerendering' in document && document.prerendering)) return;
    entered = true;
    try {
      if (!onEntry()) history.pushState({ ...history.state, parley: true }, '');
    } catch {
      // Too many in a short time, for some browsers.
    }
  }

  function back() {
    if (!entered || onEntry()) return;
    entered = false;
    if (!isOpen()) return;
    // Opened again meanwhile, it is not what the visitor leaves.
    if (!leaving) close();
    if (isOpen()) enter();
  }

  /** Tells the thread, too: not every engine keeps where it stood, and none where it was taken away in between. */
  function show(asked: boolean) {
    // A modal dialog of the page may have come before it since.
    if (isShown() && (!asked || takesFocus())) return;
    enter();
    const modal = narrow.matches || trapped;
    stand(modal);
    // Beside a modal dialog of the page, wherever that lies, a popover is inert.
    if (asked && !modal && !takesFocus()) {
      stand(true);
      // So it is not that: the page shows nothing of the chat, and would be locked.
      if (!takesFocus()) stand(false);
    }
    // In pages with MooTools `Event` is another.
    dialog.querySelector('[role=log]')?.dispatchEvent(new CustomEvent('toggle'));
  }

  function takesFocus() {
    if (!root.activeElement) dialog.focus();
    return root.activeElement !== null;
  }

  function stand(modal: boolean) {
    lie();
    dialog.toggleAttribute('data-modal', modal);
    // Chromium calls each dialog that is a popover modal, and its readers would keep the visitor from the page.
    dialog.setAttribute('aria-modal', String(modal));
    if (modal) {
      dialog.removeAttribute('popover');
      dialog.showModal();
      // Not the first button that it finds: nobody asked for that.
      if (!root.activeElement?.matches('[autofocus]')) dialog.focus();
    } else if (typeof dialog.showPopover === 'function') {
      dialog.setAttribute('popover', 'manual');
      // Beside the page it would find one, too, and the focus may be in a field of the page.
      dialog.inert = !dialog.querySelector('[autofocus]');
      dialog.showPopover();
      dialog.inert = false;
    } else {
      // Its own method would do the same, and inert it would leave the focus with nobody.
      dialog.setAttribute('open', '');
      dialog.querySelector<HTMLElement>('[autofocus]')?.focus();
    }
  }

  function lie() {
    if (isPopoverOpen(dialog)) dialog.hidePopover();
    if (dialog.open) dialog.close();
  }

  /** @param over it comes no more; whatever chat takes its place takes the entry over, too */
  function hide(over?: boolean) {
    lie();
    // Later, because the page may be about to go elsewhere.
    setTimeout(() => {
      if (!entered || !onEntry() || (over ? document.querySelector('parley-chat') : isOpen())) return;
      // Once, however often it was hidden.
      entered = false;
      leaving = true;
      // Whoever wished it may be gone by then.
      addEventListener('popstate', () => setTimeout(arrived), { once: true });
      history.back();
    });
  }

  /** Shown in the other way, with the reader's place and the focus as they were. */
  function again() {
    if (!isOpen()) return;
    const focused = root.activeElement;
    hide();
    show(true);
    if (focused instanceof HTMLElement) focused.focus();
  }

  on(narrow, 'change', again);
  on(window, 'popstate', back);
  on(document, 'prerenderingchange', () => isShown() && enter());
  const still = (event: Event) => narrow.matches && keepStill(event);
  on(dialog, 'wheel', still);
  on(dialog, 'touchmove', still);
  on(dialog, 'cancel', (event) => {
    // A file picker that is left without a choice says the same, and bubbles.
    if (event.target !== dialog) return;
    event.preventDefault();
    // What cannot be held back is seen to once it is done.
    if (event.cancelable) close();
  });
  // Asked again without a press in between, browsers close it themselves, whatever lies over it.
  on(dialog, 'close', ({ target }) => {
    if (target !== dialog || isShown() || !isOpen()) return;
    // First, because what lies over it leaves the focus to the field, which takes none in a closed dialog.
    show(true);
    close();
  });
  on(dialog, 'keydown', (event) => {
    // Keys typed in the chat are not shortcuts of the host page.
    event.stopPropagation();
    if (!(event instanceof KeyboardEvent)) return;
    if (event.key === 'Tab') moved = performance.now();
    if (!isEscape(event)) return;
    event.preventDefault();
    close();
  });
  // By touch the focus moves with the second of them, when the finger has left. The page may keep either to itself.
  for (const press of ['pointerdown', 'mousedown'])
    on(
      window,
      press,
      (event) => {
        if (!event.composedPath().includes(root)) moved = performance.now();
      },
      true,
    );
  on(dialog, 'focusin', () => {
    since ??= performance.now();
  });
  on(dialog, 'focusout', (event) => {
    const to = event instanceof FocusEvent && event.relatedTarget;
    if (to instanceof Node && root.contains(to)) return;
    const now = performance.now();
    // A script that is told of it before us may have answered already.
    const had = now - (since ?? now);
    since = undefined;
    // Neither a key nor a pointer: a script of the page took the focus away from what has just been given it.
    if (!(to instanceof HTMLElement) || dialog.hasAttribute('data-modal') || had > JUST_MS) return;
    // A modal dialog of the page comes first.
    if (!isOpen() || hasModal() || now - moved < TAKEN_MS) return;
    const from = event.target;
    trapped = true;
    again();
    if (from instanceof HTMLElement) from.focus();
  });
  let height = 0;
  undos.push(
    followView(
      dialog,
      on,
      () => narrow.matches,
      (now) => {
        if (now === height) return;
        height = now;
        // Before a keyboard came the browser has looked whether it is in sight; now the window is lower.
        const field = dialog.querySelector(':is(.entry, .questions) :focus');
        requestAnimationFrame(() => requestAnimationFrame(() => field?.scrollIntoView({ block: 'nearest' })));
      },
    ),
  );

  return {
    show,
    hide: () => hide(),
    destroy() {
      hide(true);
      for (const undo of undos.reverse()) undo();
    },
  };
}

const isZooming = (event: Event) =>
  'touches' in event && (Object(event.touches)[1] || Number(window.visualViewport?.scale) > 1);

/**
 * What has nothing to scroll would scroll the page behind; two fingers zoom, and so does the wheel with its key, and one
 * finger moves about in what was enlarged so.
 */
export function keepStill(event: Event): void {
  const { target, currentTarget } = event;
  if (!(target instanceof Element)) return;
  if (event instanceof WheelEvent ? event.ctrlKey : isZooming(event)) return;
  for (let at: Element | null = target; at && at !== currentTarget; at = at.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(at);
    // A wide table, or a picture that is enlarged, goes to the side.
    if (at.scrollHeight > at.clientHeight && /auto|scroll/.test(overflowY)) return;
    if (at.scrollWidth > at.clientWidth && /auto|scroll/.test(overflowX)) return;
  }
  event.preventDefault();
}

/** A press elsewhere or a Tab that came shorter ago moved the focus itself. */
const TAKEN_MS = 100;
/** Later, it is a wish of somebody's: of a screen reader, or of a shortcut of the page. */
const JUST_MS = 1_000;

function matches(element: Element, selector: string): boolean {
  try {
    return element.matches(selector);
  } catch {
    return false;
  }
}

const isPopoverOpen = (element: Element) => matches(element, ':popover-open');
const hasModal = () => document.querySelector('dialog:modal') !== null;
