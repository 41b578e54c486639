/** Lines of which those that are marked must not compile: what `sentences` takes. */
import type { OwnSentences, SentenceName } from '../../src/index.js';

export const right: OwnSentences = {
  send: 'Go',
  unread: { one: '{count} new answer', other: '{count} new answers' },
  de: { send: 'Los', greeting: 'Hallo!', 'preChat.topic': 'Thema' },
  // From a later version, or an earlier one: the doctor tells.
  nobodyKnowsThis: 'yet',
};
export const named: SentenceName = 'title';
// @ts-expect-error a name that there is not
export const unknown: SentenceName = 'titel';
// @ts-expect-error a sentence of ours is no language
export const nested: OwnSentences = { send: { one: 'Go' } };
// @ts-expect-error and no number
export const number: OwnSentences = { send: 7 };
