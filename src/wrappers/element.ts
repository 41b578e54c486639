/** Defines `<parley-chat>` where the package is imported; on a server it does nothing. */
import { defineParleyChat } from '../embed/element.js';
import { mount } from '../embed/mount.js';

export type { ParleyChatElement } from '../embed/element.js';

defineParleyChat((given, ...rest) => mount(given, document.baseURI, ...rest));
