/** What a page of the console asks the account API, while it changes what it asked for. */
// @vitest-environment happy-dom
import { act, render } from '@testing-library/preact';
import { expect, test } from 'vitest';
import type { Result } from '../../demo/console/errors.js';
import { type Answered, useAnswer } from '../../demo/console/ui/kit/use-answer.js';

test('an answer that was asked for before a change does not take it back, and is asked for once more', async () => {
  const asked: ((answer: Result<string>) => void)[] = [];
  let found: Answered<string> | undefined;
  const ask = () => new Promise<Result<string>>((resolve) => void asked.push(resolve));
  function Page() {
    found = useAnswer('5', ask);
    return <p>{found.value}</p>;
  }
  const { container } = render(<Page />);
  await act(async () => asked[0]?.({ ok: true, value: 'as it was' }));
  await act(async () => void found?.reload());
  await act(async () => found?.put('as it was saved'));
  await act(async () => asked[1]?.({ ok: true, value: 'as it was' }));
  expect(container.textContent).toBe('as it was saved');
  await act(async () => asked[2]?.({ ok: true, value: 'as it is' }));
  expect(container.textContent).toBe('as it is');
  expect(asked.length).toBe(3);
});
