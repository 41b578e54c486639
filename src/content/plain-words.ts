/**
 * Markdown as words alone, to be spoken or copied: without its marks, with the addresses of its links. A rough hand,
 * small enough for the window; what is shown is made by `markdown.ts`.
 */
export const plainWords = (text: string): string =>
  text
    .replace(/^ {0,3}(?:(?:`{3,}|~{3,}).*\n?|(?:>[ \t]?)+|#{1,6} +)/gm, '')
    .replace(
      /!?\[([^[\]\n]{1,200})\]\(<?([^\s()<>]{1,999})[^()\n]{0,99}\)/g,
      (_, words: string, to: string) => (words === to ? words : `${words} (${to})`),
    )
    .replace(/(\*\*|__|~~|`)(\S|\S.{0,200}?\S)\1/g, '$2')
    .replace(/(^|[^\p{L}\p{N}\\*_])([*_])(\S|\S[^\n*_]{0,200}?\S)\2(?![\p{L}\p{N}*_])/gmu, '$1$3')
    .replace(/\\([\\`*_{}[\]()#+.!~>-])/g, '$1');
