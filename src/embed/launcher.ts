/**
 * The button in plain DOM. While the chat is being fetched, what the visitor types is caught here and handed on. It
 * does not know the chat, nor what the button says once there is one.
 */
import { adoptStyles } from '../styles.js';
import { launcherEn } from '../text/en-launcher.js';
import css from './launcher.css?inline';

export type Launcher = ReturnType<typeof createLauncher>;

const ENTER = 13;

/** How often a page that takes the chat away gets it back. */
const RETURNS = 9;

/** @param back the page has taken the chat away, and it has come back */
export function createLauncher(
  host: HTMLElement,
  nonce: string,
  onPress: (event: MouseEvent) => void,
  onIntent: () => void,
  back: () => void,
) {
  const root = host.attachShadow({ mode: 'open' });

  const make = <N extends keyof HTMLElementTagNameMap>(name: N, attributes: Record<string, string>) => {
    const element = document.createElement(name);
    for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
    return element;
  };

  const dock: HTMLElement = make('section', { class: 'dock', lang: 'en', 'aria-label': launcherEn.region });
  const button = make('button', {
    class: 'launcher',
    part: 'launcher',
    'aria-expanded': 'false',
    'aria-label': launcherEn.openChat,
  });
  const catcher = make('textarea', { class: 'catcher', 'aria-label': launcherEn.message });
  const said = make('p', { class: 'catcher', role: 'alert' });
  said.append(launcherEn.notLoaded);
  dock.append(button);
  root.append(dock);
  // Keys typed in the chat are not shortcuts of the host page.
  catcher.onkeyup = catcher.onkeypress = (event) => event.stopPropagation();
  catcher.onkeydown = (event) => {
    event.stopPropagation();
    // A key of an input method has another code, also the one that ends it.
    if (event.keyCode === ENTER && !event.shiftKey) {
      event.preventDefault();
      launcher.sent += `${catcher.value}\n`;
      catcher.value = '';
    }
  };
  button.onclick = onPress;
  button.onpointerenter = button.onfocus = onIntent;

  let returns = RETURNS;
  const watch = new MutationObserver(() => {
    if (host.isConnected || returns-- < 1) return;
    launcher.attach();
    back();
  });

  // In the order that compresses best.
  const launcher = {
    /** What was typed meanwhile. */
    catcher,
    root,
    /** What is said of a failure. */
    said,
    attach() {
      // Beside the body: pages swap, transform and hide that.
      if (!host.isConnected) document.documentElement.append(host);
      watch.observe(document, { childList: true });
      watch.observe(document.documentElement, { childList: true });
    },
    /** What was sent meanwhile with Enter, each time a line. */
    sent: '',
    button,
    adopt: (sheet: string) => adoptStyles(root, sheet, nonce),
    destroy() {
      watch.disconnect();
      // As below: it may be nowhere yet.
      host.replaceWith();
    },
    /** Keeps the keyboard with us until the composer is there. */
    hold() {
      button.ariaBusy = 'true';
      dock.append(catcher);
      catcher.focus();
      // Beside a modal dialog of the page, which may have asked for us, it takes none.
      if (!root.activeElement) catcher.replaceWith();
    },
    host,
    /** The chat could not be fetched: what was typed is kept, and the press stays possible. */
    failed(asked: boolean | undefined) {
      // Who has gone on in the page stays there.
      if (asked && root.activeElement) button.focus();
      // In old pages `remove` is Prototype's, which throws where there is no parent.
      catcher.replaceWith();
      button.ariaBusy = null;
      catcher.value = launcher.sent + catcher.value;
      launcher.sent = '';
      if (asked) dock.append(said);
    },
    dock,
  };
  launcher.adopt(css);
  return launcher;
}
