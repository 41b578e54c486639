/** What an owner may set: what cannot be what was meant is named, and left out. */
import { expect, test } from 'vitest';
import { readSettings } from '../../src/settings.js';

test.each([
  ['a select without options', [{ name: 'topic', type: 'select' }]],
  ['a select with none that are words', [{ name: 'topic', type: 'select', options: [1] }]],
  ['a text in the place of true', [{ name: 'mail', type: 'email', required: 'true' }]],
  ['no name', [{ type: 'email' }]],
  ['a type that there is not', [{ name: 'mail', type: 'mail' }]],
])('questions before the chat with %s are wrong', (_, preChat) => {
  for (const written of [preChat, JSON.stringify(preChat)]) {
    const { settings, wrong } = readSettings({ preChat: written });
    expect(wrong).toEqual(['preChat']);
    expect(settings.preChat).toEqual([]);
  }
});

test('questions before the chat are read, with what they leave out', () => {
  const preChat = '[{"name":"mail","required":true},{"name":"topic","type":"select","options":["One"]}]';
  expect(readSettings({ preChat })).toMatchObject({
    wrong: [],
    settings: {
      preChat: [
        { name: 'mail', type: 'text', required: true, options: [] },
        { name: 'topic', type: 'select', required: false, options: ['One'] },
      ],
    },
  });
});

test.each([
  ['image/*,.pdf', 'image/*,.pdf'],
  [' .PDF  application/zip,, ', '.pdf,application/zip'],
  [['image/jpg', '.tar.gz'], 'image/jpeg,.tar.gz'],
])('kinds of files may be written as %j', (fileTypes, read) => {
  expect(readSettings({ fileTypes })).toMatchObject({ wrong: [], settings: { fileTypes: read } });
});

test.each([
  [''],
  ['jpg'],
  ['image/*, jpg'],
  ['*'],
  ['text/*'],
  ['*.pdf'],
  ['image'],
  [[]],
  [['.pdf', 7]],
  [true],
])('kinds of files are not %j', (fileTypes) => {
  const { settings, wrong } = readSettings({ fileTypes });
  expect(wrong).toEqual(['fileTypes']);
  expect(settings.fileTypes).toBeUndefined();
});
