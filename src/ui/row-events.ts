/**
 * What the pointer does with a message: asks when it was said, and copies its words. One listener for all rows, because
 * those of thousands of rows are paid for with memory. It does not know how a row is drawn.
 */
import { shortly } from '../content/clean.js';
import { plainWords } from '../content/plain-words.js';
import type { Chunk } from '../model/chunks.js';
import type { Row } from '../model/transcript.js';
import type { Say } from '../text/text.js';
import { nameOf } from './avatar.js';
import { listsIn } from './place.js';

/** Of long words so much is read, marks included, and so much is told. */
const MAX_READ = 999;
const MAX_TOLD = 60;

/** The nearest of this kind that an event met. */
export const met = ({ target }: Event, selector: string): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>(selector) : null;

/** The row that an element of the list is in. @param drawn as the list shows it */
export function rowOf(scroller: Element, drawn: readonly Chunk[], element: Element): Row | undefined {
  const item = element.closest('.row');
  const list = item?.parentElement;
  return list ? drawn[listsIn(scroller).indexOf(list)]?.rows[[...list.children].indexOf(item)] : undefined;
}

/**
 * A page that frames ours may keep the clipboard from it. What is selected may be copied all the same.
 * @returns whether it was
 */
function copySelected(words: string, button: HTMLElement): boolean {
  const field = document.createElement('textarea');
  field.className = 'sr';
  field.readOnly = true;
  field.value = words;
  button.after(field);
  field.select();
  const done = document.execCommand('copy');
  button.focus();
  field.remove();
  return done;
}

/** Of many buttons of the same name, whose words this one copies. */
export function describe(button: HTMLElement, { mine, content, message }: Row, say: Say): void {
  const name = mine ? say('you') : (nameOf(message?.sender) ?? say('agent'));
  const words = shortly(content, MAX_READ);
  button.setAttribute(
    'aria-description',
    say('said', { name, words: shortly(mine ? words : plainWords(words), MAX_TOLD) }),
  );
}

/**
 * The button says when it is done, until it is left.
 * @param told what says it aloud: of a button that has the focus nobody hears another name
 */
export function copy(
  button: HTMLElement,
  { mine, content }: Row,
  say: (key: 'copy' | 'copied') => string,
  told: Element | null,
): void {
  const tell = (key: 'copy' | 'copied') => () => {
    const words = say(key);
    button.setAttribute('aria-label', words);
    if (button.title) button.title = words;
    button.classList.toggle('done', key === 'copied');
    if (told) told.textContent = key === 'copied' ? words : '';
  };
  const words = mine ? content : plainWords(content);
  const done = tell('copied');
  button.onblur = button.onpointerleave = tell('copy');
  void navigator.clipboard.writeText(words).then(done, () => copySelected(words, button) && done());
}
