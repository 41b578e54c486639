/** Whether what comes late may take the focus. It does not know what that is. */

/** Nobody has it, or something of the window `near` is in: who has gone on in the page stays there. */
export function isFree(near: Element | null | undefined): boolean {
  const root = near?.getRootNode();
  return (
    document.activeElement === document.body || (root instanceof ShadowRoot && root.activeElement !== null)
  );
}
