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

/** The button says when it is done, until it is left. */
export function copy(
  button: HTMLElement,
  { mine, content }: Row,
  say: (key: 'copy' | 'copied') => string,
): void {
  const tell = (key: 'copy' | 'copied') => () => {
    button.title = say(key);
    button.setAttribute('aria-label', button.title);
    button.classList.toggle('done', key === 'copied');
  };
  button.onblur = button.onpointerleave = tell('copy');
  void navigator.clipboard.writeText(mine ? content : plainWords(content)).then(tell('copied'), () => {});
}
