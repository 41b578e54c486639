/** How what comes unasked speaks: as the chat does everywhere. It does not know what is said. */
import type { Stage } from '../embed/stage.js';
import { asSentences } from '../settings.js';
import { noticeEn } from '../text/en-notice.js';
import { findLanguage, type Language } from '../text/language.js';
import type { Sentences } from '../text/text.js';

export const english = {
  ...noticeEn,
  agent: 'Support',
  attachment: 'Attachment',
  image: 'Picture',
  audio: 'Audio',
  video: 'Video',
  message: 'Message',
  wordsWait: 'Some of your text here is still waiting to be sent. Send it or delete it first.',
};

/**
 * @param wanted the visitor's languages
 * @param shell what the launcher says in English
 * @throws when the language does not come
 */
export const speakAs = (
  { options: { sentences }, fetchLanguage }: Stage,
  wanted: readonly string[],
  shell: Partial<Sentences>,
): Promise<Language> =>
  findLanguage(wanted, asSentences(sentences) ?? new Map(), fetchLanguage, english, shell);
