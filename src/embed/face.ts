/** What the launcher says once there is a chat behind it. It does not know how news is shown. */
import { faceEn, launcherEn } from '../text/en-launcher.js';
import type { Launcher } from './launcher.js';

/** What the button says, in the visitor's language. */
export interface FaceLanguage {
  say: (key: 'region' | 'openChat' | 'closeChat') => string;
  locale: string;
}

const english: FaceLanguage = { say: (key) => ({ ...launcherEn, ...faceEn })[key], locale: 'en' };

export type Face = ReturnType<typeof createFace>;

export function createFace({ dock, button }: Pick<Launcher, 'dock' | 'button'>) {
  let label = '';
  let spoken = english;
  let open = false;
  let news = '';

  function name() {
    const { say, locale } = spoken;
    dock.lang = locale;
    // The owner's words are in the language of the page.
    button.lang = label && !open ? document.documentElement.lang : locale;
    button.setAttribute('aria-label', open ? say('closeChat') : (label || say('openChat')) + news);
    button.setAttribute('aria-expanded', String(open));
    // Without its button there is nothing to find there.
    if (!button.hidden) dock.setAttribute('aria-label', say('region'));
  }

  return {
    /** English where there is nothing else. */
    setLanguage(language: FaceLanguage | null | undefined) {
      spoken = language ?? english;
      name();
    },
    setOpen(value: boolean) {
      open = value;
      name();
    },
    /** What is written on the button is what it is called. */
    setLabel(text: string) {
      label = text;
      name();
    },
    /** Back from the window to what opened it. */
    focus: () => button.focus(),
    /** @param text follows what the button says while the window is closed */
    setNews(text: string) {
      news = text;
      name();
    },
  };
}
