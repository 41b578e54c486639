/**
 * What is wrong within an option that holds several things: which question before the chat, and what of it; which
 * sentence, and for which language. It tells places and names, and no value.
 */
import { entries, isText, languageOf, parsed, questionTypes } from '../settings.js';
import { quoted } from './quoted.js';

function questions(value: unknown): string[] | undefined {
  const all: unknown = parsed(value);
  if (!Array.isArray(all)) return undefined;
  const named = new Set<unknown>();
  return all.flatMap((item: unknown, i) => {
    const { name, label, type, required, options, ...more } = Object.fromEntries(entries(item));
    const texts = Array.isArray(options) && options.every(isText) && options.length > 0;
    const rules: [boolean, string][] = [
      [isText(name) && name !== '', '"name" must be some words, like "email"'],
      [!named.has(name) || name === undefined, '"name" must be another one than those before it have'],
      [label === undefined || isText(label), '"label" must be some words'],
      [
        type === undefined || questionTypes.some((one) => one === type),
        `"type" must be ${quoted(questionTypes)}`,
      ],
      [required === undefined || typeof required === 'boolean', '"required" must be true or false'],
      [type !== 'select' || texts, '"options" must be a list of words, like ["Sales","Support"]'],
      ...Object.keys(more).map((key): [boolean, string] => [
        false,
        `there is no "${key}": write ${quoted(['name', 'label', 'type', 'required', 'options'])}`,
      ]),
    ];
    named.add(name);
    return rules.filter(([fits]) => !fits).map(([, must]) => `question ${i + 1}: ${must}`);
  });
}

/** @param at under the tag of which language */
function sentences(value: unknown, at = ''): string[] | undefined {
  const all: unknown = parsed(value);
  if (typeof all !== 'object' || all === null || Array.isArray(all)) return undefined;
  return entries(all).flatMap(([key, one]) => {
    if (!at && languageOf(key, one)) return sentences(one, `"${key}", `) ?? [];
    const forms = entries(one);
    const fits = forms.every(([, words]) => isText(words)) && forms.some(([form]) => form === 'other');
    return one === undefined || isText(one) || fits
      ? []
      : `${at}"${key}" must be some words, or where they depend on a number {"one":"…","other":"…"}`;
  });
}

/** @returns nothing where the whole of it is wrong, or it holds no several things */
export function wrongParts(name: string, value: unknown): string[] | undefined {
  if (name === 'preChat') return questions(value);
  return name === 'sentences' ? sentences(value) : undefined;
}
