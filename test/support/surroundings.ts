/** What a component finds around it, without a window: the chat it is given, English, and the files that are already here. */
import { defaults, type Settings } from '../../src/settings.js';
import type { Chat } from '../../src/state/front.js';
import { english as en } from '../../src/text/english.js';
import { createSay } from '../../src/text/text.js';
import type { Surroundings } from '../../src/ui/context.js';
import { createLate, type Files, type Late, type Later } from '../../src/ui/later.js';

/** A file that has been fetched before. */
export const here = <F extends Files[keyof Files]>(file: F): Late<F> => ({
  now: () => file,
  open: async () => file,
});

/** @param before happens at each fetch, and may refuse it */
export const comes = <F extends Files[keyof Files]>(file: F, before: () => Promise<unknown>): Late<F> =>
  createLate(async () => {
    await before();
    return file;
  });

export const surroundings = (
  chat: Chat,
  later: Later = {},
  settings: Partial<Settings> = {},
  close = () => {},
): Surroundings => ({
  chat,
  say: createSay('en', en),
  settings: { ...defaults, ...settings },
  own: () => undefined,
  langOf: () => 'en',
  locale: 'en',
  later,
  close,
});
