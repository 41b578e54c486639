// @vitest-environment happy-dom
// @vitest-environment-options { "url": "https://www.host.example/" }
/** What a message asks of the visitor, or shows in a shape of its own: answered, refused, closed; and junk is text. */
import { cleanup, fireEvent, render, waitFor, within } from '@testing-library/preact';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Ask } from '../../src/asks/ask.js';
import { Questions } from '../../src/asks/questions.js';
import { fail, ok } from '../../src/errors.js';
import type { PreChatField } from '../../src/settings.js';
import { Around, createDesk, type Desk, leaf, message, service } from '../support/desk.js';

let desk: Desk;
beforeEach(() => {
  desk = createDesk();
});
afterEach(() => {
  cleanup();
  desk.front.chat.destroy();
});

function ask(type: string, attributes: unknown, more: object = {}) {
  const shown = (attributes: unknown) => (
    <Around desk={desk}>
      <Ask message={message(type, attributes, more)} />
    </Around>
  );
  const { container, rerender } = render(shown(attributes));
  const view = within(container as HTMLElement);
  return { container, ...view, becomes: (later: unknown) => rerender(shown(later)) };
}

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
  await waitFor(() => expect(desk.asked).toEqual([['answer', 7, [{ title: 'Other', value: '2' }]]]));
  view.becomes({ ...topics, submitted_values: [{ title: 'Other', value: '2' }] });
  expect(view.queryByRole('button')).toBeNull();
  const items = view.getAllByRole('listitem').map((item) => item.textContent);
  expect(items).toEqual(['Billing', 'Other (Your answer)']);
  // Who pressed it is led to what took the place of the buttons.
  expect(document.activeElement).toBe(view.container.querySelector('.choices'));
});

test('an answer that does not arrive says so, keeps everything, and can be tried again', async () => {
  desk.next = down;
  const view = ask('input_select', topics);
  fireEvent.click(view.getByRole('button', { name: 'Billing' }));
  await waitFor(() => expect(view.getByRole('alert').textContent).toMatch('could not be sent'));
  desk.next = ok(undefined);
  fireEvent.click(view.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(view.queryByRole('alert')).toBeNull());
  expect(desk.asked).toEqual(Array(2).fill(['answer', 7, [{ title: 'Billing', value: 'billing' }]]));
});

test('presses while an answer is on its way are not a second answer', async () => {
  const view = ask('input_select', topics);
  for (const button of view.getAllByRole('button')) fireEvent.click(button);
  await waitFor(() => expect(desk.asked).toHaveLength(1));
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
  await waitFor(() => expect(described('Name')).toBe('This is needed.'));
  expect(described('E-mail')).toBe('No address!');
  expect(described('Plate (optional)')).toBe('This does not have the right form.');
  expect(described('Terms')).toBe('This is needed.');
  expect(document.activeElement).toBe(view.getByLabelText('Name'));
  expect(view.getByLabelText('Why (optional)').getAttribute('aria-invalid')).toBe('false');
  expect(desk.asked).toEqual([]);
});

test('a sentence that is agreed to is shown to its end', () => {
  const label = 'I agree that you pass on my name, my address and my telephone number. '.repeat(4).trim();
  const view = ask('form', { items: [{ name: 'terms', label: `${label}\u202e`, type: 'checkbox' }] });
  view.getByRole('checkbox', { name: label });
  const choice = ask('input_select', { items: [{ title: label, value: 'yes' }] });
  choice.getByRole('button', { name: label });
});

test('a form that is filled in is sent, kept on a failure, and becomes a summary', async () => {
  desk.next = down;
  const view = ask('form', details);
  fireEvent.input(view.getByLabelText('Name'), { target: { value: ' Ada ' } });
  fireEvent.input(view.getByLabelText('E-mail'), { target: { value: 'ada@x.example' } });
  fireEvent.change(view.getByLabelText('size (optional)'), { target: { value: 'M' } });
  fireEvent.click(view.getByLabelText('Terms'));
  fireEvent.click(view.getByRole('button', { name: 'Send details' }));
  await waitFor(() => view.getByRole('alert'));
  expect((view.getByLabelText('E-mail') as HTMLInputElement).value).toBe('ada@x.example');
  desk.next = ok(undefined);
  fireEvent.click(view.getByRole('button', { name: 'Send details' }));
  await waitFor(() => expect(desk.asked).toHaveLength(2));
  const values = [
    { name: 'who', value: 'Ada' },
    { name: 'mail', value: 'ada@x.example' },
    { name: 'plate', value: '' },
    { name: 'size', value: 'M' },
    { name: 'why', value: 'Because' },
    { name: 'terms', value: true },
  ];
  expect(desk.asked[1]).toEqual(['answer', 7, values]);
  view.becomes({ ...details, submitted_values: values });
  expect(view.queryByRole('textbox')).toBeNull();
  const terms = view.getAllByRole('term').map((term) => term.textContent);
  const given = view.getAllByRole('definition').map((definition) => definition.textContent);
  expect(terms).toEqual(['Name', 'E-mail', 'size', 'Why', 'Terms']);
  expect(given).toEqual(['Ada', 'ada@x.example', 'Medium', 'Because', 'Yes']);
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
  const before = performance.now();
  fireEvent.click(view.getByRole('button', { name: 'Send' }));
  await waitFor(() => expect(desk.asked).toHaveLength(1));
  expect(performance.now() - before).toBeLessThan(1_000);
});

test('the address for answers goes to the contact, then the question is marked as answered', async () => {
  desk.next = refused;
  const view = ask('input_email', {});
  fireEvent.click(view.getByRole('button', { name: 'Send' }));
  await waitFor(() => view.getByText('This is needed.'));
  fireEvent.input(view.getByLabelText('Email address'), { target: { value: 'ada@x.example' } });
  fireEvent.click(view.getByRole('button', { name: 'Send' }));
  await waitFor(() => expect(view.getByRole('alert').textContent).toMatch('not accepted'));
  expect(desk.asked).toEqual([['updateContact', { email: 'ada@x.example' }]]);
  desk.next = ok(undefined);
  fireEvent.click(view.getByRole('button', { name: 'Send' }));
  await waitFor(() => expect(desk.asked).toHaveLength(3));
  expect(desk.asked[2]).toEqual(['answer', 7, [{ name: 'email', value: 'ada@x.example' }]]);
  view.becomes({ submitted_values: [{ name: 'email', value: 'ada@x.example' }] });
  view.getByText('Thank you! We can reach you at ada@x.example.');
});

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
  await waitFor(() => expect(desk.asked).toEqual([['answer', 7, response(4, 'Fast!')]]));
  view.becomes({ submitted_values: response(4, 'Fast!') });
  view.getByText('Thank you for your rating!');
  expect(view.container.textContent).toMatch(/Good.*Fast!/);
  fireEvent.click(view.getByRole('button', { name: 'Change' }));
  expect((view.getByRole('radio', { name: 'Good' }) as HTMLInputElement).checked).toBe(true);
  fireEvent.click(view.getByRole('radio', { name: 'Very bad' }));
  desk.next = down;
  fireEvent.click(view.getByRole('button', { name: 'Send' }));
  await waitFor(() => view.getByRole('alert'));
  desk.next = ok(undefined);
  fireEvent.click(view.getByRole('button', { name: 'Try again' }));
  await waitFor(() => view.getByText('Thank you for your rating!'));
  expect(desk.asked.at(-1)).toEqual(['answer', 7, response(1, 'Fast!')]);
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
  desk.next = refused;
  const view = ask('input_csat', {});
  fireEvent.click(view.getByRole('radio', { name: 'Okay' }));
  fireEvent.click(view.getByRole('button', { name: 'Send' }));
  await waitFor(() => view.getByText('Ratings can be given within 14 days of the question.'));
});

test('a card has links that are safe, words in the place of those that are not, and buttons that say something', async () => {
  const view = ask('cards', {
    items: [
      {
        title: 'Plan A',
        description: 'Small',
        media_url: `${service}/a.png`,
        actions: [
          { type: 'link', text: 'See', uri: 'https://x.example/a' },
          { type: 'link', text: 'Run', uri: 'javascript:alert(1)' },
          { type: 'link', text: 'bank.example', uri: 'https://evil.example/' },
          { type: 'postback', text: 'Choose', payload: 'A' },
        ],
      },
    ],
  });
  const links = view.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);
  expect(links).toEqual([
    ['See', 'https://x.example/a'],
    ['bank.example(evil.example)', 'https://evil.example/'],
  ]);
  view.getByText('Run (javascript:alert(1))');
  expect(view.getByRole('img', { name: 'Plan A' }).getAttribute('src')).toBe(`${service}/a.png`);
  fireEvent.click(view.getByRole('button', { name: 'Choose' }));
  await waitFor(() => expect(desk.asked).toEqual([['press', 'Choose']]));
});

test('nobody else’s picture is fetched for a card before the visitor asks for it', () => {
  const view = ask('cards', {
    items: [{ title: 'Far', media_url: 'https://far.example/a.png', actions: [] }],
  });
  expect(view.queryByRole('img')).toBeNull();
  fireEvent.click(view.getByRole('button', { name: 'Show picture from far.example' }));
  expect(view.getByRole('img', { name: 'Far' }).getAttribute('src')).toBe('https://far.example/a.png');
});

test('a picture that does not come leaves a card what it says, or a link where it says nothing', async () => {
  const media_url = `${service}/a.png`;
  const view = ask('cards', { items: [{ title: 'Lamp', media_url }, { media_url }] });
  for (const picture of view.getAllByRole('img')) fireEvent.error(picture);
  await waitFor(() => expect(view.queryByRole('img')).toBeNull());
  expect(view.getAllByRole('listitem').map((item) => item.textContent)).toEqual(['Lamp', 'Attachment']);
  expect(view.getAllByRole('link')).toHaveLength(1);
});

test('articles are a list of links', () => {
  const view = ask('article', {
    items: [
      { title: 'Returns', description: 'Within 30 days', link: 'https://help.example/returns' },
      { title: 'Odd', link: 'file:///etc/passwd' },
    ],
  });
  expect(view.getByRole('link', { name: 'Returns' }).getAttribute('href')).toBe(
    'https://help.example/returns',
  );
  expect(view.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    'ReturnsWithin 30 days',
    'Odd (file:///etc/passwd)',
  ]);
});

test.each([
  ['input_select', {}, 'This kind of message cannot be shown here.'],
  ['input_select', { items: { title: 'A' } }, 'A'],
  ['form', { items: [{ label: 'Your name' }] }, 'Your name'],
  ['form', { items: [{ name: 's', label: 'Pick', type: 'select', options: 3 }] }, 'sPick'],
  ['cards', { items: 'Plan A' }, 'This kind of message cannot be shown here.'],
  ['cards', { items: [{ body: { title: 'Plan A', text: 'Small' } }] }, 'Plan ASmall'],
  ['article', null, 'This kind of message cannot be shown here.'],
  ['integrations', { data: { title: 'Call', url: 'https://meet.example/1' } }, 'Callhttps://meet.example/1'],
  ['incoming_email', { email: { text_content: { reply: 'Dear all' } } }, 'Dear all'],
  ['sticker', {}, 'This kind of message cannot be shown here.'],
  ['hologram', { items: [[[{ title: 'Deep' }]]] }, 'Deep'],
])('%s with attributes %j is read as %j', (type, attributes, words) => {
  const view = ask(type, attributes);
  expect(view.container.textContent?.replaceAll('\n', '')).toBe(words);
  expect(view.container.querySelector('input, textarea, select, fieldset')).toBeNull();
});

test('words that stand above already are not said a second time', () => {
  expect(ask('hologram', { title: 'x' }, { content: 'See this' }).container.textContent).toBe('');
  expect(ask('input_text', {}, { content: 'What is your name?' }).container.textContent).toBe('');
});

const types = ['input_select', 'form', 'cards', 'article', 'input_email', 'input_csat', 'integrations', 'x'];
const names =
  'items title value name label type regex pattern options error default placeholder required description media_url actions text uri link submitted_values csat_survey_response rating feedback_message button_label submitted_email constructor __proto__'.split(
    ' ',
  );
const junk = fc.letrec((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, depthSize: 'medium' },
    leaf,
    fc.array(tie('node'), { maxLength: 5 }),
    fc.dictionary(fc.constantFrom(...names), tie('node'), { maxKeys: 8 }),
  ),
})).node;
const attributes = fc.record(
  { items: junk, submitted_values: junk, data: junk, email: junk },
  { requiredKeys: [] },
);

test('whatever stands in the attributes is shown somehow, and nothing of it runs', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...types),
      attributes,
      fc.constantFrom(null, 'Words'),
      (type, junk, content) => {
        const { container } = ask(type, junk, { content });
        const shown = content ?? container.textContent;
        expect(shown).not.toBe('');
        for (const link of container.querySelectorAll('a'))
          expect(link.getAttribute('href')).toMatch(/^(https?|mailto|tel):/);
        expect(container.querySelectorAll('img, script, iframe')).toHaveLength(0);
        expect(container.textContent?.length).toBeLessThan(400_000);
        cleanup();
      },
    ),
    { numRuns: 800 },
  );
}, 60_000);

test('answers stay with their questions when one is answered elsewhere meanwhile', () => {
  const field = (name: string, type: PreChatField['type']): PreChatField => ({
    name,
    type,
    label: name,
    required: false,
    options: [],
  });
  const all = [field('topic', 'text'), field('newsletter', 'checkbox'), field('terms', 'consent')];
  const shown = (fields: readonly PreChatField[]) => (
    <Around desk={desk}>
      <Questions fields={fields} onDone={() => {}} />
    </Around>
  );
  const { container, rerender } = render(shown(all));
  const view = within(container as HTMLElement);
  fireEvent.input(view.getByRole('textbox'), { target: { value: 'Boots' } });
  fireEvent.click(view.getByRole('checkbox', { name: 'newsletter' }));
  rerender(shown(all.slice(1)));
  const ticked = (name: string) => {
    const box = view.getByRole('checkbox', { name });
    return box instanceof HTMLInputElement && box.checked;
  };
  expect([ticked('newsletter'), ticked('terms')]).toEqual([true, false]);
});
