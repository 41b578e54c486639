/**
 * Dresses launcher and window in what the host's style sheet says now: its accent, and whether it wants day, night or
 * what the system has. It does not know how colours are derived.
 */
import { adoptStyles } from '../embed/styles.js';
import { type Scheme, themeSheet } from '../theme/apply.js';

const ACCENT = '#3a4fd8';

/**
 * @param setting what holds where the host's style says nothing
 * @returns what brings the dress up to date; while the host says the same, that costs nothing
 */
export function createDress(root: ShadowRoot, nonce: string | undefined, setting: Scheme): () => void {
  let known = '';
  let worn: CSSStyleSheet | undefined;

  return () => {
    const style = getComputedStyle(root.host);
    const accent = style.getPropertyValue('--parley-accent').trim() || ACCENT;
    const wanted = style.getPropertyValue('--parley-scheme').trim();
    if (known === accent + wanted) return;
    known = accent + wanted;
    const scheme: Scheme = wanted === 'light' || wanted === 'dark' ? wanted : wanted ? 'auto' : setting;
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
  };
}

/** Names, `hsl()` and their like, as the browser reads them. */
function asBytes(root: ShadowRoot, colour: string): string {
  const probe = document.createElement('i');
  probe.style.color = 'transparent';
  probe.style.color = colour;
  root.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
