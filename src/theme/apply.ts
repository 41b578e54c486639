/**
 * The theme as the text of a style sheet, for both schemes or for the one the owner wants. The host page overrides
 * what it likes: each token asks the host's `--parley-` property first. It does not know where the sheet goes.
 */
import { type Token, theme } from './theme.js';

export type Scheme = 'auto' | 'light' | 'dark';

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

/** @param scheme `auto` follows the visitor's system */
export function themeSheet(accent: string, scheme: Scheme): string | ThemeError {
  const light = theme(accent, 'light');
  const dark = theme(accent, 'dark');
  if (!light || !dark) {
    return { kind: 'theme', write: `Write a colour like "#3a4fd8", not "${accent}".` };
  }
  const night = `${block(dark)}.panel{color-scheme:dark}`;
  return scheme === 'dark'
    ? night
    : block(light) + (scheme === 'auto' ? `@media (prefers-color-scheme:dark){${night}}` : '');
}
