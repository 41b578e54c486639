// @vitest-environment happy-dom
// @vitest-environment-options { "url": "https://www.host.example/" }
/** What a message asks of the visitor, or shows in a shape of its own: answered, refused, closed; and junk is text. */
import { cleanup, fireEvent, render, waitFor, within } from '@testing-library/preact';
import { expect, test } from 'vitest';
import * as asks from '../../src/asks/asks.js';
import { fail, ok } from '../../src/errors.js';
import { transcript } from '../../src/model/transcript.js';
import { english as en } from '../../src/text/english.js';
import { Bubble } from '../../src/ui/bubble.js';
import { SurroundingsProvider } from '../../src/ui/context.js';
import { useAsk } from '../support/ask.js';
import { message } from '../support/desk.js';
import { spending } from '../support/spent.js';
import { comes, surroundings } from '../support/surroundings.js';

const { ask, desk } = useAsk();

const down = fail({ kind: 'network' });
const refused = fail({ kind: 'http', status: 422, fields: [] });
const topics = {
  items: [
    { title: 'Billing', value: 'billing' },
    { title: 'Other', value: 2 },
  ],
};

test('a quick reply is answered by a press, and says which one it was', async () => {
  const view = ask('input_select', topics);
  fireEvent.click(view.getByRole('button', { name: 'Other' }));
  await waitFor(() => expect(desk().asked).toEqual([['answer', 7, [{ title: 'Other', value: '2' }]]]));
  view.becomes({ ...topics, submitted_values: [{ title: 'Other', value: '2' }] });
  expect(view.queryByRole('button')).toBeNull();
  const items = view.getAllByRole('listitem').map((item) => item.textContent);
  expect(items).toEqual(['Billing', 'Other (Your answer)']);
  // Who pressed it is led to what took the place of the buttons.
  expect(document.activeElement).toBe(view.container.querySelector('.choices'));
});

test('a question whose file did not come says so, and can be answered as soon as it does', async () => {
  let tries = 0;
  const file = comes(asks, async () => {
    // By itself, then by a press.
    if (++tries < 3) throw new TypeError('no line');
  });
  const asking = { ...message('input_select', topics), id: 8 };
  const [row] = transcript([asking], { outbox: [], claims: [], conversationId: 1 }, new Map(), 0, []);
  if (!row) throw new Error('there is no row');
  const { container } = render(
    <SurroundingsProvider value={surroundings(desk().front.chat, { asks: file })}>
      <Bubble row={row} today="" divided={false} timed={false} />
    </SurroundingsProvider>,
  );
  const view = within(container as HTMLElement);
  await waitFor(() => view.getByText(en.partNotLoaded));
  await waitFor(() => expect(tries).toBe(2));
  view.getByText(en.partNotLoaded);
  fireEvent.click(view.getByRole('button', { name: 'Try again' }));
  fireEvent.click(await view.findByRole('button', { name: 'Billing' }));
  await waitFor(() =>
    expect(desk().asked).toEqual([['answer', 8, [{ title: 'Billing', value: 'billing' }]]]),
  );
});

test('an answer that does not arrive says so, keeps everything, and can be tried again', async () => {
  desk().next = down;
  const view = ask('input_select', topics);
  fireEvent.click(view.getByRole('button', { name: 'Billing' }));
  await waitFor(() => expect(view.getByRole('alert').textContent).toMatch('could not be sent'));
  // And which one it was.
  const pressed = view.getAllByRole('button', { pressed: true });
  expect(pressed.map(({ textContent }) => textContent)).toEqual(['Billing']);
  const again = view.getByRole('button', { name: 'Try again' });
  again.focus();
  // In vain once more: it stays where it is, and what became of it is told anew.
  const told = view.getByText(en.answerFailed);
  fireEvent.click(again);
  await waitFor(() => expect(told.isConnected).toBe(false));
  expect([again.getAttribute('aria-disabled'), document.activeElement === again]).toEqual(['true', true]);
  await waitFor(() => view.getByText(en.answerFailed));
  expect(again.isConnected).toBe(true);
  desk().next = ok(undefined);
  fireEvent.click(again);
  await waitFor(() => expect(view.queryByRole('alert')).toBeNull());
  expect(desk().asked).toEqual(Array(3).fill(['answer', 7, [{ title: 'Billing', value: 'billing' }]]));
});

test('an answer given elsewhere after one that failed here takes the focus from nobody', async () => {
  desk().next = down;
  const view = ask('input_select', topics);
  fireEvent.click(view.getByRole('button', { name: 'Billing' }));
  await waitFor(() => expect(view.getByRole('alert').textContent).toMatch('could not be sent'));
  view.becomes({ ...topics, submitted_values: [{ title: 'Billing', value: 'billing' }] });
  await waitFor(() => view.getByText('Your answer', { exact: false }));
  expect(document.activeElement).toBe(document.body);
});

test('presses while an answer is on its way are not a second answer', async () => {
  const view = ask('input_select', topics);
  for (const button of view.getAllByRole('button')) fireEvent.click(button);
  await waitFor(() => expect(desk().asked).toHaveLength(1));
});

test('what is tried again is the answer that did not arrive, and no press meanwhile', async () => {
  desk().next = down;
  const view = ask('input_select', topics);
  for (const button of view.getAllByRole('button')) fireEvent.click(button);
  fireEvent.click(await view.findByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(desk().asked).toHaveLength(2));
  expect(desk().asked[1]).toEqual(desk().asked[0]);
});

test.each([
  ["[\\p{L} '-]+", "Zoë O'Ñ"],
  // No expression where letters of all writings are known: it is read as before.
  ['[\\w\\-]+\\-\\d', 'a-b-1'],
])('a field whose pattern is %s takes %s', async (pattern, typed) => {
  const view = ask('form', { items: [{ name: 'a', pattern }] });
  const field = view.getByLabelText('a (optional)');
  fireEvent.input(field, { target: { value: '!' } });
  fireEvent.click(view.getByRole('button', { name: 'Send' }));
  await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'));
  fireEvent.input(field, { target: { value: typed } });
  fireEvent.click(view.getByRole('button', { name: 'Send' }));
  await waitFor(() => expect(desk().asked).toEqual([['answer', 7, [{ name: 'a', value: typed }]]]));
});

const details = {
  button_label: 'Send details',
  items: [
    { name: 'who', label: 'Name', type: 'text', required: true, placeholder: 'Jane', default: ' ' },
    { name: 'mail', label: 'E-mail', type: 'email', required: true, error: 'No address!' },
    { name: 'plate', label: 'Plate', type: 'text', pattern: '[A-Z]{2}\\d+' },
    { name: 'size', type: 'select', options: [{ key: 'm', label: 'Medium', value: 'M' }] },
    { name: 'why', label: 'Why', type: 'text_area', default: 'Because' },
    { name: 'terms', label: 'Terms', type: 'checkbox', required: true },
  ],
};

test('a form says at each field what is wrong, in its own words where it has any, and leads to the first', async () => {
  const view = ask('form', details);
  fireEvent.input(view.getByLabelText('E-mail'), { target: { value: 'ada@' } });
  fireEvent.input(view.getByLabelText('Plate (optional)'), { target: { value: 'x AB1' } });
  fireEvent.click(view.getByRole('button', { name: 'Send details' }));
  const described = (label: string) => {
    const field = view.getByLabelText(label);
    expect(field.getAttribute('aria-invalid')).toBe('true');
    return view.container.querySelector(`#${field.getAttribute('aria-describedby')}`)?.textContent;
  };
  await waitFor(() => expect(described('Name')).toBe('This is required.'));
  expect(described('E-mail')).toBe('No address!');
  expect(described('Plate (optional)')).toBe('This does not have the right format.');
  expect(described('Terms')).toBe('This is required.');
  expect(document.activeElement).toBe(view.getByLabelText('Name'));
  expect(view.getByLabelText('Why (optional)').getAttribute('aria-invalid')).toBe('false');
  expect(desk().asked).toEqual([]);
});

test('a sentence that is agreed to is shown to its end', () => {
  const label = 'I agree that you pass on my name, my address and my telephone number. '.repeat(4).trim();
  const view = ask('form', { items: [{ name: 'terms', label: `${label}\u202e`, type: 'checkbox' }] });
  view.getByRole('checkbox', { name: `${label} (optional)` });
  const choice = ask('input_select', { items: [{ title: label, value: 'yes' }] });
  choice.getByRole('button', { name: label });
});

test('a form that is filled in is sent, kept on a failure, and becomes a summary', async () => {
  desk().next = down;
  const view = ask('form', details);
  fireEvent.input(view.getByLabelText('Name'), { target: { value: ' Ada ' } });
  fireEvent.input(view.getByLabelText('E-mail'), { target: { value: 'ada@x.example' } });
  fireEvent.change(view.getByLabelText('size (optional)'), { target: { value: 'M' } });
  fireEvent.click(view.getByLabelText('Terms'));
  fireEvent.click(view.getByRole('button', { name: 'Send details' }));
  await waitFor(() => view.getByRole('alert'));
  expect((view.getByLabelText('E-mail') as HTMLInputElement).value).toBe('ada@x.example');
  desk().next = ok(undefined);
  fireEvent.click(view.getByRole('button', { name: 'Send details' }));
  await waitFor(() => expect(desk().asked).toHaveLength(2));
  const values = [
    { name: 'who', value: 'Ada' },
    { name: 'mail', value: 'ada@x.example' },
    { name: 'plate', value: '' },
    { name: 'size', value: 'M' },
    { name: 'why', value: 'Because' },
    { name: 'terms', value: true },
  ];
  expect(desk().asked[1]).toEqual(['answer', 7, values]);
  view.becomes({ ...details, submitted_values: values });
  expect(view.queryByRole('textbox')).toBeNull();
  const terms = view.getAllByRole('term').map((term) => term.textContent);
  const given = view.getAllByRole('definition').map((definition) => definition.textContent);
  expect(terms).toEqual(['Name', 'E-mail', 'size', 'Why', 'Terms']);
  expect(given).toEqual(['Ada', 'ada@x.example', 'Medium', 'Because', 'Yes']);
});

test('a field is called as the form likes, also as what every object has', async () => {
  const names = ['constructor', 'valueOf', '__proto__', 'toString'];
  const items = names.map((name) => ({ name, label: name, required: name === 'valueOf' }));
  const view = ask('form', { items });
  const fields = () => view.getAllByRole('textbox') as HTMLInputElement[];
  expect(fields().map(({ value }) => value)).toEqual(['', '', '', '']);
  expect(fields().map((field) => field.getAttribute('aria-invalid'))).toEqual(Array(4).fill('false'));
  fireEvent.click(view.getByRole('button', { name: 'Send' }));
  await waitFor(() => view.getByText('This is required.'));
  for (const [i, field] of fields().slice(1, 3).entries())
    fireEvent.input(field, { target: { value: `typed ${i}` } });
  await waitFor(() => expect(view.queryByText('This is required.')).toBeNull());
  // Whoever comes back finds it there.
  cleanup();
  const again = ask('form', { items });
  const typed = ['', 'typed 0', 'typed 1', ''];
  expect(again.getAllByRole('textbox').map((field) => (field as HTMLInputElement).value)).toEqual(typed);
  fireEvent.click(again.getByRole('button', { name: 'Send' }));
  await waitFor(() => expect(desk().asked).toHaveLength(1));
  expect(desk().asked[0]).toEqual(['answer', 7, names.map((name, i) => ({ name, value: typed[i] }))]);
});

test('two fields of one name are filled in apart', async () => {
  const items = [1, 2].map((n) => ({ name: 'comments', label: `Comments ${n}` }));
  const view = ask('form', { items });
  const fields = view.getAllByRole('textbox') as HTMLInputElement[];
  for (const [i, field] of fields.entries()) fireEvent.input(field, { target: { value: `typed ${i}` } });
  await waitFor(() => expect(fields.map(({ value }) => value)).toEqual(['typed 0', 'typed 1']));
  fireEvent.click(view.getByRole('button', { name: 'Send' }));
  await waitFor(() => expect(desk().asked).toHaveLength(1));
  expect(desk().asked[0]).toEqual([
    'answer',
    7,
    [0, 1].map((i) => ({ name: 'comments', value: `typed ${i}` })),
  ]);
});

test('what is typed with full-width signs and other digits is read where an address or a form of its own is asked for', async () => {
  const fields = [
    { name: 'mail', label: 'E-mail', type: 'email' },
    { name: 'order', label: 'Order', regex: '^[0-9]{4}$' },
    { name: 'why', label: 'Why' },
  ];
  const view = ask('form', { items: fields });
  for (const [label, value] of [
    ['E-mail', 'taro＠example.com'],
    ['Order', '۱۲۳۴'],
    ['Why', '壊れた（２回）'],
  ])
    fireEvent.input(view.getByLabelText(`${label} (optional)`), { target: { value } });
  fireEvent.click(view.getByRole('button', { name: 'Send' }));
  await waitFor(() => expect(desk().asked).toHaveLength(1));
  expect(desk().asked[0]).toEqual([
    'answer',
    7,
    [
      { name: 'mail', value: 'taro@example.com' },
      { name: 'order', value: '1234' },
      { name: 'why', value: '壊れた（２回）' },
    ],
  ]);
  cleanup();
  const asked = ask('input_email', {});
  fireEvent.input(asked.getByLabelText('Email address'), { target: { value: 'taro＠example.com' } });
  fireEvent.click(asked.getByRole('button', { name: 'Send' }));
  await waitFor(() => expect(desk().asked).toHaveLength(3));
  expect(desk().asked[1]).toEqual(['updateContact', { email: 'taro@example.com' }]);
  expect(desk().asked[2]).toEqual(['answer', 7, [{ name: 'email', value: 'taro@example.com' }]]);
});

test.each([
  '(a+)+$',
  '^(a|a)*$',
  'a*a*a*a*a*a*a*b',
  `${'a{0,99}'.repeat(6)}b`,
  `${'a?'.repeat(40)}${'a'.repeat(40)}b`,
  `${'(a|a)'.repeat(30)}b`,
  'a*a*a*a*b',
  '((a*)*)*c',
  '(',
  '\\',
  '[',
  '(a)\\1+',
])('the expression %s of a form stops nobody', async (expression) => {
  const view = ask('form', { items: [{ name: 'a', regex: expression }] });
  fireEvent.input(view.getByLabelText('a (optional)'), { target: { value: `${'a'.repeat(140)}!` } });
  const spent = spending();
  fireEvent.click(view.getByRole('button', { name: 'Send' }));
  await waitFor(() => expect(desk().asked).toHaveLength(1));
  expect(spent()).toBeLessThan(1_000);
});

test('the address for answers goes to the contact, then the question is marked as answered', async () => {
  desk().next = refused;
  const view = ask('input_email', {});
  fireEvent.click(view.getByRole('button', { name: 'Send' }));
  await waitFor(() => view.getByText('This is required.'));
  fireEvent.input(view.getByLabelText('Email address'), { target: { value: 'ada@x.example' } });
  fireEvent.click(view.getByRole('button', { name: 'Send' }));
  await waitFor(() => expect(view.getByRole('alert').textContent).toMatch('not accepted'));
  expect(desk().asked).toEqual([['updateContact', { email: 'ada@x.example' }]]);
  desk().next = ok(undefined);
  fireEvent.click(view.getByRole('button', { name: 'Send' }));
  await waitFor(() => expect(desk().asked).toHaveLength(3));
  expect(desk().asked[2]).toEqual(['answer', 7, [{ name: 'email', value: 'ada@x.example' }]]);
  view.becomes({ submitted_values: [{ name: 'email', value: 'ada@x.example' }] });
  view.getByText('Thank you! We can reach you at ada@x.example.');
});
