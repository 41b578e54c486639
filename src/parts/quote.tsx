/**
 * The message that a message answers: whose it was and its first words. Pressed, it leads there. Where that is further
 * back than what has been fetched, a press fetches what lies between.
 */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { beginning, calm } from '../content/clean.js';
import { gistOf } from '../content/gist.js';
import { plainWords } from '../content/plain-words.js';
import { nameOf } from '../ui/avatar.js';
import { useSurroundings } from '../ui/context.js';
import { useStore } from '../ui/use-store.js';
import type { Message } from '../wire/message.js';

export function Quote({ message }: { message: Message }): JSX.Element | null {
  const { chat, say, aloud } = useSurroundings();
  const { in_reply_to: id } = message.content_attributes;
  const rows = useStore(chat.$rows);
  const hasOlder = useStore(chat.$hasOlder);
  const [seeking, setSeeking] = useState<'older' | 'olderLoading' | 'olderFailed'>('older');
  // What is not sent yet has no id, and neither has a message that quotes nothing.
  const find = (all: typeof rows) =>
    id === message.id ? undefined : all?.find((row) => row.message && row.message.id === id);

  async function seek(button: Element) {
    if (seeking === 'olderLoading') return;
    const home = chat.$home.get();
    const focused = () => button.closest('dialog')?.querySelector(':focus');
    const before = focused();
    setSeeking('olderLoading');
    for (const tell of aloud ?? []) tell(say('olderLoading'));
    while (chat.$hasOlder.get() && !find(chat.$rows.get())) {
      const loaded = await chat.loadOlder();
      if (chat.$home.get() !== home) return;
      if (!loaded.ok) return setSeeking('olderFailed');
    }
    // Drawn by then, and this is the button of the quote. Whoever has gone on stays there.
    requestAnimationFrame(() => focused() === before && visit(button, id));
  }

  const { mine, message: quoted } = find(rows) ?? {};
  if (!quoted) {
    const first = rows?.find((row) => row.message)?.message;
    if (!hasOlder || typeof id !== 'number' || !first || id > first.id) return null;
    return (
      <button
        type="button"
        class="quote"
        aria-disabled={seeking === 'olderLoading'}
        onClick={(event) => void seek(event.currentTarget)}
      >
        {say(seeking)}
      </button>
    );
  }
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
      onClick={(event) => visit(event.currentTarget, id)}
    >
      <bdi>{name}</bdi> <span dir="auto">{words}</span>
    </button>
  );
}

/** The focus marks it, for the eye and for the ear, until it moves on. */
function visit(quote: Element, id: unknown) {
  const thread = quote.closest('.thread');
  const bubble = thread?.querySelector(`[data-id="${id}"]`)?.closest<HTMLElement>('.bubble');
  const scroller = thread?.parentElement;
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
