/**
 * What an owner's program hands to the calls, read with care: its types may be of another time, or of another language
 * altogether. Each reader gives the value, or the sentence that says what to write. It does not know what follows.
 */
import type { ContactFields } from '../api/inbox.js';
import { LEVELS } from '../levels.js';
import type { Level, Scalar, Theme } from '../parley.js';
import { accents, isAccent } from './accent.js';
import { quoted } from './quoted.js';

const entriesOf = (value: unknown): [string, unknown][] | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : undefined;

export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

export const levelOf = (value: unknown): Level | undefined => LEVELS.find((one) => one === value);

export function localeOf(value: unknown): string | undefined {
  try {
    return typeof value === 'string' ? Intl.getCanonicalLocales(value.replaceAll('_', '-'))[0] : undefined;
  } catch {
    return undefined;
  }
}

const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  (typeof value === 'number' && Number.isFinite(value));

/** Absent values are left out. */
function scalars(value: unknown): Record<string, Scalar> | undefined {
  const found: Record<string, Scalar> = {};
  for (const [name, one] of entriesOf(value) ?? [['', []]]) {
    if (one === undefined || one === null) continue;
    if (!isScalar(one)) return undefined;
    found[name] = one;
  }
  return found;
}

export function attributesOf(
  value: unknown,
): { contact?: Record<string, Scalar>; conversation?: Record<string, Scalar> } | string {
  const example =
    'setAttributes() needs scalars by name, like setAttributes({ contact: { seats: 3 }, conversation: { page: "/cart" } }).';
  const read: { contact?: Record<string, Scalar>; conversation?: Record<string, Scalar> } = {};
  for (const [name, one] of entriesOf(value) ?? [['', null]]) {
    if (one === undefined) continue;
    const known = scalars(one);
    if (!known || (name !== 'contact' && name !== 'conversation')) return example;
    read[name] = known;
  }
  return read;
}

const fields = { name: 'name', email: 'email', phone: 'phone_number', avatar: 'avatar_url' } as const;
const names = ['identifier', 'hash', ...Object.keys(fields), 'attributes'];

/** @returns the names in what is handed to identify() that are none of ours, with what to write instead */
export function strangersOf(value: unknown): { name: string; said: string }[] {
  return (entriesOf(value) ?? [])
    .filter(([name, one]) => !names.includes(name) && one !== undefined && one !== null)
    .map(([name]) => {
      // The service spells some of them otherwise, and `identifier_hash` has two of ours in it.
      const meant = [...names].reverse().find((one) => name.toLowerCase().includes(one));
      return { name, said: `identify() knows no "${name}": write ${meant ?? quoted(names)}.` };
    });
}

/** A longer one no service takes, and the visitor's words would wait for it. */
const LONGEST_NAME = 255;

export function whoOf(value: unknown): (ContactFields & { identifier: string }) | string {
  // Without its proof nobody is who they are said to be. Of the rest the visitor is let in without it.
  const proof = strangersOf(value).find(({ name }) => /hash/i.test(name));
  if (proof) return proof.said;
  const given = Object.fromEntries(entriesOf(value) ?? []);
  const { identifier, hash, attributes } = given;
  if (typeof identifier !== 'string' || !identifier || identifier.length > LONGEST_NAME)
    return `identify() needs your own name for the visitor, up to ${LONGEST_NAME} characters, like identify({ identifier: "user-7" }).`;
  const who: ContactFields & { identifier: string } = { identifier };
  if (hash !== undefined && hash !== null) {
    if (typeof hash !== 'string' || !/^[\da-f]{64}$/i.test(hash))
      return 'identify() needs a hash of 64 hexadecimal digits, made by your server.';
    who.identifier_hash = hash.toLowerCase();
  }
  for (const [ours, theirs] of Object.entries(fields)) {
    const one = given[ours];
    if (one === undefined || one === null || one === '') continue;
    if (typeof one !== 'string') return `identify() needs a text as ${ours}.`;
    who[theirs] = one;
  }
  if (attributes !== undefined && attributes !== null) {
    const known = scalars(attributes);
    if (!known) return 'identify() needs attributes that are scalars by name.';
    who.custom_attributes = known;
  }
  return who;
}

/** By the property whose values it takes. */
const tokens = {
  accent: 'color',
  scheme: 'color-scheme',
  onAccent: 'color',
  surface: 'color',
  text: 'color',
  muted: 'color',
  line: 'color',
  control: 'color',
  bubble: 'color',
  focus: 'color',
  danger: 'color',
  font: 'font-family',
  radius: 'border-radius',
} as const satisfies Record<keyof Theme, string>;

const needs = {
  color: 'a colour, like "#3a4fd8",',
  'color-scheme': '"auto", "light" or "dark"',
  'font-family': 'a font, like "Georgia, serif",',
  'border-radius': 'a length, like "8px",',
};

/** @param root where it is to be worn. @returns what to write instead */
export function themeOf(value: unknown, root: ParentNode): string | undefined {
  const isToken = (name: string): name is keyof Theme => Object.hasOwn(tokens, name);
  for (const [name, one] of entriesOf(value) ?? [['', null]]) {
    if (!isToken(name)) return `setTheme() knows ${Object.keys(tokens).join(', ')}.`;
    if (one === undefined || one === '') continue;
    if (name === 'accent' && !isAccent(root, `${one}`)) return `setTheme(): accent must be ${accents}.`;
    const fits =
      name === 'scheme'
        ? one === 'auto' || one === 'light' || one === 'dark'
        : typeof one === 'string' && CSS.supports(tokens[name], one);
    if (!fits) return `setTheme() needs ${needs[tokens[name]]} as ${name}.`;
  }
  return undefined;
}
