/**
 * Door 2: brings the front, the window and the engine together once the visitor wants to chat or has chatted before.
 * It knows when each is needed, and not how they work.
 */
import beside from 'virtual:parley-beside';
import files from 'virtual:parley-stage';
import { atom, type WritableAtom } from 'nanostores';
import { createLoader, createOpener, type Files } from '../loader.js';
import { type Keeping, type PageEnv, pageEnv } from '../page-env.js';
import type { Outcome, Status } from '../parley.js';
import { LEAVING } from '../state/facts.js';
import { createFront, type Front } from '../state/front.js';
import { createLocal } from '../storage/local.js';
import type { Language } from '../text/language.js';
import type { FetchLanguage } from '../text/wanted.js';
import type { ChatWindow } from '../ui/app.js';
import type { MakeFrame } from '../ui/frame.js';
import { createShell, type Shell } from '../ui/shell.js';
import type { Owner } from './calls.js';
import type { Behind, Doors } from './doors.js';
import { createFace, type Face } from './face.js';
import type { Hall } from './hall.js';
import type { Launcher } from './launcher.js';
import type { Options } from './options.js';

/** For whoever shows a window without an engine. */
export { createShell };

export interface Stage {
  options: Options;
  launcher: Launcher;
  hall: Hall;
  front: Front;
  face: Face;
  env: PageEnv;
  /** Where our files are. */
  base: string;
  doors: Doors;
  /** For files that are fetched later still. */
  createOpener: typeof createOpener;
  /** One way for all who speak: a language is fetched once. */
  fetchLanguage: FetchLanguage;
  /** What the visitor is spoken to in: null for English as the launcher has it, undefined while that is not known. */
  $language: WritableAtom<Language | null | undefined>;
  /** Once it was shown. */
  shell?: Shell;
  /** What the shell becomes; the promise comes first, and may fail. */
  making?: Promise<ChatWindow>;
  chatWindow?: ChatWindow;
  /** How the window stands on the page, when not in its corner. */
  makeFrame: MakeFrame | undefined;
  /** What can be made before the press is made, and seen by nobody. */
  prepare: () => void;
  /** @param asked by the visitor, here and now: the composer takes the focus */
  show: (asked: boolean) => Promise<Outcome>;
  hide: () => void;
  /** A visitor who has written before hears of answers without a window. @returns whether the engine has come */
  listen: () => Promise<boolean>;
  /** The page had taken us away. */
  back: () => void;
  owner: () => Promise<Owner>;
  /** The owner's own file hears the chat, and does what has waited for the visitor, if there is anything. */
  tell: (wants?: boolean) => void;
  status: () => Status;
  /** So many messages have not been seen. */
  unread: () => number;
  /** Undone when the chat is destroyed. */
  own: (undo: () => void) => void;
  /** There is none any more. */
  destroy: () => undefined;
}

/** The window imports it. The launcher, which names the window, has no bytes for it. */
const KIT = `,${beside.kit}`;
const AGAIN_MS = 5_000;
/** Beyond that, a minute, they are not waited for any longer. */
const MOST_TRIES = 12;
const DONE: Outcome = { ok: true };
const HIDDEN: Outcome = { ok: false, error: { kind: 'hidden', message: 'The chat is hidden on this page.' } };

/** Done once, and again only after a failure. */
function doneOnce<T, A extends unknown[]>(work: (...given: A) => Promise<T>): (...given: A) => Promise<T> {
  let doing: Promise<T> | undefined;
  return (...given) => {
    doing ??= work(...given).catch((error: unknown) => {
      doing = undefined;
      throw error;
    });
    return doing;
  };
}

export function createStage(
  options: Options,
  launcher: Launcher,
  behind: Files<keyof Behind>,
  base: string,
  hall: Hall,
): Stage {
  const { scope, nonce = '', storage } = options;
  const keeping: Keeping = { level: 'persistent' };
  const doors = createLoader<Behind>(behind, base, nonce, `,${behind.front}`);
  const env = pageEnv(keeping);
  const local = createLocal(env, scope);
  // What was kept once was allowed; else a browser may ask, on the visitor's behalf, for nothing to be kept.
  if (!local.get('')) {
    const leaving = local.get(LEAVING);
    if (storage === 'session' || storage === 'memory') keeping.level = storage;
    if ('globalPrivacyControl' in navigator && navigator.globalPrivacyControl) keeping.level = 'memory';
    if (keeping.level === 'memory') {
      keeping.level = 'session';
      if (!local.get('')) keeping.level = 'memory';
    }
    if (leaving && keeping.level !== 'persistent') {
      keeping.left = keeping.level;
      keeping.level = 'persistent';
    }
  }
  const front = createFront(options, env);
  const { chat } = front;
  const face = createFace(launcher);
  let engine: Promise<boolean> | undefined;
  let over = false;
  /** How often files have not come: each time they are waited for a little longer. */
  let tries = 0;
  /** What of the page had the focus when the chat was opened. */
  let opener: HTMLElement | null | undefined;
  const openOwner = createOpener<typeof import('../owner/owner.js')>(files.owner, base, nonce);
  const openLocales = createOpener<typeof import('../text/locales.js')>(files.locales, base, nonce);
  const due = new Map<() => void, ReturnType<typeof setTimeout>>();
  const once = (work: () => void) => {
    clearTimeout(due.get(work));
    due.delete(work);
    work();
  };
  /** The line may be back. */
  const hurry = () => {
    if (env.page.visible() && env.page.online()) due.forEach((_, work) => void once(work));
  };
  const undos = [
    () => {
      for (const timer of due.values()) clearTimeout(timer);
    },
    env.page.on('online', hurry),
    env.page.on('visibilitychange', hurry),
  ];
  const make = doneOnce(async (shell: Shell) => {
    const { createWindow } = await doors.open('window', KIT);
    return createWindow(
      shell,
      chat,
      nonce,
      stage.options,
      stage.fetchLanguage,
      stage.$language.set,
      // A program may have written names that nobody knows.
      (wrong) => {
        if (wrong.length || !options.tag)
          stage.owner().then(
            (owner) => owner.explain(wrong),
            () => {},
          );
      },
    );
  });

  const shelled = () => {
    stage.shell ??= createShell(launcher.root, chat, stage.options, nonce, submit, stage.makeFrame);
    return stage.shell;
  };

  /** What the composer would have to say about it, it says as soon as it is here. */
  const submit = () => {
    const { chatWindow } = stage;
    if (chatWindow) chatWindow.submit();
    else void chat.submit().then(({ ok }) => ok || stage.chatWindow?.submit());
  };

  /**
   * What was typed before there was a field goes there, and what was sent goes on, whether or not it is still wanted;
   * but after the questions, which may ask for consent.
   */
  function take() {
    if (over) return;
    const sent = launcher.sent.trim();
    const typed = launcher.catcher.value;
    const asks = options.preChat && chat.$known.get() !== null;
    chat.setDraft(chat.$draft.get() + sent);
    if (sent && !asks) {
      submit();
      if (!hall.wanted()) void stage.listen();
    }
    chat.setDraft(chat.$draft.get() + (sent && typed && asks ? '\n' : '') + typed);
    launcher.sent = launcher.catcher.value = '';
  }

  /** Ends the catching, last of all: to look for another place for the focus costs a whole layout. */
  function release() {
    const { button, catcher, said } = launcher;
    take();
    catcher.replaceWith();
    said.replaceWith();
    button.ariaBusy = null;
  }

  function reveal(shell: Shell, asked: boolean) {
    take();
    if (asked) opener ??= document.activeElement as HTMLElement | null;
    chat.setOpen(true);
    face.setOpen(true);
    shell.show(asked);
    release();
  }

  function again(work: () => void) {
    // Several may have failed for one reason.
    if (over || due.has(work)) return;
    const waitMs = AGAIN_MS * Math.min(++tries, MOST_TRIES);
    due.set(
      work,
      setTimeout(() => once(work), waitMs),
    );
  }

  const stage: Stage = {
    options,
    launcher,
    hall,
    front,
    face,
    env,
    base,
    doors,
    createOpener,
    $language: atom(),
    fetchLanguage: async (wanted) => (await openLocales()).fetchLanguage(wanted, createOpener, base, nonce),
    makeFrame: undefined,
    prepare() {
      try {
        // Colours and place are first the owner's to say.
        if (!launcher.host.hidden) shelled();
      } catch {}
      // What is wanted first has come by now, and alone.
      doors.preload('window', KIT);
    },
    async show(asked) {
      // The owner's file says whether it may be seen.
      if (launcher.host.hidden) await stage.owner().catch(() => {});
      // A window that nobody sees would hold the page all the same.
      const hidden = launcher.host.hidden && HIDDEN;
      if (hidden) {
        front.$open.set(false);
        // Unless that has closed it: a second time it would be a call of the owner's.
        if (hall.wanted()) void hall.parley.close();
      }
      if (!hall.wanted() || over) {
        release();
        // It may have been left open on another page.
        if (!over) stage.hide();
        return over ? hall.parley.close() : hidden || DONE;
      }
      // What the page has put into the field comes before what the visitor types there.
      // But for words that are of somebody who is named first.
      let named = false;
      for (const call of hall.waiting.splice(0)) {
        const [name, words] = call;
        named ||= name === 'identify';
        const typed = name === 'typed';
        if ((typed || name === 'draft') && typeof words === 'string' && !named)
          chat.setDraft((typed ? chat.$draft.get() : '') + words);
        else hall.waiting.push(call);
      }
      stage.tell(true);
      const shell = shelled();
      /** Who has gone on in the page since the press, which our field had caught, stays there. */
      const calls = () =>
        asked &&
        (!launcher.catcher.isConnected ||
          launcher.root.activeElement !== null ||
          document.activeElement === document.body);
      // Questions come before the field, and with the rest.
      const early = stage.chatWindow || !options.preChat;
      if (early) reveal(shell, calls());
      else if (calls()) {
        opener = document.activeElement as HTMLElement | null;
        launcher.hold();
      }
      try {
        stage.making = make(shell);
        // On its way while the window is.
        doors.preload('engine');
        const made = await stage.making;
        if (over) made.destroy();
        else stage.chatWindow = made;
      } catch (error) {
        // Nobody is called back who has closed it meanwhile; whom it closes under the hands is told why.
        const told = asked ? hall.wanted() : shell.dialog.contains(launcher.root.activeElement);
        // Here, and not in other tabs, nor on the next page: there its files may come.
        front.$open.set(false);
        void hall.parley.close();
        launcher.failed(told);
        throw error;
      }
      if (!hall.wanted() || over) release();
      else if (!early) reveal(shell, calls());
      void stage.listen();
      // Of a chat that is no more every call says so.
      return over ? hall.parley.close() : DONE;
    },
    hide() {
      const inside = launcher.root.activeElement;
      chat.setOpen(false);
      face.setOpen(false);
      stage.shell?.hide();
      if (launcher.catcher.isConnected) release();
      if (inside) {
        face.focus();
        // What is gone, or takes none, leaves it there; and so does whoever has pressed the launcher.
        if (inside !== launcher.button) opener?.focus({ preventScroll: true });
      }
      opener = undefined;
    },
    /** The window can be typed into before the engine is there; so it comes second, and again if it must. */
    listen() {
      stage.tell(true);
      // Nobody else can say it so long, and once it is there the engine does.
      if (!engine && front.$line.get() === 'idle') front.$line.set('connecting');
      engine ??= doors.open('engine').then(
        ({ browserEnv, createChat, watchNews }) => {
          if (over) return false;
          front.$line.set('idle');
          stage.own(watchNews(stage));
          createChat(options, browserEnv(env), front);
          return true;
        },
        () => {
          engine = undefined;
          front.$line.set('down');
          again(stage.listen);
          return false;
        },
      );
      return engine;
    },
    back() {
      if (!chat.$open.get()) return;
      stage.shell?.hide();
      stage.shell?.show(false);
    },
    owner: doneOnce(async () => {
      const { createOwner } = await openOwner();
      // It would put back on the page what is no more.
      if (over) throw over;
      return createOwner(stage);
    }),
    status: () => ({
      open: chat.$open.get(),
      line: chat.$line.get(),
      storage: keeping.level,
      trouble: chat.$troubles.get()[0],
    }),
    unread: () => chat.$news.get().length,
    tell(wants) {
      hall.entered ||= wants;
      if (!(hall.waiting.length || hall.ears.size || hall.placed || 'debug' in options)) return;
      stage.owner().then(
        (owner) => {
          if (hall.entered) for (const [name, given] of hall.waiting.splice(0)) void owner.ask[name](given);
        },
        // What was said to have been taken must not be lost, and what it hides must be seen.
        () => again(stage.tell),
      );
    },
    own(undo) {
      if (over) undo();
      else undos.push(undo);
    },
    destroy() {
      over = true;
      engine ??= Promise.resolve(false);
      for (const undo of undos.reverse()) undo();
      chat.destroy();
      stage.chatWindow?.destroy();
      stage.shell?.destroy();
      return undefined;
    },
  };
  // In another tab: where it cannot be shown here, it is not open here.
  stage.own(
    chat.$open.listen((open) => {
      if (open) void hall.open(false).then(({ ok }) => ok || front.$open.set(false));
      else void hall.parley.close();
    }),
  );
  stage.$language.listen(face.setLanguage);
  return stage;
}
