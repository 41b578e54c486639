/**
 * The owner's first words, beside the launcher, for whoever has not written yet: a press on them opens the window, where
 * they stand as the greeting. Plain DOM, because the window may never be opened. It does not know when it is time.
 */
import type { Stage } from '../embed/stage.js';
import { asWords } from '../settings.js';
import { noticeEn } from '../text/en-notice.js';
import { shellEn } from '../text/en-shell.js';
import { isEnglish, wantedBy } from '../text/wanted.js';
import { schemeOf } from '../ui/dress.js';
import badge from './badge.css?inline';
import notice from './notice.css?inline';
import { onEscape } from './on-escape.js';
import css from './outreach.css?inline';
import { speakAs } from './speak.js';

/** A language that is slow in coming is not waited for. */
const LANGUAGE_MS = 1_000;
/** Said by then: whoever reads on would meet them a second time. */
const STANDS_MS = 10_000;

/** What the page has asked for since waits for the visitor. */
const newest = ({ hall, options }: Stage): unknown =>
  (hall.waiting.findLast(([name]) => name === 'setLocale') ?? [])[1] ?? options.locale;

/** As the chat speaks everywhere; English where that does not come, and until it does. */
async function speak(stage: Stage): Promise<void> {
  const { $language, options } = stage;
  const locale = newest(stage);
  const english = () => {
    if (options === stage.options && $language.get() === undefined) $language.set(null);
  };
  const wanted = wantedBy(locale);
  if ($language.get() === undefined && (options.sentences || !isEnglish(wanted[0] ?? 'en')))
    await Promise.race([
      speakAs(stage, wanted, shellEn).then((language) => {
        if (options === stage.options && !$language.get() && newest(stage) === locale)
          $language.set(language);
      }, english),
      new Promise((resolve) => setTimeout(resolve, LANGUAGE_MS)),
    ]);
  if (options !== stage.options) return speak(stage);
  english();
}

/**
 * @param open the visitor has pressed them
 * @param dismiss the visitor wants them gone
 * @param hush not for good: it may have been meant for something of the page
 * @returns takes them away
 */
export async function outreach(
  stage: Stage,
  words: string,
  open: () => void,
  dismiss: () => void,
  hush: () => void,
): Promise<() => void> {
  await speak(stage);
  const { $language, hall, launcher, options, own } = stage;
  const { dock, root } = launcher;
  for (const sheet of [badge, notice, css]) launcher.adopt(sheet);
  const list = document.createElement('div');
  list.className = `preview outreach ${schemeOf(root, options.scheme)}`;
  const make = (className: string, press: () => void) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = className;
    button.onclick = press;
    return list.appendChild(button);
  };
  const card = make('news', open);
  const name = card.appendChild(document.createElement('bdi'));
  const text = card.appendChild(document.createElement('span'));
  text.dir = 'auto';
  const away = make('dismiss', dismiss);
  const said = document.createElement('span');
  said.className = 'sr';
  said.setAttribute('role', 'status');
  dock.prepend(list);
  dock.append(said);
  // The owner's words are in the language of the page, unless they were written for the chat's.
  const { lang } = document.documentElement;
  const unspeak = $language.subscribe((language) => {
    const { locale = 'en', dir = 'ltr', say, wording } = language ?? {};
    // The page has asked for another one.
    if (language === undefined) void speak(stage);
    const own = (name: string) => asWords(wording?.[name]);
    text.textContent = own('outreach') ?? words;
    text.lang = own('outreach') ? locale : lang;
    // The window's own English has not what it does not say itself.
    const title = own('title') ?? asWords(options.title);
    name.textContent = title || say?.('agent') || 'Support';
    away.textContent = say?.('noticeDismiss') || noticeEn.noticeDismiss;
    name.lang = own('title') || !title ? locale : lang;
    away.lang = locale;
    for (const button of [card, away]) button.dir = dir;
  });
  const { parley } = hall;
  const { setLocale } = parley;
  parley.setLocale = (tag) => {
    const done = setLocale(tag);
    $language.set(undefined);
    return done;
  };
  // A region says what changes in it, not what it came with.
  let timer = setTimeout(() => {
    said.lang = text.lang;
    said.textContent = text.textContent;
    timer = setTimeout(() => {
      said.textContent = '';
    }, STANDS_MS);
  });
  const unheard = onEscape(hush);
  const end = () => {
    clearTimeout(timer);
    unheard();
    unspeak();
    parley.setLocale = setLocale;
    const hadFocus = list.contains(root.activeElement);
    list.remove();
    said.remove();
    if (hadFocus) stage.face.focus();
  };
  own(end);
  return end;
}
