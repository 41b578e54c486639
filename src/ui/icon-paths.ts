/** Those of our drawings that are there before whoever draws the others. */
export const SEND_PATH = 'M12 19V6m0 0-6 6m6-6 6 6';
export const CLOSE_PATH = 'M6 6l12 12M18 6 6 18';
