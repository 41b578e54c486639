import fc from 'fast-check';
import { expect, test } from 'vitest';
import { answersOf, forGood, phoneNumber, problemOf } from '../../src/asks/pre-chat-answers.js';
import { plain } from '../../src/asks/typed.js';
import { when } from '../../src/content/when.js';
import type { PreChatField } from '../../src/settings.js';

const field = (more: Partial<PreChatField>): PreChatField => ({
  name: 'x',
  type: 'text',
  required: false,
  options: [],
  ...more,
});

test.each([
  ['+49 30 123456', '+4930123456'],
  ['0049 (30) 123-456', '+4930123456'],
  ['+1.555.123/4567', '+15551234567'],
  ['+12', '+12'],
  ['+49 (0)30 123456', '+4930123456'],
  ['+44 (0) 20 7946 0958', '+442079460958'],
  // Full-width signs, a minus and a long vowel of a Japanese keyboard.
  ['＋８１（０）９０－１２３４−５６７ー８', '+819012345678'],
  ['٠٠٩٧١ ٥٠ ١٢٣ ٤٥٦٧', '+971501234567'],
  ['+۹۸ ۹۱۲ ۳۴۵ ۶۷۸۹', '+989123456789'],
  ['+९१ ९८७६५ ४३२१०', '+919876543210'],
  ['\u202a+49 30 123456\u202c', '+4930123456'],
  ['030 123456', undefined],
  ['+0123456', undefined],
  ['+1234567890123456', undefined],
  ['+1 555 CALL', undefined],
  ['', undefined],
])('the phone number %j is %j', (text, expected) => {
  expect(phoneNumber(text)).toBe(expected);
});

test('a number that can be read is what the service takes, however it is written', () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^[1-9]\d{1,14}$/),
      fc.array(fc.constantFrom(' ', '-', '.', '(', ')', '–', '/'), { minLength: 15, maxLength: 15 }),
      (digits, marks) => {
        const written = [...digits].map((digit, i) => `${digit}${marks[i] ?? ''}`).join('');
        // That is how the 0 is written which is dialled at home only.
        fc.pre(!written.includes('(0)'));
        expect(phoneNumber(`+${written}`)).toBe(`+${digits}`);
        expect(phoneNumber(`00${written}`)).toBe(`+${digits}`);
      },
    ),
  );
});

test.each<[string, Partial<PreChatField>, string | boolean | undefined, string | undefined]>([
  ['blank where it may be', {}, ' ', undefined],
  ['blank where it must not be', { required: true }, '  ', 'askNeeded'],
  ['nothing chosen', { type: 'select', required: true }, '', 'askNeededPick'],
  ['no consent', { type: 'consent' }, undefined, 'askNeededTick'],
  ['an optional tick', { type: 'checkbox' }, undefined, undefined],
  ['a required tick', { type: 'checkbox', required: true }, false, 'askNeededTick'],
  ['half an address', { name: 'email' }, 'ada@example', 'notMail'],
  ['two addresses', { type: 'email' }, 'a@b.co, c@d.co', 'notMail'],
  ['an address with nothing between two dots', { type: 'email' }, 'ada@example..com', 'notMail'],
  ['an address longer than any', { name: 'email' }, `ada@${'x'.repeat(250)}.com`, 'notMail'],
  ['an address', { type: 'email' }, ' ada@example.com ', undefined],
  ['an address of full-width signs', { name: 'email' }, 'ｔａｒｏ＠ｅｘａｍｐｌｅ．ｃｏｍ', undefined],
  ['a local number', { name: 'phone_number' }, '030 1234', 'askNotPhone'],
])('%s', (_, more, given, problem) => {
  expect(problemOf(field(more), given)).toBe(problem);
});

test('answers go to the contact, to the conversation, or nowhere', () => {
  const fields = [
    field({ name: 'name' }),
    field({ name: 'email', type: 'email' }),
    field({ name: 'phone_number', type: 'tel' }),
    field({ name: 'topic', type: 'select' }),
    field({ name: 'member', type: 'checkbox' }),
    field({ name: 'terms', type: 'consent' }),
  ];
  const given = { name: ' Ada ', phone_number: '+1 (555) 1', topic: 'Hats', terms: true };
  expect(answersOf(fields, given)).toEqual({
    contact: { name: 'Ada', phone_number: '+15551' },
    conversation: { topic: 'Hats', member: false, terms: true },
  });
  expect(forGood(fields)).toEqual(['name', 'email', 'phone_number', 'terms']);
  const typed = { name: 'Ｔａｒｏ', email: 'taro＠example.com', phone_number: '＋８１ ９０' };
  expect(answersOf(fields, typed).contact).toEqual({
    name: 'Ｔａｒｏ',
    email: 'taro@example.com',
    phone_number: '+8190',
  });
});

test('the digits of every script are digits', () => {
  const all = Array.from({ length: 0x2_0000 }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .filter((sign) => /\p{Nd}/u.test(sign));
  expect(all.length).toBeGreaterThan(600);
  expect(plain(all.join(''))).toBe('0123456789'.repeat(all.length / 10));
  expect(plain('Ａda, 東京')).toBe('Ada, 東京');
});

test('two formats of a date are two, whatever their words', () => {
  const at = Date.UTC(2025, 10, 23, 12);
  const zone = { timeZone: 'UTC' } as const;
  expect(when(at, 'en', { weekday: 'long', ...zone })).toBe('Sunday');
  expect(when(at, 'en', { dateStyle: 'long', ...zone })).toBe('November 23, 2025');
});
