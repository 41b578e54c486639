// @vitest-environment happy-dom
// @vitest-environment-options { "url": "https://www.host.example/" }
/** What a message shows in a shape of its own; junk is text. */
import { cleanup, fireEvent, waitFor } from '@testing-library/preact';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tell } from '../../src/asks/told.js';
import { fail } from '../../src/errors.js';
import { english as en } from '../../src/text/english.js';
import { createSay } from '../../src/text/text.js';
import { messageSchema } from '../../src/wire/message.js';
import { useAsk } from '../support/ask.js';
import { leaf, service } from '../support/desk.js';

const { ask, desk } = useAsk();

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
  // Its title stands below it.
  expect(view.getByAltText('').getAttribute('src')).toBe(`${service}/a.png`);
  fireEvent.click(view.getByRole('button', { name: 'Choose' }));
  await waitFor(() => expect(desk().asked).toEqual([['press', 'Choose']]));
});

test('a card’s button that fails twice is told of twice', async () => {
  desk().next = fail({ kind: 'network' });
  const actions = [{ type: 'postback', text: 'Choose', payload: 'A' }];
  const view = ask('cards', { items: [{ title: 'Plan A', actions }] });
  const button = view.getByRole('button', { name: 'Choose' });
  fireEvent.click(button);
  const first = await view.findByRole('alert');
  fireEvent.click(button);
  await waitFor(() => expect(first.isConnected).toBe(false));
  expect((await view.findByRole('alert')).textContent).toBe(en.answerFailed);
});

test('nobody else’s picture is fetched for a card before the visitor asks for it', () => {
  const view = ask('cards', {
    items: [{ title: 'Far', media_url: 'https://far.example/a.png', actions: [] }],
  });
  expect(view.queryByAltText('')).toBeNull();
  fireEvent.click(view.getByRole('button', { name: 'Show picture from far.example' }));
  expect(view.getByAltText('').getAttribute('src')).toBe('https://far.example/a.png');
});

test('a picture that does not come leaves a card what it says, or a link where it says nothing', async () => {
  const media_url = `${service}/a.png`;
  const view = ask('cards', { items: [{ title: 'Lamp', media_url }, { media_url }] });
  const pictures = [view.getByAltText(''), view.getByAltText(en.image)];
  for (const picture of pictures) fireEvent.error(picture);
  await waitFor(() => expect(pictures.filter(({ isConnected }) => isConnected)).toEqual([]));
  expect(view.getAllByRole('listitem').map((item) => item.textContent)).toEqual(['Lamp', 'Picture']);
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

test('a link whose words name another place says in a file, too, where it goes', () => {
  const address = 'https://evil.example/x';
  const written = (content_type: string, item: object) =>
    tell(
      messageSchema.parse({
        id: 1,
        created_at: 1,
        message_type: 1,
        content_type,
        content_attributes: { items: [item] },
      }),
      createSay('en', en),
    );
  const words = 'https://bank.example/login (evil.example)';
  const actions = [
    { type: 'link', text: 'https://bank.example/login', uri: address },
    { type: 'link', text: 'https://evil.example/', uri: address },
  ];
  expect(written('cards', { title: '', actions })).toEqual([
    { words, address },
    { words: 'https://evil.example/', address },
  ]);
  expect(written('article', { title: 'https://bank.example/login', link: address })).toEqual([
    { words, address },
  ]);
});

test.each([
  ['input_select', {}, 'This kind of message cannot be shown here.'],
  ['input_select', { items: { title: 'A' } }, 'A'],
  ['form', { items: [{ label: 'Your name' }] }, 'Your name'],
  ['form', { items: [{ name: 's', label: 'Pick', type: 'select', options: 3 }] }, 'Picks'],
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
});
