/** Door 3: the chat window, with what it is made of and what it fetches later. It does not know the launcher. */

import latecomers from 'virtual:parley-later';
import { render } from 'preact';
import { above, createLoader } from '../embed/loader.js';
import { adoptStyles } from '../embed/styles.js';
import { readSettings, type Written } from '../settings.js';
import type { Chat } from '../state/front.js';
import type { Say, Sentences } from '../text/text.js';
import { SurroundingsProvider } from './context.js';
import { createDress } from './dress.js';
import { createFrame, type MakeFrame } from './frame.js';
import { createLanguage } from './language.js';
import { createLate, type Files, type Later } from './later.js';
import { FIELDS, Panel } from './panel.js';
import css from './ui.css?inline';
import { useStore } from './use-store.js';

export interface ChatWindow {
  /** @param focus whether the visitor asked for it here, so that the composer takes the focus */
  show: (focus: boolean) => void;
  /** Sends the draft, as the visitor's own press would. */
  submit: () => void;
  hide: () => void;
  /** Another language, at once. */
  setLocale: (tag: string) => Promise<void>;
  /** The colours of the page may be other ones. */
  dress: () => void;
  destroy: () => void;
}

// We lie in a folder beside the script tag's file; a variable, because the build would take a literal for an asset.
const here = import.meta.url;

const hostOf = (address: string | undefined) => (address ?? '').replace(/^https?:\/\/|[/?#].*$/g, '');

const LANGUAGE_MS = 1_000;

/**
 * @param written what the owner has written
 * @param named the language is known, or another one than before
 * @param wronged hears the names of options that nobody can read
 */
export async function createWindow(
  root: ShadowRoot,
  chat: Chat,
  nonce: string | undefined,
  written: Written,
  named: (say: Say) => void,
  wronged?: (wrong: readonly string[]) => void,
  makeFrame: MakeFrame = createFrame,
): Promise<ChatWindow> {
  const { settings, wrong } = readSettings(written);
  wronged?.(wrong);
  const adopt = (sheet: string) => adoptStyles(root, sheet, nonce);
  adopt(css);
  const dress = createDress(root, nonce, settings.scheme);
  const base = above(here);
  const files = createLoader<Files & { locales: typeof import('../text/locales.js') }>(
    latecomers,
    base,
    nonce,
  );
  /** Sentences that come with what says them. */
  const late: Partial<Sentences> = {};
  const { $language, speak } = createLanguage(settings, () => files.open('locales'), base, nonce, late);
  /** Each file's looks and its sentences come with it. */
  const fetched = <N extends keyof Files>(name: N) =>
    createLate<Files[N]>(async () => {
      const file: Files[N] & { css?: string; sentences?: Partial<Sentences> } = await files.open(name);
      if (file.css) adopt(file.css);
      Object.assign(late, file.sentences);
      return file;
    });
  const later = {
    thread: fetched('thread'),
    parts: fetched('parts'),
    asks: fetched('asks'),
    emoji: fetched('emoji'),
    more: fetched('more'),
  } satisfies Later;
  // At once, while the engine is still on its way; the composer does not wait for it.
  void later.thread.open().catch(() => {});
  const layers: (() => void)[] = [];
  const layer = (end: () => void) => {
    layers.push(end);
    return () => void layers.splice(layers.indexOf(end), 1);
  };
  const dialog = document.createElement('dialog');
  dialog.setAttribute('part', 'panel');
  dialog.className = 'panel';
  dialog.tabIndex = -1;
  root.append(dialog);
  const close = () => chat.setOpen(false);
  const frame = makeFrame(
    dialog,
    root,
    () => chat.$open.get(),
    () => (layers.at(-1) ?? close)(),
  );

  function Root() {
    const { say, locale, dir } = useStore($language);
    return (
      <SurroundingsProvider
        value={{
          chat,
          say,
          locale,
          settings,
          later,
          close,
          host: hostOf(settings.baseUrl),
          layer,
        }}
      >
        <div class="root" lang={locale} dir={dir}>
          <Panel />
        </div>
      </SurroundingsProvider>
    );
  }
  const spoken = speak(settings.locale);
  // A language that is slow in coming is not waited for: it changes under the visitor's eyes.
  await Promise.race([spoken, new Promise((resolve) => setTimeout(resolve, LANGUAGE_MS))]);
  render(<Root />, dialog);
  const stopNaming = $language.subscribe(({ say }) => {
    dialog.setAttribute('aria-label', say('window'));
    named(say);
  });

  return {
    show(focus) {
      dress();
      frame.show(focus);
      if (!focus) return;
      // Until the composer is here, or the questions before it, the window itself holds the focus.
      (dialog.querySelector<HTMLElement>(FIELDS) ?? dialog).focus();
    },
    // Told, not done: a frame in a sandbox may send no forms.
    submit: () => dialog.querySelector('.composer')?.dispatchEvent(new CustomEvent('submit')),
    hide: frame.hide,
    setLocale: speak,
    dress,
    destroy() {
      frame.destroy();
      stopNaming();
      render(null, dialog);
      dialog.remove();
    },
  };
}
