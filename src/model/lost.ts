/** In the place of an HTTP status: nothing keeps the files of a message any more, and without them it would be another. */
export const FILES_LOST = -1;
