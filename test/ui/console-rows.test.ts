/** The lines of a conversation in the console: who is said to have written them. */
import { expect, test } from 'vitest';
import { learn } from '../../demo/console/model/known-conversation.js';
import { merge, toRows } from '../../demo/console/model/rows.js';
import { conversationSchema, messageSchema } from '../../demo/console/wire/schemas.js';

const message = (fields: object) =>
  messageSchema.parse({
    id: 1,
    conversation_id: 1,
    content: 'Words',
    message_type: 1,
    created_at: 1,
    ...fields,
  });
const authors = (...fields: object[]) =>
  toRows(fields.map(message), [], 0, 1, 'Vera').flatMap((row) => (row.kind === 'bubble' ? [row.author] : []));

test('who was let go is a former agent, and only what nobody wrote is automatic', () => {
  expect(authors({ sender_type: 'User' })).toEqual(['Former agent']);
  expect(authors({ sender_type: 'User', sender: { id: 2, name: 'Ada', type: 'user' } })).toEqual(['Ada']);
  expect(authors({ message_type: 3, sender_type: null })).toEqual(['Automatic message']);
});

test('a change that the socket tells does not make a former agent’s words automatic', () => {
  const [known] = merge([message({ sender_type: 'User' })], [message({ content: 'Other words' })]);
  expect(known).toMatchObject({ content: 'Other words', sender_type: 'User' });
});

test('a list that was on its way does not bring back what was deleted meanwhile, and what came meanwhile stays', () => {
  const listed = (fields: object) =>
    conversationSchema.parse({
      id: 1,
      inbox_id: 1,
      status: 'open',
      meta: { sender: null, assignee: null },
      messages: [],
      last_non_activity_message: { ...message({ id: 7 }), ...fields },
    });
  const before = learn(undefined, listed({ content: 'Secret' }));
  const gone = message({ id: 7, content: 'Deleted', content_attributes: { deleted: true } });
  expect(learn({ ...before, preview: gone }, listed({ content: 'Secret' })).preview).toEqual(gone);
  expect(learn(before, listed({ content: 'Changed' })).preview?.content).toBe('Changed');
  const newer = message({ id: 8, content: 'Newer' });
  expect(learn({ ...before, preview: newer }, listed({ content: 'Secret' })).preview).toEqual(newer);
});
