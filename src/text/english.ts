/** All English sentences together, as other languages have theirs: for tests and types. No visitor fetches this. */
import { en } from './en.js';
import { asksEn } from './en-asks.js';
import { emojiEn } from './en-emoji.js';
import { exportEn } from './en-export.js';
import { moreEn } from './en-more.js';
import { noticeEn } from './en-notice.js';
import { partsEn } from './en-parts.js';
import { preChatEn } from './en-pre-chat.js';
import { threadEn } from './en-thread.js';
import { trayEn } from './en-tray.js';
import { voiceEn } from './en-voice.js';

export const english = {
  ...en,
  ...preChatEn,
  ...asksEn,
  ...emojiEn,
  ...exportEn,
  ...moreEn,
  ...noticeEn,
  ...partsEn,
  ...threadEn,
  ...trayEn,
  ...voiceEn,
};
