/**
 * What the launcher reads of the options itself. Without two of them nothing works: what is wrong with them is said in a
 * sentence that says what to write. Of the others it knows by their names alone which want the owner's own file.
 */
import { expect, test } from 'vitest';
import { PLACED } from '../../src/embed/mount.js';
import { readOptions } from '../../src/embed/options.js';
import { optionsTable } from '../../src/options-table.js';

const inboxIdentifier = 'INBOX';

test.each([
  undefined,
  '',
  'support.example.com',
  '//support.example.com',
  'ftp://support.example.com',
  'https://',
])('the address of the service is not %s', (baseUrl) => {
  const missing = 'with https:// is missing.';
  expect(readOptions({ baseUrl, inboxIdentifier }).wrong).toBe(`baseUrl ${missing}`);
  // Nobody is here to make one.
  const tag = { localName: 'script' } as Element;
  expect(readOptions({ baseUrl, inboxIdentifier, tag }).wrong).toBe(`data-base-url ${missing}`);
});

test.each([
  'https://support.example.com',
  ' https://support.example.com',
  'https://support.example.com/ ',
  '\n  https://support.example.com/',
  'https://support.example.com//?from=mail',
])('the address of the service may be %j', (baseUrl) => {
  expect(readOptions({ baseUrl, inboxIdentifier })).toMatchObject({
    baseUrl: 'https://support.example.com',
    scope: 'parley:https://support.example.com#INBOX',
    wrong: '',
  });
});

test('what is pasted as the inbox may have spaces around it', () => {
  const baseUrl = 'https://support.example.com';
  expect(readOptions({ baseUrl, inboxIdentifier: ' INBOX\n' })).toMatchObject({ inboxIdentifier, wrong: '' });
  expect(readOptions({ baseUrl, inboxIdentifier: ' ' }).wrong).toBe('inboxIdentifier is missing.');
});

test('without an inbox it is that which is named', () => {
  expect(readOptions({ baseUrl: 'https://support.example.com' }).wrong).toBe('inboxIdentifier is missing.');
});

test.each(optionsTable)('$name fetches the owner’s file with the page: $placed', ({ name, placed }) => {
  expect(PLACED.test(`baseUrl,inboxIdentifier,${name},scope,wrong`)).toBe(placed);
});

// Marks of tools that hold scripts back, or speed pages up.
test.each(['otIgnore', 'optimized', 'optOut', 'lazySrc', 'cfasync', 'noOptimize'])(
  '%s, which others write on tags, fetches nothing',
  (name) => {
    expect(PLACED.test(`baseUrl,inboxIdentifier,${name},scope,wrong`)).toBe(false);
  },
);

test('what the launcher adds to the options fetches no file of the owner’s', () => {
  const inside = readOptions({ baseUrl: 'https://support.example.com', inboxIdentifier });
  expect(PLACED.test(`${Object.keys({ ...inside, tag: undefined })}`)).toBe(false);
});
