/**
 * When the owner's first words are shown: once the page has been before the visitor's eyes for a while, to whoever has
 * neither written nor opened the chat, and until they are answered or sent away. It does not know how they look.
 */
import type { Stage } from '../embed/stage.js';
import { INVITED, isKnown, noteInvited } from './invited.js';
import { outreach } from './outreach.js';

const SECONDS = 15;

interface Invitation {
  words: string;
  after: unknown;
  /** Whether this is no page for them. */
  isAway: () => boolean;
  /** Makes them what the visitor answers to. */
  greet: () => void;
  /** @param hush they are not for this page any more, but for the next one */
  gone: (hush: boolean) => void;
}

export interface Invited {
  /** It may be another page now. */
  look: () => void;
  end: () => Promise<void>;
}

export function reachOut(stage: Stage, { words, after = SECONDS, isAway, greet, gone }: Invitation): Invited {
  const { env, front, hall, launcher, own } = stage;
  const { chat, local } = front;
  const isOver = () => isKnown(stage, words) || chat.$news.get().length > 0;
  let left = Number(after) * 1000;
  let since = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let shown: Promise<() => void> | undefined;
  let over = false;

  async function end(hush = false) {
    if (over) return;
    over = true;
    clearTimeout(timer);
    for (const undo of undos) undo();
    gone(hush);
    (await shown)?.();
  }
  function done() {
    noteInvited(stage, words);
    void end();
  }

  function show() {
    if (isOver()) return void end();
    const open = () => {
      greet();
      void hall.open(true);
    };
    shown = outreach(stage, words, open, done, () => void end(true));
  }

  /** Only what is seen counts. */
  function look() {
    if (timer !== undefined) left -= performance.now() - since;
    clearTimeout(timer);
    timer = undefined;
    if (over) return;
    if (isAway()) {
      void shown?.then((away) => away());
      shown = undefined;
    } else if (!shown && env.page.visible() && !launcher.host.hidden) {
      since = performance.now();
      timer = setTimeout(show, Math.max(0, left));
    }
  }

  const hides = new MutationObserver(look);
  const undos = [
    env.page.on('visibilitychange', look),
    () => hides.disconnect(),
    local.onChange(INVITED, () => isOver() && void end()),
    local.onChange('', () => isOver() && void end()),
    chat.$news.listen(() => isOver() && void end()),
    chat.$open.listen((open) => open && done()),
  ];
  own(() => void end());
  hides.observe(launcher.host, { attributeFilter: ['hidden'] });
  if (chat.$open.get()) done();
  else if (isOver()) void end();
  else look();
  return { look, end: () => end() };
}
