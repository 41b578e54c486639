/** What the window says in English before its own sentences are here. */
import { faceEn, launcherEn } from './en-launcher.js';

export const shellEn = {
  ...launcherEn,
  ...faceEn,
  /** Written on the window and spoken on entering it. */
  window: 'Chat',
  title: 'Chat with us',
  subtitle: 'We answer here, in this window.',
  placeholder: 'Write a message…',
  send: 'Send message',
};
