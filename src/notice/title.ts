/** A count before the page's title while the page is hidden, and the title as it was when it is not. */

export function countTitle() {
  /** The page's own text, and what stands in its place. */
  let own = '';
  let ours: string | undefined;
  const element = () => document.head.querySelector('title');

  return {
    /** @param count 0 gives the title back */
    set(count: number): void {
      const title = element();
      if (!title) return;
      const now = title.textContent ?? '';
      // The page has changed it meanwhile: that is its own now.
      if (now !== ours) own = now;
      const mark = `(${count}) `;
      // A page that counts by itself has said it.
      const next = count && !own.startsWith(mark) ? mark + own.trim() : own;
      if (ours === undefined && !count) return;
      if (now !== next) title.textContent = next;
      ours = count ? next : undefined;
    },
  };
}
