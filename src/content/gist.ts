/**
 * A message in short, for who hears of it, or sees the first words alone. It does not know how messages that are more
 * than words are shown, and finds words in attributes of any shape.
 */
import type { Attachment, Message } from '../wire/message.js';
import { wordsOf } from '../wire/words.js';
import { beginning, calm } from './clean.js';

const MAX_ITEMS = 50;
const MAX_TEXT = 1_000;
const MAX_VALUE = 5_000;

export const isMap = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** As it was written: what goes back to the service. */
export const raw = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value).slice(0, MAX_VALUE)
    : '';
export const textIn = (value: unknown): string => beginning(calm(raw(value)), MAX_TEXT, 20).trim();

/** The last one says most. */
const KEYS = 'href link url uri full reply content description text name label title'.split(' ');

/** All the words that can be found in attributes of an unknown shape. */
export function wordsIn(attributes: unknown): string {
  const words = new Set<string>();
  const look = (value: unknown, depth: number) => {
    if (!isMap(value) && !Array.isArray(value)) return;
    const entries = Object.entries(value).slice(0, MAX_ITEMS);
    for (const [key, inner] of entries.sort(([a], [b]) => KEYS.indexOf(b) - KEYS.indexOf(a))) {
      if (words.size >= MAX_ITEMS) return;
      if (KEYS.includes(key) && textIn(inner)) words.add(textIn(inner));
      else if (depth) look(inner, depth - 1);
    }
  };
  look(attributes, 5);
  return [...words].join('\n');
}

const KINDS = ['image', 'audio', 'video'] as const;
type Kind = (typeof KINDS)[number] | 'attachment';

/** The key of what a file is called that has no name. @param type of the service, or of the browser: `image/png` */
export const kindOf = (type = ''): Kind => KINDS.find((kind) => type.startsWith(kind)) ?? 'attachment';

/** What files are, and how many; of several kinds together they are no more than attachments. */
export function filesOf(
  [first, ...others]: readonly (string | undefined)[],
  say: (key: Kind) => string,
): string {
  const kind = kindOf(first);
  const words = say(others.every((type) => kindOf(type) === kind) ? kind : 'attachment');
  return others.length ? `${words} (${others.length + 1})` : words;
}

export const typesOf = (attachments: readonly Attachment[] = []) =>
  attachments.map(({ file_type }) => file_type);

/** What it says, or else what it brings, or the first words that it shows. */
export function gistOf(message: Message, say: (key: Kind | 'message') => string): string {
  const { attachments, content_attributes: attributes } = message;
  const content = wordsOf(message);
  if (content.trim()) return content;
  return attachments?.length
    ? filesOf(typesOf(attachments), say)
    : wordsIn(attributes).split('\n')[0] || say('message');
}
