/**
 * `content_attributes` as an agent, a bot or a fault may have written them, read by hand: what is not as it should be
 * is left out, and nothing is too long or too many. It does not know how any of it is shown.
 * @see `createMessage` in the service's /openapi.json
 */
import { beginning, calm, oneLine } from '../content/clean.js';
import { isMap, raw, textIn as text } from '../content/gist.js';
import { safe } from '../ui/avatar.js';

export type Attributes = Readonly<Record<string, unknown>>;

const MAX_ITEMS = 50;
const MAX_OPTIONS = 300;
const MAX_TEXT = 1_000;

const items = (value: unknown, most = MAX_ITEMS): Attributes[] =>
  Array.isArray(value)
    ? value
        .slice(0, most)
        .filter(isMap)
        .map((map) => Object.fromEntries(Object.entries(map)))
    : [];

/** On one line. A label may be a sentence that somebody agrees to, so it is no shorter than other texts. */
const line = (value: unknown): string => beginning(oneLine(raw(value)), MAX_TEXT, 1);

export interface Option {
  title: string;
  value: string;
}

export const readOptions = (value: unknown, most = MAX_ITEMS): Option[] =>
  items(value, most)
    .map(({ title, label, key, value }) => ({
      title: line(title) || line(label) || line(value),
      value: raw(value) || raw(key) || raw(title) || raw(label),
    }))
    .filter((option) => option.title);

export interface Field {
  name: string;
  label: string;
  type: 'text' | 'email' | 'text_area' | 'select' | 'checkbox';
  required: boolean;
  fits: (value: string) => boolean;
  /** The sentence of whoever wrote the form for an answer that does not do. */
  error: string;
  placeholder: string;
  value: string;
  options: Option[];
}

const types = ['email', 'text_area', 'select', 'checkbox'] as const;

export const readFields = (attributes: Attributes): Field[] =>
  items(attributes.items)
    .map((item) => ({
      name: raw(item.name),
      label: line(item.label) || line(item.title) || line(item.name),
      type: types.find((type) => type === item.type) ?? ('text' as const),
      required: item.required === true,
      fits: pattern(item.regex, false) ?? pattern(item.pattern, true) ?? (() => true),
      error: text(item.error),
      placeholder: line(item.placeholder),
      value: raw(item.default),
      options: readOptions(item.options, MAX_OPTIONS),
    }))
    .filter((field) => field.name && (field.type !== 'select' || field.options.length));

/** So long a text is looked at with somebody else’s expression, and on so many ways through it as four stars have in it. */
const MAX_TYPED = 150;

/**
 * Somebody else's expression runs on what the visitor types: one that could take for ever (a repeated group, many
 * ways, a long text) is not run at all.
 */
function pattern(value: unknown, whole: boolean): ((value: string) => boolean) | undefined {
  const written = raw(value);
  const [, body = written, flags = ''] = /^\/(.*)\/([a-z]*)$/s.exec(written) ?? [];
  // Signs that stand for themselves, or say what a group is, repeat nothing.
  const bare = body.replace(/\\[^\dk]|\[(?:\\.|[^\]\\])*\]/gs, '.').replaceAll('(?', '(');
  let ways = whole || /^\^[^|]*$/.test(bare) ? 1 : MAX_TYPED;
  for (const [sign] of bare.matchAll(/[|?+*]|\{\d*,/g)) ways *= /[?|]/.test(sign) ? 2 : MAX_TYPED;
  if (!body || /\)[*+{]|\\/.test(bare) || ways > MAX_TYPED ** 4) return undefined;
  const found = whole ? `^(?:${body})$` : body;
  const flag = flags.includes('i') ? 'i' : '';
  const expression = compiled(found, `u${flag}`) ?? compiled(found, flag);
  return expression && ((typed) => typed.length > MAX_TYPED || expression.test(typed));
}

/** As browsers read it in a field, they know the letters of all writings by \p{L}. */
function compiled(expression: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(expression, flags);
  } catch {
    return undefined;
  }
}

export interface Card {
  title: string;
  description: string;
  /** A good address. */
  picture: string | undefined;
  /** The payload is for the page; where there is none, it is told the words. */
  actions: { link: boolean; text: string; uri: string; payload: string }[];
}

export const readCards = (attributes: Attributes): Card[] =>
  items(attributes.items)
    .map((item) => ({
      title: line(item.title),
      description: text(item.description),
      picture: safe(raw(item.media_url)),
      actions: items(item.actions)
        .map(({ type, text, uri, payload }) => ({
          link: type === 'link',
          text: line(text) || line(uri),
          uri: raw(uri),
          payload: raw(payload) || raw(text),
        }))
        .filter((action) => action.text),
    }))
    .filter((card) => card.title || card.description || card.picture || card.actions.length);

export interface Article {
  title: string;
  description: string;
  link: string;
}

export const readArticles = (attributes: Attributes): Article[] =>
  items(attributes.items)
    .map(({ title, description, link }) => ({
      title: line(title) || line(link),
      description: text(description),
      link: raw(link),
    }))
    .filter((article) => article.title);

export interface Answer extends Option {
  name: string;
}

/** What was answered to a choice or a form; undefined when nothing was. */
export function readAnswers({ submitted_values: values }: Attributes): Answer[] | undefined {
  const all = items(Array.isArray(values) ? values : [values]).map((answer) => ({
    name: raw(answer.name),
    title: line(answer.title),
    value: raw(answer.value),
  }));
  return all.length ? all : undefined;
}

export interface Rating {
  rating: 1 | 2 | 3 | 4 | 5;
  feedback: string;
}

export const RATINGS = [1, 2, 3, 4, 5] as const;

export function readRating({ submitted_values: values }: Attributes): Rating | undefined {
  const [{ csat_survey_response: response } = {}] = items([values]);
  const [{ rating, feedback_message } = {}] = items([response]);
  const known = RATINGS.find((one) => one === rating);
  return known && { rating: known, feedback: calm(raw(feedback_message)).trim() };
}
