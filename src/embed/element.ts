/**
 * The custom element `<parley-chat>`: a chat that is written in HTML, and takes its options from its attributes, as the
 * script tag does. The chat's own host on other pages has the same name and is left alone, whichever was there first.
 * It does not know how a chat is put on the page.
 */
import type { Parley } from '../parley.js';
import type { Waiting } from './calls.js';
import type { Launcher } from './launcher.js';
import type { Given } from './options.js';
import { createSeat } from './seat.js';

/**
 * @param given what is written; `tag` says that they are texts alone
 * @param gone called when the chat is destroyed
 * @param host what the chat shall lie in
 * @param waiting calls that wait for the visitor, also those to a chat that was here before
 */
export type MountAt = (
  given: Given,
  gone: (launcher: Launcher) => void,
  host: HTMLElement,
  waiting: Waiting,
) => Parley;

export interface ParleyChatElement extends HTMLElement {
  /** The chat itself, as long as the element is on the page. */
  readonly chat: Parley | undefined;
}

const NAME = 'parley-chat';

const camel = (name: string) =>
  name.replace(/^data-/, '').replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** What pages, their dialogs and the chat itself write on any element. */
const others =
  /^(?:id|class|style|slot|part|hidden|nonce|lang|dir|role|tabindex|inert|(?:data-)?aria-.*|data-(?:inside|bare|corner))$/;

/** Without a page, as on a server, nothing happens. */
export function defineParleyChat(mount: MountAt): void {
  if (typeof customElements === 'undefined' || customElements.get(NAME)) return;

  customElements.define(
    NAME,
    class extends HTMLElement implements ParleyChatElement {
      declare private current: Parley | undefined;
      declare private made: string | undefined;
      declare private seat: ReturnType<typeof createSeat> | undefined;
      declare private emptying: boolean | undefined;
      /** Where the page has put it. */
      declare private home: Node | null | undefined;
      declare private watch: MutationObserver | undefined;

      get chat() {
        // Whoever asks for it has written all attributes.
        if (!this.seat) this.look();
        return this.current;
      }

      connectedCallback() {
        // There the launcher brings back what a page has taken away; but this one the page may take away.
        if (!this.watch || this.parentNode !== document.documentElement) this.home = this.parentNode;
        // The launcher has given it a root before it came to the page.
        if (this.watch || (this.shadowRoot && this.made === undefined)) {
          if (this.parentNode === this.home) this.raise();
          return;
        }
        this.watch = new MutationObserver(() => this.look());
        this.watch.observe(this, { attributes: true });
        // While a page is read the attributes of an element may still be written by a framework.
        queueMicrotask(() => this.look());
      }

      /** Nothing is lost by that. */
      connectedMoveCallback() {
        this.home = this.parentNode;
      }

      disconnectedCallback() {
        // One that is moved is back at once.
        if (this.watch)
          queueMicrotask(() => (this.isConnected && this.parentNode === this.home) || this.end());
      }

      /** What was open when it was moved is in the top layer no more, though nobody has closed it; its thread is at its top. */
      private raise() {
        const dialog = this.shadowRoot?.querySelector('dialog');
        if (!dialog || !this.current?.status().open) return;
        if (dialog.hasAttribute('data-modal')) {
          dialog.close();
          dialog.showModal();
          // Not the first button that it finds.
          dialog.focus();
        } else if (dialog.matches('[popover]')) {
          // The focus may be in a field of the page.
          dialog.inert = true;
          dialog.showPopover();
          dialog.inert = false;
        }
        dialog.querySelector('[role=log]')?.dispatchEvent(new CustomEvent('toggle'));
      }

      private look() {
        if (!this.isConnected || !this.watch) return;
        const written = [...this.attributes].filter(({ name }) => !others.test(name));
        const given = Object.fromEntries(written.map(({ name, value }) => [camel(name), value]));
        const now = `${Object.entries(given)}`;
        if (this.current && now === this.made) return;
        this.empty();
        this.made = now;
        const { inline, ...options } = given;
        const all = {
          nonce: this.nonce || undefined,
          ...options,
          // As all that is yes or no: some frameworks write the word.
          ...(inline !== undefined && inline !== 'false' && { inside: this }),
          tag: this,
        };
        this.seat ??= createSeat();
        // Not before there is leave to begin, nor where an option is wrong.
        this.hidden = true;
        this.current = this.seat(all, (waiting, keep) => {
          const gone = (launcher: Launcher) => {
            this.current = undefined;
            keep(launcher);
          };
          return mount(all, gone, this, waiting);
        });
      }

      /** A chat that ends takes its host away; this one was the page's, and may have another chat. */
      private empty() {
        this.emptying = true;
        this.current?.destroy();
        this.emptying = false;
        if (!this.shadowRoot) return;
        // Also what a chat has left that was destroyed by its own call.
        this.shadowRoot.replaceChildren();
        this.shadowRoot.adoptedStyleSheets = [];
      }

      override replaceWith(...others: (Node | string)[]) {
        if (!this.emptying) super.replaceWith(...others);
      }

      override attachShadow(how: ShadowRootInit) {
        return this.shadowRoot ?? super.attachShadow(how);
      }

      private end() {
        this.watch?.disconnect();
        this.watch = this.seat = undefined;
        this.empty();
        // Only from where the launcher has put it: a page that keeps it aside may bring it back, be it with all around it.
        if (!this.isConnected) return;
        if (this.home?.isConnected === false) this.home.appendChild(this);
        else super.remove();
      }
    },
  );
}

declare global {
  interface HTMLElementTagNameMap {
    'parley-chat': ParleyChatElement;
  }
}
