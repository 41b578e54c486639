/**
 * Questions and cards that an agent sends: what the agent writes → `content_attributes`, and back from a message to
 * what the thread shows. Pure. @see `createMessage` in /openapi.json
 */
import { linkTo, webAddress } from '../../../src/content/link.js';
import type { ChangedMessage, Message } from '../wire/schemas.js';

export const questionKinds = {
  input_select: 'Quick replies',
  form: 'Form',
  input_email: 'Ask for e-mail',
  cards: 'Cards',
  article: 'Articles',
  input_csat: 'Rating',
} as const;
export type QuestionKind = keyof typeof questionKinds;

export const fieldTypes = {
  text: 'Short text',
  text_area: 'Long text',
  email: 'E-mail',
  select: 'List',
  checkbox: 'Tick box',
} as const;

/** One row of what the agent writes; a kind uses the fields it needs. */
export interface Item {
  key: number;
  title: string;
  description: string;
  link: string;
  linkText: string;
  picture: string;
  type: string;
  required: boolean;
  options: string;
}

export const emptyItem = (key: number): Item => ({
  key,
  title: '',
  description: '',
  link: '',
  linkText: '',
  picture: '',
  type: 'text',
  required: false,
  options: '',
});

/** A question that is being written; its rows stay when its kind changes. */
export interface Question {
  kind: QuestionKind;
  /** Undefined until somebody writes: some kinds have an opening of their own. */
  words?: string | undefined;
  items: readonly Item[];
}
export const emptyQuestion: Question = { kind: 'input_select', items: [emptyItem(1), emptyItem(2)] };

const lines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** A name for programs from words for people. */
const nameFrom = (words: string, index: number) =>
  words
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '') || `field_${index + 1}`;

/** An answer is known by its question's name. */
function apart(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let own = name;
    for (let n = 2; taken.has(own); n += 1) own = `${name}_${n}`;
    taken.add(own);
    return own;
  });
}

/** Most people leave out the beginning, and a visitor's window takes no address without it. */
function wholeAddress(typed: string): string {
  const address = typed.trim();
  return /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?:[:/?#]|$)/u.test(address) ? `https://${address}` : address;
}

const isFilled = (kind: QuestionKind, item: Item): boolean =>
  kind === 'cards' ? !!(item.title.trim() || item.description.trim()) : item.title.trim() !== '';

export interface Fault {
  /** Of the row. */
  key: number;
  field: 'link' | 'picture' | 'options';
  /** A sentence. */
  words: string;
}

/**
 * The first thing that a visitor would see nothing of.
 * @param host of this page: it may be linked to even where it has one label
 */
export function faultIn(kind: QuestionKind, items: readonly Item[], host: string): Fault | undefined {
  for (const item of items) {
    const found = isFilled(kind, item) && faultOf(kind, item, host);
    if (found) return { key: item.key, ...found };
  }
  return undefined;
}

const unknown = 'Nobody could open this. Write a whole address, such as https://shop.example/lamps.';

function faultOf(kind: QuestionKind, item: Item, host: string): Omit<Fault, 'key'> | undefined {
  const link = wholeAddress(item.link);
  const picture = wholeAddress(item.picture);
  if (kind === 'form' && item.type === 'select' && !lines(item.options).length)
    return { field: 'options', words: 'Write at least one option.' };
  // It is there to be pressed.
  if (kind === 'cards' && !link) return { field: 'link', words: 'A card needs a link.' };
  if ((kind === 'cards' || kind === 'article') && link && !linkTo(link, host).ok)
    return { field: 'link', words: unknown };
  if (kind === 'cards' && picture && !webAddress(picture, host)) return { field: 'picture', words: unknown };
  return undefined;
}

/** @returns undefined when nothing is there of what the kind cannot be without; faults are looked for before */
export function attributesOf(
  kind: QuestionKind,
  items: readonly Item[],
): Record<string, unknown> | undefined {
  const filled = items.filter((item) => isFilled(kind, item));
  if (kind === 'input_email') return {};
  if (kind === 'input_csat') return { display_type: 'emoji' };
  if (filled.length === 0) return undefined;
  const names = apart(filled.map(({ title }, index) => nameFrom(title, index)));
  switch (kind) {
    case 'input_select':
      return { items: filled.map(({ title }) => ({ title: title.trim(), value: title.trim() })) };
    case 'form':
      return {
        items: filled.map(({ title, type, required, options }, index) => ({
          name: names[index],
          label: title.trim(),
          type,
          required,
          ...(type === 'select' && { options: lines(options).map((one) => ({ label: one, value: one })) }),
        })),
      };
    case 'cards':
      return {
        items: filled.map(({ title, description, picture, link, linkText }) => ({
          title: title.trim(),
          description: description.trim(),
          ...(picture.trim() && { media_url: wholeAddress(picture) }),
          actions: [{ type: 'link', text: linkText.trim() || 'Open', uri: wholeAddress(link) }],
        })),
      };
    case 'article':
      return {
        items: filled.map(({ title, description, link }) => ({
          title: title.trim(),
          description: description.trim(),
          link: wholeAddress(link),
        })),
      };
  }
}

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};
const list = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.slice(0, 100).map(record) : [];
const words = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';

/** What a message asked, and what came back, for the thread. */
export interface Shown {
  kind: QuestionKind;
  /** Choices, cards or articles. */
  items: { title: string; description: string; link: string; chosen: boolean }[];
  /** What the visitor answered to a form, an e-mail question or a rating. */
  answers: { name: string; value: string }[];
  answered: boolean;
  rating: number;
}

const isKind = (type: string): type is QuestionKind => Object.hasOwn(questionKinds, type);

export function shownOf(contentType: string, attributes: Record<string, unknown>): Shown | undefined {
  if (!isKind(contentType)) return undefined;
  const items = list(attributes.items);
  const given = list(
    Array.isArray(attributes.submitted_values) ? attributes.submitted_values : [attributes.submitted_values],
  ).filter((one) => Object.keys(one).length > 0);
  const shown: Shown = { kind: contentType, items: [], answers: [], answered: given.length > 0, rating: 0 };
  if (contentType === 'input_csat') {
    const response = record(given[0]?.csat_survey_response);
    shown.rating = Number(response.rating) || 0;
    shown.answered = shown.rating > 0;
    if (words(response.feedback_message)) {
      shown.answers.push({ name: 'Comment', value: words(response.feedback_message) });
    }
  } else if (contentType === 'form' || contentType === 'input_email') {
    const labels = new Map(items.map((item) => [words(item.name), words(item.label)]));
    shown.items = items.map((item) => plain(words(item.label) || words(item.name)));
    shown.answers = given.map((answer) => ({
      // The visitor's window names it for programs.
      name:
        contentType === 'input_email'
          ? fieldTypes.email
          : labels.get(words(answer.name)) || words(answer.name) || 'Answer',
      value: words(answer.value) || words(answer.title),
    }));
  } else {
    const chosen = new Set(given.map((answer) => words(answer.value)));
    shown.items = items.map((item) => ({
      title: words(item.title),
      description: words(item.description),
      link: words(item.link) || words(list(item.actions)[0]?.uri),
      chosen: contentType === 'input_select' && chosen.has(words(item.value)),
    }));
  }
  return shown;
}

type Asked = Pick<Message, 'content_type' | 'content_attributes'>;

/** The visitor's answer on one line; empty while there is none. */
export function answerInShort({ content_type, content_attributes }: Asked): string {
  const shown = shownOf(content_type, content_attributes);
  if (!shown?.answered) return '';
  if (shown.rating) return `Rated ${shown.rating} of 5`;
  const chosen = shown.items.flatMap(({ title, chosen }) => (chosen ? title : []));
  const given = [...chosen, ...shown.answers.flatMap(({ value }) => value || [])].join(', ');
  return given ? `Answered: ${given}` : 'Answered';
}

/** The message after, where it was asked before and is answered now. */
export const answerTo = (before: Message, after: Message): Message | undefined =>
  before.id === after.id && answerInShort(after) !== '' && answerInShort(before) === '' ? after : undefined;

/** It had no answer before this change. */
export function isNewlyAnswered(message: ChangedMessage): boolean {
  const [before] = message.previous_changes.content_attributes ?? [];
  return (
    before !== undefined &&
    answerInShort(message) !== '' &&
    answerInShort({ ...message, content_attributes: before }) === ''
  );
}

const plain = (title: string) => ({ title, description: '', link: '', chosen: false });
