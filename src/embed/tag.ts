/**
 * The script tag: reads itself at once (later it cannot) and mounts. Adds the one global, `parley`, and does what the
 * page has left there to be done; a second load changes nothing.
 */
import type { Parley } from '../parley.js';
import { mount } from './mount.js';

declare global {
  interface Window {
    parley?: Parley | undefined;
  }
}

const isScript = (element: unknown) => element instanceof HTMLScriptElement;
// A picture of the page may be called that; and a script that was made a module does not know its tag.
const { currentScript } = document;
const tag = isScript(currentScript)
  ? currentScript
  : document.querySelector<HTMLScriptElement>('script[data-inbox-identifier]');

if (tag) {
  // The list that the page has left there, a chat, or an element of that name.
  const before: { destroy?: unknown; forEach?: (take: Parley['push']) => void } | undefined = window.parley;
  if (before?.destroy) console.warn('Parley: remove the second tag.');
  else {
    const { src, nonce, dataset } = tag;
    const parley = mount({ nonce, ...dataset, tag }, src, () => {
      // Not that of the next one; and what the page declared with `var` cannot be deleted.
      if (window.parley !== parley) return;
      window.parley = undefined;
      delete window.parley;
    });
    window.parley = parley;
    before?.forEach?.(parley.push);
  }
}
