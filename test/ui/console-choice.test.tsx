/** A filter of the console that was kept since before, and what it may be by now. */
// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/preact';
import { afterEach, expect, test } from 'vitest';
import { Choice } from '../../demo/console/ui/choice.js';

afterEach(cleanup);

const options = [
  ['0', 'All'],
  ['12', 'Ask first'],
  ['3', 'Billing'],
] as const;
const names = () => screen.getAllByRole('option').map((option) => option.textContent);
const select = () => screen.getByLabelText<HTMLSelectElement>('Team');

test('what can be chosen stands in the order in which it came, whatever its numbers', () => {
  const chosen: string[] = [];
  render(<Choice label="Team" options={options} value="3" onChoose={(value) => void chosen.push(value)} />);
  expect(names()).toEqual(['All', 'Ask first', 'Billing']);
  expect(select().value).toBe('3');
  fireEvent.change(select(), { target: { value: '12' } });
  expect(chosen).toEqual(['12']);
});

test('what is no option any more is shown as what the list is filtered by, and can be left', () => {
  const chosen: string[] = [];
  const { rerender } = render(
    <Choice<string>
      label="Team"
      options={options}
      value="7"
      nameOther={() => 'One that is gone'}
      onChoose={(value) => void chosen.push(value)}
    />,
  );
  expect(names()).toEqual(['All', 'Ask first', 'Billing', 'One that is gone']);
  expect(select().value).toBe('7');
  fireEvent.change(select(), { target: { value: '0' } });
  expect(chosen).toEqual(['0']);
  rerender(<Choice<string> label="Team" options={options} value="0" onChoose={() => {}} />);
  expect(names()).toEqual(['All', 'Ask first', 'Billing']);
});

test('a word that is no option any more stands for itself', () => {
  render(<Choice<string> label="Team" options={[['', 'All']]} value="billing" onChoose={() => {}} />);
  expect(names()).toEqual(['All', 'billing']);
  expect(select().value).toBe('billing');
});
