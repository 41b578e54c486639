/**
 * Which pages show the chat: patterns of their path, where the last one that fits decides. Follows the page as it goes
 * from one address to another without being loaded anew; it changes no function of the page for that.
 */

export const patternsOf = (patterns: unknown): string[] => `${patterns}`.split(/[\s,]+/).filter(Boolean);

/**
 * @param patterns apart by commas or spaces: `/help/*` shows it there, `!/help/old` does not. Where none fits, it is
 * shown if the first one only takes pages away.
 */
export function fits(patterns: unknown, path: string): boolean {
  const all = patternsOf(patterns);
  let shown = all[0]?.startsWith('!') === true;
  for (const pattern of all) {
    const not = pattern.startsWith('!');
    const text = (not ? pattern.slice(1) : pattern)
      .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      // An address has no letters beyond these.
      .replace(/[^!-~]+/g, encodeURI);
    if (new RegExp(`^${text}$`).test(path)) shown = !not;
  }
  return shown;
}

/** @param told whether this is no page for the chat. Returns its undo. */
export function followPages(patterns: unknown, told: (away: boolean) => void): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const look = () => told(!fits(patterns, location.pathname));
  look();
  window.addEventListener('popstate', look, { signal });
  // Where the browser has no such thing, an address that only a script changes is noticed at the next press or key.
  if (window.navigation) window.navigation.addEventListener('currententrychange', look, { signal });
  else
    for (const event of ['click', 'keyup'] as const)
      document.addEventListener(event, () => setTimeout(look), { signal });
  return () => ending.abort();
}
