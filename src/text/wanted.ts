/** Which languages the visitor may want to be spoken to in. It does not know which there are. */

/** Language tags from the most wanted to the least: the owner's, else the page's, else the browser's. */
export function wantedLocales(
  setting: string | undefined,
  page: string | undefined,
  browser: readonly string[],
): string[] {
  const tags = setting ? [setting] : page ? [page] : browser;
  return tags.flatMap((tag) => {
    try {
      return Intl.getCanonicalLocales(tag);
    } catch {
      return [];
    }
  });
}
