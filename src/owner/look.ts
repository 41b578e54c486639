/**
 * Where the launcher and the window stand and what they look like, as the owner wants it: a corner and its distances,
 * a label or another icon, a button of the page in the place of ours, or a part of the page. It does not know why
 * nothing of them may be seen.
 */
import type { Given } from '../embed/options.js';
import type { Stage } from '../embed/stage.js';
import { choices, kebab } from '../option-kinds.js';
import { bytesOf, luminance } from '../theme/theme.js';
import { asBytes } from '../ui/dress.js';
import { isEscape } from '../ui/escape.js';
import type { MakeFrame } from '../ui/frame.js';
import { keepClear } from './aside.js';
import css from './look.css?inline';
import type { createVeils } from './veils.js';

const SVG = 'http://www.w3.org/2000/svg';
const BUBBLE = 'M4 20.5l1.2-4.3a8.5 8.5 0 1 1 3.1 3.1z';
const icons: Readonly<Record<string, string>> = {
  dots: `${BUBBLE}M8.5 12h.1M12 12h.1M15.5 12h.1`,
  question: 'M8.5 9a3.5 3.5 0 1 1 5.2 3c-1.2.7-1.7 1.3-1.7 2.5M12 19h.1',
  mail: 'M3 6h18v13H3zl9 7 9-7',
};

/** Sets the tokens on this one chat; an empty one goes back to what the style sheet says. */
export function dress(host: HTMLElement, theme: object): void {
  for (const [name, value] of Object.entries(theme))
    host.style.setProperty(`--parley-${kebab(name)}`, `${value ?? ''}`);
}

/** White or black on the accent, where no style sheet finds out which, until the window derives its colours. */
export function contrast({ launcher: { root, host, adopt }, shell }: Stage): void {
  if (shell || CSS.supports('color', 'color(from red xyz x y z)')) return;
  const accent = getComputedStyle(host).getPropertyValue('--parley-accent').trim();
  const bytes = accent && (bytesOf(accent) ?? bytesOf(asBytes(root, accent)));
  const on = bytes && luminance(bytes) > 0.233 ? '#000' : '#fff';
  adopt(`:host{--on-accent:var(--parley-on-accent,${on})}`);
}

const find = (selector: unknown): HTMLElement | null => {
  try {
    return document.querySelector<HTMLElement>(`${selector}`);
  } catch {
    return null;
  }
};

/**
 * @param options those that are right
 * @param veil lies over it as long as there is no place for it
 */
export function place(stage: Stage, options: Given, veil: ReturnType<typeof createVeils>): void {
  const { host, adopt } = stage.launcher;
  const { accent, offsetX, offsetY, phoneOffsetX, phoneOffsetY, zIndex, launcherAvoids } = options;
  adopt(css);
  // The window itself says of a wrong one that it is.
  const scheme = choices.scheme.find((one) => one === options.scheme);
  const tokens = { accent, scheme, offsetX, offsetY, phoneOffsetX, phoneOffsetY, zIndex };
  const said = Object.entries(tokens)
    .filter(([, value]) => value !== undefined)
    // As the number that it is, however it is written.
    .map(([name, value]) => [
      name,
      /offset/i.test(name) ? `${Number(value)}px` : name === 'zIndex' ? Number(value) : value,
    ]);
  dress(host, Object.fromEntries(said));
  // A written element outlives its chat, and has a style of its own.
  stage.own(() => dress(host, Object.fromEntries(said.map(([name]) => [name]))));
  contrast(stage);
  if (options.position) host.dataset.corner = `${options.position}`;
  stage.own(() => {
    for (const mark of ['corner', 'bare', 'inside']) delete host.dataset[mark];
  });
  if (launcherAvoids) keepClear(stage, `${launcherAvoids}`);
  if (options.inside) settle(stage, options.inside, veil);
  else if (options.launcher && options.launcher !== 'button') lend(stage, `${options.launcher}`);
  else label(stage, options);
}

/** Words beside the icon, which are then what the button is called; another icon, or a picture in its place. */
function label({ launcher, face }: Stage, options: Given) {
  const icon = icons[`${options.launcherIcon}`];
  if (icon) {
    const drawing = document.createElementNS(SVG, 'svg');
    drawing.setAttribute('viewBox', '0 0 24 24');
    drawing.appendChild(document.createElementNS(SVG, 'path')).setAttribute('d', icon);
    launcher.button.append(drawing);
    launcher.button.classList.add('drawn');
  }
  if (options.launcherImage) {
    const picture = document.createElement('img');
    picture.alt = '';
    picture.onload = () => {
      launcher.button.prepend(picture);
      launcher.button.classList.add('drawn', 'pictured');
    };
    picture.src = `${options.launcherImage}`;
  }
  if (!options.launcherLabel) return;
  const words = document.createElement('span');
  words.className = 'label';
  words.dir = 'auto';
  words.textContent = `${options.launcherLabel}`;
  launcher.button.append(words);
  launcher.button.classList.add('labelled');
  face.setLabel(`${options.launcherLabel}`);
}

/** No button of ours: one of the page, or none. */
function bare({ host, button, dock }: Stage['launcher']) {
  button.hidden = true;
  dock.removeAttribute('aria-label');
  host.dataset.bare = '';
}

function lend(stage: Stage, selector: string) {
  const { launcher, face, hall, front } = stage;
  bare(launcher);
  /** What opened it gets the focus back: one of several, or a button that we do not know. */
  let opener: Element | null = null;
  const remember = () => {
    const { activeElement } = document;
    if (front.chat.$open.get() && activeElement !== launcher.host && activeElement !== document.body)
      opener = activeElement;
  };
  stage.own(front.chat.$open.listen(remember));
  face.focus = () => {
    const last = opener instanceof HTMLElement && opener.isConnected ? opener : find(selector);
    // The reader may have gone on since.
    last?.focus({ preventScroll: true });
  };
  const press = async (event: MouseEvent) => {
    const { target } = event;
    const pressed = target instanceof Element && target.closest(selector);
    if (!pressed) return;
    // In another tab, as a browser does it with any link.
    if ((event.ctrlKey || event.metaKey || event.shiftKey) && target.closest('a')) return;
    // A link leads elsewhere only where there is no chat.
    event.preventDefault();
    if (!front.chat.$open.get()) opener = pressed;
    const { ok } = await hall.press(event.detail);
    if (!ok && pressed instanceof HTMLAnchorElement && pressed.href) location.assign(pressed.href);
  };
  document.addEventListener('click', press);
  stage.own(() => document.removeEventListener('click', press));
  /** What the page itself has said of it. */
  const before = new WeakMap<Element, string | null>();
  const write = (one: Element, value: string | null | undefined) =>
    // Whoever watches the page hears of what changes alone.
    one.getAttribute('aria-expanded') === (value ?? null) ||
    (value == null ? one.removeAttribute('aria-expanded') : one.setAttribute('aria-expanded', value));
  const tell = () => {
    for (const one of document.querySelectorAll(selector)) {
      if (!before.has(one)) before.set(one, one.getAttribute('aria-expanded'));
      write(one, `${front.chat.$open.get()}`);
    }
  };
  stage.own(front.chat.$open.subscribe(tell));
  // It may be drawn later, and anew.
  const watch = new MutationObserver(tell);
  watch.observe(document, { childList: true, subtree: true });
  stage.own(() => {
    watch.disconnect();
    for (const one of document.querySelectorAll(selector)) if (before.has(one)) write(one, before.get(one));
  });
}

/** The window as a part of the page, in an element of the owner's, which may come later than we do and go again. */
function settle(stage: Stage, inside: unknown, veil: ReturnType<typeof createVeils>) {
  const { launcher, front } = stage;
  bare(launcher);
  launcher.host.dataset.inside = '';
  stage.makeFrame = inlineFrame;
  // Further down, or in a part that is closed, nobody reads it.
  const sight = new IntersectionObserver((seen) =>
    front.chat.away('offscreen', !seen.at(-1)?.isIntersecting),
  );
  sight.observe(launcher.host);
  stage.own(() => sight.disconnect());
  // What is written in the page lies where it lies.
  if (inside === launcher.host) return veil('place', false);
  const look = () => {
    const element = inside instanceof Element ? inside : find(inside);
    const home = element?.isConnected ? element : null;
    if (launcher.host.parentElement === home) return;
    // Not `remove`, which throws in old pages while it is nowhere.
    launcher.host.replaceWith();
    home?.append(launcher.host);
    stage.back();
    veil('place', !home);
  };
  // The launcher would come back elsewhere.
  launcher.attach = look;
  look();
  const watch = new MutationObserver(look);
  const all = { childList: true, subtree: true };
  watch.observe(document, all);
  // In a component, of which the page does not hear.
  if (inside instanceof Element) watch.observe(inside.getRootNode(), all);
  stage.own(() => watch.disconnect());
}

/** It stands where the owner put it, takes nobody's focus and no key but the ones typed in it. */
const inlineFrame: MakeFrame = (dialog, _root, _isOpen, close) => {
  dialog.addEventListener('keydown', (event) => {
    event.stopPropagation();
    // Where nothing lay over it, a dialog of the page around it may close.
    if (isEscape(event) && !close(true)) event.preventDefault();
  });
  // The way back of an app; a file picker that is left without a choice says the same, and bubbles.
  dialog.addEventListener('cancel', ({ target }) => target === dialog && close());
  const hide = () => dialog.removeAttribute('open');
  return {
    show() {
      if (dialog.open) return;
      // Its own method would move the focus.
      dialog.open = true;
      dialog.querySelector('[role=log]')?.dispatchEvent(new CustomEvent('toggle'));
    },
    hide,
    destroy: hide,
  };
};
