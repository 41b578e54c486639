/**
 * What the pointer does with a message: asks when it was said, and copies its words. One listener for all rows, because
 * those of thousands of rows are paid for with memory. It does not know how a row is drawn.
 */
import { plainWords } from '../content/plain-words.js';
import type { Chunk } from '../model/chunks.js';
import type { Row } from '../model/transcript.js';
import { listsIn } from './place.js';

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
    button.title = say(key);
    button.setAttribute('aria-label', button.title);
    button.classList.toggle('done', key === 'copied');
    if (told) told.textContent = key === 'copied' ? button.title : '';
  };
  const words = mine ? content : plainWords(content);
  const done = tell('copied');
  button.onblur = button.onpointerleave = tell('copy');
  void navigator.clipboard.writeText(words).then(done, () => copySelected(words, button) && done());
}
