/** What a row of the list shows of the message that was searched for. */
import { expect, test } from 'vitest';
import { foundIn } from '../../demo/console/model/found.js';
import { learn } from '../../demo/console/model/known-conversation.js';
import { conversationSchema } from '../../demo/console/wire/schemas.js';

const listed = (content: string, fields: object = {}) =>
  learn(
    undefined,
    conversationSchema.parse({
      id: 1,
      status: 'open',
      meta: { sender: null, assignee: null },
      found_message: { id: 1, conversation_id: 1, content, message_type: 0, created_at: 1, ...fields },
    }),
  );
const shown = (content: string, search: string, fields: object = {}) => {
  const found = foundIn(listed(content, fields), search);
  return found && [found.before, found.words, found.after];
};
const filler = 'filler '.repeat(30_000);

test.each([
  ['as it was written', 'My LAMP flickers', 'lamp', ['My ', 'LAMP', ' flickers']],
  ['in a line of its own', 'One\n\n  two lamp', 'lamp', ['One two ', 'lamp', '']],
  ['after much else', `${filler}the lamp`, 'lamp', ['… filler the ', 'lamp', '']],
  ['after one long word', 'antidisestablishmentarianism', 'ism', ['… blishmentarian', 'ism', '']],
  ['with signs of patterns', 'Costs (about) $5.00?', '(about) $5.00?', ['Costs ', '(about) $5.00?', '']],
  ['after a letter that is two in lower case', 'İstanbul İstasyon lamp', 'lamp', ['… İstasyon ', 'lamp', '']],
  [
    'after characters of two halves, none of which is cut',
    `${'🦊'.repeat(9)}blamp`,
    'lamp',
    [`… ${'🦊'.repeat(6)}b`, 'lamp', ''],
  ],
])('the words are shown %s', (_, content, search, parts) => {
  expect(shown(content, search)).toEqual(parts);
});

test('marks of the team’s words are not in the way, and words between them are found as they were written', () => {
  const team = { message_type: 1 };
  expect(shown('See **the lamp** now', 'lamp', team)).toEqual(['See the ', 'lamp', ' now']);
  expect(shown('See **the lamp** now', '**the', team)).toEqual(['See ', '**the', ' lamp** now']);
});

test('nothing is shown where the words are not, where nobody searches, or after the message has gone', () => {
  expect(shown('My lamp', 'table')).toBeUndefined();
  expect(shown('My lamp', '')).toBeUndefined();
  expect(foundIn(listed('This message was deleted'), 'lamp')).toBeUndefined();
});

test('what the socket tells of a conversation does not take the found words away', () => {
  const known = listed('My lamp');
  const { found_message: _, ...told } = known;
  expect(foundIn(learn(known, told), 'lamp')?.words).toBe('lamp');
});
