/**
 * The button in plain DOM. While the chat is being fetched, what the visitor types is caught here and handed on. It
 * does not know the chat, nor what the button says once there is one.
 */
import { launcherEn } from '../text/en-launcher.js';
import css from './launcher.css?inline';
import { adoptStyles } from './styles.js';

export type Launcher = ReturnType<typeof createLauncher>;

const SVG = 'http://www.w3.org/2000/svg';
/** How often a page that takes the chat away gets it back. */
const RETURNS = 9;

/** @param back the page has taken the chat away, and it has come back */
export function createLauncher(
  host: HTMLElement,
  nonce: string | undefined,
  onPress: () => void,
  onIntent: () => void,
  back: () => void,
) {
  const root = host.attachShadow({ mode: 'open' });

  const html = document.createElement.bind(document);
  const make = <E extends Element>(element: E, attributes: Record<string, string>, parent: Node): E => {
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return parent.appendChild(element);
  };

  const dock = make(html('div'), { class: 'dock', role: 'region', 'aria-label': launcherEn.region }, root);
  const button = make(
    html('button'),
    {
      class: 'launcher',
      part: 'launcher',
      type: 'button',
      'aria-label': launcherEn.openChat,
      'aria-expanded': 'false',
    },
    dock,
  );
  const path = make(
    document.createElementNS(SVG, 'path'),
    { d: 'M4 20.5l1.2-4.3a8.5 8.5 0 1 1 3.1 3.1z' },
    make(document.createElementNS(SVG, 'svg'), { viewBox: '0 0 24 24', 'aria-hidden': 'true' }, button),
  );
  let catcher: HTMLTextAreaElement | undefined;
  let said: Element | undefined;
  let sent = '';
  let typed = '';

  function release() {
    typed += catcher?.value ?? '';
    catcher?.remove();
    catcher = undefined;
    button.removeAttribute('aria-busy');
  }
  button.addEventListener('click', onPress);
  button.addEventListener('pointerenter', onIntent);
  button.addEventListener('focus', onIntent);

  let returns = RETURNS;
  const watch = new MutationObserver(() => {
    if (host.isConnected || returns-- < 1) return;
    launcher.attach();
    back();
  });

  const launcher = {
    host,
    root,
    adopt: (sheet: string) => adoptStyles(root, sheet, nonce),
    dock,
    button,
    path,
    // Beside the body: pages swap, transform and hide that.
    home: (): Element | null => document.documentElement,
    attach() {
      if (!host.isConnected) launcher.home()?.append(host);
      for (const node of [document, document.documentElement]) watch.observe(node, { childList: true });
    },
    /** Keeps the keyboard with us until the composer is there. */
    catchKeys() {
      said?.remove();
      button.setAttribute('aria-busy', 'true');
      catcher ??= make(html('textarea'), { class: 'catcher', 'aria-label': launcherEn.message }, dock);
      catcher.onkeydown = (event) => {
        if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
        event.preventDefault();
        sent += (sent && '\n') + catcher?.value;
        if (catcher) catcher.value = '';
      };
      catcher.focus();
    },
    /** What was typed meanwhile, and what of it was already sent with Enter; ends the catching. */
    caught() {
      release();
      const caught = { sent, typed };
      sent = typed = '';
      return caught;
    },
    /** The chat could not be fetched: what was typed is kept, and the press stays possible. */
    failed(asked: boolean) {
      release();
      typed = sent + typed;
      sent = '';
      if (!asked) return;
      said = make(html('p'), { class: 'catcher', role: 'alert' }, dock);
      said.textContent = launcherEn.notLoaded;
      button.focus();
    },
    destroy() {
      watch.disconnect();
      host.remove();
    },
  };
  launcher.adopt(css);
  return launcher;
}
