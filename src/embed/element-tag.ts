/**
 * Defines `<parley-chat>` where a page has the script of that. It reads itself at once, because later it cannot. It adds
 * no global.
 */
import { defineParleyChat } from './element.js';
import { mount } from './mount.js';

const { currentScript } = document;
if (currentScript instanceof HTMLScriptElement) {
  const { src, nonce } = currentScript;
  defineParleyChat((given, ...rest) => mount({ ...given, nonce: given.nonce || nonce }, src, ...rest));
}
