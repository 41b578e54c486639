/**
 * Every sentence of the window itself, in English. `{name}` is filled in; a sentence that depends on a
 * number has a form for each plural category of its language.
 */
import { shellEn } from './en-shell.js';

export const en = {
  ...shellEn,
  retry: 'Try again',
  offline: 'You are offline. What you write is kept and sent when you are back.',
  down: 'No connection at the moment. What you write is kept and sent as soon as it is back.',
  connecting: 'Connecting…',
  unavailable: 'The chat cannot be reached right now. Your words are kept.',
  notKept: 'Your browser does not let us keep anything: the conversation lasts as long as this page.',
  notStored: 'Your message could not be kept, so it was not sent. Your words are still in the field.',
  tooLong: {
    one: 'A message can have up to {count} character.',
    other: 'A message can have up to {count} characters.',
  },
  // The composer
  attach: 'Attach files',
  fileLimits: {
    one: 'Up to {count} file of {size} MB',
    other: 'Up to {count} files of {size} MB each',
  },
  drop: 'Drop your files here',
  readying: 'Getting your files ready…',
  emoji: 'Emoji',
  record: 'Record a voice message',
  partNotLoaded: 'This could not be loaded. Please check your connection and try again.',
  // Around the thread.
  menu: 'More',
  menuNew: { one: 'More, {count} new message elsewhere', other: 'More, {count} new messages elsewhere' },
};
