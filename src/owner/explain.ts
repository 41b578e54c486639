/** Names each wrong option in one sentence that says what to write. It does not know which are wrong. */
import type { Given } from '../embed/options.js';
import { type ChoiceName, choices, type Kind, type KindName, kebab, kinds } from '../option-kinds.js';
import { accents, isAccent } from './accent.js';
import { patternsOf } from './pages.js';
import { quoted } from './quoted.js';
import { wrongParts } from './wrong-parts.js';

const isChoice = (name: string): name is ChoiceName => Object.hasOwn(choices, name);
const isKind = (name: string): name is KindName => Object.hasOwn(kinds, name);

const examples: Record<Kind, string> = {
  address: 'an address, like "https://support.example.com"',
  words: 'some words',
  label: 'some words',
  flag: '"true" or "false"',
  pixels: 'a number of pixels, like "20"',
  whole: 'a whole number, like "1000"',
  count: 'a number from 1 to 15, like "5"',
  megabytes: 'a number of megabytes, like "10"',
  types: 'kinds of files, like "image/*,.pdf"',
  minutes: 'a number of minutes, like "30"',
  seconds: 'a number of seconds up to 3600, like "20"',
  colour: accents,
  image: 'the address of a picture, like "/logo.svg"',
  locale: 'a language tag like "de" or "pt-BR"',
  launcher: '"button", "hidden" or a selector of your own button, like "#help"',
  place: 'a selector of an element, like "#chat", or the element itself',
  bars: '"auto" or a selector of bars of your page, like "#cookie-bar, .app-bar"',
  pages: 'patterns of paths, like "/help/*, !/help/old"',
  fields: 'JSON like [{"name":"email","type":"email","required":true}]',
  sentences: 'JSON like {"title":"Ask us"}',
};

/**
 * @param tag whether the options stand on a tag
 * @returns what may be written as this option; nothing for a name that is none
 */
export function allowed(name: string, tag: boolean): string | undefined {
  if (isChoice(name)) return quoted(choices[name]);
  if (!isKind(name)) return undefined;
  const write = examples[kinds[name]];
  if (tag) return write;
  // A program has numbers and lists of its own.
  return /number|^"true/.test(write)
    ? write.replaceAll('"', '')
    : write.replace('JSON like [', 'a list like [').replace('JSON', 'an object');
}

/** @returns what to write instead, one sentence for each thing that is wrong */
export function corrections(name: string, { tag, ...given }: Given): string[] {
  const write = allowed(name, !!tag);
  if (!write) return [`there is no option "${name}": remove it, or write it as the README does.`];
  const said = tag ? `data-${kebab(name)}` : name;
  return wrongParts(name, given[name])?.map((one) => `${said}, ${one}.`) ?? [`${said} must be ${write}.`];
}

export function explain(wrong: readonly string[], given: Given): void {
  for (const name of new Set(wrong))
    for (const one of corrections(name, given)) console.warn(`Parley: ${one}`);
}

const number = (value: unknown) => (typeof value === 'string' && value.trim() ? Number(value) : value);
const isBetween = (value: unknown, least: number, most: number) =>
  typeof value === 'number' && value >= least && value <= most;
/** Of several, too, which `CSS.supports` does not take. */
const isSelector = (value: unknown) => {
  try {
    return typeof value === 'string' && !document.createDocumentFragment().querySelector(value);
  } catch {
    return false;
  }
};
export const isWords = (value: unknown) => typeof value === 'string' && value.trim() !== '';

/** The launcher has no bytes for more than a glance at it. */
export function isAddress(value: unknown): boolean {
  try {
    return !!new URL(`${value}`);
  } catch {
    return false;
  }
}

/** Also from where the page is. */
export function isPicture(value: unknown): boolean {
  try {
    return (
      /^(?:https?|data|blob):$/.test(new URL(`${value}`.trim(), document.baseURI).protocol) && isWords(value)
    );
  } catch {
    return false;
  }
}

const isPattern = (text: string) => /^!?[/*]/.test(text);

/** What the window reads, it checks itself. */
const fits: Partial<Record<Kind, (value: unknown, root: ParentNode) => boolean>> = {
  address: isAddress,
  pixels: (value) => isBetween(number(value), 0, 100_000),
  seconds: (value) => isBetween(number(value), 0, 3_600),
  whole: (value) => Number.isInteger(number(value)),
  colour: (value, root) => isAccent(root, `${value}`),
  launcher: isSelector,
  image: isPicture,
  label: isWords,
  bars: isSelector,
  place: (value) => value instanceof Element || isSelector(value),
  pages: (value) => {
    const all = Array.isArray(value) ? value : isWords(value) ? patternsOf(value) : [];
    // Paths begin so: nothing else fits one.
    return all.length > 0 && all.every((one) => isWords(one) && patternsOf(one).every(isPattern));
  },
};

/** The window's own: what is wrong there, it tells itself. */
const windows: readonly string[] = ['scheme', 'outsideHours', 'connect', 'storage', 'consent', 'reconnect'];

/**
 * @param root where colours are to be worn
 * @returns the names of options that were obeyed before anybody had the time to check them, and names that are none
 */
export function wrongOptions({ tag, scope, wrong, ...given }: Given, root: ParentNode): string[] {
  return Object.entries(given)
    .filter(([name, value]) => {
      if (value === undefined || windows.includes(name)) return false;
      if (isChoice(name)) return !choices[name].some((one) => one === value);
      if (isKind(name)) return fits[kinds[name]]?.(value, root) === false;
      // On a tag there may be attributes of others.
      return !tag;
    })
    .map(([name]) => name);
}
