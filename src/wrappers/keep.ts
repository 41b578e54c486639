/**
 * Keeps a chat in step with options that change, for the wrappers: what a chat can change while it is there is told to
 * it, and for the rest it is mounted anew, which finds draft and conversation where they were kept. It does not know who
 * changes options.
 */
import { mount, type Parley, type ParleyOptions } from '../index.js';

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
  let chat: Parley | undefined;
  let kept: ParleyOptions | undefined;

  function end() {
    if (!chat) return;
    chat.destroy();
    chat = kept = undefined;
    tell(undefined);
  }

  return {
    end,
    take(options) {
      if (!options) return end();
      if (chat && kept) {
        const { locale, accent, scheme, ...rest } = options;
        const { locale: oldLocale, accent: oldAccent, scheme: oldScheme, ...oldRest } = kept;
        // Which language it is without a choice is found out when the chat is made.
        if (same(rest, oldRest) && (locale !== undefined || oldLocale === undefined)) {
          if (locale !== undefined && locale !== oldLocale) void chat.setLocale(locale);
          if (accent !== oldAccent || scheme !== oldScheme)
            void chat.setTheme({
              accent: accent ?? '',
              ...(scheme !== oldScheme && { scheme: scheme ?? 'auto' }),
            });
          kept = options;
          return;
        }
        end();
      }
      kept = options;
      chat = mount(options);
      tell(chat);
    },
  };
}
