/** Styles without inline style: a constructed sheet, which no style-src forbids. */

/** @param nonce for browsers that cannot construct sheets and need a style element */
export function adoptStyles(root: ShadowRoot, css: string, nonce: string): void {
  try {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    // A list that is frozen, as some browsers once had it, takes the other way.
    root.adoptedStyleSheets.push(sheet);
  } catch {
    const style = document.createElement('style');
    style.nonce = nonce;
    style.textContent = css;
    root.append(style);
  }
}
