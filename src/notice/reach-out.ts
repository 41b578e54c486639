/**
 * When the owner's first words are shown: once the page has been before the visitor's eyes for a while, to whoever has
 * neither written nor opened the chat, and until they are answered or sent away. It does not know how they look.
 */
import type { Stage } from '../embed/stage.js';
import { allowed, INVITED, isKnown } from './invited.js';
import { outreach } from './outreach.js';

const SECONDS = 15;

/** @param greet makes them what the visitor answers to */
export function reachOut(stage: Stage, words: string, greet: () => void, after: unknown = SECONDS): void {
  const { env, front, hall, launcher, own } = stage;
  const { chat, local } = front;
  const isOver = () => isKnown(stage, words) || chat.$news.get().length > 0;
  let left = Number(after) * 1000;
  let since = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let shown: Promise<() => void> | undefined;
  let over = false;

  function end() {
    if (over) return;
    over = true;
    clearTimeout(timer);
    for (const undo of undos) undo();
    void shown?.then((away) => away());
  }
  function done() {
    allowed(stage, () => local.set(INVITED, words));
    end();
  }

  function show() {
    if (isOver()) return end();
    const open = () => {
      greet();
      void hall.open(true);
    };
    shown = outreach(stage, words, open, done);
  }

  /** Only what is seen counts. */
  function look() {
    if (timer !== undefined) left -= performance.now() - since;
    clearTimeout(timer);
    timer = undefined;
    if (over || shown || !env.page.visible() || launcher.host.hidden) return;
    since = performance.now();
    timer = setTimeout(show, Math.max(0, left));
  }

  const hides = new MutationObserver(look);
  const undos = [
    env.page.on('visibilitychange', look),
    () => hides.disconnect(),
    local.onChange(INVITED, () => isOver() && end()),
    local.onChange('', () => isOver() && end()),
    chat.$news.listen(() => isOver() && end()),
    chat.$open.listen((open) => open && done()),
  ];
  own(end);
  hides.observe(launcher.host, { attributeFilter: ['hidden'] });
  if (chat.$open.get()) done();
  else if (isOver()) end();
  else look();
}
