/**
 * Keeps a chat in step with options that change, for the wrappers: what a chat can change while it is there is told to
 * it, and for the rest it is mounted anew, which finds draft and conversation where they were kept. It does not know who
 * changes options.
 */

import { mount } from '../embed/mount.js';
import { createSeat } from '../embed/seat.js';
import type { Outcome, Parley, ParleyOptions } from '../index.js';

export interface Keeper {
  /** @param options what the chat shall be; without any there is none */
  take: (options: ParleyOptions | undefined) => void;
  end: () => void;
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** Frameworks make the same options anew for each look at them. */
function same(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, i) => same(item, other[i]));
  if (!isPlain(one) || !isPlain(other)) return Object.is(one, other);
  return Object.keys({ ...one, ...other }).every((key) => same(one[key], other[key]));
}

/** @param tell there is a chat, another one than before, or none any more */
export function createKeeper(tell: (chat: Parley | undefined) => void): Keeper {
  let seat = createSeat();
  let chat: Parley | undefined;
  let kept: ParleyOptions | undefined;
  /** With this the chat was mounted, and to this it goes back. */
  let written: string | undefined;
  /** What the seat compares the next options with. */
  let given: Record<string, unknown> = {};

  function leave() {
    chat?.destroy();
    chat = kept = undefined;
    tell(undefined);
  }

  function begin(options: ParleyOptions) {
    kept = options;
    written = options.accent;
    // What a component hands on and nobody has given is not written.
    given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
    chat = seat(given, (waiting, keep) => mount(given, document.baseURI, keep, undefined, waiting));
    tell(chat);
  }

  /** Before there is leave to begin, a chat can be told nothing. */
  async function change(outcome: Promise<Outcome>) {
    const asked = chat;
    const answer = await outcome;
    const options = kept;
    if (answer.ok || answer.error.kind !== 'consent' || chat !== asked || !options) return;
    leave();
    begin(options);
  }

  const keeper: Keeper = {
    end() {
      if (chat) leave();
      seat = createSeat();
    },
    take(options) {
      if (!options) return keeper.end();
      if (chat && kept) {
        const { locale, accent, scheme, ...rest } = options;
        const { locale: oldLocale, accent: oldAccent, scheme: oldScheme, ...oldRest } = kept;
        // Which one it is without a choice is found out when the chat is made.
        const isChosen = (one: unknown, old: unknown) => one !== undefined || old === undefined;
        if (
          same(rest, oldRest) &&
          isChosen(locale, oldLocale) &&
          isChosen(scheme, oldScheme) &&
          isChosen(accent, written)
        ) {
          kept = options;
          Object.assign(given, { locale, accent, scheme });
          if (locale !== undefined && locale !== oldLocale) void change(chat.setLocale(locale));
          const theme = {
            ...(accent !== oldAccent && { accent: accent ?? '' }),
            ...(scheme !== oldScheme && { scheme }),
          };
          if (Object.keys(theme).length) void change(chat.setTheme(theme));
          return;
        }
        leave();
      }
      begin(options);
    },
  };
  return keeper;
}
