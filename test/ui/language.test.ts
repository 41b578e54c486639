import { expect, test } from 'vitest';
import { when } from '../../src/content/when.js';
import { localeOf } from '../../src/owner/arguments.js';
import { readSettings } from '../../src/settings.js';
import { chooseLocale, directionOf } from '../../src/text/choose.js';
import { english as en } from '../../src/text/english.js';
import { findLanguage } from '../../src/text/language.js';
import { createSay } from '../../src/text/text.js';
import { wantedLocales } from '../../src/text/wanted.js';

const there = ['de', 'nb', 'pt-BR', 'pt-PT', 'sr', 'uz', 'zh-Hans', 'zh-Hant', 'en'];

test.each([
  ['de-AT', 'de'],
  ['pt', 'pt-BR'],
  ['pt-PT', 'pt-PT'],
  ['pt-AO', 'pt-PT'],
  ['zh', 'zh-Hans'],
  ['zh-TW', 'zh-Hant'],
  ['zh-HK', 'zh-Hant'],
  ['zh-SG', 'zh-Hans'],
  ['no', 'nb'],
  ['nn-NO', 'nb'],
  ['yue-HK', 'zh-Hant'],
  ['en-GB', 'en'],
  ['tlh', 'en'],
])('who wants %s reads %s', (tag, catalogue) => {
  expect(chooseLocale([tag], there).catalogue).toBe(catalogue);
});

test('the next language serves when nobody speaks the first, and dates follow the wanted tag', () => {
  expect(chooseLocale(['tlh', 'de-CH', 'en'], there)).toEqual({ tag: 'de-CH', catalogue: 'de' });
});

test.each([
  ['sr-Latn', 'sr-Cyrl', 'понедељак'],
  ['sr-ME', 'sr-Cyrl-ME', 'понедељак'],
  ['sr-RS', 'sr-RS', 'понедељак'],
  ['uz-Cyrl', 'uz-Latn', 'dushanba'],
  ['nn-NO', 'nb-NO', 'mandag'],
  ['no', 'nb', 'mandag'],
  ['yue', 'zh-Hant', '星期一'],
])(
  'who wants %s reads dates in the language and the letters of the sentences around them',
  (wanted, tag, weekday) => {
    expect(chooseLocale([wanted], there).tag).toBe(tag);
    expect(when(Number(new Date(2026, 0, 5)), tag, { weekday: 'long' })).toBe(weekday);
  },
);

test('the owner decides, then the page, then the browser; what is no tag is left out', () => {
  expect(wantedLocales('DE', 'fr', ['it'])).toEqual(['de']);
  expect(wantedLocales(undefined, 'fr', ['it'])).toEqual(['fr']);
  expect(wantedLocales(undefined, '', ['it', 'not a tag', 'en'])).toEqual(['it', 'en']);
});

test('a tag as servers write it is one, and what is none leaves the word to the next', () => {
  expect(wantedLocales('pt_BR', 'fr', ['it'])).toEqual(['pt-BR']);
  expect(wantedLocales(undefined, 'de_DE', ['it'])).toEqual(['de-DE']);
  expect(wantedLocales(undefined, 'not a tag', ['it', 'en'])).toEqual(['it', 'en']);
  expect(wantedLocales('Portuguese!', 'fr', ['it'])).toEqual(['fr']);
  expect(wantedLocales(undefined, undefined, ['?'])).toEqual([]);
  const written = { baseUrl: 'https://chat.example', inboxIdentifier: 'inbox', locale: 'pt_BR' };
  expect(readSettings(written)).toMatchObject({ settings: { locale: 'pt-BR' }, wrong: [] });
  expect(localeOf('zh_Hant_TW')).toBe('zh-Hant-TW');
});

test('the owner’s words for the very tag come first, then those for the language as we have it, then for it at all', async () => {
  const sentences = {
    send: 'Go',
    en: { send: 'Send it' },
    de: { send: 'Los', title: 'Frag uns' },
    'de-AT': { send: 'Auf geht’s' },
    'pt-BR': { send: 'Vai' },
    zh_Hant: { send: '送' },
  };
  const { settings } = readSettings({ sentences });
  const said = async (wanted: string) => {
    const found = async () => {
      const { tag, catalogue } = chooseLocale([wanted], there);
      return { locale: tag, dir: directionOf(catalogue), catalogue, sentences: {} };
    };
    const { say, wording } = await findLanguage([wanted], settings.sentences, found, en);
    return [say('send'), say('retry'), wording.title];
  };
  expect(await said('de-AT')).toEqual(['Auf geht’s', en.retry, undefined]);
  expect(await said('de-CH')).toEqual(['Los', en.retry, 'Frag uns']);
  expect(await said('zh-TW')).toEqual(['送', en.retry, undefined]);
  expect(await said('pt')).toEqual(['Vai', en.retry, undefined]);
  // These have none of their own.
  expect(await said('pt-PT')).toEqual(['Go', en.retry, undefined]);
  expect(await said('uz')).toEqual(['Go', en.retry, undefined]);
  // And English as any other.
  expect(await said('en-GB')).toEqual(['Send it', en.retry, undefined]);
  expect(await said('tlh')).toEqual(['Send it', en.retry, undefined]);
});

test('right to left where it is written so', () => {
  expect(['ar', 'he', 'fa', 'ur', 'de', 'arn', 'zh-Hant'].map(directionOf)).toEqual([
    'rtl',
    'rtl',
    'rtl',
    'rtl',
    'ltr',
    'ltr',
    'ltr',
  ]);
});

test('a sentence takes the form that its language has for the number, and the owner’s comes first', () => {
  const polish = createSay(
    'pl',
    { unread: { one: '{count} nowa', few: '{count} nowe', other: '{count} nowych' } },
    en,
  );
  expect([1, 2, 5, 22, 1000].map((count) => polish('unread', { count }))).toEqual([
    '1 nowa',
    '2 nowe',
    '5 nowych',
    '22 nowe',
    '1000 nowych',
  ]);
  const own = createSay('en', { title: 'Ask us' }, en);
  expect([own('title'), own('send'), own('said', { name: 'Ada', words: '{name}' })]).toEqual([
    'Ask us',
    en.send,
    'Ada: {name}',
  ]);
});
