/**
 * The theme as the text of a style sheet, for one scheme. The host page overrides what it likes: each token asks the
 * host's `--parley-` property first. It does not know where the sheet goes.
 */
import { type Token, theme } from './theme.js';

export type Scheme = 'light' | 'dark';

/** `write` is a sentence for the owner that says what to write instead. */
export interface ThemeError {
  kind: 'theme';
  write: string;
}

/** Tokens whose public name is another. The accent's own is what it was derived from, and it may have been lifted. */
const general: Record<string, string> = {
  accent: 'fill',
  'surface-raised': 'surface',
  theirs: 'bubble',
};

const block = (tokens: Record<Token, string>) =>
  `:host{${Object.entries(tokens)
    .map(([name, value]) => `--${name}:var(--parley-${general[name] ?? name},${value})`)
    .join(';')}}`;

/** @param accent `#rgb`, `#rrggbb` or `rgb(r, g, b)` */
export function themeSheet(accent: string, scheme: Scheme): string | ThemeError {
  const tokens = theme(accent, scheme);
  if (!tokens) return { kind: 'theme', write: `Write a colour like "#3a4fd8", not "${accent}".` };
  return `${block(tokens)}.panel{color-scheme:${scheme}}`;
}
