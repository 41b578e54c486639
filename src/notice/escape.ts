/** What came unasked may lie over what the keyboard is at. It does not know what that is. */

/** @returns ends it */
export function onEscape(work: () => void): () => void {
  const hear = ({ key, keyCode, defaultPrevented, isComposing }: KeyboardEvent) => {
    // The page may have had its own use for it; Safari tells the one that ends a composition by 229 alone.
    if (key === 'Escape' && !defaultPrevented && !isComposing && keyCode !== 229) work();
  };
  document.addEventListener('keydown', hear);
  return () => document.removeEventListener('keydown', hear);
}
