/**
 * What happens for a message that comes while nobody looks: a preview beside the launcher, one sound in one tab, a
 * count in the page's title, and a notice of the browser where the visitor has asked for it. Plain DOM, because the
 * window may never have been opened. It does not know how it was fetched.
 */
import { calm, cleanName } from '../content/clean.js';
import { gistOf } from '../content/gist.js';
import { plainWords } from '../content/plain-words.js';
import type { Stage } from '../embed/stage.js';
import { schemeOf } from '../ui/dress.js';
import type { Message } from '../wire/message.js';
import css from './notice.css?inline';
import { onEscape } from './on-escape.js';
import { createOnce } from './once.js';
import { createBell } from './sound.js';
import { english } from './speak.js';
import { countInTitle } from './title.js';

export { reachOut } from './reach-out.js';
export { speakAs } from './speak.js';

export interface Notice {
  /** A message has come just now; `$news` says only what has not been seen. */
  arrived: (message: Message) => void;
  destroy: () => void;
}

/** At 400 % zoom there is room for the newest alone. */
const shownAtOnce = () => (innerHeight > 320 ? 2 : 1);
/** More than a preview shows, marks included. */
const MAX_READ = 999;
/** So many characters, and no part of a word where there are spaces between words. */
const BEGINNING = /^.{90,120}(?!\S)|^.{0,120}/su;
/** So long another tab may take to show it, or to say that it was seen. */
const LOOK_MS = 400;

export function createNotice(stage: Stage): Notice {
  const { front, launcher, hall, $language } = stage;
  const { root, dock } = launcher;
  const { scope, scheme: wished, sound, countInTitle: counts } = stage.options;
  const { chat, local } = front;
  launcher.adopt(css);
  const once = createOnce(scope, local);
  const bell = createBell(() => `${sound}` !== 'false' && !chat.$wishes.get().muted);
  const notices = new Set<Notification>();
  const list = dock.insertBefore(document.createElement('div'), dock.firstChild);
  list.setAttribute('role', 'group');

  const say = (key: keyof typeof english) => $language.get()?.say(key) || english[key];
  const dismissed = () => {
    const id = local.get('dismissed');
    return typeof id === 'number' ? id : 0;
  };
  const nameOf = ({ sender }: Message) =>
    cleanName(sender?.available_name) ?? cleanName(sender?.name) ?? say('agent');
  const wordsOf = (message: Message) =>
    BEGINNING.exec(plainWords(calm(gistOf(message, say).slice(0, MAX_READ))))?.[0].trim() || say('message');

  const { host } = launcher;
  /** Escape may have been meant for something of the page: what it took away is gone until the next page. */
  let hushed = 0;
  function show() {
    const isOpen = chat.$open.get();
    const news = chat.$news.get();
    countInTitle(stage, scope, document.hidden && !host.hidden && `${counts}` !== 'false' ? news.length : 0);
    const language = $language.get();
    const silent = isOpen || language === undefined;
    // Of some only the number is known here.
    const told = news.filter(
      ({ id, content }) => id > Math.max(dismissed(), hushed) && content !== undefined,
    );
    const shown = silent ? [] : told.slice(-shownAtOnce());
    const before: (Element | null)[] = [...list.children];
    const had = before.indexOf(root.activeElement);
    // The page may have changed its mind.
    list.className = `preview ${schemeOf(root, wished)}`;
    list.setAttribute('aria-label', say('noticeNews'));
    list.lang = language?.locale ?? 'en';
    list.replaceChildren(...shown.map(card));
    const newest = news.at(-1);
    if (shown.length && newest) list.append(dismissal(newest.id));
    // Where the list stands is the page's matter, and how it is read is not.
    for (const button of list.querySelectorAll('button')) button.dir = language?.dir ?? 'ltr';
    // The last one stays the last one: it sends them away.
    if (had >= 0)
      (
        [...list.querySelectorAll<HTMLElement>('button')].at(had < before.length - 1 ? had : -1) ??
        dock.querySelector<HTMLElement>('.launcher')
      )?.focus();
    if (!news.length || host.hidden) for (const notice of notices) notice.close();
  }

  function make(className: string, press: () => void) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = className;
    button.onclick = press;
    return button;
  }

  function card(message: Message) {
    const button = make('news', () => void open(message));
    const name = button.appendChild(document.createElement('bdi'));
    name.textContent = nameOf(message);
    const words = button.appendChild(document.createElement('span'));
    words.dir = 'auto';
    words.textContent = wordsOf(message);
    return button;
  }

  function dismissal(newestId: number) {
    const button = make('dismiss', () => {
      local.set('dismissed', newestId);
      show();
    });
    button.textContent = say('noticeDismiss');
    return button;
  }

  /** The window, with the conversation in which it was said; or with why it stays where it is. */
  async function open({ conversation_id: id }: Message) {
    // Until then it shows another one, at which nobody looks.
    chat.away('turning', id !== undefined);
    const opened = hall.open(true);
    if (id === undefined) return;
    const chosen = await chat.chooseConversation(id);
    chat.away('turning', false);
    await opened;
    if (chosen.ok && !chosen.value) stage.chatWindow?.tell(say('wordsWait'));
  }

  function notify(message: Message) {
    // All in one place, and each of them heard: another one of a tag comes silently unless that is said.
    const shown = { body: wordsOf(message), tag: scope, renotify: true };
    try {
      const notice = new Notification(nameOf(message), shown);
      notices.add(notice);
      notice.onclose = () => notices.delete(notice);
      notice.onclick = () => {
        window.focus();
        notice.close();
        void open(message);
      };
    } catch {
      // Some browsers of phones have the word and not the thing: for nothing, no line is kept up in hidden pages.
      chat.setWish({ notify: false });
    }
  }

  let word: (language: unknown) => void = () => {};
  /** The language is known, or was waited for long enough. */
  const worded = new Promise((resolve) => {
    word = resolve;
  });
  const undos = [
    chat.$news.subscribe(show),
    $language.listen(show),
    $language.subscribe((language) => language !== undefined && word(language)),
    chat.$open.listen(show),
    local.onChange('dismissed', show),
    onEscape(() => {
      if (!list.childElementCount) return;
      hushed = chat.$news.get().at(-1)?.id ?? hushed;
      show();
    }),
    () => countInTitle(stage, scope, 0),
    () => list.remove(),
  ];
  const hides = new MutationObserver(show);
  hides.observe(host, { attributeFilter: ['hidden'] });
  undos.push(() => hides.disconnect());
  document.addEventListener('visibilitychange', show);
  undos.push(() => document.removeEventListener('visibilitychange', show));

  let newest = 0;
  let over = false;
  return {
    arrived(message) {
      const { notify: wanted } = chat.$wishes.get();
      // Whoever has seen it or has left, and a chat that is no more, wants to hear nothing of it.
      const isNews = (id: number) => !over && !host.hidden && chat.$news.get().some((one) => one.id === id);
      // What came with it, or since, needs no second sound.
      newest = Math.max(newest, message.id);
      if (bell.may()) {
        const ring = () => {
          if (bell.may()) void bell.ring();
        };
        void once('rung', () => newest, isNews, LOOK_MS, ring);
      }
      if (!wanted || !('Notification' in window) || Notification.permission !== 'granted') return;
      const own = () => message.id;
      // A tab before the visitor's eyes shows it there, and speaks for the hidden ones.
      if (!document.hidden) void once('noted', own, isNews, 0, () => {});
      else
        void worded.then(() =>
          once('noted', own, isNews, LOOK_MS, () => {
            if (document.hidden) notify(message);
          }),
        );
    },
    destroy() {
      over = true;
      for (const undo of undos.reverse()) undo();
      for (const notice of notices) notice.close();
      bell.destroy();
    },
  };
}
