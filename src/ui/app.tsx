/** Door 3: the chat window, with what it is made of and what it fetches later. It does not know the launcher. */

import latecomers from 'virtual:parley-later';
import { atom } from 'nanostores';
import { render } from 'preact';
import { createOpener } from '../loader.js';
import { readSettings, type Written } from '../settings.js';
import type { Chat } from '../state/front.js';
import type { Language } from '../text/language.js';
import type { Sentences } from '../text/text.js';
import type { FetchLanguage } from '../text/wanted.js';
import { SurroundingsProvider } from './context.js';
import { createLanguage } from './language.js';
import { createLate, type Files, type Late, type Later, ofThread } from './later.js';
import { inLanguage } from './own.js';
import { Panel } from './panel.js';
import type { Shell } from './shell.js';
import { useStore } from './use-store.js';

export interface ChatWindow {
  /** Sends the draft, as the visitor's own press would. */
  submit: () => void;
  /** A sentence above the composer, for a while. */
  tell: (sentence: string) => void;
  /** Another language, at once. */
  setLocale: (tag: string) => Promise<void>;
  destroy: () => void;
}

// We lie in a folder beside the script tag's file; a variable, because the build would take a literal for an asset.
const here = import.meta.url;

const hostOf = (address: string | undefined) => (address ?? '').replace(/^https?:\/\/|[/?#].*$/g, '');

const LANGUAGE_MS = 1_000;

/**
 * @param shell becomes the window
 * @param written what the owner has written
 * @param named the language is known, or another one than before
 * @param wronged hears the names of options that nobody can read
 */
export async function createWindow(
  shell: Shell,
  chat: Chat,
  nonce: string,
  written: Written,
  fetchLanguage: FetchLanguage,
  named: (language: Language) => void,
  wronged?: (wrong: readonly string[]) => void,
): Promise<ChatWindow> {
  const { settings, wrong } = readSettings(written);
  wronged?.(wrong);
  /** Sentences that come with what says them. */
  const late: Partial<Sentences> = {};
  const { $language, speak, again } = createLanguage(settings, fetchLanguage, late);
  /** Each file's looks and its sentences come with it. @param after it takes things from there */
  const fetched = <N extends keyof Files>(name: N, after?: Late<unknown>) => {
    const open = createOpener<Files[N] & { css?: string; sentences?: Partial<Sentences> }>(
      latecomers[name],
      here,
      nonce,
      '',
    );
    return createLate<Files[N]>(async () => {
      await after?.open();
      const file = await open();
      if (file.css) shell.adopt(file.css);
      Object.assign(late, file.sentences);
      if (!after) Object.assign(ofThread, file);
      return file;
    });
  };
  const thread = fetched('thread');
  const later = {
    thread,
    parts: fetched('parts', thread),
    asks: fetched('asks', thread),
    emoji: fetched('emoji'),
    more: fetched('more', thread),
  } satisfies Later;
  let layers: (() => void)[] = [];
  const layer = (end: () => void) => {
    layers.push(end);
    // More than once does no harm.
    return () => {
      layers = layers.filter((one) => one !== end);
    };
  };
  const aloud = new Set<(words: string) => void>();
  const { dialog } = shell;
  const $said = atom<{ words: string; calmly?: boolean }>({ words: '' });
  const close = () => chat.setOpen(false);
  shell.escape = (over) => (layers.at(-1) ?? (over ? () => over : close))();

  function Root() {
    const language = useStore($language);
    const { say, locale, dir, nameEmoji } = language;
    const root = dialog.getRootNode();
    // The owner's words are in the language of the page, unless it says another one around us.
    const around =
      (root instanceof ShadowRoot && root.host.closest<HTMLElement>('[lang]')) || document.documentElement;
    return (
      <SurroundingsProvider
        value={{
          chat,
          say,
          locale,
          nameEmoji,
          ...inLanguage(settings, language, written.outreach, around.lang),
          later,
          close,
          host: hostOf(settings.baseUrl),
          layer,
          aloud,
          dress: shell.dress,
          inline: !!written.inside,
        }}
      >
        <div class="root" lang={locale} dir={dir}>
          <Panel $said={$said} />
        </div>
      </SurroundingsProvider>
    );
  }
  const spoken = speak(settings.locale);
  // A language that is slow in coming is not waited for: it changes under the visitor's eyes.
  await Promise.race([spoken, new Promise((resolve) => setTimeout(resolve, LANGUAGE_MS))]);
  shell.leave();
  render(<Root />, dialog);
  const undos = [
    $language.subscribe((language) => {
      dialog.lang = language.locale;
      dialog.setAttribute('aria-label', language.say('window'));
      named(language);
    }),
    // A language that did not come may come with the line, or at the visitor's next look.
    chat.$line.listen(again),
    chat.$open.listen(again),
    // Not by :has(): with thousands of rows below, the browser would look through them at each that comes.
    chat.$rows.subscribe((rows) => dialog.toggleAttribute('data-fresh', rows?.length === 0)),
  ];

  return {
    // Told, not done: a frame in a sandbox may send no forms.
    submit: () => dialog.querySelector('.composer')?.dispatchEvent(new CustomEvent('submit')),
    tell: (words) => $said.set({ words }),
    setLocale: speak,
    destroy() {
      for (const undo of undos) undo();
      render(null, dialog);
    },
  };
}
