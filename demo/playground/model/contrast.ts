/** How well everything that is derived from an accent can be seen, in numbers. It does not know how it is derived. */
import { bytesOf, type Token, theme } from '../../../src/theme/theme.js';

export interface Contrast {
  what: string;
  /** What the guidelines (WCAG 2.2, level AA) ask for. */
  least: number;
  /** The worst there is. */
  ratio: number;
  /** Colours of the worst pair. */
  colour: string;
  ground: string;
}

function luminance(css: string): number {
  const [red = 0, green = 0, blue = 0] = (bytesOf(css) ?? []).map((byte) => {
    const share = byte / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

export function ratioOf(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const grounds: readonly Token[] = ['surface', 'surface-raised', 'theirs', 'accent-soft', 'hint'];
const pairs: readonly [what: string, token: Token, on: readonly Token[], least: number][] = [
  ['Text on the accent', 'on-accent', ['accent', 'accent-hover'], 4.5],
  ['Links and quiet buttons', 'accent-text', grounds, 4.5],
  ['Text', 'text', grounds, 4.5],
  ['Quiet text', 'muted', grounds, 4.5],
  ['Focus ring', 'focus', grounds, 3],
  ['Borders of inputs', 'control', grounds, 3],
];

export interface Scheme {
  name: 'light' | 'dark';
  /** What is painted where the accent is meant. */
  accent: string;
  contrasts: Contrast[];
}

/** @param accent as `theme()` takes it. @returns nothing when it is no colour */
export function contrastsOf(accent: string): Scheme[] | undefined {
  const schemes = (['light', 'dark'] as const).map((name) => ({ name, tokens: theme(accent, name) }));
  const read: Scheme[] = [];
  for (const { name, tokens } of schemes) {
    if (!tokens) return undefined;
    const contrasts = pairs.map(([what, token, on, least]) => {
      const tried = on.map((ground) => ({
        ground: tokens[ground],
        ratio: ratioOf(tokens[token], tokens[ground]),
      }));
      const worst = tried.reduce((a, b) => (b.ratio < a.ratio ? b : a));
      return { what, least, colour: tokens[token], ...worst };
    });
    read.push({ name, accent: tokens.accent, contrasts });
  }
  return read;
}
