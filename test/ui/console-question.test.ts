/** What an agent writes as a question → what is sent of it. */
import { expect, test } from 'vitest';
import { attributesOf, emptyItem, type Item, shownOf } from '../../demo/console/model/question.js';

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
