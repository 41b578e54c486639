/** Every ratio that the theme promises, measured on the colours it emits with the words of WCAG 2.2. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { themeSheet } from '../../src/theme/apply.js';
import { type Token, theme } from '../../src/theme/theme.js';

/**
 * "L = 0.2126 * R + 0.7152 * G + 0.0722 * B where R, G and B are defined as: if RsRGB <= 0.04045 then
 * R = RsRGB/12.92 else R = ((RsRGB+0.055)/1.055) ^ 2.4 … RsRGB = R8bit/255"
 * @see https://www.w3.org/TR/WCAG22/#dfn-relative-luminance
 */
function relativeLuminance(css: string): number {
  const bytes = bytesOf(css);
  const [R, G, B] = bytes.map((eightBit) => {
    const s = eightBit / 255;
    return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * R + 0.7152 * G + 0.0722 * B;
}

/** "(L1 + 0.05) / (L2 + 0.05), where L1 is the relative luminance of the lighter of the colors" */
function ratio(one: string, other: string): number {
  const [L2 = 0, L1 = 0] = [relativeLuminance(one), relativeLuminance(other)].sort((a, b) => a - b);
  return (L1 + 0.05) / (L2 + 0.05);
}

function bytesOf(css: string): [number, number, number] {
  const hex = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(css);
  const rgb = /^rgb\((\d{1,3}),(\d{1,3}),(\d{1,3})\)$/.exec(css);
  const bytes = hex
    ? hex.slice(1).map((part) => Number.parseInt(part, 16))
    : (rgb?.slice(1).map((part) => Number.parseInt(part, 10)) ?? []);
  if (bytes.length !== 3 || bytes.some((byte) => !(byte >= 0 && byte <= 255)))
    throw new Error(`Not a colour of eight bits: ${css}`);
  return bytes as [number, number, number];
}

const grounds: Token[] = ['surface', 'surface-raised', 'theirs', 'accent-soft', 'hint'];
const promises: [foreground: Token, grounds: Token[], least: number][] = [
  ['on-accent', ['accent', 'accent-hover'], 4.5],
  ['on-accent-muted', ['accent', 'accent-hover'], 4.5],
  ['accent-text', grounds, 4.5],
  ['text', grounds, 4.5],
  ['muted', grounds, 4.5],
  ['danger', grounds, 4.5],
  ['success', grounds, 4.5],
  ['hint-text', ['hint'], 4.5],
  ['control', grounds, 3],
  ['focus', grounds, 3],
];

function broken(accent: string, scheme: 'light' | 'dark'): string[] {
  const tokens = theme(accent, scheme);
  if (!tokens) return [`${accent} is a colour`];
  const found = promises.flatMap(([foreground, behind, least]) =>
    behind
      .filter((ground) => !(ratio(tokens[foreground], tokens[ground]) >= least))
      .map((ground) => `${accent} ${scheme}: ${foreground} on ${ground} has less than ${least}`),
  );
  const seen = ratio(tokens.accent, tokens.surface) >= 1.5;
  if (!seen && !(ratio(tokens['accent-edge'], tokens.surface) >= 3))
    found.push(`${accent} ${scheme}: no edge`);
  if (scheme === 'dark' && !seen) found.push(`${accent}: a dark fill is lost in the dark`);
  if (scheme === 'light' && String(bytesOf(tokens.accent)) !== String(bytesOf(accent)))
    found.push(`${accent} is kept by day`);
  for (const css of Object.values(tokens)) bytesOf(css);
  return found;
}

const hex = (n: number) => `#${n.toString(16).padStart(6, '0')}`;
const corners = [0, 1, 0x7f, 0x80, 0xfe, 0xff].flatMap((r, _, steps) =>
  steps.flatMap((g) => steps.map((b) => hex((r << 16) | (g << 8) | b))),
);

describe.each(['light', 'dark'] as const)('in the %s scheme', (scheme) => {
  test('any colour of an owner keeps every ratio', () => {
    const anyColour = fc.integer({ min: 0, max: 0xffffff }).map(hex);
    fc.assert(
      fc.property(anyColour, (accent) => {
        expect(broken(accent, scheme)).toEqual([]);
      }),
      { seed: 20260, numRuns: 10_000 },
    );
  });

  test('black, white, neon and every other corner keep every ratio, and so does every grey', () => {
    const greys = Array.from({ length: 256 }, (_, n) => hex(n * 0x010101));
    expect([...corners, ...greys].flatMap((accent) => broken(accent, scheme))).toEqual([]);
  });

  test('a brand that can be seen is kept as its owner wrote it', () => {
    for (const accent of [
      '#3a4fd8',
      '#1877f2',
      '#e11d48',
      '#16a34a',
      '#7c3aed',
      '#ff5a1f',
      '#0000ff',
      '#0aa',
    ]) {
      const long = accent.replace(/^#(.)(.)(.)$/, '#$1$1$2$2$3$3');
      expect(bytesOf(theme(accent, scheme)?.accent ?? '')).toEqual(bytesOf(long));
    }
  });

  test('the fill changes under the pointer, whatever it is', () => {
    for (const accent of corners) {
      const tokens = theme(accent, scheme);
      expect(tokens?.['accent-hover'], accent).not.toBe(tokens?.accent);
    }
  });
});

test('the promises name every token that is read or has to be found', () => {
  const decoration = ['accent', 'accent-hover', 'accent-edge', 'line', ...grounds];
  const named = [...decoration, ...promises.map(([foreground]) => foreground)];
  expect(Object.keys(theme('#3a4fd8', 'light') ?? {}).sort()).toEqual(named.sort());
});

test('a grey accent leaves the neutrals without a tint', () => {
  const tokens = theme('#808080', 'light');
  for (const token of ['surface', 'theirs', 'text', 'muted', 'line', 'accent-soft'] as const) {
    const bytes = bytesOf(tokens?.[token] ?? '');
    expect(Math.max(...bytes) - Math.min(...bytes), token).toBeLessThanOrEqual(1);
  }
});

test('a colour may be written in three ways', () => {
  const tokens = theme('#3355ff', 'light');
  for (const same of ['#35f', '#35F', '#3355FF', 'rgb(51, 85, 255)', 'rgb(51,85,255)', 'rgb(51 85 255)'])
    expect(theme(same, 'light'), same).toEqual(tokens);
});

test.each([
  '',
  'banana',
  '3a4fd8',
  '#',
  '#12',
  '#1234',
  '#12345',
  '#1234567',
  '#ggg',
  '#12345g',
  '#+1+1+1',
  'rgb(256, 0, 0)',
  'rgb(1, 2)',
  'rgba(0, 0, 0, 0)',
  'rgba(1, 2, 3, 0.5)',
  'rgb(1 2 3 / 50%)',
  'oklch(0.5 0.1 20)',
  '#fff;} :host{display:none',
])('%j is no accent, and the error says what to write', (accent) => {
  expect(theme(accent, 'light')).toBeUndefined();
  const error = themeSheet(accent, 'light');
  expect(error).toEqual({ kind: 'theme', write: expect.stringContaining('"#3a4fd8"') });
});

describe('the sheet', () => {
  const sheet = (scheme: 'light' | 'dark') => {
    const css = themeSheet('#000', scheme);
    if (typeof css !== 'string') throw new Error(css.write);
    return css;
  };
  const day = `--surface:var(--parley-surface,${theme('#000', 'light')?.surface})`;
  const night = `--surface:var(--parley-surface,${theme('#000', 'dark')?.surface})`;

  test('is that of its scheme alone, for the browser’s own parts, too', () => {
    expect(sheet('light')).toContain(day);
    expect(sheet('light')).toContain('color-scheme:light');
    expect(sheet('light')).not.toContain(night);
    expect(sheet('dark')).toContain(night);
    expect(sheet('dark')).toContain('color-scheme:dark');
    expect(sheet('dark')).not.toContain(day);
  });

  test('asks the host first, under the public names', () => {
    const publicNames =
      'fill on-accent surface text muted line control bubble focus danger success hint accent-soft accent-text';
    for (const name of publicNames.split(' ')) expect(sheet('light')).toContain(`var(--parley-${name},`);
  });

  test('does not let the written accent undo a lifted one', () => {
    expect(sheet('light') + sheet('dark')).not.toContain('var(--parley-accent,');
  });
});

test('both schemes are there in less than a millisecond', () => {
  const times = Array.from({ length: 200 }, (_, n) => {
    const start = performance.now();
    themeSheet(hex(n * 83_886), 'light');
    themeSheet(hex(n * 83_886), 'dark');
    return performance.now() - start;
  });
  // The best of many: the machine has other things to do.
  expect(Math.min(...times)).toBeLessThan(1);
});
