/** What came unasked may lie over what the keyboard is at. It does not know what that is. */
import { isEscape } from '../ui/escape.js';

/** @returns ends it */
export function onEscape(work: () => void): () => void {
  const hear = (event: KeyboardEvent) => {
    if (isEscape(event)) work();
  };
  document.addEventListener('keydown', hear);
  return () => document.removeEventListener('keydown', hear);
}
