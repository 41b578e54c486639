/**
 * The file that follows the window at once, while the engine is still on its way: the conversation itself. The
 * composer does not wait for it. What comes later still finds here how foreign words and addresses are shown.
 */
export * from '../content/clean.js';
export * from '../content/enclosed.js';
export * from '../content/gist.js';
export * from '../content/link.js';
export * from '../content/plain-words.js';
export * from '../content/size.js';
export * from '../content/when.js';
export { threadEn as sentences } from '../text/en-thread.js';
export * from './announcer.js';
export * from './avatar.js';
export * from './content.js';
export * from './focus.js';
export * from './subtitle.js';
export { default as css } from './thread.css?inline';
export { Transcript as Thread } from './transcript.js';
