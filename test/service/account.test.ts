/** The account API as the console uses it, with the exact shape of each answer. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { graceToken, letGraceIn } from '../support/grace.js';
import {
  inboxPath,
  listen,
  request,
  startMs,
  startTestService,
  type TestService,
  visit,
} from '../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await letGraceIn(service);
}, startMs);
afterAll(() => service.end());

const account = '/api/v1/accounts/1';
const number = expect.any(Number);
const text = expect.any(String);
const withId = z.looseObject({ id: z.number() });
const asGrace = (method: string, path: string, body?: unknown) =>
  request(service.url + path, method, body, { 'Api-Access-Token': graceToken });

const agent = {
  id: 1,
  account_id: 1,
  availability_status: 'offline',
  auto_offline: true,
  confirmed: true,
  email: 'ada@demo.example',
  available_name: 'Ada',
  name: 'Ada Admin',
  role: 'administrator',
  thumbnail: '',
  custom_role_id: null,
};

test('the profile names the user and their accounts, and no access token', async () => {
  const { status, body } = await service.agent('GET', '/api/v1/profile');
  expect(status).toBe(200);
  expect(body).toMatchObject({
    id: 1,
    name: 'Ada Admin',
    pubsub_token: text,
    accounts: [
      { id: 1, name: 'Demo', role: 'administrator', active_at: null, permissions: ['administrator'] },
    ],
  });
  expect(JSON.stringify(body)).not.toContain(service.apiAccessToken);
});

test('both people of the first start are agents', async () => {
  const { body } = await service.agent('GET', `${account}/agents`);
  expect(body).toEqual([
    agent,
    {
      ...agent,
      id: 2,
      email: 'grace@demo.example',
      available_name: 'Grace',
      name: 'Grace Agent',
      role: 'agent',
    },
  ]);
});

test('the key for identity validation is for administrators', async () => {
  const seen = await service.agent('GET', `${account}/inboxes`);
  expect(seen.body).toMatchObject({
    payload: [
      {
        id: 1,
        channel_id: 1,
        name: 'Demo shop',
        channel_type: 'Channel::Api',
        inbox_identifier: 'demo-inbox',
        hmac_token: text,
        hmac_mandatory: false,
        working_hours: expect.any(Array),
        selected_feature_flags: [],
      },
    ],
  });
  expect(JSON.stringify((await asGrace('GET', `${account}/inboxes`)).body)).not.toContain('hmac_token');
});

test('attribute definitions are kept by model', async () => {
  const contact = await service.agent('GET', `${account}/custom_attribute_definitions?attribute_model=1`);
  expect(contact.body).toMatchObject([
    {
      attribute_key: 'plan',
      attribute_display_type: 'list',
      attribute_model: 'contact_attribute',
      created_at: text,
    },
    { attribute_key: 'city', attribute_display_type: 'text' },
  ]);
  const conversation = await service.agent(
    'GET',
    `${account}/custom_attribute_definitions?attribute_model=0`,
  );
  expect(conversation.body).toMatchObject([{ attribute_key: 'page_url' }, { attribute_key: 'order_number' }]);
});

test('a conversation in the list has every field of the specification', async () => {
  const visitor = await visit(service, { name: 'Shape', email: 'shape@example.com' });
  await service.call('POST', `${visitor.path}/messages`, { content: 'look at me', echo_id: 'shape-1' });
  const { body } = await service.agent('GET', `${account}/conversations/${visitor.conversationId}`);
  const message = {
    id: number,
    account_id: 1,
    inbox_id: 1,
    conversation_id: visitor.conversationId,
    content: 'look at me',
    message_type: 0,
    created_at: number,
    updated_at: number,
    private: false,
    status: 'sent',
    source_id: null,
    content_type: 'text',
    content_attributes: {},
    sender_type: 'Contact',
    sender_id: visitor.contactId,
    external_source_ids: {},
    additional_attributes: {},
    processed_message_content: 'look at me',
    sentiment: {},
    conversation: {
      assignee_id: null,
      unread_count: 1,
      last_activity_at: number,
      contact_inbox: { source_id: visitor.sourceId },
    },
    echo_id: 'shape-1',
    sender: expect.objectContaining({ id: visitor.contactId, type: 'contact' }),
  };
  expect(body).toEqual({
    id: visitor.conversationId,
    account_id: 1,
    inbox_id: 1,
    uuid: text,
    messages: [message],
    additional_attributes: {},
    custom_attributes: {},
    agent_last_seen_at: 0,
    assignee_last_seen_at: 0,
    contact_last_seen_at: 0,
    created_at: number,
    updated_at: number,
    timestamp: number,
    first_reply_created_at: 0,
    last_activity_at: number,
    snoozed_until: 0,
    waiting_since: number,
    can_reply: true,
    muted: false,
    labels: [],
    status: 'open',
    unread_count: 1,
    last_non_activity_message: message,
    priority: null,
    sla_policy_id: null,
    applied_sla: {},
    sla_events: [],
    meta: {
      sender: {
        id: visitor.contactId,
        name: 'Shape',
        email: 'shape@example.com',
        phone_number: null,
        identifier: null,
        blocked: false,
        thumbnail: '',
        availability_status: 'offline',
        additional_attributes: {},
        custom_attributes: {},
        last_activity_at: number,
        created_at: number,
      },
      channel: 'Channel::Api',
      team: null,
      hmac_verified: false,
    },
  });
});

const list = z.object({
  data: z.object({
    meta: z.record(z.string(), z.number()),
    payload: z.array(z.looseObject({ id: z.number(), status: z.string() })),
  }),
});
const lists = async (query: string) =>
  list.parse((await service.agent('GET', `${account}/conversations?${query}`)).body).data;

test('conversations are filtered by assignee, state, text and inbox, and counted', async () => {
  const mine = await visit(service);
  const hers = await visit(service);
  const done = await visit(service);
  const at = (id: number) => `${account}/conversations/${id}`;
  await service.agent('POST', `${at(mine.conversationId)}/assignments`, { assignee_id: 1 });
  await service.agent('POST', `${at(hers.conversationId)}/assignments`, { assignee_id: 2 });
  await service.call('POST', `${done.path}/messages`, { content: '100%_sure \\o/' });
  await service.call('POST', `${done.path}/toggle_status`);
  const ids = async (query: string) => (await lists(query)).payload.map((conversation) => conversation.id);

  expect(await ids('assignee_type=me')).toEqual([mine.conversationId]);
  expect(await ids('assignee_type=assigned')).toEqual([hers.conversationId, mine.conversationId]);
  expect(await ids('assignee_type=unassigned')).not.toContain(mine.conversationId);
  expect(await ids('')).not.toContain(done.conversationId);
  expect(await ids('status=resolved')).toEqual([done.conversationId]);
  expect(await ids('status=all')).toContain(done.conversationId);
  expect(await ids(`q=${encodeURIComponent('100%_SURE')}`)).toEqual([done.conversationId]);
  expect(await ids(`q=${encodeURIComponent('\\o')}`)).toEqual([done.conversationId]);
  expect(await ids('q=100__sure')).toEqual([]);
  expect(await ids('inbox_id=2')).toEqual([]);
  expect(await ids('q=sure&status=open')).toEqual([]);
  expect(await ids('q=sure&status=resolved')).toEqual([done.conversationId]);
  const open = await service.agent('GET', `${account}/conversations/meta?q=sure&status=open`);
  expect(open.body).toMatchObject({ meta: { all_count: 0 } });
  const { meta, payload } = await lists('status=all');
  expect(meta).toEqual({
    mine_count: 1,
    assigned_count: 2,
    unassigned_count: payload.length - 2,
    all_count: payload.length,
  });
  const counts = await service.agent('GET', `${account}/conversations/meta?status=all`);
  expect(counts.body).toEqual({ meta });
});

test('the list comes in pages of 25', async () => {
  const { source_id: source } = z
    .looseObject({ source_id: z.string() })
    .parse((await service.call('POST', `${inboxPath}/contacts`)).body);
  for (let n = 0; n < 30; n += 1) await service.call('POST', `${inboxPath}/contacts/${source}/conversations`);
  const [first, second] = [await lists('page=1'), await lists('page=2')];
  expect(first.payload).toHaveLength(25);
  expect(second.payload.length).toBe(Math.min(25, (first.meta.all_count ?? 0) - 25));
  expect((await lists('page=999')).payload).toEqual([]);
});

test('an agent answers, leaves a note, and reads after, before and between', async () => {
  const visitor = await visit(service);
  const path = `${account}/conversations/${visitor.conversationId}/messages`;
  const sent = await asGrace('POST', path, { content: 'Hi', echo_id: 'from-console' });
  expect(sent.status).toBe(200);
  expect(sent.body).toMatchObject({
    content: 'Hi',
    message_type: 1,
    private: false,
    echo_id: 'from-console',
    sender_type: 'User',
    sender_id: 2,
    sender: {
      id: 2,
      name: 'Grace Agent',
      available_name: 'Grace',
      type: 'user',
      availability_status: 'online',
    },
  });
  await asGrace('POST', path, { content: 'Only us', private: true });
  const asContact = await asGrace('POST', path, { content: 'For them', message_type: 'incoming' });
  expect(asContact.body).toMatchObject({
    message_type: 0,
    sender_type: 'Contact',
    sender_id: visitor.contactId,
  });
  for (let n = 0; n < 120; n += 1)
    await service.call('POST', `${visitor.path}/messages`, { content: `${n}` });

  const page = z.object({ meta: z.unknown(), payload: z.array(withId) });
  const ids = async (query: string) =>
    page.parse((await asGrace('GET', `${path}?${query}`)).body).payload.map((message) => message.id);
  const first = withId.parse(sent.body).id;
  const newest = await ids('');
  expect(newest).toHaveLength(20);
  expect(newest).toEqual([...newest].sort((a, b) => a - b));
  expect(await ids(`after=${first}`)).toEqual(Array.from({ length: 100 }, (_, n) => first + 1 + n));
  expect(await ids(`before=${first + 3}`)).toEqual([first, first + 1, first + 2]);
  expect(await ids(`after=${first}&before=${first + 122}`)).toHaveLength(122);
  const visible = JSON.stringify((await service.call('GET', visitor.path)).body);
  expect(visible).not.toContain('Only us');
  expect(page.parse((await asGrace('GET', path)).body).meta).toEqual({
    labels: [],
    additional_attributes: {},
    contact: {
      payload: [
        expect.objectContaining({
          id: visitor.contactId,
          contact_inboxes: [
            {
              source_id: visitor.sourceId,
              inbox: {
                id: 1,
                avatar_url: '',
                channel_id: 1,
                name: 'Demo shop',
                channel_type: 'Channel::Api',
                provider: '',
              },
            },
          ],
        }),
      ],
    },
    agent_last_seen_at: null,
    assignee_last_seen_at: null,
  });
});

test('a deleted message leaves a notice', async () => {
  const visitor = await visit(service);
  const path = `${account}/conversations/${visitor.conversationId}/messages`;
  const { id } = withId.parse((await service.agent('POST', path, { content: 'oops' })).body);
  const heard = await listen(service, { pubsub_token: visitor.token });
  const gone = await service.agent('DELETE', `${path}/${id}`);
  expect(gone.status).toBe(200);
  expect(gone.body).toMatchObject({
    id,
    content: 'This message was deleted',
    content_attributes: { deleted: true },
  });
  expect((await heard.event('message.updated')).data).toMatchObject({
    id,
    content_attributes: { deleted: true },
  });
  expect((await service.call('GET', `${visitor.path}/messages`)).body).toMatchObject([
    { id, content: 'This message was deleted', content_type: 'text', content_attributes: { deleted: true } },
  ]);
  heard.close();
});

test('a state is toggled or set, and an agent who opens has it from then on', async () => {
  const visitor = await visit(service);
  const path = `${account}/conversations/${visitor.conversationId}`;
  const toggled = await service.agent('POST', `${path}/toggle_status`);
  expect(toggled.body).toEqual({
    meta: {},
    payload: {
      success: true,
      conversation_id: visitor.conversationId,
      current_status: 'resolved',
      snoozed_until: null,
    },
  });
  const until = 4_000_000_000;
  const asleep = await service.agent('POST', `${path}/toggle_status`, {
    status: 'snoozed',
    snoozed_until: until,
  });
  expect(asleep.body).toMatchObject({ payload: { current_status: 'snoozed', snoozed_until: until } });
  await service.agent('POST', `${path}/toggle_status`, { status: 'open' });
  const afterAda = withId.extend({ meta: z.looseObject({}) }).parse((await service.agent('GET', path)).body);
  expect(afterAda.meta).not.toHaveProperty('assignee');
  await asGrace('POST', `${path}/toggle_status`, { status: 'open' });
  const { body } = await service.agent('GET', path);
  expect(body).toMatchObject({
    meta: {
      assignee: {
        id: 2,
        role: 'agent',
        access_token: '',
        pubsub_token: '',
        accounts: Object((await asGrace('GET', '/api/v1/profile')).body).accounts,
      },
    },
  });
});

test('assigning answers with the agent, clearing with null', async () => {
  const visitor = await visit(service);
  const path = `${account}/conversations/${visitor.conversationId}/assignments`;
  expect((await service.agent('POST', path, { assignee_id: 2 })).body).toMatchObject({
    id: 2,
    name: 'Grace Agent',
  });
  expect((await service.agent('POST', path, { assignee_id: null })).body).toBeNull();
});

test('what an agent saw is written down and announced to nobody', async () => {
  const visitor = await visit(service);
  await service.call('POST', `${visitor.path}/messages`, { content: 'unread' });
  const path = `${account}/conversations/${visitor.conversationId}/update_last_seen`;
  const seen = await service.agent('POST', path);
  expect(seen.status).toBe(200);
  const shape = z.looseObject({ unread_count: z.number(), agent_last_seen_at: z.number() });
  expect(shape.parse(seen.body)).toMatchObject({ unread_count: 0 });
  expect(shape.parse(seen.body).agent_last_seen_at).toBeGreaterThan(0);
});
