/**
 * Makes, when the files are built, how emoji are called and found in each of our languages, out of what the Unicode
 * Consortium gathers of it. A language is a file of its own, fetched by who opens the picker in it; `table.ts` reads it.
 */
import { createRequire } from 'node:module';
import type { Plugin } from 'vite';
import { z } from 'zod';
import { listed } from './table-plugin.js';
import { SPACELESS, split } from './words.js';

const SOURCE = 'cldr-annotations-full';
const NAMES = 'virtual:parley-emoji-names/';

/** Where the names of a catalogue lie, if not below its own; what comes later says some of it in another way. */
const folders: Record<string, string[]> = {
  nb: ['no'],
  'pt-BR': ['pt'],
  'pt-PT': ['pt', 'pt-PT'],
  'zh-Hans': ['zh'],
};

/** Beside its name. More of them are more to fetch, and are seldom looked for. */
const WORDS = 6;
/** What is a word of more than so many tells nothing: each face is called one. */
const COMMON = 80;

const annotations = z.object({
  annotations: z.object({
    annotations: z.record(
      z.string(),
      z.object({ default: z.array(z.string()).optional(), tts: z.array(z.string()).optional() }),
    ),
  }),
});

const require = createRequire(import.meta.url);

/** Between names stands a comma, between a name and its words a semicolon. */
const clean = (text: string) => text.replace(/[,;]\s*/g, ' ').trim();

/**
 * @param catalogue the name of one of our languages, as `de`, `pt-BR` or `zh-Hant`
 * @returns for each emoji of the table, in its order, its name, then, after a semicolon, more words to find it by
 */
export function makeNames(catalogue: string): string {
  const sources = (folders[catalogue] ?? [catalogue]).map(
    (folder) =>
      annotations.parse(require(`${SOURCE}/annotations/${folder}/annotations.json`)).annotations.annotations,
  );
  const entries = listed()
    .flat()
    .map(({ code }) => {
      const char = String.fromCodePoint(code);
      const { tts = [], default: words = [] } = Object.assign({}, ...sources.map((source) => source[char]));
      return { name: clean(`${tts[0] ?? ''}`), words: [...new Set(split(clean(words.join(' '))))] };
    });
  const counts = new Map<string, number>();
  const countOf = (word: string) => counts.get(word) ?? 0;
  for (const { words } of entries) for (const word of words) counts.set(word, countOf(word) + 1);
  return entries
    .map(({ name, words }) => {
      const known = split(name);
      // Who types the beginning of a word finds it by the longer ones, too.
      const says = (word: string) =>
        known.some((one) => (SPACELESS.test(word) ? one.includes(word) : one.startsWith(word))) ||
        words.some((one) => one !== word && one.startsWith(word));
      const more = words
        .filter((word) => (word.length > 2 || SPACELESS.test(word)) && !says(word) && countOf(word) < COMMON)
        .sort((a, b) => countOf(b) - countOf(a))
        .slice(0, WORDS);
      return name + (more.length ? `;${more.join(' ')}` : '');
    })
    .join(',');
}

export const namesOf = (catalogue: string): string => NAMES + catalogue;

/** The packages that the names are made of: their licences go where they go. */
export const nameSources = (catalogues: readonly string[]): Record<string, string[]> =>
  Object.fromEntries(catalogues.map((catalogue) => [`\0${namesOf(catalogue)}`, [SOURCE]]));

export function emojiNames(): Plugin {
  return {
    name: 'parley-emoji-names',
    resolveId: (id) => (id.startsWith(NAMES) ? `\0${id}` : undefined),
    load: (id) =>
      id.startsWith(`\0${NAMES}`)
        ? `export default ${JSON.stringify(makeNames(id.slice(`\0${NAMES}`.length)))}`
        : undefined,
  };
}
