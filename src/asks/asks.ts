/**
 * The file that is fetched once a message asks for more than reading (choices, forms, ratings, cards, lists), or the
 * owner has questions before the first one.
 */
import { askEn } from '../text/en-ask.js';
import { asksEn } from '../text/en-asks.js';

export { Ask } from './ask.js';
export { default as css } from './asks.css?inline';
export { Questions } from './questions.js';
export { asking, type Told, tell } from './told.js';

export const sentences = { ...askEn, ...asksEn };
