/**
 * Fetches what says the owner's words beside the launcher, for whom they are: those of the options, and those of a call.
 * It does not know when they come, nor how they look.
 */
import notices from 'virtual:parley-notice';
import type { Stage } from '../embed/stage.js';
import { allowed, isKnown } from '../notice/invited.js';
import type { Invited } from '../notice/reach-out.js';
import type { Failure } from '../parley.js';
import { explain, isWords } from './explain.js';
import { followPages } from './pages.js';

/** Else they could not stay away for longer than this page. */
const remembers = (stage: Stage) =>
  allowed(stage, () => {
    const { keeping } = stage.env;
    return (keeping?.left ?? keeping?.level) !== 'memory' && stage.front.local.kept();
  });

/** @param aloud the owner is told why those of the options do not come */
export function createInvite(
  stage: Stage,
  { outreach, outreachAfter, outreachPages }: Record<string, unknown>,
  aloud: boolean,
) {
  const { base, createOpener, front, hall, launcher, options, own } = stage;
  const { chat } = front;
  const open = createOpener<typeof import('../notice/notice.js')>(notices.notice, base, options.nonce ?? '');
  const words = `${outreach ?? ''}`.trim();
  let invited = !words;
  let away = false;
  /** What is to stand there, and what does. */
  let said: { words: string; now: boolean } | undefined;
  let standing: Invited | undefined;
  /** Taken off what they lay over, on this page. */
  const hushed = new Set<string>();

  const greet = (words: string) => {
    if (stage.making) return;
    const { greeting = words, ...rest } = stage.options;
    const isOne = isWords(greeting);
    // The window, which names what it reads, does not meet it.
    if (!isOne) explain(['greeting'], stage.options);
    stage.options = { ...rest, greeting: isOne ? greeting : words };
  };

  /** @returns false where its file does not come: then the page is as it was */
  async function say(words: string, now: boolean): Promise<boolean> {
    const before = said;
    const mine = { words, now };
    said = mine;
    const notice = await open().catch(() => undefined);
    if (!notice) {
      if (said === mine) said = before;
      return false;
    }
    if (said === mine) await standing?.end();
    // There are others by now.
    if (said !== mine) return true;
    standing = notice.reachOut(stage, {
      words,
      after: now ? 0 : outreachAfter,
      isAway: () => away && !now,
      greet: () => greet(words),
      gone(hush) {
        if (hush) hushed.add(words);
        if (said === mine) said = undefined;
      },
    });
    return true;
  }

  /** Those of the options, or asks once more whether they may: more may be kept now. */
  async function reachOut() {
    // Not fetched for whom they are not.
    if (invited || away || said || isKnown(stage, words)) return;
    invited = remembers(stage);
    if (invited) await say(words, false);
    else if (aloud) console.debug('Parley:', 'outreach does not come where nothing can be kept.');
  }

  if (words) {
    const { allow } = hall.parley;
    hall.parley.allow = (level) => {
      const done = allow(level);
      // It waits for the visitor; else we are asked once it is done.
      if (!hall.entered) void reachOut();
      return done;
    };
    const turn = (is: boolean) => {
      away = is;
      standing?.look();
      void reachOut();
    };
    if (outreachPages) own(followPages(outreachPages, turn));
    else void reachOut();
  }

  return {
    reachOut,
    /** Others, now, in the place of those. @returns why not */
    async call(words: string): Promise<Failure | undefined> {
      if (launcher.host.hidden) return { kind: 'hidden', message: 'The chat is hidden on this page.' };
      const inIt = isKnown(stage, words) || chat.$open.get() || chat.$news.get().length;
      if (inIt || hushed.has(words) || !remembers(stage))
        return {
          kind: 'unwanted',
          message: 'The visitor knows the chat or has sent these words away, or nothing can be kept.',
        };
      if ((said?.now && said.words === words) || (await say(words, true))) return undefined;
      return { kind: 'notLoaded', message: 'The chat could not be loaded.' };
    },
  };
}
