/**
 * Markdown as words alone, to be spoken or copied: without its marks, with the addresses of its links. A rough hand,
 * small enough for the window; what is shown is made by `markdown.ts`.
 */

/**
 * Blocks (as `markdown.ts` knows them) and spans of code, runs that begin none, and the character that holds their
 * place.
 */
const CODE =
  /^ {0,3}(`{3,}|~{3,}) *[\w+#.-]{0,20} *$\n?([\s\S]*?)\n?(?:^ {0,3}\1[`~]*[ \t]*$|(?![\s\S]))|(`+)(?!`)([^`]|[^`][\s\S]{0,997}?[^`])\3(?!`)|`+|\uFFFC/gm;

/** Its head, what is below that, and its rows. */
const TABLE = /^([^|\r\n]*\|.*)\r?\n(?=[ :-]*\|)(?=[ |:]*-)[ |:-]+$((?:\r?\n[^|\r\n]*\|.*)*)/gm;

/** @param pattern what is before the marks, the marks, and the words between them; an address has signs of its own */
const marks = ({ source }: RegExp) =>
  new RegExp(`${source}|((?:https?:|www\\.)[^\\s()|]*[^\\s()|*_~.,:;!?'"}])`, 'gimu');
const STRONG = marks(/()(\*\*|~~)(\S|\S.{0,200}?\S)\2/);
const OTHERS = marks(
  /(^|[^\p{L}\p{N}\\*_])(__|[*_])((?!\2)\S|(?!\2)\S.{0,200}?(?!\2)\S)\2(?![\p{L}\p{N}*_])/u,
);

export function plainWords(text: string): string {
  /** As it was written: what looks like marks in it is none. */
  const kept: string[] = [];
  let at = 0;
  let words = text
    .replace(CODE, (all: string, _, block?: string, __?: string, span?: string) => {
      kept.push(block ?? span?.trim() ?? all);
      return '\uFFFC';
    })
    .replace(/^ {0,3}(?:(?:>[ \t]?)+|#{1,6} +)/gm, '')
    .replace(TABLE, (_, head: string, rows: string) =>
      (head + rows).replace(/^ *\|(.*)\| *$/gm, (_, row: string) => row.trim()),
    )
    .replace(/!?\[([^[\]\n]{0,200})\]\(<?([^\s()<>\uFFFC]{1,999})>?\)/g, (_, words: string, to: string) =>
      words && words !== to ? `${words} (${to})` : to,
    );
  for (const kind of [STRONG, OTHERS, OTHERS]) words = words.replace(kind, '$1$3$4');
  return words.replace(/\\([\\`*_{}[\]()#+.!~>|\n-])/g, '$1').replace(/\uFFFC/g, () => kept[at++] ?? '');
}
