/**
 * The button in plain DOM. While the chat is being fetched, what the visitor types is caught here and handed on. It
 * does not know the chat, nor what the button says once there is one.
 */
import { launcherEn } from '../text/en-launcher.js';
import css from './launcher.css?inline';
import { adoptStyles } from './styles.js';

export type Launcher = ReturnType<typeof createLauncher>;

/** How often a page that takes the chat away gets it back. */
const RETURNS = 9;

/** @param back the page has taken the chat away, and it has come back */
export function createLauncher(
  host: HTMLElement,
  nonce: string | undefined,
  onPress: (event: MouseEvent) => void,
  onIntent: () => void,
  back: () => void,
) {
  const root = host.attachShadow({ mode: 'open' });

  const make = <N extends keyof HTMLElementTagNameMap>(
    name: N,
    attributes: Record<string, string>,
    parent: Node = dock,
  ) => {
    const element = document.createElement(name);
    for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
    return parent.appendChild(element);
  };

  const dock: HTMLElement = make('section', { class: 'dock', 'aria-label': launcherEn.region }, root);
  const button = make('button', {
    class: 'launcher',
    part: 'launcher',
    'aria-label': launcherEn.openChat,
    'aria-expanded': 'false',
  });
  let catcher: HTMLTextAreaElement | undefined;
  let said: Element | undefined;
  let sent = '';
  let typed = '';

  function release() {
    typed += catcher?.value ?? '';
    catcher?.remove();
    catcher = undefined;
    button.ariaBusy = null;
  }
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
    root,
    destroy() {
      watch.disconnect();
      host.remove();
    },
    host,
    adopt: (sheet: string) => adoptStyles(root, sheet, nonce),
    /** Keeps the keyboard with us until the composer is there. */
    hold() {
      button.ariaBusy = 'true';
      catcher ??= make('textarea', { class: 'catcher', 'aria-label': launcherEn.message });
      const field = catcher;
      field.onkeydown = (event) => {
        if (event.key === 'Enter' && !event.shiftKey && !event.isComposing && event.keyCode !== 229) {
          event.preventDefault();
          sent += (sent && '\n') + field.value;
          field.value = '';
        }
      };
      field.focus();
    },
    /** The chat could not be fetched: what was typed is kept, and the press stays possible. */
    failed(asked: boolean) {
      release();
      typed = sent + typed;
      sent = '';
      if (!asked) return;
      said?.remove();
      said = make('p', { class: 'catcher', role: 'alert' });
      said.textContent = launcherEn.notLoaded;
      button.focus();
    },
    dock,
    /**
     * What was typed meanwhile, and what of it was already sent with Enter. `release` ends the catching, last of all:
     * to look for another place for the focus costs a whole layout.
     */
    caught: () => ({
      sent,
      typed: typed + (catcher?.value ?? ''),
      release() {
        release();
        said?.remove();
        sent = typed = '';
      },
    }),
    button,
    attach() {
      // Beside the body: pages swap, transform and hide that.
      if (!host.isConnected) document.documentElement.append(host);
      watch.observe(document, { childList: true });
      watch.observe(document.documentElement, { childList: true });
    },
  };
  launcher.adopt(css);
  return launcher;
}
