/** The menu behind the three dots: a list of buttons for the arrow keys. It does not know what closes it from outside. */
import { Fragment, type JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { downloadTranscript, printTranscript } from '../export/export.js';
import { agent, canSave, isApp } from '../export/save.js';
import type { Key } from '../text/text.js';
import { useSurroundings } from '../ui/context.js';
import { useStore } from '../ui/use-store.js';
import type { ScreenProps } from './screen-frame.js';

/** Where the window does not fill all there is. */
const ROOMY = '(min-width: 480px) and (min-height: 421px)';

interface Entry {
  key: Key;
  label?: string;
  /** A switch, and how it stands. */
  checked?: boolean;
  press: () => unknown;
}

/**
 * Chrome on Android has the word and not the thing, and may say that it is on a desktop. Without leave nothing of this is
 * seen, and with it, it goes at once.
 */
function canNotify(title = '') {
  try {
    const notice = new Notification(title, { silent: true });
    notice.onshow = () => notice.close();
    return true;
  } catch {
    return false;
  }
}

/** The home screen of an iPhone does not say that it makes none. */
const mayNotify = () =>
  'Notification' in window &&
  isSecureContext &&
  !/iP|Mac.*,[1-9]/.test(agent()) &&
  (Notification.permission === 'granted' || canNotify());

export function Menu({ onLeave, onGo, onSay }: ScreenProps): JSX.Element {
  const { chat, say, locale, settings, later, inline } = useSurroundings();
  const list = useRef<HTMLDivElement>(null);
  const elsewhere = useStore(chat.$news).length - useStore(chat.$unread);
  const status = useStore(chat.$status);
  const begun = useStore(chat.$known) === null;
  const { muted, notify, larger } = useStore(chat.$wishes);
  const rows = useStore(chat.$rows);
  const [roomy, setRoomy] = useState(() => matchMedia(ROOMY).matches);
  const saves = canSave();
  const [notices] = useState(mayNotify);
  const items = () => [...(list.current?.querySelectorAll<HTMLElement>('button') ?? [])];

  // With the first drawing: a key that comes before the next frame is for it, and what changed would be missed.
  useLayoutEffect(() => {
    const room = matchMedia(ROOMY);
    const changed = () => setRoomy(room.matches);
    room.addEventListener('change', changed);
    items()[0]?.focus();
    return () => room.removeEventListener('change', changed);
  }, []);

  /** What opens the menu, with the focus on it before the menu goes. */
  function toButton() {
    const button = list.current?.parentElement?.querySelector('button');
    button?.focus();
    return button;
  }

  async function startNew() {
    const button = toButton();
    // Before the answer: a slow disk would let the next press of that button close the menu, and not open it.
    onLeave();
    const left = await chat.newConversation();
    if (!left.ok || !left.value) onSay(say(left.ok ? 'wordsWait' : 'unavailable'));
    else if (button?.matches(':focus')) onLeave('composer');
  }

  /** A browser may have taken its leave back. */
  const notified = () => notify === true && Notification.permission === 'granted';

  async function switchNotices() {
    if (notified()) return chat.setWish({ notify: false });
    const given = Notification.permission === 'granted';
    // Asked for by a press only, and only once a visitor wants it.
    const permission = await Notification.requestPermission();
    // With leave from before it was not tried yet.
    if (permission === 'granted' && (!given || canNotify(say('notifyOn'))))
      return chat.setWish({ notify: true });
    // Who has gone elsewhere meanwhile stays there.
    if (list.current) onLeave('menu');
    onSay(say('notifyRefused'));
  }

  const transcript = (kind: 'text' | 'html' | 'paper') => {
    const place = list.current?.closest('dialog');
    const progress = (words = '', failed?: boolean) => onSay(words, !failed);
    const order = { chat, asks: later?.asks, say, locale, title: settings.title, progress };
    onLeave('menu');
    if (kind !== 'paper') void downloadTranscript(order, kind);
    else if (place) void printTranscript(order, place);
  };
  const groups: (Entry | false | undefined)[][] = [
    [
      {
        key: 'conversations',
        ...(elsewhere > 0 ? { label: say('conversationsNew', { count: elsewhere }) } : {}),
        press: () => onGo('conversations'),
      },
      begun && { key: 'newConversation', press: () => void startNew() },
      begun && status !== 'resolved' && { key: 'endChat', press: () => onGo('end') },
    ],
    [
      settings.sound && { key: 'soundOn', checked: !muted, press: () => chat.setWish({ muted: !muted }) },
      notices && { key: 'notifyOn', checked: notified(), press: () => void switchNotices() },
      // On a phone, and as a part of the page, it fills what there is.
      !inline &&
        roomy && {
          key: 'larger',
          checked: larger === true,
          press: () => chat.setWish({ larger: !larger }),
        },
    ],
    rows?.length
      ? [
          saves && { key: 'saveText', press: () => transcript('text') },
          saves && { key: 'saveHtml', press: () => transcript('html') },
          // An app cannot print a page of its web view, or does not let the page ask for it; on an iPhone all browsers
          // but its own print the page around what is to be printed.
          !window.parleyBridge &&
            !isApp() &&
            !/iOS\//.test(agent()) && { key: 'print', press: () => transcript('paper') },
        ]
      : [],
    [{ key: 'keep', press: () => onGo('keep') }],
  ];

  function keyDown(event: KeyboardEvent) {
    const all = items();
    const at = event.target instanceof HTMLElement ? all.indexOf(event.target) : -1;
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (event.key === 'Tab') {
      // It goes on from the button, and not from wherever the focus falls when the menu goes.
      toButton();
      return onLeave();
    }
    if (to === undefined) return;
    event.preventDefault();
    all.at(to % all.length)?.focus();
  }

  return (
    <div ref={list} class="menu" role="menu" aria-label={say('menu')} onKeyDown={keyDown}>
      {groups
        .map((group) => group.filter((entry) => typeof entry === 'object'))
        .filter((group) => group.length)
        .map((group, index) => (
          <Fragment key={group[0]?.key}>
            {index > 0 && <hr />}
            {group.map(({ key, label, checked, press }) => (
              <button
                key={key}
                type="button"
                tabIndex={-1}
                {...(checked === undefined
                  ? { role: 'menuitem' as const }
                  : { role: 'menuitemcheckbox' as const, 'aria-checked': checked })}
                onClick={press}
              >
                <span class="text">{label ?? say(key)}</span>
                {checked !== undefined && <i class="switch" aria-hidden="true" />}
              </button>
            ))}
          </Fragment>
        ))}
    </div>
  );
}
