/**
 * What a message asks and what was answered, or what it shows in a shape of its own, as lines for a file or for paper,
 * and in short for the ear. It does not know where they are written, and how said.
 */
import { calm, oneLine } from '../content/clean.js';
import { wordsIn } from '../content/gist.js';
import { linkTo, misleads } from '../content/link.js';
import type { Row } from '../model/transcript.js';
import type { Say } from '../text/text.js';
import type { Message } from '../wire/message.js';
import {
  type Answer,
  type Field,
  readAnswers,
  readArticles,
  readCards,
  readFields,
  readOptions,
  readRating,
} from './read.js';

/** The rest is there to be read. */
const MAX_SAID = 5;

export interface Told {
  words: string;
  /** Where it leads; a good one. */
  address?: string | undefined;
}

/** An answer to a form, by the words that the visitor saw. */
export function answered({ name, value }: Answer, fields: Field[], say: Say) {
  const field = fields.find((one) => one.name === name);
  const option = field?.options.find((one) => one.value === value);
  const ticked = field?.type === 'checkbox' && say(value === 'true' ? 'yes' : 'no');
  return { label: field?.label ?? name, words: ticked || option?.title || calm(value) };
}

/** To whoever hears it alone: what is to be answered, and by what. */
export function asking({ content_type: type, content_attributes: attributes }: Message, say: Say): string {
  if (readAnswers(attributes)) return '';
  const listed = (words: string[]) => words.slice(0, MAX_SAID).join(', ');
  switch (type) {
    case 'input_select': {
      const words = listed(readOptions(attributes.items).map(({ title }) => title));
      return words && say('said', { name: say('choose'), words });
    }
    case 'form':
      return listed(readFields(attributes).map(({ label }) => label));
    case 'input_email':
      return say('email');
    case 'input_csat':
      return say('rating');
  }
  return '';
}

export function tell(message: Message, say: Say): Told[] {
  const lines = (message.message_type ? linesOf(message, say) : []).filter(({ words }) => words);
  if (lines.length || message.content?.trim() || message.attachments?.length) return lines;
  return [{ words: wordsIn(message.content_attributes) || say('notShown') }];
}

function linesOf({ content_type: type, content_attributes: attributes }: Message, say: Say): Told[] {
  const answers = readAnswers(attributes);
  switch (type) {
    case 'input_select': {
      const options = readOptions(attributes.items);
      const [answer] = answers ?? [];
      const known = options.find(({ value }) => value === answer?.value);
      const chosen = known?.title ?? (answer && (answer.title || answer.value));
      return [
        ...options.map(({ title }) => ({ words: `- ${title}` })),
        ...(chosen ? [{ words: say('said', { name: say('chosen'), words: chosen }) }] : []),
      ];
    }
    case 'form': {
      const fields = readFields(attributes);
      if (!answers) return fields.map(({ label }) => ({ words: `- ${label}` }));
      return answers
        .map((answer) => answered(answer, fields, say))
        .filter(({ words }) => words)
        .map(({ label, words }) => ({ words: say('said', { name: label, words }) }));
    }
    case 'input_email': {
      const email = emailIn(attributes);
      return [{ words: email === undefined ? `- ${say('email')}` : say('emailKept', { email }) }];
    }
    case 'input_csat': {
      const given = readRating(attributes);
      if (!given) return [{ words: `- ${say('rating')}` }];
      const words = say(`rate${given.rating}`);
      return [{ words: say('said', { name: say('rating'), words }) }, { words: given.feedback }];
    }
    case 'cards':
      return readCards(attributes).flatMap(({ title, description, actions }) => [
        { words: title },
        { words: description },
        ...actions.map(({ link, text, uri }) => (link ? leading(text, uri) : { words: `- ${text}` })),
      ]);
    case 'article':
      return readArticles(attributes).flatMap(({ title, description, link }) => [
        leading(title, link),
        { words: description },
      ]);
  }
  return [];
}

/** The address that was given; of the answer itself the service keeps a mark only. */
export function emailIn(attributes: Message['content_attributes']): string | undefined {
  const { submitted_email: kept } = attributes;
  const given = typeof kept === 'string' && kept ? kept : readAnswers(attributes)?.[0]?.value;
  return given && oneLine(given);
}

/** The address that the visitor gave last, as far as these rows go back. */
export function emailAmong(rows: readonly Row[] = []): string {
  for (let at = rows.length - 1; at >= 0; at--) {
    const { content_type: type, content_attributes: attributes } = rows[at]?.message ?? {};
    if (!attributes) continue;
    const fields = type === 'form' ? readFields(attributes).filter((field) => field.type === 'email') : [];
    const given = readAnswers(attributes)?.find(
      ({ name, value }) => value && fields.some((field) => field.name === name),
    );
    const email = type === 'input_email' ? emailIn(attributes) : given?.value;
    if (email) return email;
  }
  return '';
}

/** A refused address is words like any others. */
function leading(words: string, address: string): Told {
  const { hostname } = window.location;
  const link = linkTo(address, hostname);
  if (link.ok) {
    return { words: misleads(words, link, hostname) ? `${words} (${link.goes})` : words, address: link.href };
  }
  return { words: address && address !== words ? `${words} (${address})` : words };
}
