/** What the service takes, where more than one of us must know. No schema: files that have none ask, too. */

/** Characters as the text of an attribute. */
export const MAX_ATTRIBUTE = 1500;
/** The attribute of a conversation by which its agents find the one that its visitor had before they were named. */
export const PREVIOUS = 'previous_conversation';
