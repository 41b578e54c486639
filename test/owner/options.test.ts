/** Without these two options nothing works: what is wrong with them is said in a sentence that says what to write. */
import { expect, test } from 'vitest';
import { readOptions } from '../../src/embed/options.js';

const inboxIdentifier = 'INBOX';

test.each([
  undefined,
  '',
  'support.example.com',
  '//support.example.com',
  'ftp://support.example.com',
  'https://',
])('the address of the service is not %s', (baseUrl) => {
  const begins = 'must begin with https://.';
  expect(readOptions({ baseUrl, inboxIdentifier }).wrong).toBe(`baseUrl ${begins}`);
  // Nobody is here to make one.
  const tag = { localName: 'script' } as Element;
  expect(readOptions({ baseUrl, inboxIdentifier, tag }).wrong).toBe(`data-base-url ${begins}`);
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

test('without an inbox it is that which is named', () => {
  expect(readOptions({ baseUrl: 'https://support.example.com' }).wrong).toBe('inboxIdentifier is missing.');
});
