/** The file that is fetched when the visitor wants an emoji: the picker, its table, and how it looks. */

export { emojiEn as sentences } from '../text/en-emoji.js';
export { default as css } from './emoji.css?inline';
export { Emoji } from './slot.js';
