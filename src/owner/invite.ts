/**
 * Fetches what says the owner's first words, for whom they are. It does not know when they come, nor how they look.
 */
import notices from 'virtual:parley-notice';
import type { Stage } from '../embed/stage.js';
import { allowed, isKnown } from '../notice/invited.js';
import { explain, isWords } from './explain.js';

/** Else they could not stay away for longer than this page. */
const remembers = (stage: Stage) =>
  allowed(stage, () => {
    const { keeping } = stage.env;
    return (keeping?.left ?? keeping?.level) !== 'memory' && stage.front.local.kept();
  });

/**
 * @param aloud the owner is told why they do not come
 * @returns asks once more whether they may: more may be kept now
 */
export function invite(
  stage: Stage,
  { outreach, outreachAfter }: Record<string, unknown>,
  aloud: boolean,
): () => Promise<void> {
  const { base, createLoader, hall, options } = stage;
  const words = `${outreach}`.trim();
  let invited = false;

  const greet = () => {
    if (stage.making) return;
    const { greeting = words, ...rest } = stage.options;
    const isOne = isWords(greeting);
    // The window, which names what it reads, does not meet it.
    if (!isOne) explain(['greeting'], stage.options);
    stage.options = { ...rest, greeting: isOne ? greeting : words };
  };

  async function reachOut() {
    // Not fetched for whom they are not.
    if (invited || isKnown(stage, words)) return;
    invited = remembers(stage);
    if (!invited) {
      if (aloud) console.debug('Parley:', 'outreach does not come where nothing can be kept.');
      return;
    }
    const loader = createLoader<{ notice: typeof import('../notice/notice.js') }>(
      notices,
      base,
      options.nonce ?? '',
      'assets/',
    );
    // Where its file does not come, the page is as it was.
    const notice = await loader.open('notice').catch(() => undefined);
    notice?.reachOut(stage, words, greet, outreachAfter);
  }

  const { allow } = hall.parley;
  hall.parley.allow = (level) => {
    const done = allow(level);
    // It waits for the visitor; else we are asked once it is done.
    if (!hall.entered) void reachOut();
    return done;
  };
  void reachOut();
  return reachOut;
}
