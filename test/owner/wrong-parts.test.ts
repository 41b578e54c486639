/** What is wrong within an option that holds several things is named by its place, and told as it is written. */
import { expect, test } from 'vitest';
import { corrections } from '../../src/owner/explain.js';
import { readSettings } from '../../src/settings.js';

// Nobody is here to make one.
const tag = { localName: 'script' } as Element;
const types = '"type" must be "text", "email", "tel", "select", "checkbox" or "consent"';
const options = '"options" must be a list of words, like ["Sales","Support"]';
const mail = { name: 'email', type: 'email' };

test.each<[string, unknown, string[]]>([
  ['a type that there is not', { name: 'phone', type: 'phone' }, [types]],
  ['no name', { type: 'text' }, ['"name" must be some words, like "email"']],
  ['a text in the place of true', { name: 'topic', required: 'true' }, ['"required" must be true or false']],
  ['a select with nothing to choose', { name: 'topic', type: 'select' }, [options]],
  ['several at once', { type: 'phone' }, ['"name" must be some words, like "email"', types]],
  ['no fields at all', 'email', ['"name" must be some words, like "email"']],
])('a question before the chat with %s is named, and none is asked', (_, question, said) => {
  const preChat = [mail, question];
  const { wrong, settings } = readSettings({ preChat });
  expect([wrong, settings.preChat]).toEqual([['preChat'], []]);
  const inWords = said.map((one) => `question 2: ${one}.`);
  expect(corrections('preChat', { preChat })).toEqual(inWords.map((one) => `preChat, ${one}`));
  expect(corrections('preChat', { preChat: JSON.stringify(preChat), tag })).toEqual(
    inWords.map((one) => `data-pre-chat, ${one}`),
  );
});

test.each<[string, unknown, string]>([
  [
    'a field that there is not',
    { name: 'topic', requierd: true },
    'there is no "requierd": write "name", "label", "type", "required" or "options"',
  ],
  ['the name of another one', mail, '"name" must be another one than those before it have'],
  [
    'a choice that is no word',
    { name: 'topic', type: 'select', options: ['One', 2] },
    '"options" must be a list of words, like ["Sales","Support"]',
  ],
  ['a label that is none', { name: 'topic', label: 5 }, '"label" must be some words'],
])('a question before the chat with %s is named, and asked all the same', (_, question, said) => {
  const preChat = [mail, question];
  const { wrong, settings } = readSettings({ preChat });
  expect([wrong, settings.preChat.length]).toEqual([['preChat'], 2]);
  expect(corrections('preChat', { preChat })).toEqual([`preChat, question 2: ${said}.`]);
});

test.each<[string, unknown]>([
  ['a number', 5],
  ['nothing', null],
  ['forms without other', { one: '{count} answer' }],
  ['a form that is none', { one: 5, other: 7 }],
])('a sentence that is %s is named, and the others are said', (_, sentence) => {
  const sentences = { title: sentence, retry: 'Once more', unread: { other: '{count} answers' } };
  const { wrong, settings } = readSettings({ sentences });
  expect(wrong).toEqual(['sentences']);
  expect(settings.sentences.get('')).toMatchObject({
    retry: 'Once more',
    unread: { other: '{count} answers' },
  });
  const said = '"title" must be some words, or where they depend on a number {"one":"…","other":"…"}.';
  expect(corrections('sentences', { sentences })).toEqual([`sentences, ${said}`]);
  expect(corrections('sentences', { sentences: JSON.stringify(sentences), tag })).toEqual([
    `data-sentences, ${said}`,
  ]);
});

test('of what is said in one language alone, too, each thing that is wrong is named, and the rest is said', () => {
  const sentences = {
    send: 'Go',
    german: { title: 'Frag uns' },
    de: {
      title: 5,
      greeting: 'Hallo',
      retry: { one: 'Noch einmal' },
      it: { send: 'Vai' },
      unread: { one: '{count} Antwort', other: '{count} Antworten' },
      'preChat.topic': ['Thema'],
    },
    pt_br: { title: 'Fale com a gente' },
  };
  const { wrong, settings } = readSettings({ sentences });
  expect([...new Set(wrong)]).toEqual(['sentences']);
  expect(Object.fromEntries(settings.sentences)).toEqual({
    '': { send: 'Go' },
    de: { greeting: 'Hallo', unread: { one: '{count} Antwort', other: '{count} Antworten' } },
    'pt-BR': { title: 'Fale com a gente' },
  });
  const forms = 'must be some words, or where they depend on a number {"one":"…","other":"…"}.';
  expect(corrections('sentences', { sentences })).toEqual([
    `sentences, "german" ${forms}`,
    `sentences, "de", "title" ${forms}`,
    `sentences, "de", "retry" ${forms}`,
    `sentences, "de", "it" ${forms}`,
    `sentences, "de", "preChat.topic" ${forms}`,
  ]);
});

test('a program is told of values as it writes them, and a tag as it does', () => {
  const told = (name: string, given: Record<string, unknown>) => [
    ...corrections(name, given),
    ...corrections(name, { ...given, tag }),
  ];
  expect(told('preChat', { preChat: '[{name:"email"}]' })).toEqual([
    'preChat must be a list like [{"name":"email","type":"email","required":true}].',
    'data-pre-chat must be JSON like [{"name":"email","type":"email","required":true}].',
  ]);
  expect(told('attachments', { attachments: 'no' })).toEqual([
    'attachments must be true or false.',
    'data-attachments must be "true" or "false".',
  ]);
  expect(told('offsetX', { offsetX: 'far' })).toEqual([
    'offsetX must be a number of pixels, like 20.',
    'data-offset-x must be a number of pixels, like "20".',
  ]);
  expect(told('scheme', { scheme: 'drak' })).toEqual([
    'scheme must be "auto", "light" or "dark".',
    'data-scheme must be "auto", "light" or "dark".',
  ]);
  expect(told('sentences', { sentences: [] })).toEqual([
    'sentences must be an object like {"title":"Ask us"}.',
    'data-sentences must be JSON like {"title":"Ask us"}.',
  ]);
});
