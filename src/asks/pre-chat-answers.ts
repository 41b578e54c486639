/** Answers of the form before the chat: read, checked, and sorted to where the service keeps them. */
import type { About } from '../model/ledger.js';
import type { PreChatField } from '../settings.js';
import type { Key } from '../text/text.js';
import { isEmail, plain } from './typed.js';

export type Given = Record<string, string | boolean>;

const CONTACT = ['name', 'email', 'phone_number'];

/** `+` and 2 to 15 digits, or undefined where that cannot be read from it. */
export function phoneNumber(text: string): string | undefined {
  // A Japanese keyboard writes a minus or a long vowel for a dash; what is copied brings marks of direction.
  const dense = plain(text)
    .replace(/\(0\)|[\s().\p{Pd}\p{Cf}\u2212\u30fc/]/gu, '')
    .replace(/^00/, '+');
  return /^\+[1-9]\d{1,14}$/.test(dense) ? dense : undefined;
}

const asksPhone = ({ type, name }: PreChatField) => type === 'tel' || name === 'phone_number';
const asksEmail = ({ type, name }: PreChatField) => type === 'email' || name === 'email';

export function problemOf(field: PreChatField, given: string | boolean | undefined): Key | undefined {
  if (field.type === 'consent' || field.type === 'checkbox')
    return given === true || (field.type === 'checkbox' && !field.required) ? undefined : 'askNeededTick';
  const text = typeof given === 'string' ? given.trim() : '';
  if (!text) {
    if (!field.required) return undefined;
    return field.type === 'select' ? 'askNeededPick' : 'askNeeded';
  }
  if (asksEmail(field) && !isEmail(plain(text))) return 'notMail';
  if (asksPhone(field) && !phoneNumber(text)) return 'askNotPhone';
  return undefined;
}

/** @returns what the service is told; blank answers are not */
export function answersOf(fields: readonly PreChatField[], given: Given): About {
  const about: About = { contact: {}, conversation: {} };
  for (const field of fields) {
    const { name, type } = field;
    const value = given[name];
    if (type === 'consent' || type === 'checkbox') {
      about.conversation[name] = value === true;
      continue;
    }
    const text = typeof value === 'string' ? value.trim() : '';
    if (!text) continue;
    const fit = asksPhone(field) ? (phoneNumber(text) ?? text) : asksEmail(field) ? plain(text) : text;
    (CONTACT.includes(name) ? about.contact : about.conversation)[name] = fit;
  }
  return about;
}

/** A person stays who they are, and what they agreed to; a topic belongs to one conversation. */
export const forGood = (fields: readonly PreChatField[]): string[] =>
  fields.filter(({ name, type }) => CONTACT.includes(name) || type === 'consent').map(({ name }) => name);
