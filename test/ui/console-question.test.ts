/** What an agent writes as a question → what is sent of it; and what is missing before it can be. */
import { expect, test } from 'vitest';
import { attributesOf, emptyItem, faultIn, type Item, shownOf } from '../../demo/console/model/question.js';

const rows = (...all: Partial<Item>[]) => all.map((one, index) => ({ ...emptyItem(index + 1), ...one }));
const namesOf = (...titles: string[]) => {
  const attributes = attributesOf('form', rows(...titles.map((title) => ({ title }))));
  return Object(attributes).items.map(({ name }: { name: string }) => name);
};

test.each([
  [
    ['Comments', 'Comments'],
    ['comments', 'comments_2'],
  ],
  [
    ['Comments?', 'comments', 'Comments 2', 'COMMENTS'],
    ['comments', 'comments_2', 'comments_2_2', 'comments_3'],
  ],
  [
    ['?', 'City', '!'],
    ['field_1', 'city', 'field_3'],
  ],
])('questions of a form have a name each: %j', (titles, names) => {
  expect(namesOf(...titles)).toEqual(names);
});

test('two questions of one label are both answered in the thread', () => {
  const attributes = attributesOf('form', rows({ title: 'Comments' }, { title: 'Comments' }));
  const submitted_values = [
    { name: 'comments', value: 'First' },
    { name: 'comments_2', value: 'Second' },
  ];
  expect(shownOf('form', { ...attributes, submitted_values })?.answers).toEqual([
    { name: 'Comments', value: 'First' },
    { name: 'Comments', value: 'Second' },
  ]);
});

test.each<[string, Parameters<typeof faultIn>[0], Partial<Item>, string | undefined]>([
  ['a list without options', 'form', { type: 'select', options: ' \n' }, 'options'],
  ['a list with one', 'form', { type: 'select', options: 'Large' }, undefined],
  ['options that another type does not use', 'form', { type: 'text' }, undefined],
  ['a card without a link', 'cards', { link: ' ' }, 'link'],
  ['a card with half a link', 'cards', { link: '/lamps' }, 'link'],
  ['a card whose link runs code', 'cards', { link: 'javascript:alert(1)' }, 'link'],
  ['a card with a host of another script', 'cards', { link: 'https://аpple.com' }, 'link'],
  ['a card whose picture is no address', 'cards', { link: 'https://a.example', picture: 'lamp' }, 'picture'],
  ['a card to the page’s own host', 'cards', { link: 'http://localhost:3000/lamps' }, undefined],
  ['a card that writes a mail', 'cards', { link: 'mailto:shop@shop.example' }, undefined],
  ['an article without a link', 'article', {}, undefined],
  ['an article with half a link', 'article', { link: 'brass.html care' }, 'link'],
])('%s is seen before it is sent', (_, kind, item, field) => {
  const [blank, written] = rows({}, { title: 'Written', ...item });
  expect(
    faultIn(
      kind,
      [blank, written].flatMap((one) => one ?? []),
      'localhost',
    )?.field,
  ).toBe(field);
});

test('an address without its beginning gets one', () => {
  const [card] = rows({
    title: 'Lamp',
    link: ' shop.example/lamps?a=1 ',
    picture: 'pics.shop.example/1.png',
  });
  expect(attributesOf('cards', card ? [card] : [])).toEqual({
    items: [
      {
        title: 'Lamp',
        description: '',
        media_url: 'https://pics.shop.example/1.png',
        actions: [{ type: 'link', text: 'Open', uri: 'https://shop.example/lamps?a=1' }],
      },
    ],
  });
});
