/**
 * Dresses launcher and window in what the host's style sheet says now: its accent, and whether it wants day, night or
 * what the system has. It does not know how colours are derived.
 */
import { adoptStyles } from '../styles.js';
import { themeSheet } from '../theme/apply.js';

const ACCENT = '#3a4fd8';

/**
 * @param setting what the owner has written
 * @returns what this one chat was told, by a call or by its options, before what a style sheet says of all
 */
export const schemeOf = ({ host }: ShadowRoot, setting: unknown): unknown =>
  !(host as HTMLElement).style.getPropertyValue('--parley-scheme') && /^(auto|dark|light)$/.test(`${setting}`)
    ? setting
    : getComputedStyle(host).getPropertyValue('--parley-scheme').trim();

/**
 * @param setting what the owner has written of its scheme
 * @returns `dress` brings it up to date; while the host says the same, that costs nothing
 */
export function createDress(root: ShadowRoot, nonce: string, setting: unknown) {
  const night = matchMedia('(prefers-color-scheme: dark)');
  let known = '';
  let worn: CSSStyleSheet | undefined;

  function dress() {
    const style = getComputedStyle(root.host);
    const accent = style.getPropertyValue('--parley-accent').trim() || ACCENT;
    const wanted = schemeOf(root, setting);
    // One of the two, and the other when it is time for it: to derive one costs a slow phone milliseconds.
    const dark = wanted === 'dark' || (wanted !== 'light' && night.matches);
    if (known === accent + dark) return;
    known = accent + dark;
    const scheme = dark ? 'dark' : 'light';
    let sheet = themeSheet(accent, scheme);
    if (typeof sheet !== 'string') {
      const { write } = sheet;
      sheet = themeSheet(asBytes(root, accent), scheme);
      if (typeof sheet !== 'string') {
        console.warn(`Parley: --parley-accent is no colour of a screen. ${write}`);
        sheet = themeSheet(ACCENT, scheme);
      }
    }
    if (worn) root.adoptedStyleSheets = root.adoptedStyleSheets.filter((one) => one !== worn);
    if (typeof sheet === 'string') adoptStyles(root, sheet, nonce);
    worn = root.adoptedStyleSheets?.at(-1);
  }
  night.addEventListener('change', dress);
  return { dress, undress: () => night.removeEventListener('change', dress) };
}

/** Names, `hsl()` and their like, as the browser reads them. */
export function asBytes(root: ParentNode, colour: string): string {
  const probe = document.createElement('i');
  probe.style.color = 'transparent';
  probe.style.color = colour;
  root.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
