/** Webhooks as their receiver meets them: a real server that checks signatures by the specification's text alone. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { graceToken, letGraceIn } from '../support/grace.js';
import { deliveryLog, isSigned, type Receiver, startReceiver, webhookAnswer } from '../support/receiver.js';
import {
  errorBody,
  listenAsAgent,
  request,
  startMs,
  startTestService,
  type TestService,
  type Visitor,
  visit,
} from '../support/service.js';

const account = '/api/v1/accounts/1';
const quick = { allowPrivate: true, attempts: 3, backoffMs: 20, timeoutMs: 20_000 };
const kinds = [
  'conversation_created',
  'conversation_status_changed',
  'conversation_updated',
  'message_created',
  'message_updated',
  'contact_created',
  'contact_updated',
  'webwidget_triggered',
  'conversation_typing_on',
  'conversation_typing_off',
];

let service: TestService;
let receiver: Receiver;
beforeAll(async () => {
  service = await startTestService({ webhooks: quick });
  await letGraceIn(service);
  receiver = await startReceiver();
}, startMs);
afterAll(async () => {
  await service.end();
  await receiver.stop();
});

const made: number[] = [];
async function subscribe(path: string, subscriptions?: readonly string[]) {
  const body = { url: receiver.url + path, name: path, subscriptions };
  const answer = await service.agent('POST', `${account}/webhooks`, body);
  expect(answer.status).toBe(200);
  const hook = webhookAnswer.parse(answer.body);
  made.push(hook.id);
  return hook;
}
afterEach(async () => {
  for (const id of made.splice(0)) await service.agent('DELETE', `${account}/webhooks/${id}`);
  receiver.answer = () => 200;
  receiver.all.length = 0;
});

const agentPath = (visitor: Visitor) => `${account}/conversations/${visitor.conversationId}`;
const deliveries = async (id: number, query = '') =>
  deliveryLog.parse((await service.agent('GET', `${account}/webhooks/${id}/deliveries${query}`)).body);

test('all ten events arrive, signed, once each, with the observed bodies', async () => {
  const hook = await subscribe('/all', kinds);
  const visitor = await visit(service, { name: 'Hooked', email: 'hooked@example.com' });
  await service.call('POST', `${visitor.path}/messages`, { content: 'Hello & <there>' });
  await service.call('PATCH', visitor.contactPath, { name: 'Hooked again' });
  await service.call('POST', `${visitor.path}/toggle_typing`, { typing_status: 'on' });
  await service.agent('POST', `${agentPath(visitor)}/toggle_typing_status`, { typing_status: 'off' });
  const answer = await service.agent('POST', `${agentPath(visitor)}/messages`, { content: 'Hi' });
  const { id: answerId } = z.looseObject({ id: z.number() }).parse(answer.body);
  await service.agent('DELETE', `${agentPath(visitor)}/messages/${answerId}`);
  await service.call('POST', `${visitor.path}/toggle_status`);
  const triggered = await service.call('POST', `${visitor.contactPath}/events`, {
    name: 'webwidget.triggered',
    event_info: { referer: 'https://shop.example/' },
  });
  expect(triggered.status).toBe(200);

  await expect.poll(() => new Set(receiver.all.map((got) => got.body.event)).size).toBe(10);
  await expect.poll(async () => (await deliveries(hook.id, '?state=waiting')).meta.count).toBe(0);
  expect([...new Set(receiver.all.map((got) => got.body.event))].sort()).toEqual([...kinds].sort());
  for (const got of receiver.all) {
    expect(isSigned(got, hook.secret ?? '')).toBe(true);
    expect(got.headers['x-service-timestamp']).toMatch(/^\d{10}$/);
    expect(got.headers['x-service-signature']).toMatch(/^sha256=[0-9a-f]{64}$/);
    expect(got.headers['content-type']).toBe('application/json');
    expect(got.headers.accept).toBe('application/json');
  }
  const ids = receiver.all.map((got) => got.headers['x-service-delivery']);
  expect(new Set(ids).size).toBe(ids.length);

  const demo = { id: 1, name: 'Demo' };
  const conversation = expect.objectContaining({
    id: visitor.conversationId,
    channel: 'Channel::Api',
    contact_inbox: expect.objectContaining({ source_id: visitor.sourceId }),
    meta: expect.objectContaining({ sender: expect.objectContaining({ id: visitor.contactId }) }),
  });
  const contact = {
    account: demo,
    additional_attributes: {},
    avatar: '',
    custom_attributes: {},
    email: 'hooked@example.com',
    id: visitor.contactId,
    identifier: null,
    name: 'Hooked',
    phone_number: null,
    thumbnail: '',
    blocked: false,
  };
  const [created] = receiver.of('message_created');
  expect(created?.body).toEqual({
    event: 'message_created',
    account: demo,
    additional_attributes: {},
    content_attributes: {},
    content_type: 'text',
    content: 'Hello & <there>',
    conversation,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    id: expect.any(Number),
    inbox: { id: 1, name: 'Demo shop' },
    message_type: 'incoming',
    private: false,
    sender: contact,
    source_id: null,
  });
  expect(receiver.of('contact_created')[0]?.body).toEqual({ event: 'contact_created', ...contact });
  expect(receiver.of('contact_updated')[0]?.body).toEqual({
    event: 'contact_updated',
    ...contact,
    name: 'Hooked again',
    changed_attributes: [{ name: { previous_value: 'Hooked', current_value: 'Hooked again' } }],
  });
  expect(receiver.of('conversation_created')[0]?.body).toMatchObject({
    id: visitor.conversationId,
    status: 'open',
    account: demo,
  });
  expect(receiver.of('conversation_status_changed')[0]?.body).toMatchObject({
    status: 'resolved',
    changed_attributes: [{ status: { previous_value: 'open', current_value: 'resolved' } }],
  });
  expect(receiver.of('message_created')[1]?.body).toMatchObject({
    message_type: 'outgoing',
    sender: { id: 1, name: 'Ada Admin', email: 'ada@demo.example', type: 'user' },
  });
  expect(receiver.of('message_updated')[0]?.body).toMatchObject({ content_attributes: { deleted: true } });
  expect(receiver.of('conversation_typing_on')[0]?.body).toEqual({
    event: 'conversation_typing_on',
    user: expect.objectContaining({ id: visitor.contactId }),
    conversation,
    is_private: false,
  });
  expect(receiver.of('conversation_typing_off')[0]?.body).toMatchObject({ user: { type: 'user' } });
  expect(receiver.of('webwidget_triggered')[0]?.body).toEqual({
    event: 'webwidget_triggered',
    id: expect.any(Number),
    contact: { ...contact, name: 'Hooked again' },
    inbox: { id: 1, name: 'Demo shop' },
    account: demo,
    current_conversation: conversation,
    source_id: visitor.sourceId,
    event_info: { referer: 'https://shop.example/' },
  });
  expect(receiver.all.map((got) => got.raw.toString()).join('')).not.toContain('pubsub_token');
  // System lines stay in the house.
  expect(receiver.of('message_created').map((got) => got.body.message_type)).not.toContain('activity');
});

test('a merge tells what the one who stays took over', async () => {
  await subscribe('/merge', ['contact_updated']);
  const known = await visit(service, { email: 'stays@example.com' });
  const visitor = await visit(service, { phone_number: '+12025550177' });
  await service.call('PATCH', visitor.contactPath, { email: 'stays@example.com' });
  await expect.poll(() => receiver.all.length).toBe(1);
  expect(receiver.all[0]?.body).toMatchObject({
    id: known.contactId,
    phone_number: '+12025550177',
    changed_attributes: [{ phone_number: { previous_value: null, current_value: '+12025550177' } }],
  });
});

test('an agent who is let go and a team that goes leave their conversations, and everybody is told', async () => {
  const visitor = await visit(service);
  const assignments = `${agentPath(visitor)}/assignments`;
  const id = async (path: string, body: object) =>
    z.looseObject({ id: z.number() }).parse((await service.agent('POST', `${account}/${path}`, body)).body)
      .id;
  const tim = await id('agents', { name: 'Tim', email: 'tim@demo.example' });
  const team = await id('teams', { name: 'Night' });
  await service.agent('POST', assignments, { assignee_id: tim });
  await service.agent('POST', assignments, { team_id: team });
  const agents = await listenAsAgent(service);
  await subscribe('/freed', ['conversation_updated']);
  const isFree = (data: Record<string, unknown>) => data.id === visitor.conversationId;
  for (const [path, field, was, event] of [
    [`agents/${tim}`, 'assignee_id', tim, 'assignee.changed'],
    [`teams/${team}`, 'team_id', team, 'team.changed'],
  ] as const) {
    expect((await service.agent('DELETE', `${account}/${path}`)).status).toBe(200);
    await expect.poll(() => receiver.all.length).toBe(1);
    expect(receiver.all.splice(0)[0]?.body).toMatchObject({
      id: visitor.conversationId,
      changed_attributes: [{ [field]: { previous_value: was, current_value: null } }],
    });
    expect((await agents.event(event, isFree)).data).toMatchObject({ performer: { id: 1 } });
  }
  agents.close();
});

test('a webhook is made, listed, changed, deleted; its secret is told to whoever makes or changes it', async () => {
  const hook = await subscribe('/once');
  expect(hook.secret).toMatch(/^[\w-]{40,}$/);
  expect(hook.subscriptions).toHaveLength(8);
  expect(hook).toMatchObject({ payload: { webhook: { id: hook.id, secret: hook.secret } } });
  const listed = await service.agent('GET', `${account}/webhooks`);
  expect(listed.body).toMatchObject({ payload: { webhooks: [{ id: hook.id, secret: null }] } });
  const changed = await service.agent('PATCH', `${account}/webhooks/${hook.id}`, {
    name: 'New name',
    subscriptions: ['message_created', 'message_created'],
  });
  const expected = { id: hook.id, url: hook.url, name: 'New name', subscriptions: ['message_created'] };
  expect(changed.body).toEqual({
    ...expected,
    secret: hook.secret,
    account_id: 1,
    inbox_id: null,
    payload: { webhook: { ...expected, secret: hook.secret, account_id: 1, inbox_id: null } },
  });
  expect((await service.agent('DELETE', `${account}/webhooks/${hook.id}`)).status).toBe(200);
  expect((await service.agent('GET', `${account}/webhooks`)).body).toEqual({ payload: { webhooks: [] } });
});

test('a webhook that is refused an address is not narrowed either', async () => {
  const [{ url }, hook] = [await subscribe('/first'), await subscribe('/second')];
  const body = { url, subscriptions: ['message_created'] };
  const refused = await service.agent('PATCH', `${account}/webhooks/${hook.id}`, body);
  expect(refused.status).toBe(422);
  expect(errorBody.parse(refused.body).errors).toMatchObject([{ field: 'url', code: 'taken' }]);
  const listed = await service.agent('GET', `${account}/webhooks`);
  expect(listed.body).toMatchObject({
    payload: { webhooks: [{}, { url: hook.url, subscriptions: hook.subscriptions }] },
  });
});

/** 2000 characters, 6000 bytes, and too many different ones to be packed. */
const manySigns = Array.from({ length: 2000 }, (_, n) =>
  String.fromCodePoint(0x4e00 + ((n * 7919) % 20_000)),
).join('');

test('what is no webhook is refused, and agents are', async () => {
  const hook = await subscribe('/taken');
  const cases: [object, string, string][] = [
    [{}, 'url', 'required'],
    [{ url: 'ftp://example.com' }, 'url', 'invalid_value'],
    [{ url: 'https://' }, 'url', 'invalid_value'],
    [{ url: `https://example.com/${manySigns}` }, 'url', 'too_long'],
    [{ url: hook.url }, 'url', 'taken'],
    [{ url: 'https://example.com', subscriptions: [] }, 'subscriptions', 'too_small'],
    [{ url: 'https://example.com', subscriptions: ['all'] }, 'subscriptions.0', 'invalid_value'],
  ];
  for (const [body, field, code] of cases) {
    const answer = await service.agent('POST', `${account}/webhooks`, body);
    expect(answer.status).toBe(422);
    expect(errorBody.parse(answer.body).errors[0]).toMatchObject({ field, code });
  }
  for (const [method, path] of [
    ['GET', ''],
    ['POST', ''],
    ['PATCH', `/${hook.id}`],
    ['DELETE', `/${hook.id}`],
    ['GET', `/${hook.id}/deliveries`],
  ] as const) {
    const answer = await request(
      `${service.url}${account}/webhooks${path}`,
      method,
      method === 'GET' || method === 'DELETE' ? undefined : {},
      { api_access_token: graceToken },
    );
    expect(answer.status).toBe(403);
    expect(errorBody.parse(answer.body).errors[0]?.code).toBe('forbidden');
  }
});

test('only what was asked for is sent, and nothing of what was refused', async () => {
  const hook = await subscribe('/some', ['message_created']);
  const visitor = await visit(service);
  await service.call('POST', `${visitor.path}/messages`, { content: 'one' });
  const refused = await service.call('POST', `${visitor.path}/messages`, { content: 7 });
  expect(refused.status).toBe(422);
  const repeat = { content: 'two', echo_id: 'same' };
  await service.call('POST', `${visitor.path}/messages`, repeat);
  await service.call('POST', `${visitor.path}/messages`, repeat);
  await expect.poll(() => receiver.all.length).toBe(2);
  expect(receiver.all.map((got) => got.body.content)).toEqual(['one', 'two']);
  expect((await deliveries(hook.id)).meta.count).toBe(2);
});

test('what a webhook asks for no more is not sent, though it waited already', async () => {
  const asked = ['message_created', 'contact_updated'];
  const hook = await subscribe('/before', asked);
  const other = await subscribe('/as-before', asked);
  await service.db.query(
    `insert into webhook_deliveries (account_id, webhook_id, lane, event, body, state, next_attempt_at)
     select 1, hook, 'webhook:' || hook || '/' || event || state, event, json_build_object('event', event), state,
       now() + interval '1 hour'
     from unnest($1::bigint[]) hook, unnest($2::text[]) event, unnest(array['waiting', 'delivered']) state`,
    [[hook.id, other.id], asked],
  );
  const log = async (id: number) =>
    (await deliveries(id)).payload.map(({ event, state }) => `${event} ${state}`).sort();
  const all = await log(other.id);
  const change = (body: object) => service.agent('PATCH', `${account}/webhooks/${hook.id}`, body);
  await change({ name: 'The same' });
  expect(await log(hook.id)).toEqual(all);
  await change({ subscriptions: ['message_created'], url: `${receiver.url}/after` });
  expect(await log(hook.id)).toEqual(all.filter((line) => line !== 'contact_updated waiting'));
  expect(await log(other.id)).toEqual(all);
  await service.db.query(`update webhook_deliveries set next_attempt_at = now() where state = 'waiting'`);
  await expect.poll(() => receiver.all.length).toBe(3);
  const sent = receiver.all.filter(({ path }) => path === '/after');
  expect(sent.map(({ body }) => body.event)).toEqual(['message_created']);
});

test('what waited of other inboxes is not sent by a webhook that is narrowed to one', async () => {
  const hook = await subscribe('/all-inboxes', ['message_created']);
  // It waits: nobody listens there.
  await service.db.query('update webhooks set url = $2 where id = $1', [hook.id, 'http://127.0.0.1:1/']);
  const visitor = await visit(service);
  // It would be given up soon: nobody is so quick as to be sure of coming before that.
  await service.db.query(`create function later() returns trigger language plpgsql as
    $$ begin new.next_attempt_at := now() + interval '1 hour'; return new; end $$`);
  await service.db.query(
    'create trigger later before insert on webhook_deliveries for each row execute function later()',
  );
  await service.call('POST', `${visitor.path}/messages`, { content: 'of the first' });
  await service.db.query('drop function later cascade');
  const waiting = async () => (await deliveries(hook.id)).payload.map(({ state }) => state);
  expect(await waiting()).toEqual(['waiting']);
  const made = await service.agent('POST', `${account}/inboxes`, {
    name: 'Second',
    channel: { type: 'api' },
  });
  const second = z.looseObject({ id: z.number() }).parse(made.body);
  const change = (body: object) => service.agent('PATCH', `${account}/webhooks/${hook.id}`, body);
  expect((await change({ inbox_id: 1 })).status).toBe(200);
  expect(await waiting()).toEqual(['waiting']);
  expect((await change({ inbox_id: second.id, url: `${receiver.url}/second` })).status).toBe(200);
  expect(await waiting()).toEqual([]);
});

test('the fields of a webhook may come under its name, too', async () => {
  const inner = { url: `${receiver.url}/inside`, name: 'Inside', subscriptions: ['message_created'] };
  const hook = await service.agent('POST', `${account}/webhooks`, { webhook: inner });
  expect(hook.body).toMatchObject(inner);
  const { id } = webhookAnswer.parse(hook.body);
  made.push(id);
  const change = (webhook: unknown) => service.agent('PATCH', `${account}/webhooks/${id}`, { webhook });
  expect((await change({ name: 'Renamed' })).body).toMatchObject({ ...inner, name: 'Renamed' });
  const refused = await change({ subscriptions: [] });
  expect(refused.status).toBe(422);
  expect(errorBody.parse(refused.body).errors[0]).toMatchObject({
    field: 'subscriptions',
    code: 'too_small',
  });
});

test('blanks around an address do not make it another one', async () => {
  const hook = await subscribe('/once-only ');
  expect(hook.url).toBe(`${receiver.url}/once-only`);
  for (const url of [hook.url, `${hook.url} `, ` ${hook.url}\n`]) {
    const again = await service.agent('POST', `${account}/webhooks`, { url });
    expect(again.status).toBe(422);
    expect(errorBody.parse(again.body).errors[0]).toMatchObject({ field: 'url', code: 'taken' });
  }
});
