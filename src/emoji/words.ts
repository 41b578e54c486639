/** How words are compared where emoji are looked for: the same for what is written in a table and what is typed. */

/** Written without spaces: where a word begins, nobody can tell. */
export const SPACELESS = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]/;

/** @returns in lower case and without accents, so that `cafe` finds `Café` */
export const split = (words: string): string[] =>
  words
    .normalize('NFD')
    // Marks of Latin letters, vowels of Arabic ones, and the line that stretches these.
    .replace(/[\u0300-\u036f\u0640\u064b-\u065f\u0670]/g, '')
    .normalize()
    .toLowerCase()
    // The apostrophe of keyboards is another than that of books, and an article before it is no word of its own.
    .replace(/(^| )([cdjlmnst]|qu|un|\w*ll)['’]|['’‘ʼʻ]/g, '$1')
    // A capital I is either letter in Turkish.
    .replace(/ı/g, 'i')
    // Letters that are not taken apart, as they are typed where they are missing.
    .replace(/ß/g, 'ss')
    .replace(/œ/g, 'oe')
    .replace(/æ/g, 'ae')
    .replace(/đ/g, 'd')
    .replace(/ł/g, 'l')
    .replace(/ø/g, 'o')
    .split(/[\s-]+/)
    .filter(Boolean);
