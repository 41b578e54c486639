/** The file that is fetched once the visitor reaches for the menu: what it offers, and the screens behind it. */
import { exportEn } from '../text/en-export.js';
import { moreEn } from '../text/en-more.js';

export { Ended } from './ended.js';
export { Menu } from './menu.js';
export { default as css } from './more.css?inline';
export { Screens } from './screens.js';

export const sentences = { ...moreEn, ...exportEn };
