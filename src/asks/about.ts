/** Answers of the form before the chat: read, checked, and sorted to where the service keeps them. */
import type { About } from '../model/ledger.js';
import type { PreChatField } from '../settings.js';
import type { Key } from '../text/text.js';

export type Given = Record<string, string | boolean>;

const CONTACT = ['name', 'email', 'phone_number'];

/** `+` and 2 to 15 digits, or undefined where that cannot be read from it. */
export function phoneNumber(text: string): string | undefined {
  const dense = text.replace(/\(0\)|[\s().\-\u2010-\u2015/]/g, '').replace(/^00/, '+');
  return /^\+[1-9]\d{1,14}$/.test(dense) ? dense : undefined;
}

const isEmail = (text: string) => /^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(text);

export function problemOf(field: PreChatField, given: string | boolean | undefined): Key | undefined {
  if (field.type === 'consent' || field.type === 'checkbox')
    return given === true || (field.type === 'checkbox' && !field.required) ? undefined : 'askNeededTick';
  const text = typeof given === 'string' ? given.trim() : '';
  if (!text) {
    if (!field.required) return undefined;
    return field.type === 'select' ? 'askNeededPick' : 'askNeeded';
  }
  if ((field.type === 'email' || field.name === 'email') && !isEmail(text)) return 'notMail';
  if ((field.type === 'tel' || field.name === 'phone_number') && !phoneNumber(text)) return 'askNotPhone';
  return undefined;
}

/** @returns what the service is told; blank answers are not */
export function answersOf(fields: readonly PreChatField[], given: Given): About {
  const about: About = { contact: {}, conversation: {} };
  for (const { name, type } of fields) {
    const value = given[name];
    if (type === 'consent' || type === 'checkbox') {
      about.conversation[name] = value === true;
      continue;
    }
    const text = typeof value === 'string' ? value.trim() : '';
    if (!text) continue;
    const fit = type === 'tel' || name === 'phone_number' ? (phoneNumber(text) ?? text) : text;
    (CONTACT.includes(name) ? about.contact : about.conversation)[name] = fit;
  }
  return about;
}

/** A person stays who they are, and what they agreed to; a topic belongs to one conversation. */
export const forGood = (fields: readonly PreChatField[]): string[] =>
  fields.filter(({ name, type }) => CONTACT.includes(name) || type === 'consent').map(({ name }) => name);
