// @vitest-environment happy-dom
/** Whether somebody is there, to a visitor who comes back to the page. */
import { act, render } from '@testing-library/preact';
import { afterEach, expect, test, vi } from 'vitest';
import { Subtitle } from '../../src/ui/subtitle.js';
import { Around, useDesk } from '../support/desk.js';

const desk = useDesk();
afterEach(() => void vi.restoreAllMocks());

test('who comes back to a page that was hidden is told how it is now, and not a minute later', () => {
  const look = vi.spyOn(desk().front.chat, 'lookAtHours');
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  desk().front.$open.set(true);
  render(
    <Around desk={desk()}>
      <Subtitle />
    </Around>,
  );
  const come = () => act(() => void document.dispatchEvent(new Event('visibilitychange')));
  come();
  expect(look).not.toHaveBeenCalled();
  hidden.mockReturnValue(false);
  come();
  expect(look).toHaveBeenCalledTimes(1);
});
