/** The public family, route by route, with the exact shape of each answer. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import {
  inboxPath,
  listenAsAgent,
  startMs,
  startTestService,
  type TestService,
  visit,
} from '../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
}, startMs);
afterAll(() => service.end());

const number = expect.any(Number);
const text = expect.any(String);
const id = z.looseObject({ id: z.number() });

const contactShape = {
  id: number,
  name: text,
  email: null,
  phone_number: null,
  identifier: null,
  blocked: false,
  additional_attributes: {},
  custom_attributes: {},
  contact_type: 'visitor',
  country_code: '',
  last_activity_at: null,
  created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  updated_at: text,
  last_name: '',
  middle_name: '',
  location: '',
  account_id: 1,
  company_id: null,
  label_list: [],
};

test('the inbox tells what a visitor may know', async () => {
  const { status, body, headers } = await service.call('GET', inboxPath);
  expect(status).toBe(200);
  expect(body).toEqual({
    identifier: 'demo-inbox',
    identity_validation_enabled: false,
    name: 'Demo shop',
    timezone: 'UTC',
    working_hours: expect.arrayContaining([
      {
        day_of_week: 0,
        closed_all_day: true,
        open_hour: null,
        open_minutes: null,
        close_hour: null,
        close_minutes: null,
        open_all_day: false,
      },
    ]),
    working_hours_enabled: false,
    csat_survey_enabled: false,
    greeting_enabled: false,
  });
  expect(headers.get('access-control-allow-origin')).toBe('*');
  expect(headers.get('access-control-allow-credentials')).toBeNull();
  expect(headers.get('echo-id')).toBe('kept');
  expect(headers.get('access-control-expose-headers')).toMatch(/Retry-After.*Echo-Id/);
});

test('any origin may ask in advance', async () => {
  const { status, headers } = await service.call('OPTIONS', `${inboxPath}/contacts`, undefined, {
    origin: 'https://shop.example',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type',
  });
  expect(status).toBe(204);
  expect(headers.get('access-control-allow-origin')).toBe('*');
  expect(headers.get('access-control-allow-headers')).toBe('content-type');
  expect(headers.get('access-control-allow-methods')).toMatch(/PATCH/);
});

test('a contact is made without a word about it', async () => {
  const { status, body } = await service.call('POST', `${inboxPath}/contacts`);
  expect(status).toBe(200);
  expect(body).toEqual({
    source_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    pubsub_token: expect.stringMatching(/^[\w-]{24}$/),
    id: number,
    name: expect.stringMatching(/^\w+ \w+$/),
    email: null,
    phone_number: null,
  });
});

test('a contact keeps what it is made with, and its first fields for a source_id that is known', async () => {
  const fields = {
    source_id: 'kept-fields',
    name: 'Ada',
    email: 'Ada@Example.COM',
    phone_number: '+12025550101',
  };
  const made = await service.call('POST', `${inboxPath}/contacts`, fields);
  const again = await service.call('POST', `${inboxPath}/contacts`, {
    source_id: 'kept-fields',
    name: 'Eve',
  });
  const shown = await service.call('GET', `${inboxPath}/contacts/kept-fields`);
  expect(made.body).toMatchObject({ source_id: 'kept-fields', name: 'Ada', email: 'ada@example.com' });
  expect(again.body).toEqual(made.body);
  expect(shown.body).toEqual(made.body);
});

test('parallel creations with one source_id make one contact', async () => {
  const before = await service.db.query<{ count: number }>('select count(*) as count from contacts');
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      service.call('POST', `${inboxPath}/contacts`, { source_id: 'raced', email: 'raced@example.com' }),
    ),
  );
  const after = await service.db.query<{ count: number }>('select count(*) as count from contacts');
  expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
  expect(after[0]?.count).toBe((before[0]?.count ?? 0) + 1);
});

test('an e-mail that is known leads to the contact who has it', async () => {
  const fields = { source_id: 'first-device', email: 'same@example.com' };
  const first = id.parse((await service.call('POST', `${inboxPath}/contacts`, fields)).body);
  const second = id.parse(
    (await service.call('POST', `${inboxPath}/contacts`, { ...fields, source_id: 'second-device' })).body,
  );
  expect(second.id).toBe(first.id);
});

test('a change merges attributes, ignores blanks, and answers with record and tokens', async () => {
  const made = await service.call('POST', `${inboxPath}/contacts`, {
    source_id: 'changed',
    name: 'Ada',
    custom_attributes: { plan: 'Free', deep: { a: 1 } },
  });
  const { status, body } = await service.call('PATCH', `${inboxPath}/contacts/changed`, {
    name: '',
    phone_number: '+4712345678',
    custom_attributes: { city: 'Oslo', deep: { b: 2 } },
  });
  expect(status).toBe(200);
  expect(body).toEqual({
    ...contactShape,
    ...z.record(z.string(), z.unknown()).parse(made.body),
    contact_type: 'lead',
    phone_number: '+4712345678',
    custom_attributes: { plan: 'Free', city: 'Oslo', deep: { a: 1, b: 2 } },
  });
});

test('who turns out to be somebody known becomes that contact, with tokens that go on', async () => {
  const known = await visit(service, { email: 'merged@example.com' });
  const visitor = await visit(service);
  await service.call('POST', `${visitor.path}/messages`, { content: 'before' });
  const { body } = await service.call('PATCH', visitor.contactPath, { email: 'Merged@example.com' });
  expect(body).toMatchObject({
    id: known.contactId,
    source_id: visitor.sourceId,
    pubsub_token: visitor.token,
  });
  const history = await service.call('GET', `${visitor.path}/messages`);
  expect(history.body).toMatchObject([{ content: 'before', sender: { id: known.contactId } }]);
});

test('a conversation begins open and empty', async () => {
  const visitor = await visit(service);
  const attributes = { order_number: 'A-1' };
  const made = await service.call('POST', `${visitor.contactPath}/conversations`, {
    custom_attributes: attributes,
    status: 'resolved',
  });
  expect(made.status).toBe(200);
  expect(made.body).toEqual({
    id: number,
    uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
    inbox_id: 1,
    contact_last_seen_at: 0,
    status: 'open',
    agent_last_seen_at: 0,
    messages: [],
    contact: contactShape,
  });
  const { id: displayId } = id.parse(made.body);
  const shown = await service.call('GET', `${visitor.contactPath}/conversations/${displayId}`);
  expect(shown.body).toEqual(made.body);
  const kept = await service.agent('GET', `/api/v1/accounts/1/conversations/${displayId}`);
  expect(kept.body).toMatchObject({ custom_attributes: attributes });
});

test('a message is answered, kept and listed with its echo_id', async () => {
  const visitor = await visit(service);
  const sent = await service.call('POST', `${visitor.path}/messages`, {
    content: 'Hello',
    echo_id: 'echo-1',
    message_type: 1,
    private: true,
  });
  expect(sent.status).toBe(200);
  expect(sent.body).toEqual({
    id: number,
    content: 'Hello',
    message_type: 0,
    content_type: 'text',
    content_attributes: {},
    created_at: number,
    conversation_id: visitor.conversationId,
    echo_id: 'echo-1',
    sender: {
      additional_attributes: {},
      custom_attributes: {},
      email: null,
      id: visitor.contactId,
      identifier: null,
      name: text,
      phone_number: null,
      thumbnail: '',
      blocked: false,
      type: 'contact',
    },
  });
  expect((await service.call('GET', `${visitor.path}/messages`)).body).toEqual([sent.body]);
  const conversation = await service.call('GET', visitor.path);
  expect(conversation.body).toMatchObject({ messages: [sent.body] });
});

test('a message may be without words, or 150,000 characters long, emoji counted as one', async () => {
  const visitor = await visit(service);
  expect((await service.call('POST', `${visitor.path}/messages`, {})).body).toMatchObject({ content: null });
  const long = '🦊'.repeat(150_000);
  const sent = await service.call('POST', `${visitor.path}/messages`, { content: long });
  expect(sent.status).toBe(200);
  expect(sent.body).toMatchObject({ content: long });
});

test('half a character is replaced, not refused', async () => {
  const visitor = await visit(service);
  const sent = await service.call('POST', `${visitor.path}/messages`, '{"content":"a\\ud83d b"}');
  expect(sent.body).toMatchObject({ content: 'a\ufffd b' });
});

test('history comes in pages of 20, oldest first, without notes and system lines', async () => {
  const visitor = await visit(service);
  const thread = `/api/v1/accounts/1/conversations/${visitor.conversationId}/messages`;
  for (let n = 1; n <= 25; n += 1)
    await service.call('POST', `${visitor.path}/messages`, { content: `${n}` });
  await service.agent('POST', thread, { content: 'a note', private: true });
  const ids = z.array(z.looseObject({ id: z.number(), content: z.string() }));
  const newest = ids.parse((await service.call('GET', `${visitor.path}/messages`)).body);
  expect(newest.map((message) => message.content)).toEqual(Array.from({ length: 20 }, (_, n) => `${n + 6}`));
  const older = ids.parse(
    (await service.call('GET', `${visitor.path}/messages?before=${newest[0]?.id}`)).body,
  );
  expect(older.map((message) => message.content)).toEqual(['1', '2', '3', '4', '5']);
  const none = await service.call('GET', `${visitor.path}/messages?before=${older[0]?.id}`);
  expect(none.body).toEqual([]);
});

test('a visitor resolves, and a new word reopens', async () => {
  const visitor = await visit(service);
  expect((await service.call('POST', `${visitor.path}/toggle_status`)).body).toMatchObject({
    status: 'resolved',
  });
  expect((await service.call('POST', `${visitor.path}/toggle_status`)).body).toMatchObject({
    status: 'resolved',
  });
  await service.call('POST', `${visitor.path}/messages`, { content: 'one more thing' });
  expect((await service.call('GET', visitor.path)).body).toMatchObject({ status: 'open' });
});

test('somebody blocked is stored but opens nothing', async () => {
  const visitor = await visit(service);
  await service.agent('PUT', `/api/v1/accounts/1/contacts/${visitor.contactId}`, { blocked: true });
  await service.call('POST', `${visitor.path}/toggle_status`);
  expect((await service.call('POST', `${visitor.path}/messages`, { content: 'hey' })).status).toBe(200);
  expect((await service.call('GET', visitor.path)).body).toMatchObject({ status: 'resolved' });
  const more = await service.call('POST', `${visitor.contactPath}/conversations`, {});
  expect(more.body).toMatchObject({ status: 'resolved' });
});

test('somebody muted is not free again by the e-mail of somebody else, who is not blocked for it', async () => {
  const known = await visit(service, { email: 'innocent@example.com' });
  const visitor = await visit(service);
  await service.agent('POST', `/api/v1/accounts/1/conversations/${visitor.conversationId}/mute`);
  const claim = { email: 'innocent@example.com' };
  const { status, body } = await service.call('PATCH', visitor.contactPath, claim);
  expect(status).toBe(422);
  expect(body).toMatchObject({ errors: [{ field: 'email', code: 'taken' }] });
  await service.call('POST', `${visitor.path}/messages`, { content: 'hey' });
  expect((await service.call('GET', visitor.path)).body).toMatchObject({ status: 'resolved' });
  await service.agent('PUT', `/api/v1/accounts/1/contacts/${known.contactId}`, { blocked: true });
  expect((await service.call('PATCH', visitor.contactPath, claim)).body).toMatchObject({
    id: known.contactId,
    blocked: true,
  });
});

test('typing and seen answer 200 with nothing', async () => {
  const visitor = await visit(service);
  for (const [path, body] of [
    ['toggle_typing?typing_status=on', undefined],
    ['toggle_typing', { typing_status: 'off' }],
    ['toggle_typing', { typing_status: 'recording' }],
    ['update_last_seen', undefined],
  ] as const) {
    const answer = await service.call('POST', `${visitor.path}/${path}`, body);
    expect([answer.status, answer.body]).toEqual([200, '']);
  }
  const { body } = await service.call('GET', visitor.path);
  expect(
    z.looseObject({ contact_last_seen_at: z.number() }).parse(body).contact_last_seen_at,
  ).toBeGreaterThan(0);
});

test('an interactive message takes an answer, and only the keys it may have', async () => {
  const visitor = await visit(service);
  const thread = `/api/v1/accounts/1/conversations/${visitor.conversationId}/messages`;
  const asked = id.parse(
    (
      await service.agent('POST', thread, {
        content: 'Pick',
        content_type: 'input_select',
        content_attributes: { items: [{ title: 'Blue', value: 'blue' }] },
      })
    ).body,
  );
  const answered = await service.call('PATCH', `${visitor.path}/messages/${asked.id}`, {
    submitted_values: [{ title: 'Blue', value: 'blue', evil: true }],
  });
  expect(answered.status).toBe(200);
  expect(answered.body).toMatchObject({
    id: asked.id,
    content_attributes: {
      items: [{ title: 'Blue', value: 'blue' }],
      submitted_values: [{ title: 'Blue', value: 'blue' }],
    },
  });
  const survey = { csat_survey_response: { rating: 4, feedback_message: 'ok' } };
  const put = await service.call('PUT', `${visitor.path}/messages/${asked.id}`, { submitted_values: survey });
  expect(put.body).toMatchObject({ content_attributes: { submitted_values: survey } });
});

test('a survey is closed after 14 days of the calendar', async () => {
  const visitor = await visit(service);
  const thread = `/api/v1/accounts/1/conversations/${visitor.conversationId}/messages`;
  const asked = id.parse(
    (await service.agent('POST', thread, { content: 'Rate', content_type: 'input_csat' })).body,
  );
  const answerTo = async (moment: string) => {
    await service.db.query(
      `update messages set created_at = (date_trunc('day', now() at time zone 'utc') - ${moment}) at time zone 'utc'
       where id = $1`,
      [asked.id],
    );
    return service.call('PATCH', `${visitor.path}/messages/${asked.id}`, {
      submitted_values: { csat_survey_response: { rating: 5 } },
    });
  };
  expect((await answerTo(`interval '14 days'`)).status).toBe(200);
  const late = await answerTo(`interval '14 days 1 second'`);
  expect(late.status).toBe(422);
  expect(late.body).toMatchObject({ errors: [{ field: 'submitted_values', code: 'too_late' }] });
});

test.each(['İnfo@example.com', 'ΜΑΡΙΟΣ@example.com', 'Ärger@example.com'])(
  'the same address is the same contact, whatever its letters: %s',
  async (email) => {
    const [one, two] = [
      await service.call('POST', `${inboxPath}/contacts`, { email }),
      await service.call('POST', `${inboxPath}/contacts`, { email }),
    ];
    expect([one.status, two.status]).toEqual([200, 200]);
    const id = z.looseObject({ id: z.number() });
    expect(id.parse(two.body).id).toBe(id.parse(one.body).id);
  },
);

test('a word for typing that is neither on nor off is heard by nobody', async () => {
  const visitor = await visit(service);
  const conversation = `/api/v1/accounts/1/conversations/${visitor.conversationId}`;
  const agents = await listenAsAgent(service);
  for (const typing_status of [null, 5, true, ['on'], { on: 1 }, 'recording', 'on']) {
    const byVisitor = await service.call('POST', `${visitor.path}/toggle_typing`, { typing_status });
    expect([byVisitor.status, byVisitor.body]).toEqual([200, '']);
    if (typing_status === 'on') continue;
    const path = `${conversation}/toggle_typing_status`;
    expect((await service.agent('POST', path, { typing_status })).status).toBe(200);
  }
  await agents.event('conversation.typing_on');
  expect(agents.events().filter(({ event }) => event.startsWith('conversation.typing'))).toHaveLength(1);
  agents.close();
});
