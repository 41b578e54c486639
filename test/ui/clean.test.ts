/** Foreign words made fit to be shown: texts, names, file names. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { beginning, calm, cleanFileName, cleanName, fileNameIn, shortly } from '../../src/content/clean.js';
import { timeOf, when } from '../../src/content/when.js';

describe('a text', () => {
  test.each([
    ['plain', 'Hello, wörld! 你好 नमस्ते שָׁלוֹם', 'Hello, wörld! 你好 नमस्ते שָׁלוֹם'],
    ['a family and a flag', '👩‍👩‍👧‍👦 🏴󠁧󠁢󠁥󠁮󠁧󠁿', '👩‍👩‍👧‍👦 🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
    ['marks', `a${'\u0301'.repeat(50)}b`, `a${'\u0301'.repeat(5)}b`],
    ['invisible characters', `a${'\u200b'.repeat(50)}b`, `a${'\u200b'.repeat(9)}b`],
    ['controls', 'a\0b\x1bc\x7fd\te', 'abcd\te'],
    ['line ends', 'a\r\nb\rc\u2028d', 'a\nb\nc\nd'],
  ])('of %s', (_, text, expected) => {
    expect(calm(text)).toBe(expected);
  });

  test('keeps every letter', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        const letters = (words: string) => words.match(/[\p{L}\p{N}\p{S}\p{P}]/gu)?.join('');
        expect(letters(calm(text))).toBe(letters(text));
      }),
      { numRuns: 1000 },
    );
  });

  test('begins where asked, and not in a character', () => {
    expect(beginning('short', 100, 10)).toBe('short');
    expect(beginning('a\nb\nc\nd', 100, 2)).toBe('a\nb');
    expect(beginning(`${'word '.repeat(100)}`, 203, 10)).toHaveLength(199);
    expect(beginning('x'.repeat(500), 200, 10)).toHaveLength(200);
    expect(beginning('🙂'.repeat(500), 201, 10)).toBe('🙂'.repeat(100));
  });

  test('in which words have no spaces between them ends further on than at its greeting', () => {
    const said = `您好 ${'我们已收到您的来信'.repeat(50)}`;
    expect(beginning(said, 90, 2)).toBe(said.slice(0, 90));
    expect(shortly(`こんにちは\n${'お問い合わせ'.repeat(100)}`, 300)).toHaveLength(301);
    expect(beginning(`您好 ${'🙂'.repeat(100)}`, 90, 2)).toBe(`您好 ${'🙂'.repeat(43)}`);
    // A long word is not cut.
    expect(beginning(`${'word '.repeat(16)}Sonnenuntergang`, 90, 2)).toHaveLength(79);
  });
});

test.each([
  ['Grace', 'Grace'],
  [' Grace\n Hopper ', 'Grace Hopper'],
  ['\u202eecarG', 'ecarG'],
  ['\u2067Grace\u2069', 'Grace'],
  [`G${'\u0301'.repeat(500)}`, `G${'\u0301'.repeat(5)}`],
  ['', undefined],
  [' \u200e\u202e ', undefined],
  [undefined, undefined],
  ['<b>Grace</b>', '<b>Grace</b>'],
])('the name %j is %j', (name, expected) => {
  expect(cleanName(name)).toBe(expected);
});

test('a name has an end', () => {
  expect(cleanName('x'.repeat(1_000_000))).toBe(`${'x'.repeat(79)}…`);
});

test.each([
  ['invoice.pdf', 'invoice.pdf'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\temp\\a.txt', 'a.txt'],
  ['photo\u202egnp.exe', 'photognp.exe'],
  [`${'a'.repeat(1_000)}.pdf`, `${'a'.repeat(17)}…${'a'.repeat(10)}.pdf`],
  [`${'🙂'.repeat(100)}.tar.gz`, `${'🙂'.repeat(17)}…${'🙂'.repeat(7)}.tar.gz`],
  ['a\nb\0.pdf', 'a b.pdf'],
  ['<img src=x>.png', '<img src=x>.png'],
])('the file %j is shown as %j', (name, expected) => {
  expect(cleanFileName(name)).toBe(expected);
});

test('a file without a name has that of its address', () => {
  expect(fileNameIn('https://files.example/a/b%20c.pdf?d=e')).toBe('b c.pdf');
  expect(fileNameIn('https://files.example/')).toBe(undefined);
  expect(fileNameIn('https://files.example/%ff')).toBe(undefined);
});

test('a time that no calendar has and a language that is none are no reason to fail', () => {
  for (const at of [1e308, Number.POSITIVE_INFINITY, Number.NaN, -1e16]) expect(timeOf(at)).toBe(0);
  expect(when(0, 'en_US', { year: 'numeric' })).toMatch(/19(69|70)/);
});
