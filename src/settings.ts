/**
 * What an owner may set beyond the address of the service: read from the script tag's `data-*`, each value checked.
 * A wrong one is left out, and said in a sentence that tells what to write. It does not know what uses them.
 */
import type { Key, Plural, Sentences } from './text/text.js';

/** One question of the form before the chat. */
export interface PreChatField {
  /** `name`, `email` and `phone_number` belong to the contact, any other becomes a custom attribute. */
  name: string;
  label?: string;
  type: 'text' | 'email' | 'tel' | 'select' | 'checkbox' | 'consent';
  required: boolean;
  /** For `select`. */
  options: string[];
}

export interface Settings {
  /** Where the service is, as the tag says it. */
  baseUrl?: string;
  /** A language tag; else the page's language, else the browser's. */
  locale?: string;
  /** Default `auto`: as the visitor's system. */
  scheme: 'light' | 'dark' | 'auto';
  /** What stands above the thread, in the owner's own words. */
  title?: string;
  greeting?: string;
  /** How long an answer usually takes within office hours, in minutes. */
  replyMinutes?: number;
  preChat: PreChatField[];
  /** Sentences in the place of ours. */
  sentences: Partial<Sentences>;
  /** Files can be attached. Default true. */
  attachments: boolean;
  /** Megabytes that one file may have. Default 40. */
  maxFileMb: number;
  /** Pictures are shrunk and lose what the camera wrote into them. Default false. */
  shrinkImages: boolean;
  /** A sound on a new message, until the visitor mutes it. Default true. */
  sound: boolean;
}

/** What the service takes in one message. */
export const MAX_FILES = 15;

export const defaults: Settings = {
  scheme: 'auto',
  preChat: [],
  sentences: {},
  attachments: true,
  maxFileMb: 40,
  shrinkImages: false,
  sound: true,
};

/** `data-*` as the browser gives it: names in camel case. */
export type Written = Readonly<Record<string, string | undefined>>;

/** @returns the settings, and a sentence for each value that was left out */
export function readSettings(written: Written): { settings: Settings; wrong: string[] } {
  const settings: Settings = { ...defaults };
  const wrong: string[] = [];
  // The launcher has checked it: without it there is no window.
  if (written.baseUrl) settings.baseUrl = written.baseUrl;
  const read = <K extends keyof Settings>(
    name: K,
    attribute: string,
    parse: (value: string) => Settings[K] | undefined,
    example: string,
  ) => {
    const value = written[name];
    if (value === undefined) return;
    const parsed = parse(value);
    if (parsed === undefined) wrong.push(`data-${attribute} must be ${example}.`);
    else settings[name] = parsed;
  };
  const flag = (value: string) =>
    value === 'true' || value === '' ? true : value === 'false' ? false : undefined;
  const number = (value: string) => (Number(value) > 0 ? Number(value) : undefined);
  const words = (value: string) => value.trim() || undefined;
  read('locale', 'locale', asLocale, 'a language tag like "de" or "pt-BR"');
  read(
    'scheme',
    'scheme',
    (v) => (v === 'light' || v === 'dark' || v === 'auto' ? v : undefined),
    '"light", "dark" or "auto"',
  );
  read('title', 'title', words, 'some words');
  read('greeting', 'greeting', words, 'some words');
  read('replyMinutes', 'reply-minutes', number, 'a number of minutes, like "30"');
  read('attachments', 'attachments', flag, '"true" or "false"');
  read('maxFileMb', 'max-file-mb', number, 'a number of megabytes, like "10"');
  read('shrinkImages', 'shrink-images', flag, '"true" or "false"');
  read('sound', 'sound', flag, '"true" or "false"');
  read('preChat', 'pre-chat', asFields, 'JSON like [{"name":"email","type":"email","required":true}]');
  read('sentences', 'sentences', asSentences, 'JSON like {"title":"Ask us"}');
  return { settings, wrong };
}

function asLocale(value: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(value)[0];
  } catch {
    return undefined;
  }
}

function parsed(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

const entries = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : [];

function asSentences(value: string): Partial<Sentences> | undefined {
  const json = parsed(value);
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined;
  const sentences: Partial<Record<string, string | Plural>> = {};
  for (const [key, sentence] of entries(json)) {
    if (typeof sentence === 'string') sentences[key] = sentence;
    const forms = Object.fromEntries(
      entries(sentence).filter((form): form is [string, string] => typeof form[1] === 'string'),
    );
    if (typeof sentence === 'object' && forms.other !== undefined)
      sentences[key] = { ...forms, other: forms.other };
  }
  return sentences satisfies Partial<Record<Key | string, string | Plural>>;
}

const types = ['text', 'email', 'tel', 'select', 'checkbox', 'consent'] as const;

function asFields(value: string): PreChatField[] | undefined {
  const json = parsed(value);
  if (!Array.isArray(json)) return undefined;
  const fields: PreChatField[] = [];
  for (const item of json) {
    const { name, label, type = 'text', required, options } = Object.fromEntries(entries(item));
    const known = types.find((one) => one === type);
    if (typeof name !== 'string' || !name || !known) return undefined;
    fields.push({
      name,
      ...(typeof label === 'string' && label ? { label } : {}),
      type: known,
      required: required === true,
      options: Array.isArray(options) ? options.filter((one) => typeof one === 'string') : [],
    });
  }
  return fields;
}
