/**
 * Not the press that ends a composition, which Safari tells by 229 alone, and not one that somebody has had a use for
 * already. It does not know what is closed.
 */
export const isEscape = ({ key, isComposing, keyCode, defaultPrevented }: KeyboardEvent): boolean =>
  key === 'Escape' && !isComposing && keyCode !== 229 && !defaultPrevented;
