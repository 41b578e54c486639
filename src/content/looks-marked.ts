/** Whether there is anything in a text that markdown would show in another way; then its reader is worth fetching. */
export const looksMarked = (text: string): boolean =>
  /[*_~`>\\[<|]|(?:^|\n) {0,3}(?:[-+]|#{1,6}|\d{1,9}[.)]) /.test(text);
