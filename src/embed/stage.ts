/**
 * Door 2: brings the front, the window and the engine together once the visitor wants to chat or has chatted before.
 * It knows when each is needed, and not how they work.
 */
import type { Written } from '../settings.js';
import { createFront } from '../state/front.js';
import { scopeKey } from '../storage/local.js';
import type { Say } from '../text/text.js';
import type { ChatWindow } from '../ui/app.js';
import type { createDoors } from './doors.js';
import type { Launcher } from './launcher.js';
import type { TagOptions } from './options.js';

/** For whoever shows a window without an engine. */
export { createFront };

export interface Stage {
  /** @param asked by the visitor, here and now: the composer takes the focus */
  show: (asked: boolean) => Promise<void>;
  hide: () => void;
  toggle: () => void;
  /** A visitor who has written before hears of answers without a window. */
  listen: () => void;
  setLocale: (tag: string) => void;
  destroy: () => void;
}

const ENGINE_AGAIN_MS = 5_000;

export function createStage(
  options: TagOptions,
  launcher: Launcher,
  doors: ReturnType<typeof createDoors>,
  base: string,
  nonce: string | undefined,
): Stage {
  const front = createFront(options);
  const { chat } = front;
  let chatWindow: ChatWindow | undefined;
  let making: Promise<ChatWindow> | undefined;
  let engineAsked = false;
  let written: Written = options.written;
  let wanted = false;
  let destroyed = false;
  let say: Say | undefined;
  const undos = [
    chat.$news.subscribe((news) => launcher.setUnread(news.length)),
    chat.$open.listen((open) => void (open ? show(false) : hide())),
    chat.destroy,
  ];

  /** The window can be typed into before the engine is there; so it comes second, and again if it must. */
  function listen() {
    if (engineAsked) return;
    engineAsked = true;
    doors.open('engine').then(
      ({ createChat, watchNews }) => {
        if (destroyed) return;
        const { root, button } = launcher;
        const needs = {
          front,
          root,
          dock: button.parentElement ?? button,
          nonce,
          scope: scopeKey(options.baseUrl, options.inboxIdentifier),
          say: () => say,
          written,
          open: () => void show(true),
        };
        undos.push(watchNews(needs, base));
        createChat(options, undefined, front);
      },
      () => {
        engineAsked = false;
        if (!destroyed) setTimeout(listen, ENGINE_AGAIN_MS);
      },
    );
  }

  /** The button speaks the window's language. */
  const named = (spoken: Say) => {
    say = spoken;
    launcher.setWords({
      region: spoken('region'),
      openChat: spoken('openChat'),
      closeChat: spoken('closeChat'),
      unread: (count) => spoken('unread', { count }),
      notLoaded: spoken('notLoaded'),
    });
  };

  async function make(): Promise<ChatWindow> {
    making ??= doors
      .open('window')
      .then(({ createWindow }) => createWindow(launcher.root, chat, nonce, written, named));
    try {
      return await making;
    } catch (error) {
      making = undefined;
      throw error;
    }
  }

  async function show(asked: boolean) {
    wanted = true;
    if (asked && !chatWindow) launcher.catchKeys();
    try {
      const made = await make();
      if (destroyed) made.destroy();
      if (destroyed || !wanted) return void launcher.caught();
      chatWindow = made;
      const { sent, typed } = launcher.caught();
      chat.setDraft(chat.$draft.get() + sent);
      chat.setOpen(true);
      launcher.setOpen(true);
      made.show(asked);
      if (sent) made.submit();
      chat.setDraft(chat.$draft.get() + typed);
      listen();
    } catch {
      wanted = false;
      launcher.failed(asked);
    }
  }

  function hide() {
    wanted = false;
    const inside = launcher.root.activeElement;
    chat.setOpen(false);
    launcher.setOpen(false);
    chatWindow?.hide();
    if (inside) launcher.button.focus();
  }

  return {
    show,
    hide,
    toggle: () => (wanted ? hide() : void show(true)),
    listen,
    setLocale(tag) {
      written = { ...written, locale: tag };
      void chatWindow?.setLocale(tag);
    },
    destroy() {
      destroyed = true;
      for (const undo of undos.reverse()) undo();
      chatWindow?.destroy();
    },
  };
}
