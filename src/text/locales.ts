/** The file that is fetched for a visitor who does not read English: where each language lies, and which it shall be. */
import type { Files } from '../embed/loader.js';

export { default as locales } from 'virtual:parley-locales';
export { chooseLocale, directionOf } from './choose.js';
export type Languages = Pick<typeof import('./choose.js'), 'chooseLocale' | 'directionOf'> & {
  locales: Files<string>;
};
