/** Fills what the visitor sees, for as long as there is the page. It does not know what it fills it with. */
import { followView } from '../ui/follow-view.js';

export function fillView(element: HTMLElement): void {
  followView(
    element,
    (target, event, work) => target.addEventListener(event, work),
    () => true,
    (height) => {
      // With a keyboard there is no edge of the screen below us.
      element.toggleAttribute('data-keyboard', window.innerHeight - height > 120);
    },
  );
}
