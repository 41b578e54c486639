/** How much the service takes, where more than one of us must know. No schema: files that have none ask, too. */

/** Characters as the text of an attribute. */
export const MAX_ATTRIBUTE = 1500;
