/** What of the page is seen at once, without its scroll bars. In pages without a doctype the body says how large it is. */
export const view = (): Element =>
  (document.compatMode === 'BackCompat' && document.body) || document.documentElement;
