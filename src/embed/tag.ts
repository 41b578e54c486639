/**
 * The script tag: reads itself at once (later it cannot), checks what the owner wrote, and mounts. Adds the one
 * global, `parley`; a second load changes nothing.
 */
import { type Instance, mount } from './mount.js';
import { readOptions } from './options.js';

declare global {
  interface Window {
    parley?: Instance;
  }
}

// In development the script is a module, which does not know its own tag.
const current = document.currentScript;
const tag =
  current instanceof HTMLScriptElement
    ? current
    : document.querySelector<HTMLScriptElement>('script[data-inbox-identifier]');

if (tag && !('parley' in window && window.parley?.destroy)) {
  const options = readOptions(tag.dataset);
  if (typeof options === 'string') console.warn(`Parley: ${options}`);
  else {
    const instance = mount(options, tag.src, tag.nonce || undefined);
    window.parley = {
      ...instance,
      destroy() {
        instance.destroy();
        delete window.parley;
      },
    };
  }
}
