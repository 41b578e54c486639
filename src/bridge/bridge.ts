/**
 * The page and the app around it, talking: what happens in the chat is told to the app, what the app asks for is done.
 * Fetched only where there is an app. It does not know which kind of app it is.
 */
import type { Failure, Outcome, Parley } from '../parley.js';
import { findHost } from './host.js';
import { createAppStorage } from './kept.js';
import { type Desk, type Need, type Outgoing, read, VERSION } from './messages.js';

declare global {
  interface Window {
    /** There only where an app is around the page. */
    parleyBridge?: {
      /** For apps that talk to a page by running a script in it. */
      receive(message: unknown): void;
      /** The visitor wants this as a file. */
      save(file: Outgoing['save']): void;
    };
  }
}

/** What the page lets the app do. */
export interface Page {
  chat(): Promise<Parley>;
  /** Begins, or begins anew with other options. @returns what to write, where no chat can begin with these */
  begin(options: Readonly<Record<string, unknown>>): string;
}

export interface Bridge {
  /** Begins, when the app has nothing to say first. */
  begin(): void;
  /** There is a chat now, the first one or another. */
  follow(chat: Parley): void;
}

/** The app has this long to say what the page cannot begin without. */
const LIMIT_MS: Record<Need, number> = { kept: 3_000, options: 10_000 };

/**
 * @param port the way to talk, where the app hands it in
 * @param named the address says that an app shows the page
 * @param needs what the app must say first; the page begins when it has, or has not in time
 */
export function createBridge(
  port: Promise<MessagePort> | undefined,
  named: boolean,
  needs: readonly Need[],
  page: Page,
): Bridge {
  const host = findHost(port, named);
  const post = <T extends keyof Outgoing>(type: T, fields: Outgoing[T]) =>
    host.post({ parley: VERSION, type, ...fields });

  const left = new Set(needs);
  let options: Readonly<Record<string, unknown>> = {};
  let begun = false;
  /** What is to be kept, while nobody knows whether it would lie over what the app has from before. */
  let unsure: Map<string, string | null> | undefined;
  const store = createAppStorage((key, value) => {
    // Whoever leaves is not to be there again the next time: that page does it.
    if (unsure && !(value && key.endsWith(':leave'))) unsure.set(key, value);
    else post('keep', { key, value });
  });
  if (left.has('kept'))
    Object.defineProperty(window, 'localStorage', { configurable: true, value: store.storage });

  function start(): Outcome {
    const message = page.begin(options);
    return message ? { ok: false, error: { kind: 'wrong', message } } : { ok: true };
  }
  function begin(): Outcome {
    if (begun || left.size) return { ok: true };
    begun = true;
    return start();
  }
  /** Nobody has asked just now. */
  function beginUnasked() {
    const outcome = begin();
    if (!outcome.ok) post('error', outcome.error);
  }
  const desk: Desk = {
    chat: page.chat,
    options(given) {
      options = { ...options, ...given };
      left.delete('options');
      return begun ? start() : begin();
    },
    kept(facts): Outcome {
      if (!needs.includes('kept')) return { ok: true };
      if (!left.delete('kept')) {
        if (unsure && !Object.keys(facts).length) {
          for (const [key, value] of unsure) post('keep', { key, value });
          unsure = undefined;
        }
        return { ok: false, error: { kind: 'wrong', message: 'kept answers ready, once and at once.' } };
      }
      store.fill(facts);
      // An app that keeps keeps the words that wait, too: a database may open, and go with the web view all the same.
      Object.defineProperty(window, 'indexedDB', { configurable: true, value: undefined });
      beginUnasked();
      return { ok: true };
    },
    back() {
      const dialog = document.querySelector('parley-chat')?.shadowRoot?.querySelector('dialog[open]');
      if (dialog) dialog.dispatchEvent(new CustomEvent('cancel'));
      else {
        // Nobody is kept by a page that waits.
        post('close', {});
        void page.chat().then((chat) => chat.close());
      }
      return { ok: true };
    },
  };

  let followed: Parley | undefined;
  /** What went wrong is told once: to whoever asked for it, with its name. */
  const told = new WeakSet<Failure>();

  const hear = (said: unknown, shared: boolean) => {
    const reading = read(said, shared, desk);
    if (reading.kind === 'wrong')
      post('error', { kind: 'wrong', message: reading.write, of: reading.type, id: reading.id });
    if (reading.kind !== 'ask') return;
    const { type, id, work } = reading;
    void work.then((outcome) => {
      if (outcome.ok) {
        if (id !== undefined) post('done', { of: type, id });
      } else {
        told.add(outcome.error);
        post('error', { ...outcome.error, of: type, id });
      }
    });
  };
  window.parleyBridge = Object.freeze({
    receive: (message: unknown) => hear(message, false),
    save: (file: Outgoing['save']) => post('save', file),
  });
  host.listen?.(hear);

  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button) return;
    const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement);
    if (!link || !/^(?:https?|mailto|tel):$/.test(link.protocol)) return;
    // The page itself stays.
    if (link.href === window.location.href) return;
    event.preventDefault();
    post('openLink', { url: link.href });
  });

  post('ready', { needs });
  for (const need of needs)
    setTimeout(() => {
      if (!left.delete(need)) return;
      if (need === 'kept') unsure = new Map();
      post('error', { kind: 'wrong', message: `Answer ready with "${need}": it is waited for no longer.` });
      beginUnasked();
    }, LIMIT_MS[need]);

  return {
    begin: beginUnasked,
    follow(chat) {
      followed = chat;
      let lost = false;
      chat.on('open', () => post('open', {}));
      chat.on('close', () => {
        lost = false;
        // Where only a file has not come it is tried again, and that is told after this.
        // And one that gives way to another closes nothing for the app.
        setTimeout(() => lost || followed !== chat || chat.status().open || post('close', {}));
      });
      chat.on('message', ({ id, from, conversation }) =>
        post('message', { message: id, from, conversation: conversation ?? null, unread: chat.unread() }),
      );
      chat.on('unread', (count) => post('unread', { count }));
      chat.on('conversation', ({ id, status }) =>
        post('conversation', { conversation: id ?? null, status: status ?? null }),
      );
      chat.on('status', ({ line, storage, trouble }) =>
        post('status', { line, storage, trouble: trouble ?? null }),
      );
      chat.on('action', ({ payload, conversation }) =>
        post('action', { payload, conversation: conversation ?? null }),
      );
      chat.on('identify', ({ identifier }) => post('identify', { identifier: identifier ?? null }));
      // Whoever asked for it hears of it first.
      chat.on('error', (error) => {
        lost ||= error.kind === 'notLoaded';
        setTimeout(() => {
          if (!told.has(error)) post('error', error);
        });
      });
    },
  };
}
