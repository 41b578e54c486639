/**
 * What an owner may set, read with care: from the script tag's `data-*` as text, from a program as what it is. A wrong
 * value is left out, and its name is told. It does not know what uses them, nor how a wrong one is explained.
 */
import { choices } from './option-kinds.js';
import type { ParleyOptions, Question } from './options.js';
import type { Own, Wording } from './text/text.js';
import { asTag } from './text/wanted.js';

/** One question of the form before the chat, complete. */
export interface PreChatField {
  /** `name`, `email` and `phone_number` belong to the contact, any other becomes a custom attribute. */
  name: string;
  label?: string;
  type: NonNullable<Question['type']>;
  required: boolean;
  /** For `select`. */
  options: string[];
}

/** What the window goes by; the launcher and the stage have read the rest themselves. */
export interface Settings {
  /** Where the service is, as the tag says it. */
  baseUrl?: string;
  /** A language tag; else the page's language, else the browser's. */
  locale?: string;
  /** Default `auto`: as the visitor's system. */
  scheme: NonNullable<ParleyOptions['scheme']>;
  /** What stands above the thread, in the owner's own words. */
  title?: string | undefined;
  greeting?: string | undefined;
  /** How long an answer usually takes within office hours, in minutes. */
  replyMinutes?: number;
  /** Default `say`: when somebody is back. */
  outsideHours: NonNullable<ParleyOptions['outsideHours']>;
  preChat: PreChatField[];
  /** Sentences in the place of ours, and what is said in some languages alone. */
  sentences: Own;
  /** Files can be attached. Default true. */
  attachments: boolean;
  /** Files that one message may have. Default 15. */
  maxFiles: number;
  /** Megabytes that one file may have. Default 40. */
  maxFileMb: number;
  /** What the picker shows, as the `accept` of a file input; absent for all. */
  fileTypes?: string;
  /** Pictures are shrunk and lose what the camera wrote into them. Default false. */
  shrinkImages: boolean;
  /** A sound on a new message, until the visitor mutes it. Default true. */
  sound: boolean;
}

/** What the service takes in one message. */
const MAX_FILES = 15;

export const defaults: Settings = {
  scheme: 'auto',
  outsideHours: 'say',
  preChat: [],
  sentences: new Map(),
  attachments: true,
  maxFiles: MAX_FILES,
  maxFileMb: 40,
  shrinkImages: false,
  sound: true,
};

/** By their names in camel case: `data-*` as the browser gives it, or what a program has handed over. */
export type Written = Readonly<Record<string, unknown>>;

/** What others have obeyed by now; only the window can say in time that it was written wrong. */
type Obeyed = Pick<
  ParleyOptions,
  'connect' | 'storage' | 'consent' | 'reconnect' | 'countInTitle' | 'debug' | 'tellPage'
>;
type Readable = Settings & Obeyed;
/** `undefined` is what cannot be read; of what can, a part may be wrong, and that is told. */
type Readers = { [N in keyof Readable]-?: (value: unknown, tell: () => void) => Readable[N] | undefined };

/** @returns the settings, and the names of what was left out, in whole or in part */
export function readSettings(written: Written): { settings: Settings; wrong: string[] } {
  const settings: Settings = { ...defaults };
  const wrong: string[] = [];
  const one =
    <T>(all: readonly T[]) =>
    (value: unknown) =>
      all.find((known) => known === value);
  const readers: Readers = {
    // The launcher has checked it: without it there is no window.
    baseUrl: asWords,
    locale: asTag,
    scheme: one(choices.scheme),
    title: asWords,
    greeting: asWords,
    replyMinutes: asPositive,
    outsideHours: one(choices.outsideHours),
    attachments: asFlag,
    maxFiles: asCount,
    maxFileMb: asPositive,
    fileTypes: asTypes,
    shrinkImages: asFlag,
    sound: asFlag,
    preChat: asFields,
    sentences: asSentences,
    connect: one(choices.connect),
    storage: one(choices.storage),
    consent: one(choices.consent),
    reconnect: one(choices.reconnect),
    countInTitle: asFlag,
    debug: asFlag,
    tellPage: asFlag,
  };
  for (const [name, read] of Object.entries(readers)) {
    const value = written[name];
    if (value === undefined) continue;
    const tell = () => void wrong.push(name);
    const parsed = read(value, tell);
    if (parsed === undefined) tell();
    else Object.assign(settings, { [name]: parsed });
  }
  return { settings, wrong };
}

export const asWords = (value: unknown) =>
  typeof value === 'string' ? value.trim() || undefined : undefined;
const asFlag = (value: unknown) =>
  `${value}` === 'true' || value === '' ? true : `${value}` === 'false' ? false : undefined;

function asPositive(value: unknown): number | undefined {
  const number = typeof value === 'string' ? Number(value) : value;
  return typeof number === 'number' && number > 0 ? number : undefined;
}

function asCount(value: unknown): number | undefined {
  const count = asPositive(value);
  return count && count <= MAX_FILES && Number.isInteger(count) ? count : undefined;
}

/** An ending, one type, or all of one of three kinds. */
const TYPE = /^(?:\.|[\w+-]+\/)[\w.+-]+$|^(?:audio|image|video)\/\*$/;

function asTypes(value: unknown): string | undefined {
  // Many write it so, and no file is one.
  const text = `${value}`.toLowerCase().replace('image/jpg', 'image/jpeg');
  const types = text.split(/[\s,]+/).filter(Boolean);
  return types.length && types.every((type) => TYPE.test(type)) ? types.join() : undefined;
}

/** A tag says it as JSON. */
export function parsed(value: unknown): unknown {
  try {
    return typeof value === 'string' ? JSON.parse(value) : value;
  } catch {
    return undefined;
  }
}

export const entries = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : [];

/** @returns the tag of the language for which this is said; else it is a sentence, or the forms of one */
export const languageOf = (key: string, value: unknown): string | undefined =>
  typeof value === 'object' && value && !('other' in value) && /^[a-z]{2,3}([-_]|$)/i.test(key)
    ? asTag(key)
    : undefined;

/** @param tell hears of one that cannot be said, which is left out */
export function asSentences(value: unknown, tell = () => {}): Own | undefined {
  const json = parsed(value);
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined;
  const own = new Map<string, Wording>();
  const read = (all: unknown, tag: string) => {
    const sentences: Wording = {};
    own.set(tag, sentences);
    for (const [key, sentence] of entries(all)) {
      const language = !tag && languageOf(key, sentence);
      if (language) {
        read(sentence, language);
        continue;
      }
      if (typeof sentence === 'string') sentences[key] = sentence;
      const forms = Object.fromEntries(
        entries(sentence).filter((form): form is [string, string] => typeof form[1] === 'string'),
      );
      const { other } = forms;
      if (other !== undefined) sentences[key] = { ...forms, other };
      if (sentences[key] === undefined) tell();
    }
  };
  read(json, '');
  return own;
}

export const questionTypes = [
  'text',
  'email',
  'tel',
  'select',
  'checkbox',
  'consent',
] as const satisfies PreChatField['type'][];
export const isText = (value: unknown): value is string => typeof value === 'string';

function asFields(value: unknown, tell: () => void): PreChatField[] | undefined {
  const json = parsed(value);
  if (!Array.isArray(json)) return undefined;
  const fields: PreChatField[] = [];
  for (const item of json) {
    const {
      name,
      label = '',
      type = 'text',
      required = false,
      options,
      ...more
    } = Object.fromEntries(entries(item));
    const known = questionTypes.find((one) => one === type);
    const choices = Array.isArray(options) ? options.filter(isText) : [];
    // "true" as text would be no answer needed, without a word.
    if (!isText(name) || !name || !known || typeof required !== 'boolean') return undefined;
    // Nobody could choose, and nobody could write.
    if (known === 'select' && !choices.length) return undefined;
    const unsaid = known === 'select' && Array.isArray(options) && choices.length < options.length;
    if (!isText(label) || unsaid || Object.keys(more).length || fields.some((one) => one.name === name))
      tell();
    fields.push({
      name,
      ...(isText(label) && label ? { label } : {}),
      type: known,
      required,
      options: choices,
    });
  }
  return fields;
}
