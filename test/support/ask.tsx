/** A message that asks something of the visitor, drawn in a window of its own; put away after each test. */
import { render, within } from '@testing-library/preact';
import { Ask } from '../../src/asks/ask.js';
import { Around, message, useDesk } from './desk.js';

export function useAsk() {
  const desk = useDesk();
  return {
    desk,
    ask(type: string, attributes: unknown, more: object = {}) {
      const shown = (attributes: unknown) => (
        <Around desk={desk()}>
          <Ask message={message(type, attributes, more)} />
        </Around>
      );
      const { container, rerender } = render(shown(attributes));
      const view = within(container as HTMLElement);
      return { container, ...view, becomes: (later: unknown) => rerender(shown(later)) };
    },
  };
}
