// @vitest-environment happy-dom
/** The day, in a window that is open over midnight. */
import { act, cleanup, render } from '@testing-library/preact';
import { afterEach, expect, test, vi } from 'vitest';
import { useToday } from '../../src/ui/use-timed.js';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const Day = ({ open }: { open: boolean }) => <p>{useToday(open).today}</p>;

test('what was said yesterday is no longer of today a minute after midnight', () => {
  vi.useFakeTimers({ now: new Date(2026, 2, 28, 23, 59, 30) });
  const { container, rerender } = render(<Day open />);
  expect(container.textContent).toBe('Sat Mar 28 2026');
  act(() => void vi.advanceTimersByTime(60_000));
  expect(container.textContent).toBe('Sun Mar 29 2026');
  // A window that is closed has nobody to tell, and keeps nothing awake.
  rerender(<Day open={false} />);
  act(() => {});
  expect(vi.getTimerCount()).toBe(0);
});
