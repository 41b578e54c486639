import { describe, expect, test } from 'vitest';
import { hoursAt } from '../../src/model/hours.js';
import { contactSchema } from '../../src/wire/contact.js';
import { conversationSchema } from '../../src/wire/conversation.js';
import { readErrorBody } from '../../src/wire/error-body.js';
import { readEvent, readFrame } from '../../src/wire/frame.js';
import { inboxSchema } from '../../src/wire/inbox.js';
import { messageSchema, messagesSchema } from '../../src/wire/message.js';
import { wordsOf } from '../../src/wire/words.js';
import { reference } from '../fixtures/wire/reference.js';

const oddities = [
  undefined,
  null,
  0,
  1.5,
  '',
  'x',
  true,
  [],
  [1],
  {},
  { type: 'div', props: {} },
  'x'.repeat(1000),
];

describe('answers of the reference deployment are read', () => {
  test('a message over REST has no status and no echo_id', () => {
    const message = messageSchema.parse(reference.message);
    expect(message).toMatchObject({ id: 9001, content: 'Hello', message_type: 0, created_at: 1735725600 });
    expect(message.echo_id).toBeUndefined();
    expect(message.attachments).toBeUndefined();
  });

  test('a message over the socket has both, and who wrote it', () => {
    const frame = readFrame(JSON.stringify(reference.frame));
    const event = readEvent(frame?.message);
    expect(event).toMatchObject({
      event: 'message.created',
      data: { id: 9002, status: 'sent', sender: { available_name: 'Grace', type: 'user' } },
    });
  });

  test('a contact, a conversation and an inbox', () => {
    expect(contactSchema.parse(reference.contact).pubsub_token).toBe('Jh2kQm8vXc4TzRn6WbYp1sLd');
    expect(conversationSchema.parse(reference.conversation)).toMatchObject({
      id: 41,
      status: 'open',
      messages: [],
    });
    expect(inboxSchema.parse(reference.inbox).working_hours).toHaveLength(2);
  });

  test('an inbox keeps its hours whatever else is not said of it', () => {
    const { timezone, working_hours_enabled, working_hours } = reference.inbox;
    const read = inboxSchema.parse({ timezone, working_hours_enabled, working_hours });
    expect(read).toEqual(inboxSchema.parse(reference.inbox));
    expect(inboxSchema.parse({ ...reference.inbox, identifier: 7, name: null })).toEqual(read);
  });

  test('hours that no clock shows are none', () => {
    const [day] = reference.inbox.working_hours;
    const absurd = { open_hour: 9e15, open_minutes: -1, close_hour: 25, close_minutes: 60 };
    const read = (hours: object) =>
      inboxSchema.parse({ ...reference.inbox, working_hours: [{ ...day, closed_all_day: false, ...hours }] });
    const none = { open_hour: null, open_minutes: null, close_hour: null, close_minutes: null };
    expect(read(absurd).working_hours).toMatchObject([none]);
    expect(hoursAt({ ...read(absurd), working_hours_enabled: true }, 0)).toEqual({ open: false });
    const all = { open_hour: 0, open_minutes: 0, close_hour: 24, close_minutes: 59 };
    expect(read(all).working_hours).toMatchObject([all]);
  });
});

describe('an odd field', () => {
  const fields = Object.keys(reference.frame.message.data);

  test.each(fields)('%s never breaks more than it says', (field) => {
    for (const odd of oddities) {
      const read = messageSchema.safeParse({ ...reference.frame.message.data, [field]: odd });
      if (field !== 'id' && field !== 'message_type') expect(read.success).toBe(true);
      if (!read.success) continue;
      const { content, sender, echo_id } = read.data;
      expect(content === null || content === undefined || typeof content === 'string').toBe(true);
      expect(echo_id === undefined || typeof echo_id === 'string').toBe(true);
      expect(sender?.name === undefined || typeof sender.name === 'string').toBe(true);
    }
  });

  test('of what decides makes the message unreadable, and with it the page', () => {
    expect(messageSchema.safeParse({ ...reference.message, id: '9001' }).success).toBe(false);
    expect(messageSchema.safeParse({ ...reference.message, message_type: 'incoming' }).success).toBe(false);
    expect(messagesSchema.safeParse([reference.message, { id: 1 }]).success).toBe(false);
  });

  test('among the files costs the message that one alone', () => {
    const attachments = [null, { id: 7, file_type: 'image' }, { file_type: 'image' }, 'x'];
    const read = messageSchema.parse({ ...reference.message, attachments });
    const none = { id: 0, meta: {} };
    expect(read.attachments).toEqual([none, { id: 7, file_type: 'image', meta: {} }, none, none]);
  });

  test.each([
    [
      'Please rate this conversation, https://chat.example/survey/responses/7f-1e',
      'Please rate this conversation',
    ],
    ['How was it? https://chat.example/survey/responses/7f-1e\n', 'How was it?'],
    ['https://chat.example/survey/responses/7f-1e', ''],
    ['See https://chat.example/survey', 'See https://chat.example/survey'],
  ])('of a question for a rating, %j, has no way to another page', (content, words) => {
    const asked = { ...reference.message, content, content_type: 'input_csat' };
    expect(wordsOf(messageSchema.parse(asked))).toBe(words);
    expect(wordsOf(messageSchema.parse({ ...asked, content_type: 'text' }))).toBe(content);
  });

  test('that nobody knows is ignored', () => {
    expect(messageSchema.parse({ ...reference.message, brand_new: { a: 1 } })).toEqual(
      messageSchema.parse(reference.message),
    );
  });
});

describe('frames', () => {
  test.each(reference.protocol)('%o is read', (frame) => {
    expect(readFrame(JSON.stringify(frame))).toMatchObject(frame);
  });

  test('what is beside the point in a frame does not hide it', () => {
    // As the service says it that is told to close without a reason.
    const frame = readFrame('{"type":"disconnect","reason":null,"reconnect":false,"identifier":7}');
    expect(frame).toEqual({ type: 'disconnect', reconnect: false });
    expect(readFrame('{"type":"ping","message":1735725600,"reconnect":"no"}')).toMatchObject({
      type: 'ping',
    });
  });

  test.each(['', 'null', '[]', '7', '{', new ArrayBuffer(3), undefined])('%o is no frame', (data) => {
    expect(readFrame(data)).toBeUndefined();
  });

  test('who of the team is there is read whatever else is said of them', () => {
    const users = { 7: 'online', 9: { availability: 'busy' } };
    expect(readEvent({ event: 'presence.update', data: { account_id: 3, users } })).toEqual({
      event: 'presence.update',
      data: { users },
    });
    for (const odd of [undefined, null, [], 'online'])
      expect(readEvent({ event: 'presence.update', data: { users: odd } })).toBeUndefined();
  });

  test('an unknown event is not an error', () => {
    expect(readEvent({ event: 'conversation.dreamt', data: {} })).toBeUndefined();
    expect(readEvent({ event: '__proto__', data: {} })).toBeUndefined();
  });
});

describe('each way to say no becomes one list', () => {
  test.each([
    [
      { description: 'No', errors: [{ field: 'content', message: 'too long', code: 'too_long' }] },
      [{ field: 'content', message: 'too long', code: 'too_long' }],
    ],
    [
      { message: 'Content is too long', attributes: ['content'] },
      [{ field: 'content', message: 'Content is too long', code: '' }],
    ],
    [{ status: 404, error: 'Not Found' }, [{ field: 'base', message: 'Not Found', code: '' }]],
    [
      { error: 'Resource could not be found' },
      [{ field: 'base', message: 'Resource could not be found', code: '' }],
    ],
    [undefined, []],
    ['Retry later\n', []],
    [{ errors: 'none' }, []],
  ])('%o', (body, expected) => {
    expect(readErrorBody(body)).toEqual(expected);
  });
});
