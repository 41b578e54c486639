/**
 * Fills what the visitor sees: the on-screen keyboard covers a part of the page or pushes it up, and only the visual
 * viewport tells. It does not know what it fills it with.
 */
export function fillView(element: HTMLElement): void {
  const view = window.visualViewport;
  if (!view) return;
  const look = () => {
    // Who has zoomed in sees a part of it, and it stays as large as it was.
    if (view.scale > 1.01) return;
    element.style.setProperty('--view-height', `${view.height}px`);
    element.style.setProperty('--view-top', `${view.offsetTop}px`);
    // With a keyboard there is no edge of the screen below us.
    element.toggleAttribute('data-keyboard', window.innerHeight - view.height > 120);
  };
  view.addEventListener('resize', look);
  view.addEventListener('scroll', look);
  look();
}
