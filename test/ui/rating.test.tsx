// @vitest-environment happy-dom
// @vitest-environment-options { "url": "https://www.host.example/" }
/** A rating: given, changed, refused, closed after 14 days; and none of its words lost. */
import { cleanup, fireEvent, render, waitFor, within } from '@testing-library/preact';
import { expect, test } from 'vitest';
import { Ask } from '../../src/asks/ask.js';
import { fail, ok, type Result } from '../../src/errors.js';
import { SurroundingsProvider } from '../../src/ui/context.js';
import { useAsk } from '../support/ask.js';
import { message } from '../support/desk.js';
import { surroundings } from '../support/surroundings.js';

const { ask, desk } = useAsk();

const down = fail({ kind: 'network' });
const refused = fail({ kind: 'http', status: 422, fields: [] });

test('a rating is one of five words and some of their own, and can be changed', async () => {
  const view = ask('input_csat', { display_type: 'emoji' });
  const names = ['Very bad', 'Bad', 'Okay', 'Good', 'Very good'];
  for (const name of names) view.getByRole('radio', { name });
  fireEvent.click(view.getByRole('button', { name: 'Send' }));
  await waitFor(() => view.getByText('Please choose a rating first.'));
  fireEvent.click(view.getByRole('radio', { name: 'Good' }));
  fireEvent.input(view.getByLabelText('Would you like to tell us more?'), { target: { value: ' Fast! ' } });
  fireEvent.click(view.getByRole('button', { name: 'Send' }));
  const response = (rating: number, feedback_message: string) => ({
    csat_survey_response: { rating, feedback_message },
  });
  await waitFor(() => expect(desk().asked).toEqual([['answer', 7, response(4, 'Fast!')]]));
  view.becomes({ submitted_values: response(4, 'Fast!') });
  view.getByText('Thank you for your rating!');
  expect(view.container.textContent).toMatch(/Good.*Fast!/);
  fireEvent.click(view.getByRole('button', { name: 'Change' }));
  expect((view.getByRole('radio', { name: 'Good' }) as HTMLInputElement).checked).toBe(true);
  fireEvent.click(view.getByRole('radio', { name: 'Very bad' }));
  desk().next = down;
  fireEvent.click(view.getByRole('button', { name: 'Send' }));
  await waitFor(() => view.getByRole('alert'));
  desk().next = ok(undefined);
  fireEvent.click(view.getByRole('button', { name: 'Try again' }));
  await waitFor(() => view.getByText('Thank you for your rating!'));
  expect(desk().asked.at(-1)).toEqual(['answer', 7, response(1, 'Fast!')]);
});

test('all that was written to a rating is there after a reload and to be changed, and the beginning of it is shown', async () => {
  const said = Array.from({ length: 40 }, (_, line) => `${line}. ${'and more '.repeat(4)}`)
    .join('\n')
    .trim();
  const written = () => (view.getByLabelText('Would you like to tell us more?') as HTMLTextAreaElement).value;
  let view = ask('input_csat', {});
  fireEvent.click(view.getByRole('radio', { name: 'Good' }));
  fireEvent.input(view.getByLabelText('Would you like to tell us more?'), { target: { value: said } });
  cleanup();
  view = ask('input_csat', {});
  expect(written()).toBe(said);
  fireEvent.click(view.getByRole('button', { name: 'Send' }));
  const response = { csat_survey_response: { rating: 4, feedback_message: said } };
  await waitFor(() => expect(desk().asked).toEqual([['answer', 7, response]]));
  view.becomes({ submitted_values: response });
  const shown = view.container.querySelector('.content')?.textContent ?? '';
  expect([said.startsWith(shown), shown.split('\n').length]).toEqual([true, 20]);
  fireEvent.click(view.getByRole('button', { name: 'Change' }));
  expect(written()).toBe(said);
});

test('after 14 days a rating is closed, by the clock and by the service', async () => {
  const old = { created_at: Math.floor(Date.now() / 1000) - 16 * 86_400 };
  const past = ask('input_csat', {}, old);
  past.getByText('Ratings can be given within 14 days of the question.');
  expect(past.queryByRole('radio')).toBeNull();
  past.becomes({ submitted_values: { csat_survey_response: { rating: 5 } } });
  past.getByText('Thank you for your rating!');
  expect(past.queryByRole('button')).toBeNull();
  cleanup();
  desk().next = refused;
  const view = ask('input_csat', {});
  fireEvent.click(view.getByRole('radio', { name: 'Okay' }));
  fireEvent.click(view.getByRole('button', { name: 'Send' }));
  const sentence = await waitFor(() =>
    view.getByText('Ratings can be given within 14 days of the question.'),
  );
  // Whoever has sent it is led to why it was not taken.
  await waitFor(() => expect(document.activeElement).toBe(sentence));
});

test('a rating that was changed too late is the old one, and nobody is thanked for the new one', async () => {
  const view = ask('input_csat', {
    submitted_values: { csat_survey_response: { rating: 4, feedback_message: 'Fast!' } },
  });
  fireEvent.click(view.getByRole('button', { name: 'Change' }));
  fireEvent.click(view.getByRole('radio', { name: 'Very bad' }));
  desk().next = refused;
  fireEvent.click(view.getByRole('button', { name: 'Send' }));
  await waitFor(() => view.getByText('Ratings can be given within 14 days of the question.'));
  expect(view.queryByText('Thank you for your rating!')).toBeNull();
  expect(view.container.textContent).toMatch(/Good.*Fast!$/);
  expect(view.queryByRole('button')).toBeNull();
  await waitFor(() => expect(document.activeElement).toBe(view.container.querySelector('.rated')));
});

test('Escape gives up another rating, and is left to what lies below while that is on its way', async () => {
  const { chat } = desk().front;
  let answer = (_: Result<void>) => {};
  chat.answer = () =>
    new Promise((resolve) => {
      answer = resolve;
    });
  const layers: (() => void)[] = [];
  const layer = (close: () => void) => {
    layers.push(close);
    return () => void layers.splice(layers.indexOf(close), 1);
  };
  const rated = message('input_csat', { submitted_values: { csat_survey_response: { rating: 4 } } });
  const { container } = render(
    <SurroundingsProvider value={{ ...surroundings(chat), layer }}>
      <Ask message={rated} />
    </SurroundingsProvider>,
  );
  const view = within(container as HTMLElement);
  const press = (name: string) => fireEvent.click(view.getByRole('button', { name }));
  press('Change');
  await waitFor(() => expect(layers).toHaveLength(1));
  press('Send');
  await waitFor(() => expect(layers).toHaveLength(0));
  answer(down);
  await waitFor(() => expect(layers).toHaveLength(1));
  layers[0]?.();
  await waitFor(() => view.getByText('Thank you for your rating!'));
  expect(layers).toHaveLength(0);
});

test('a rating that arrived though it was said not to have can be changed without a word of that', async () => {
  desk().next = down;
  const view = ask('input_csat', {});
  fireEvent.click(view.getByRole('radio', { name: 'Good' }));
  fireEvent.click(view.getByRole('button', { name: 'Send' }));
  await waitFor(() => expect(view.getByRole('alert').textContent).toMatch('could not be sent'));
  view.becomes({ submitted_values: { csat_survey_response: { rating: 4 } } });
  fireEvent.click(view.getByRole('button', { name: 'Change' }));
  await waitFor(() => view.getByRole('radio', { name: 'Good' }));
  expect(view.queryByRole('alert')).toBeNull();
});

test('what may be said to a rating stands as the chat runs until it is written', async () => {
  const view = ask('input_csat', {});
  fireEvent.click(view.getByRole('radio', { name: 'Good' }));
  const field = await view.findByRole('textbox');
  expect(field.getAttribute('dir')).toBeNull();
  fireEvent.input(field, { target: { value: 'سريع' } });
  await waitFor(() => expect(field.getAttribute('dir')).toBe('auto'));
});

test('a rating leaves with the press of a pointer, the words to it with the button', async () => {
  const view = ask('input_csat', {});
  const press = (name: string) => fireEvent.click(view.getByRole('radio', { name }), { detail: 1 });
  const response = (rating: number, feedback_message = '') => ({
    csat_survey_response: { rating, feedback_message },
  });
  const sent = () => desk().asked.map((asked) => Array.isArray(asked) && asked[2]);
  // What the press could not send is sent by the next one, or by the button.
  desk().next = down;
  press('Bad');
  press('Good');
  await waitFor(() => expect(sent()).toEqual([response(2), response(4)]));
  desk().next = ok(undefined);
  press('Good');
  expect(view.queryByRole('alert')).toBeNull();
  view.becomes({ submitted_values: response(4) });
  const field = view.getByRole('textbox');
  fireEvent.input(field, { target: { value: 'Fast!' } });
  fireEvent.click(view.getByRole('button', { name: 'Send' }));
  await waitFor(() => expect(sent().slice(2)).toEqual([response(4, 'Fast!')]));
  view.becomes({ submitted_values: response(4, 'Fast!') });
  await waitFor(() => expect(document.activeElement?.textContent).toMatch(/Thank you.*Good.*Fast!/));
  // The words are taken away again.
  fireEvent.click(view.getByRole('button', { name: 'Change' }));
  fireEvent.input(view.getByRole('textbox'), { target: { value: '' } });
  fireEvent.click(view.getByRole('button', { name: 'Send' }));
  await waitFor(() => expect(sent().slice(3)).toEqual([response(4)]));
  view.becomes({ submitted_values: response(4) });
  await waitFor(() => view.getByText('Thank you for your rating!'));
  // What takes the place of another rating waits for the button: it can be given up.
  fireEvent.click(view.getByRole('button', { name: 'Change' }));
  press('Very bad');
  fireEvent.click(view.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => view.getByText('Thank you for your rating!'));
  expect(sent()).toHaveLength(4);
});

test('words to a rating that a press has sent are there after a reload, not those that were given up', async () => {
  const given = { submitted_values: { csat_survey_response: { rating: 4, feedback_message: '' } } };
  let view = ask('input_csat', {});
  fireEvent.click(view.getByRole('radio', { name: 'Good' }), { detail: 1 });
  view.becomes(given);
  fireEvent.input(view.getByRole('textbox'), { target: { value: 'Half a' } });
  cleanup();
  // In another tab it was not there yet, and is done.
  const other = ask('input_csat', {});
  other.becomes(given);
  other.getByText('Thank you for your rating!');
  cleanup();
  view = ask('input_csat', given);
  expect((view.getByRole('textbox') as HTMLTextAreaElement).value).toBe('Half a');
  fireEvent.input(view.getByRole('textbox'), { target: { value: '' } });
  fireEvent.click(view.getByRole('button', { name: 'Send' }));
  await waitFor(() => view.getByText('Thank you for your rating!'));
  expect(desk().asked).toHaveLength(1);
  fireEvent.click(view.getByRole('button', { name: 'Change' }));
  fireEvent.input(view.getByRole('textbox'), { target: { value: 'Never mind' } });
  fireEvent.click(view.getByRole('button', { name: 'Cancel' }));
  cleanup();
  ask('input_csat', given).getByText('Thank you for your rating!');
});
