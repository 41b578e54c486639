/** What counts as having come while the visitor looked on. */
import { expect, test } from 'vitest';
import { newcomers } from '../../src/model/newcomers.js';
import { type Message, messageSchema } from '../../src/wire/message.js';

const message = (id: number, message_type: number): Message =>
  messageSchema.parse({ id, content: `${id}`, message_type, content_type: 'text', created_at: id });
const ours = (id: number) => message(id, 0);
const theirs = (id: number) => message(id, 1);
const ids = (list: Message[], before: Message[] | undefined, seenId: number, historyTo: number) =>
  newcomers(list, before, seenId, historyTo).map(({ id }) => id);

test.each<[string, Message[], Message[] | undefined, number, number, number[]]>([
  ['the first page is history', [theirs(8), ours(9)], undefined, 9, 9, []],
  ['what was said since the visitor was here has come', [theirs(8), theirs(9)], undefined, 8, 0, [9]],
  ['the next one has come', [theirs(8), theirs(9)], [theirs(8)], 8, 8, [9]],
  [
    'an answer has come after words that were said later',
    [theirs(8), theirs(11), ours(12)],
    [theirs(8), ours(12)],
    12,
    8,
    [11],
  ],
  [
    'and before the visitor has seen their own words',
    [theirs(8), theirs(11), ours(12)],
    [theirs(8), ours(12)],
    8,
    8,
    [11],
  ],
  [
    'and after a later answer, which the visitor has seen',
    [theirs(8), theirs(11), theirs(12)],
    [theirs(8), theirs(12)],
    12,
    8,
    [11],
  ],
  ['older ones that are read again have not come', [theirs(3), ours(4), ours(12)], [ours(12)], 12, 12, []],
  [
    'nor are those that the visitor pages back to',
    [theirs(3), theirs(8), theirs(9)],
    [theirs(8), theirs(9)],
    9,
    8,
    [],
  ],
  ['what another tab has shown has not come here', [theirs(8), theirs(9)], [theirs(8)], 9, 8, []],
  ['one that changes has come before', [theirs(8), ours(9)], [theirs(8), ours(9)], 8, 8, []],
])('%s', (_, list, before, seenId, historyTo, expected) => {
  expect(ids(list, before, seenId, historyTo)).toEqual(expected);
});
