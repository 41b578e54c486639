/**
 * The button in plain DOM, with its badge. While the chat is being fetched, what the visitor types is caught here
 * and handed on. It does not know the chat.
 */
import { launcherEn } from '../text/en-launcher.js';
import css from './launcher.css?inline';
import { adoptStyles } from './styles.js';

/** What the button says, in the visitor's language. */
export interface LauncherWords {
  region: string;
  openChat: string;
  closeChat: string;
  unread: (count: number) => string;
  notLoaded: string;
}

export interface Launcher {
  root: ShadowRoot;
  button: HTMLButtonElement;
  setWords: (words: LauncherWords) => void;
  setOpen: (open: boolean) => void;
  setUnread: (count: number) => void;
  /** Keeps the keyboard with us until the composer is there. */
  catchKeys: () => void;
  /** What was typed meanwhile, and what of it was already sent with Enter; ends the catching. */
  caught: () => { sent: string; typed: string };
  /** The chat could not be fetched: what was typed is kept, and the press stays possible. */
  failed: (asked: boolean) => void;
  destroy: () => void;
}

const SVG = 'http://www.w3.org/2000/svg';
const TALK = 'M4 20.5l1.2-4.3a8.5 8.5 0 1 1 3.1 3.1z';
const DOWN = 'm6 9.5 6 6 6-6';

export function createLauncher(
  nonce: string | undefined,
  onPress: () => void,
  onIntent: () => void,
): Launcher {
  let text: LauncherWords = {
    ...launcherEn,
    unread: (count) => launcherEn.unread[count === 1 ? 'one' : 'other'].replace('{count}', String(count)),
  };
  const host = document.createElement('parley-chat');
  const root = host.attachShadow({ mode: 'open' });
  adoptStyles(root, css, nonce);

  const html = document.createElement.bind(document);
  const make = <E extends Element>(element: E, attributes: Record<string, string>, parent: Node): E => {
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return parent.appendChild(element);
  };

  const dock = make(html('div'), { class: 'dock', role: 'region', 'aria-label': text.region }, root);
  const button = make(html('button'), { class: 'launcher', part: 'launcher', type: 'button' }, dock);
  const path = make(
    document.createElementNS(SVG, 'path'),
    {},
    make(document.createElementNS(SVG, 'svg'), { viewBox: '0 0 24 24', 'aria-hidden': 'true' }, button),
  );
  // Beside the button: a name need not say the number as the badge does.
  const badge = make(html('span'), { class: 'badge', 'aria-hidden': 'true' }, dock);
  const said = make(html('span'), { class: 'sr', role: 'status' }, dock);
  let catcher: HTMLTextAreaElement | undefined;
  let sent = '';
  let typed = '';
  let open = false;
  let unread = 0;

  function name() {
    const opening = unread ? `${text.openChat}, ${text.unread(unread)}` : text.openChat;
    button.setAttribute('aria-label', open ? text.closeChat : opening);
    button.setAttribute('aria-expanded', String(open));
    path.setAttribute('d', open ? DOWN : TALK);
    badge.textContent = !unread || open ? '' : unread > 99 ? '99+' : String(unread);
  }
  name();

  function release() {
    typed += catcher?.value ?? '';
    catcher?.remove();
    catcher = undefined;
    button.removeAttribute('aria-busy');
  }
  button.addEventListener('click', onPress);
  button.addEventListener('pointerenter', onIntent);
  button.addEventListener('focus', onIntent);
  // Beside the body: pages swap, transform and hide that.
  document.documentElement.append(host);

  return {
    root,
    button,
    setWords(words) {
      text = words;
      dock.setAttribute('aria-label', text.region);
      name();
    },
    setOpen(value) {
      open = value;
      name();
    },
    setUnread(count) {
      if (count > unread && !open) said.textContent = text.unread(count);
      if (!count) said.textContent = '';
      unread = count;
      name();
    },
    catchKeys() {
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
    caught() {
      release();
      const caught = { sent, typed };
      sent = typed = '';
      return caught;
    },
    failed(asked) {
      release();
      typed = sent + typed;
      sent = '';
      if (!asked) return;
      said.textContent = text.notLoaded;
      button.focus();
    },
    destroy: () => host.remove(),
  };
}
