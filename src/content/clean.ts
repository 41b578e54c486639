/**
 * Foreign words made fit to be shown: texts that cannot flood a line or a page, names that cannot turn the words
 * around them, file names that show what they are. It does not know where they are shown.
 */

import type { Attachment } from '../wire/message.js';

const MAX_NAME = 80;
const MAX_FILE_NAME = 32;
const FILE_NAME_END = 14;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is left out
const CONTROLS = /[\0-\x08\x0b-\x1f\x7f-\x9f]+/g;
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g;

/** Without controls, with at most five marks on a character and nine invisible characters in a row. */
export const calm = (text: string): string =>
  text
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(CONTROLS, '')
    .replace(/(\p{M}{5})\p{M}+/gu, '$1')
    .replace(/([\p{M}\p{Cf}]{9})[\p{M}\p{Cf}]+/gu, '$1');

/** The same without breaks, and without characters that turn the direction of what follows. */
export const oneLine = (text: string): string => calm(text).replace(BIDI, '').replace(/\s+/g, ' ').trim();

/** A person's name on one line. */
export function cleanName(name: string | undefined, most = MAX_NAME): string | undefined {
  const characters = [...oneLine((name ?? '').slice(0, 1000))];
  if (characters.length > most) return `${characters.slice(0, most - 1).join('')}…`;
  return characters.join('') || undefined;
}

/** The name of a file without its path; where it is too long, cut in the middle, so that its extension is seen. */
export function cleanFileName(name: string, most = MAX_FILE_NAME): string {
  const last = name.slice(-1000).split(/[/\\]/).at(-1) ?? '';
  const characters = [...oneLine(last)];
  if (characters.length <= most) return characters.join('');
  const end = characters.slice(-FILE_NAME_END).join('');
  return `${characters.slice(0, most - FILE_NAME_END - 1).join('')}…${end}`;
}

/** The name that a file's address ends with. */
export function fileNameIn(address: string): string | undefined {
  try {
    return decodeURIComponent(new URL(address).pathname.split('/').at(-1) ?? '') || undefined;
  } catch {
    return undefined;
  }
}

/**
 * What an attachment is called: a file as files are, but a place, a person or a page by the whole of its title.
 * @param address where it has no title, the file there
 */
export function titleOf(
  { file_type: type = '', fallback_title: title }: Pick<Attachment, 'file_type' | 'fallback_title'>,
  address?: string,
  most?: number,
): string | undefined {
  if (title && /^(?:location|contact|fallback|share|embed)$/.test(type)) return cleanName(title, most);
  const name = title || (address && fileNameIn(address));
  return name && cleanFileName(name, most);
}

/** The beginning of a text: at most so many characters and lines, and not in the middle of a word or a character. */
export function beginning(text: string, characters: number, lines: number): string {
  let end = Math.min(text.length, characters);
  for (let at = -1, line = 0; line < lines; line++) {
    at = text.indexOf('\n', at + 1);
    if (at < 0 || at > end) break;
    if (line === lines - 1) end = at;
  }
  if (end >= text.length) return text;
  if (text[end] !== '\n') {
    const space = text.slice(0, end).search(/\s\S*$/);
    // Where there are words. Chinese, Japanese and Thai have no spaces between theirs.
    if (space > end * 0.7) end = space;
    else if (/[\ud800-\udbff]/.test(text[end - 1] ?? '')) end--;
  }
  return text.slice(0, end);
}

/** The same, and an ellipsis where that is not all. */
export function shortly(text: string, characters: number): string {
  const part = beginning(text, characters, Infinity);
  return part === text ? text : `${part.trimEnd()}…`;
}
