/** How many messages have not been seen, on the launcher and in its name, and said once. It does not know the messages. */
import type { ReadableAtom } from 'nanostores';
import { faceEn } from '../text/en-launcher.js';
import type { Say } from '../text/text.js';
import css from './badge.css?inline';
import type { Face } from './face.js';

export interface BadgeNeeds {
  dock: Element;
  adopt: (sheet: string) => void;
  /** The window's sentences, once it has been opened; English until then. */
  say: () => Say | undefined;
  face: Face;
  chat: { $news: ReadableAtom<readonly unknown[]>; $open: ReadableAtom<boolean> };
}

/** Returns its undo. */
export function showBadge({ dock, adopt, say, face, chat }: BadgeNeeds): () => void {
  adopt(css);
  const make = (name: string, attribute: string, value: string) => {
    const element = document.createElement('span');
    element.className = name;
    element.setAttribute(attribute, value);
    dock.append(element);
    return element;
  };
  // Beside the button: a name need not say the number as the badge does.
  const badge = make('badge', 'aria-hidden', 'true');
  const said = make('sr', 'role', 'status');
  let before = 0;

  function show() {
    const { length: count } = chat.$news.get();
    const open = chat.$open.get();
    // What writes numbers is slow to start.
    const words =
      count &&
      (say()?.('unread', { count }) ??
        faceEn.unread[count === 1 ? 'one' : 'other'].replace('{count}', String(count)));
    if (!words) said.textContent = '';
    else if (count > before && !open) said.textContent = words;
    before = count;
    badge.textContent = !count || open ? '' : count > 99 ? '99+' : String(count);
    face.setNews(count ? `, ${words}` : '');
  }
  const undos = [chat.$news.subscribe(show), chat.$open.listen(show)];
  return () => {
    for (const undo of undos) undo();
  };
}
