/**
 * A conversation as a document of its own, and as plain text. Made of text nodes: nothing in it was ever read as
 * markup. It does not know how messages are fetched, nor where the document goes.
 */
import type { Told } from '../asks/told.js';
import { calm, cleanFileName, cleanName, titleOf } from '../content/clean.js';
import { namesIn, whereIs } from '../content/enclosed.js';
import { webAddress } from '../content/link.js';
import { plainWords } from '../content/plain-words.js';
import { timeOf, when } from '../content/when.js';
import type { Row } from '../model/transcript.js';
import type { Say } from '../text/text.js';
import type { Attachment, Message } from '../wire/message.js';

export interface Paper {
  rows: readonly Row[];
  say: Say;
  /** As the service counts it; none before it has heard of it. */
  number?: number | undefined;
  /** What the owner calls the chat. */
  title?: string | undefined;
  /** What a message that is more than words asks or shows; there when one of them is. */
  tell?: ((message: Message, say: Say) => Told[]) | undefined;
  locale: string;
  /** Milliseconds since 1970. */
  now: number;
}

interface Line {
  at: number;
  day: string | undefined;
  name: string;
  words: string;
  /** What was asked and answered, and the files. */
  below: Told[];
  /** What became of it, when it has not arrived. */
  state: string | undefined;
}

/** More than words and files: the file that shows such messages knows what they say. */
export const isMore = ({ content_type: type = 'text', content_attributes }: Message): boolean =>
  type !== 'text' && content_attributes.deleted !== true;

/** As the thread shows it: a place with its map, a person by name, and what was heard in a sound. */
function enclosed(one: Attachment, say: Say): Told[] {
  const { data_url, transcribed_text: heard } = one;
  const place = whereIs(one);
  const address = webAddress(data_url, window.location.hostname);
  // Nothing is too long for paper.
  const words =
    titleOf(one, place ? undefined : address, Infinity) || (!place && !namesIn(one) && say('attachment'));
  return [
    {
      words: [namesIn(one), words, place?.words].filter(Boolean).join(', '),
      address: place?.address ?? address,
    },
    ...(heard?.trim() ? [{ words: calm(heard) }] : []),
  ];
}

function linesOf({ rows, say, tell, locale }: Paper): Line[] {
  return rows.map((row) => {
    const { sender, attachments = [] } = row.message ?? {};
    const deleted = row.message?.content_attributes.deleted === true;
    const at = timeOf(row.at);
    return {
      at,
      day: row.startsDay ? when(at, locale, { dateStyle: 'full' }) : undefined,
      name: row.mine
        ? say('you')
        : (cleanName(sender?.available_name) ?? cleanName(sender?.name) ?? say('agent')),
      words: calm(row.mine || deleted ? row.content : plainWords(row.content)),
      below: [
        ...(tell && row.message && isMore(row.message) ? tell(row.message, say) : []),
        ...attachments.flatMap((one) => enclosed(one, say)),
        ...(row.message ? [] : (row.entry?.files ?? [])).map(({ name }) => ({
          words: cleanFileName(name, Infinity),
        })),
      ],
      state: row.state === 'sent' || row.state === 'keeping' ? undefined : say(row.state),
    };
  });
}

/** Lines that go on stand further in: at the edge they would look like another one's words. */
const further = (words: string) => words.replaceAll('\n', '\n  ');

/** Several may be saved on one day. */
export const calledOf = ({ say, number }: Paper) => [say('transcript'), number].filter(Boolean).join(' ');
/** Whose it is: the chat by its name, and the page that it stood on. */
const whoseOf = ({ title }: Paper) => [cleanName(title), location.hostname].filter(Boolean).join(', ');

const clock = { hour: 'numeric', minute: '2-digit' } as const;

export function textOf(paper: Paper): string {
  const { say, locale, now } = paper;
  const head = [
    calledOf(paper),
    whoseOf(paper),
    say('writtenOn', { date: when(now, locale, { dateStyle: 'long' }) }),
  ].filter(Boolean);
  const body = linesOf(paper).flatMap(({ at, day, name, words, below, state }) => [
    ...(day ? ['', day, ''] : []),
    `${when(at, locale, clock)} ${say('said', { name, words: further(words) })}${state ? ` [${state}]` : ''}`,
    ...below.map(({ words, address }) => `  ${further(words)}${address ? ` <${address}>` : ''}`),
  ]);
  return `${[...head, ...body].join('\n')}\n`;
}

export const looks = `
body { max-width: 42rem; margin: 2rem auto; padding: 0 1rem; font: 15px/1.5 system-ui, sans-serif; color: #171a2b }
h1 { font-size: 1.4rem; margin: 0 }
h2 { font-size: .95rem; margin: 2rem 0 .5rem; padding-bottom: .25rem; border-bottom: 1px solid #ccc }
ol { margin: 0; padding: 0; list-style: none }
li { margin: 0 0 .75rem; break-inside: avoid }
p { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: plaintext }
header p, li div { color: #5a607a; font-size: .85rem }
b { color: #171a2b }
`;

/** @param styled whether it carries its looks; a strict policy of the page would refuse them in a frame */
export function documentOf(paper: Paper, styled: boolean): Document {
  const { say, locale, now } = paper;
  const head = [calledOf(paper), whoseOf(paper)].filter(Boolean);
  const page = document.implementation.createHTMLDocument(head.join(', '));
  const make = (name: string, parent: Element, text?: string) => {
    const element = page.createElement(name);
    if (text !== undefined) element.textContent = text;
    return parent.appendChild(element);
  };
  page.documentElement.lang = locale;
  page.documentElement.dir = 'auto';
  const charset = page.createElement('meta');
  charset.setAttribute('charset', 'utf-8');
  page.head.prepend(charset);
  if (styled) {
    make('style', page.head, looks);
    const viewport = make('meta', page.head);
    viewport.setAttribute('name', 'viewport');
    viewport.setAttribute('content', 'width=device-width, initial-scale=1');
  }
  const header = make('header', page.body);
  for (const words of head) make(words === head[0] ? 'h1' : 'p', header, words);
  make('p', header, say('writtenOn', { date: when(now, locale, { dateStyle: 'long' }) }));
  const main = make('main', page.body);
  let list = main;
  for (const { at, day, name, words, below, state } of linesOf(paper)) {
    if (day !== undefined) {
      make('h2', main, day);
      list = make('ol', main);
    }
    const item = make('li', list);
    const head = make('div', item);
    make('b', make('bdi', head), name);
    head.append(' ');
    make('time', head, when(at, locale, clock)).setAttribute('datetime', new Date(at).toISOString());
    if (state) head.append(` ${state}`);
    if (words) make('p', item, words).setAttribute('dir', 'auto');
    for (const { words, address } of below) {
      const shown = make(address ? 'a' : 'span', make('p', item), words);
      if (address) shown.setAttribute('href', address);
    }
  }
  return page;
}
