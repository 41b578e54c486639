/** How many messages have not been seen, on the launcher and in its name, and said once. It does not know the messages. */
import type { Stage } from '../embed/stage.js';
import { faceEn } from '../text/en-launcher.js';
import css from './badge.css?inline';

const STANDS_MS = 10_000;

/** Returns its undo. */
export function showBadge({
  launcher: { dock, adopt },
  $language,
  face,
  front: { chat },
}: Stage): () => void {
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
  let timer: ReturnType<typeof setTimeout> | undefined;

  function show() {
    const { length: count } = chat.$news.get();
    const open = chat.$open.get();
    const language = $language.get();
    // There at once, and then in the digits of its language.
    const most = Math.min(count, 99);
    badge.textContent =
      !count || open
        ? ''
        : `${language ? most.toLocaleString(language.locale) : most}${count > 99 ? '+' : ''}`;
    // Words wait for their language.
    if (count && language === undefined) return;
    // What writes numbers is slow to start.
    const words =
      count &&
      (language?.say('unread', { count }) ||
        faceEn.unread[count === 1 ? 'one' : 'other'].replace('{count}', String(count)));
    // One that is fewer has not come.
    if (!words || count < before) said.textContent = '';
    else if (count > before && !open && !document.hidden) {
      said.textContent = words;
      clearTimeout(timer);
      // Said by then: whoever reads on would meet it a second time.
      timer = setTimeout(() => {
        said.textContent = '';
      }, STANDS_MS);
    }
    // What came behind another page is said on the way back.
    before = document.hidden ? Math.min(before, count) : count;
    face.setNews(count ? `, ${words}` : '');
  }
  document.addEventListener('visibilitychange', show);
  const undos = [
    chat.$news.subscribe(show),
    chat.$open.listen(show),
    $language.listen(show),
    () => clearTimeout(timer),
    () => document.removeEventListener('visibilitychange', show),
  ];
  return () => {
    for (const undo of undos) undo();
  };
}
