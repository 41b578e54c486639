/** By which words an emoji is found, besides those of its name. */
import { expect, test } from 'vitest';
import { readTable } from '../../src/emoji/table.js';
import { split } from '../../src/emoji/words.js';

const { find } = readTable();

test.each([
  ['smile', '😊'],
  ['dance', '💃'],
  ['please', '🙏'],
  ['pray', '🙏'],
  ['thank you', '🙏'],
  ['bye', '👋'],
  ['wave', '👋'],
  ['like', '👍'],
  ['+1', '👍'],
  ['tada', '🎉'],
  ['laughing', '😂'],
])('what people call it by in chats finds it: %s', (query, emoji) => {
  const hits = find(query);
  expect(hits.map((hit) => hit.emoji)).toContain(emoji);
  expect(hits.length).toBeLessThan(40);
});

test.each([
  ['احمر', 'أحمر'],
  ['كلب', 'كَلْب'],
  ['dien thoai', 'điện thoại'],
  ['slonce', 'słońce'],
  ['rod', 'rød'],
  ['aeble', 'Æble'],
])('who types %s finds %s', (typed, name) => {
  expect(split(typed)).toEqual(split(name));
});

test('both letters of a Turkish I are one, as a capital is either', () => {
  expect(split('Işık')).toEqual(split('ışık'));
  expect(split('IŞIK')).toEqual(split('ışık'));
});
