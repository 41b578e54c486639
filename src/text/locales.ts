/** The file that is fetched for a visitor who does not read English: where each language lies. */
export { default as locales } from 'virtual:parley-locales';
