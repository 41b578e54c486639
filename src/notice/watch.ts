/**
 * Fetches the notice once a message has come while the window was closed or the page hidden; and with it, without a
 * message, what the launcher says to somebody who is known, where that is not our English. Where it cannot be fetched
 * launcher and badge speak English, and the next message tries again. It does not know what a notice looks like.
 */
import files from 'virtual:parley-notice';
import type { Stage } from '../embed/stage.js';
import { shellEn } from '../text/en-shell.js';
import { isEnglish, wantedBy } from '../text/wanted.js';
import type { Message } from '../wire/message.js';
import { showBadge } from './badge.js';
import type { Notice } from './notice.js';

/** A language that is slow in coming is not waited for. */
const LANGUAGE_MS = 1_000;

/** Returns its undo. */
export function watchNews(stage: Stage): () => void {
  const { createOpener, base, $language, launcher } = stage;
  const { chat, local } = stage.front;
  const open = createOpener<typeof import('./notice.js')>(files.notice, base, stage.options.nonce ?? '');
  let making: Promise<void> | undefined;
  let notice: Notice | undefined;
  let asked: Stage['options'] | undefined;
  let over = false;

  async function notify(arrived?: Message) {
    try {
      making ??= open().then(({ createNotice }) => {
        if (!over) notice = createNotice(stage);
      });
      await making;
      if (!over && arrived) notice?.arrived(arrived);
    } catch {
      making = undefined;
    }
  }

  /** Of what is new, and of the launcher itself. The window speaks for itself, and for us. */
  async function speak() {
    const { options } = stage;
    const { locale, sentences } = options;
    if ($language.get() || asked === options) return;
    const english = () => $language.get() === undefined && $language.set(null);
    const wanted = wantedBy(locale);
    if (!sentences && isEnglish(wanted[0] ?? 'en')) return english();
    asked = options;
    const timer = setTimeout(english, LANGUAGE_MS);
    try {
      const { speakAs } = await open();
      const language = await speakAs(stage, wanted, shellEn);
      if (options === stage.options && !$language.get()) $language.set(language);
    } catch {
      // Not for ever: whatever comes next asks again.
      english();
    }
    clearTimeout(timer);
    asked = undefined;
    if (options !== stage.options) again();
  }

  /** Without news only a launcher of ours says anything, where it is seen. Who is not known has no line. */
  function again() {
    const line = chat.$line.get();
    const isQuiet =
      line === 'idle' || line === 'connecting' || launcher.host.hidden || launcher.button.hidden;
    if (chat.$news.get().length || !(isQuiet || chat.$open.get())) void speak();
  }
  const shows = new MutationObserver(again);
  shows.observe(launcher.host, { attributeFilter: ['hidden'] });
  const undos = [
    showBadge(stage),
    () => shows.disconnect(),
    // A language that did not come may come with the line, or at the visitor's next look; or it is another one now.
    chat.$line.listen(again),
    chat.$open.listen(again),
    $language.listen((language) => language === undefined && again()),
    chat.$news.subscribe((news) => {
      const dismissed = local.get('dismissed');
      const newest = news.at(-1)?.id ?? 0;
      again();
      if (!chat.$open.get() && newest > (typeof dismissed === 'number' ? dismissed : 0)) void notify();
    }),
    chat.onArrival((message) => {
      void speak();
      // What the page has hidden could not be opened either.
      if (launcher.host.hidden) return;
      if (!chat.$open.get() || document.hidden || chat.$away.get().includes('offscreen'))
        void notify(message);
      // Whoever is in the chat here is not called from a hidden tab.
      else
        for (const name of ['rung', 'noted'])
          if (!(Number(local.get(name)) > message.id)) local.set(name, message.id);
    }),
  ];
  return () => {
    over = true;
    for (const undo of undos) undo();
    notice?.destroy();
  };
}
