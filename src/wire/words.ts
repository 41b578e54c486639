/** What a message says to the visitor, where that is not what it has as its words. */
import type { Message } from './message.js';

/** The reference deployment adds the way to a page of its own to the question that we ask ourselves. */
const SURVEY = /,? ?https?:\/\/\S{1,300}\/survey\/responses\/[\w-]{1,99}\s*$/;

export const wordsOf = ({ content, content_type }: Message): string =>
  (content_type === 'input_csat' ? content?.replace(SURVEY, '') : content) ?? '';
