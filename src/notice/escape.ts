/** What came unasked may lie over what the keyboard is at. It does not know what that is. */

/** @returns ends it */
export function onEscape(work: () => void): () => void {
  const hear = ({ key, defaultPrevented, isComposing }: KeyboardEvent) => {
    // The page may have had its own use for it.
    if (key === 'Escape' && !defaultPrevented && !isComposing) work();
  };
  document.addEventListener('keydown', hear);
  return () => document.removeEventListener('keydown', hear);
}
