/**
 * The colours of the window, derived from the owner's one in OKLCH. Lightness is searched on the 8-bit colour that is
 * painted in the end, between one that fails and one that holds, so every ratio below holds for any accent. It knows
 * no DOM, no style sheet and no public name.
 */

export type Token =
  /** Header, own bubbles, send button and launcher; the same under the pointer; text on them (4.5); less of it (4.5). */
  | 'accent'
  | 'accent-hover'
  | 'on-accent'
  | 'on-accent-muted'
  /** Border of the fill: the fill itself, or 3 on `surface` where the fill would not be seen there. */
  | 'accent-edge'
  /** Links and quiet buttons (4.5 on every ground), focus ring (3 on every ground), chips and what is selected. */
  | 'accent-text'
  | 'focus'
  | 'accent-soft'
  /** The grounds: these, `theirs` (the other side's bubble), `accent-soft` and `hint`. `text` and `muted` have 4.5 on each. */
  | 'surface'
  | 'surface-raised'
  | 'theirs'
  | 'text'
  | 'muted'
  /** Decoration; borders of inputs (3 on every ground). */
  | 'line'
  | 'control'
  /** 4.5 on every ground. */
  | 'danger'
  | 'success'
  /** A notice, and its text (4.5 on every ground). */
  | 'hint'
  | 'hint-text';

interface Colour {
  css: string;
  y: number;
  /** Lightness in OKLab. */
  l: number;
}

const linear = (byte: number) => (byte > 10 ? ((byte / 255 + 0.055) / 1.055) ** 2.4 : byte / 3294.6);

/** @returns the relative luminance of WCAG 2.x, with its 0.05 already added */
export const luminance = ([r = 0, g = 0, b = 0]: number[]): number =>
  0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b) + 0.05;

function colour(bytes: number[], l: number): Colour {
  const [r = 0, g = 0, b = 0] = bytes;
  return {
    // Decimal digits would fill the page's cache of numbers as text: 64 KB, which stay.
    css: `#${(0x1000000 + r * 0x10000 + g * 0x100 + b).toString(16).slice(1)}`,
    y: luminance(bytes),
    l,
  };
}

function contrast(a: Colour, b: Colour): number {
  const ratio = a.y / b.y;
  return Math.max(ratio, 1 / ratio);
}

/** https://bottosson.github.io/posts/oklab/ to few digits: the owner's colour itself never goes through it. */
function paint(l: number, a: number, b: number): Colour {
  const p = (l + 0.396 * a + 0.216 * b) ** 3;
  const q = (l - 0.106 * a - 0.064 * b) ** 3;
  const r = (l - 0.089 * a - 1.291 * b) ** 3;
  const rgb = [4.077 * p - 3.308 * q + 0.231 * r, -1.27 * p + 2.61 * q - 0.34 * r, 1.71 * r - 0.71 * q];
  // Out of what a screen shows: as pale as it must be, and not a trace more.
  const grey = l ** 3;
  const kept = Math.min(1, ...rgb.map((n) => (n > grey ? 1 - grey : grey) / (Math.abs(n - grey) + 1e-9)));
  return colour(
    rgb.map((n) => Math.round(Math.max(0, 269 * (grey + (n - grey) * kept) ** (1 / 2.4) - 14))),
    l,
  );
}

/** @returns red, green and blue of `#rgb`, `#rrggbb` or `rgb(r, g, b)`; nothing for whatever else is written */
export function bytesOf(given: string): number[] | undefined {
  const [, ...parts] = /^#(..)(..)(..)$/.exec(given.replace(/^#(.)(.)(.)$/, '#$1$1$2$2$3$3')) ??
    /^rgb\((\d+)\W+(\d+)\W+(\d+)\)$/.exec(given) ?? [0, NaN];
  const bytes = parts.map((part) => Number(given[0] === '#' ? `0x${part}` : part));
  return bytes.every((byte) => byte < 256) ? bytes : undefined;
}

/**
 * @param given `#rgb`, `#rrggbb` or `rgb(r, g, b)`
 * @returns a CSS colour for each token, or nothing when `given` is not a colour
 */
export function theme(given: string, scheme: 'light' | 'dark'): Record<Token, string> | undefined {
  const bytes = bytesOf(given);
  if (!bytes) return undefined;
  const dark = scheme === 'dark';
  const far = dark ? 1 : 0;

  const [red = 0, green = 0, blue = 0] = bytes.map(linear);
  const p = Math.cbrt(0.412 * red + 0.536 * green + 0.052 * blue);
  const q = Math.cbrt(0.212 * red + 0.681 * green + 0.107 * blue);
  const r = Math.cbrt(0.088 * red + 0.282 * green + 0.63 * blue);
  const l = 0.21 * p + 0.79 * q;
  const a = 1.98 * p - 2.43 * q + 0.45 * r;
  const b = 0.03 * p + 0.78 * q - 0.81 * r;
  // What is called white and grey gets a breath of the accent; of a grey accent, nothing.
  const breath = Math.min(1, 0.1 / Math.hypot(a, b)) * (dark ? 2 : 1);
  const tint = breath / 6;

  /** The first colour from lightness `from` towards `to`, black or white, that has `ratio` on each of `grounds`. */
  function find(from: number, to: number, grounds: Colour[], ratio = 4.5, x = a, y = b): Colour {
    const holds = (tried: Colour) => grounds.every((ground) => contrast(tried, ground) >= ratio);
    let found = paint(from, x, y);
    if (holds(found)) return found;
    found = paint(to, 0, 0);
    for (let step = 6; step; step--) {
      const tried = paint((found.l + from) / 2, x, y);
      if (holds(tried)) found = tried;
      else from = tried.l;
    }
    return found;
  }

  const neutral = (light: number, dim: number, share: number) =>
    paint(dark ? dim : light, a * breath * share, b * breath * share);
  const surface = neutral(0.99, 0.2, 0.05);
  const raised = neutral(1, 0.31, 0.08);
  const theirs = neutral(0.96, 0.27, 0.1);
  const soft = neutral(0.94, 0.24, 0.3);
  const hint = paint(dark ? 0.3 : 0.96, 0, 0.04);
  const read = (light: number, dim: number, x = a * tint, y = b * tint, ratio = 4.5) =>
    find(dark ? dim : light, far, [surface, raised, theirs, soft, hint], ratio, x, y).css;

  const written = colour(bytes, l);
  const edge = contrast(written, surface) < 1.5 ? find(l, far, [surface], dark ? 2 : 3) : written;
  // By day the border shows where the fill ends; by night, where borders glare, the fill itself is lifted.
  const accent = dark ? edge : written;
  const light = 1.05 / accent.y >= 4.5;
  const on = light ? paint(1, 0, 0) : find(0.22, 0, [accent], 4.5, a * tint, b * tint);
  // Under the pointer the fill moves away from its text, unless it is at the end already.
  const away = accent.l + (light || accent.l > 0.93 ? -0.06 : 0.06);

  const hover = find(light && accent.l < 0.25 ? 0.3 : away, light ? 0 : 1, [on]);

  return {
    accent: accent.css,
    'accent-hover': hover.css,
    'on-accent': on.css,
    'on-accent-muted': find(
      on.l * 0.75 + accent.l * 0.25,
      light ? 1 : 0,
      [accent, hover],
      4.5,
      a * tint,
      b * tint,
    ).css,
    'accent-edge': edge.css,
    'accent-text': read(Math.min(l, 0.5), Math.max(l, 0.8), a, b),
    focus: read(l, l, a, b, 3),
    'accent-soft': soft.css,
    surface: surface.css,
    'surface-raised': raised.css,
    theirs: theirs.css,
    text: read(0.24, 0.95),
    muted: read(0.53, 0.7),
    line: neutral(0.9, 0.34, 0.1).css,
    control: read(0.68, 0.5, a * tint, b * tint, 3),
    danger: read(0.56, 0.74, 0.18, 0.09),
    success: read(0.55, 0.76, -0.12, 0.07),
    hint: hint.css,
    'hint-text': read(0.4, 0.9, 0.02, 0.07),
  };
}
