/** What every component may use: the chat, its sentences and the visitor's way of writing dates. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { OutboxEntry } from '../model/ledger.js';
import type { Settings } from '../settings.js';
import type { Chat } from '../state/front.js';
import type { Say } from '../text/text.js';
import type { Found } from '../text/wanted.js';
import type { Later } from './later.js';

/** What the emoji picker is told. */
export interface EmojiSlot {
  /** @param pressed by a mouse or a pen: whoever types next goes on with the words */
  onPick: (emoji: string, pressed: boolean) => void;
  onClose: () => void;
}

/** What the voice recorder is told: it ends with a file or without one, and with sentences that say why. */
export interface VoiceSlot {
  /** A screen lies over it, and nobody sees that it listens. */
  covered: boolean;
  onEnd: (file?: File, ...why: string[]) => void;
}

/** What slides over the window. */
export type Screen = 'conversations' | 'end' | 'keep';

export interface TraySlot {
  onNote: (note: string) => void;
}

export interface UnsentSlot {
  entry: OutboxEntry;
}

export interface Surroundings {
  chat: Chat;
  say: Say;
  /** A language tag: how dates and numbers are written, too. */
  locale: string;
  /** How emoji are called in this language; absent in English. */
  nameEmoji?: Found['nameEmoji'];
  /** With the owner's words as they are in this language. */
  settings: Settings;
  /** What the owner says by this name in this language alone. */
  own: (name: string) => string | undefined;
  /** Of what language the owner's words of this name are. */
  langOf: (name: string) => string;
  /** Absent where nothing can be fetched. */
  later?: Later;
  close: () => void;
  /** Where conversations live, as a person reads it. */
  host?: string;
  /** The window is a part of the page. */
  inline?: boolean;
  /** Brings its colours up to date; while the page says the same, that costs nothing. */
  dress?: () => void;
  /** Escape and the back gesture go to the newest layer, and to the window when there is none. Returns its undo. */
  layer?: (close: () => void) => () => void;
  /** Who says aloud what is seen and not heard, as soon as they are here. */
  aloud?: Set<(words: string) => void>;
}

const Context = createContext<Surroundings | undefined>(undefined);
export const SurroundingsProvider = Context.Provider;

export function useSurroundings(): Surroundings {
  const value = useContext(Context);
  if (!value) throw new Error('Parley: a component was rendered outside of the chat window.');
  return value;
}
