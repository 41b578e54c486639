// @vitest-environment happy-dom
/** A file of a release that is no more: how often a window that needs it asks for it. */
import { act, render } from '@testing-library/preact';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SurroundingsProvider } from '../../src/ui/context.js';
import { createLate, type Files } from '../../src/ui/later.js';
import { useLater } from '../../src/ui/use-later.js';
import { useDesk } from '../support/desk.js';
import { surroundings } from '../support/surroundings.js';

const desk = useDesk();

const hidden = vi.spyOn(document, 'hidden', 'get');
beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  hidden.mockReturnValue(false);
});

function waiting() {
  const load = vi.fn(() => Promise.reject<Files['thread']>(new TypeError('404')));
  const around = surroundings(desk().front.chat, { thread: createLate(load) });
  const Waiting = () => <p>{useLater('thread', true, true).failed && 'failed'}</p>;
  render(
    <SurroundingsProvider value={around}>
      <Waiting />
    </SurroundingsProvider>,
  );
  const pass = (ms: number) => act(async () => void (await vi.advanceTimersByTimeAsync(ms)));
  return { load, pass };
}

test('it is asked for less and less often, up to every ten minutes', async () => {
  const { load, pass } = waiting();
  await pass(0);
  expect(load).toHaveBeenCalledTimes(1);
  for (const [i, seconds] of [5, 10, 20, 40, 80, 160, 320, 600, 600].entries()) {
    await pass(seconds * 1_000 - 100);
    expect(load).toHaveBeenCalledTimes(i + 1);
    await pass(200);
    expect(load).toHaveBeenCalledTimes(i + 2);
  }
});

test('a page that nobody sees does not ask, and asks once it is seen', async () => {
  const { load, pass } = waiting();
  await pass(0);
  hidden.mockReturnValue(true);
  await pass(3_600_000);
  expect(load).toHaveBeenCalledTimes(1);
  hidden.mockReturnValue(false);
  document.dispatchEvent(new Event('visibilitychange'));
  await pass(0);
  expect(load).toHaveBeenCalledTimes(2);
});

test('a line that is back asks at once', async () => {
  const { load, pass } = waiting();
  await pass(5_000);
  await pass(0);
  const before = load.mock.calls.length;
  dispatchEvent(new Event('online'));
  await pass(0);
  expect(load).toHaveBeenCalledTimes(before + 1);
});
