/** In the place of an HTTP status: nothing keeps the files of a message any more, and without them it would be another. */
export const FILES_LOST = -1;
/** So, too: it has waited for longer than its words may be meant, and nobody has refused it. */
export const OVERDUE = -2;
