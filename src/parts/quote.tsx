/** The message that a message answers: whose it was and its first words. Pressed, it leads there. */
import type { JSX } from 'preact';
import { beginning, calm } from '../content/clean.js';
import { gistOf } from '../content/gist.js';
import { plainWords } from '../content/plain-words.js';
import { nameOf } from '../ui/avatar.js';
import { useSurroundings } from '../ui/context.js';
import { useStore } from '../ui/use-store.js';
import type { Message } from '../wire/message.js';

export function Quote({ message }: { message: Message }): JSX.Element | null {
  const { chat, say } = useSurroundings();
  const { in_reply_to: id } = message.content_attributes;
  const rows = useStore(chat.$rows);
  // What is not sent yet has no id, and neither has a message that quotes nothing.
  const { mine, message: quoted } =
    (typeof id === 'number' && id !== message.id && rows?.find((row) => row.message?.id === id)) || {};
  if (!quoted) return null;
  const name = mine ? say('you') : (nameOf(quoted.sender) ?? say('agent'));
  const gist = gistOf(quoted, say).slice(0, 1_000);
  const whole = calm(mine ? gist : plainWords(gist)).trim() || say('message');
  const first = beginning(whole, 90, 2).replace(/\s+/g, ' ');
  const words = first.length < whole.length ? `${first}…` : first;
  return (
    <button
      type="button"
      class="quote"
      aria-label={say('quoted', { name, words })}
      onClick={(event) => {
        const thread = event.currentTarget.closest('.thread');
        visit(thread?.querySelector(`[data-id="${id}"]`)?.closest<HTMLElement>('.bubble'));
      }}
    >
      <bdi>{name}</bdi> <span dir="auto">{words}</span>
    </button>
  );
}

/** The focus marks it, for the eye and for the ear, until it moves on. */
function visit(bubble: HTMLElement | null | undefined) {
  const scroller = bubble?.closest('.thread')?.parentElement;
  if (!bubble || !scroller) return;
  bubble.tabIndex = -1;
  bubble.addEventListener('blur', () => bubble.removeAttribute('tabindex'), { once: true });
  bubble.focus({ preventScroll: true });
  // By hand: a page around the conversation stays where it is.
  const go = () => {
    if (bubble.matches(':focus')) scroller.scrollTop += middleOf(bubble) - middleOf(scroller);
  };
  go();
  // What comes into sight only now may be higher than it was thought.
  requestAnimationFrame(() => requestAnimationFrame(go));
}

function middleOf(element: Element) {
  const { top, bottom } = element.getBoundingClientRect();
  return (top + bottom) / 2;
}
