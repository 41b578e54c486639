/**
 * The file that is fetched once a message asks for more than reading (choices, forms, ratings, cards, lists), or the
 * owner has questions before the first one.
 */
import { asksEn } from '../text/en-asks.js';
import { preChatEn } from '../text/en-pre-chat.js';

export { Ask } from './ask.js';
export { default as css } from './asks.css?inline';
export { PreChatForm } from './pre-chat-form.js';
export { asking, type Told, tell } from './told.js';

export const sentences = { ...preChatEn, ...asksEn };
