/** Rules as an administrator writes them, judged and acted on by the running service. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { graceToken, letGraceIn } from '../support/grace.js';
import { hasPostgres, makeSharedPlace } from '../support/processes.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import {
  errorBody,
  request,
  startMs,
  startTestService,
  type TestService,
  type Visitor,
  visit,
} from '../support/service.js';

const account = '/api/v1/accounts/1';
const rules = `${account}/automation_rules`;

let service: TestService;
let receiver: Receiver;
let teamId = 0;
const withId = z.looseObject({ id: z.number() });
beforeAll(async () => {
  service = await startTestService({ webhooks: { allowPrivate: true } });
  await letGraceIn(service);
  receiver = await startReceiver();
  teamId = withId.parse((await service.agent('POST', `${account}/teams`, { name: 'Billing' })).body).id;
}, startMs);
afterAll(async () => {
  await service.end();
  await receiver.stop();
});

const made: number[] = [];
afterEach(async () => {
  for (const id of made.splice(0)) await service.agent('DELETE', `${rules}/${id}`);
});

type Draft = { event_name: string; conditions?: object[]; actions: object[]; name?: string };
async function rule(draft: Draft): Promise<number> {
  const answer = await service.agent('POST', rules, { name: 'Rule', conditions: [], ...draft });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const { payload } = z.object({ payload: withId }).parse(answer.body);
  made.push(payload.id);
  return payload.id;
}
const does = (name: string, ...params: unknown[]) => ({ action_name: name, action_params: params });
const asks = (key: string, operator: string, values: unknown[] = [], next: string | null = null) => ({
  attribute_key: key,
  filter_operator: operator,
  values,
  query_operator: next,
});

const at = (visitor: Visitor) => `${account}/conversations/${visitor.conversationId}`;
const say = (visitor: Visitor, content: string) =>
  service.call('POST', `${visitor.path}/messages`, { content });
const shown = z.looseObject({
  status: z.string(),
  labels: z.array(z.string()),
  priority: z.string().nullable(),
  muted: z.boolean(),
  meta: z.looseObject({ assignee: withId.optional(), team: withId.nullable() }),
});
const show = async (visitor: Visitor) => shown.parse((await service.agent('GET', at(visitor))).body);
const idle = () =>
  expect.poll(async () => (await service.db.query('select id from rule_events')).length).toBe(0);
const thread = z.object({
  payload: z.array(
    z.looseObject({
      content: z.string().nullable(),
      message_type: z.number(),
      content_attributes: z.record(z.string(), z.unknown()),
    }),
  ),
});
const lines = async (visitor: Visitor) =>
  thread.parse((await service.agent('GET', `${at(visitor)}/messages`)).body).payload;

test('a rule is made, listed, shown, changed and deleted', async () => {
  const body = {
    name: 'Add label on message create event',
    description:
      'Add label support and sales on message create event if incoming message content contains text help',
    event_name: 'message_created',
    conditions: [
      asks('content', 'contains', ['help'], 'AND'),
      asks('message_type', 'equal_to', ['incoming']),
    ],
    actions: [does('add_label', 'support', 'sales')],
  };
  const created = await service.agent('POST', rules, body);
  const { payload } = z.object({ payload: withId }).parse(created.body);
  made.push(payload.id);
  expect(payload).toEqual({
    ...body,
    conditions: [{ ...body.conditions[0], query_operator: 'and' }, body.conditions[1]],
    id: payload.id,
    account_id: 1,
    created_on: expect.any(Number),
    active: true,
  });
  expect((await service.agent('GET', `${rules}?page=1`)).body).toEqual({ payload: [payload] });
  expect((await service.agent('GET', `${rules}/${payload.id}`)).body).toEqual({ payload });
  const off = await service.agent('PATCH', `${rules}/${payload.id}`, { active: false, name: 'Off' });
  expect(off.body).toEqual({ payload: { ...payload, active: false, name: 'Off' } });
  expect((await service.agent('DELETE', `${rules}/${payload.id}`)).status).toBe(200);
  expect((await service.agent('GET', `${rules}/${payload.id}`)).status).toBe(404);
});

test('what is no rule is refused, and agents are', async () => {
  const good = { name: 'x', event_name: 'message_created', conditions: [], actions: [does('mute')] };
  const cases: [object, string, string][] = [
    [{ name: ' ' }, 'name', 'required'],
    [{ event_name: 'message_deleted' }, 'event_name', 'invalid_value'],
    [{ actions: [] }, 'actions', 'too_small'],
    [{ actions: [does('explode')] }, 'actions.0.action_name', 'invalid_type'],
    [{ actions: [does('add_label')] }, 'actions.0.action_params', 'too_small'],
    [{ actions: [does('change_priority', 'top')] }, 'actions.0.action_params.0', 'invalid_value'],
    [{ actions: [does('send_webhook_event', 'ftp://x')] }, 'actions.0.action_params.0', 'invalid_value'],
    [{ conditions: [asks('content', 'resembles', ['x'])] }, 'conditions.0.filter_operator', 'invalid_value'],
    [{ conditions: [asks('content', 'contains')] }, 'conditions.0.values', 'required'],
    [{ conditions: [asks('no_such_key', 'is_present')] }, 'conditions.0.attribute_key', 'invalid_value'],
    [
      { conditions: [asks('content', 'contains', ['x'], 'xor')] },
      'conditions.0.query_operator',
      'invalid_value',
    ],
  ];
  for (const [change, field, code] of cases) {
    const answer = await service.agent('POST', rules, { ...good, ...change });
    expect(answer.status, JSON.stringify(change)).toBe(422);
    expect(errorBody.parse(answer.body).errors, JSON.stringify(change)).toContainEqual(
      expect.objectContaining({ field, code }),
    );
  }
  const asGrace = await request(`${service.url}${rules}`, 'GET', undefined, { api_access_token: graceToken });
  expect(asGrace.status).toBe(403);
});

test('one message sets off labels, team, agent, priority, an answer and a call, in that order', async () => {
  const id = await rule({
    name: 'Billing',
    event_name: 'message_created',
    conditions: [
      asks('message_type', 'equal_to', ['incoming'], 'and'),
      asks('content', 'contains', ['INVOICE']),
    ],
    actions: [
      does('add_label', 'billing', 'money'),
      does('assign_team', teamId),
      does('assign_agent', 2),
      does('change_priority', 'high'),
      does('send_message', 'We look into your invoice.'),
      does('send_webhook_event', `${receiver.url}/rule`),
    ],
  });
  const visitor = await visit(service);
  await say(visitor, 'nothing of the kind');
  await say(visitor, 'Where is my invoice?');
  await expect.poll(() => receiver.all.length).toBe(1);
  expect(await show(visitor)).toMatchObject({
    labels: ['billing', 'money'],
    priority: 'high',
    meta: { assignee: { id: 2 }, team: { id: teamId, name: 'Billing' } },
  });
  const [call] = receiver.all;
  expect(call?.path).toBe('/rule');
  expect(call?.body).toMatchObject({
    event: 'automation_event.message_created',
    content: 'Where is my invoice?',
    message_type: 'incoming',
  });
  expect(call?.headers).not.toHaveProperty('x-service-signature');
  expect(call?.headers['x-service-delivery']).toMatch(/^[0-9a-f-]{36}$/);
  await expect
    .poll(async () => (await service.agent('GET', `${rules}/${id}/deliveries`)).body)
    .toMatchObject({ payload: [{ event: 'automation_event.message_created', state: 'delivered' }] });
  expect(await lines(visitor)).toMatchObject([
    { content: 'nothing of the kind' },
    { content: 'Where is my invoice?' },
    { message_type: 2, content: 'the rule "Billing" added billing, money' },
    { message_type: 2, content: 'Assigned to the team Billing by the rule "Billing"' },
    { message_type: 2, content: 'Assigned to Grace by the rule "Billing"' },
    { message_type: 2, content: 'the rule "Billing" set the priority to high' },
    {
      message_type: 1,
      content: 'We look into your invoice.',
      content_attributes: { automation_rule_id: id },
    },
  ]);
  const public_ = await service.call('GET', `${visitor.path}/messages`);
  expect(
    z
      .array(z.looseObject({ content: z.string() }))
      .parse(public_.body)
      .at(-1)?.content,
  ).toBe('We look into your invoice.');
});

test('rules that answer each other stop at once', async () => {
  const always = { event_name: 'message_created' };
  await rule({ ...always, name: 'Ping', actions: [does('send_message', 'ping')] });
  await rule({ ...always, name: 'Pong', actions: [does('send_message', 'pong'), does('add_label', 'seen')] });
  await rule({ event_name: 'conversation_updated', actions: [does('send_message', 'updated')] });
  const visitor = await visit(service);
  await say(visitor, 'go');
  await expect.poll(async () => (await show(visitor)).labels).toEqual(['seen']);
  await idle();
  const said = (await lines(visitor)).filter((line) => line.message_type !== 2).map((line) => line.content);
  expect(said).toEqual(['go', 'ping', 'pong']);
});

test('states set off rules, and rules move states', async () => {
  await rule({ event_name: 'conversation_created', actions: [does('add_label', 'new')] });
  await rule({ event_name: 'conversation_resolved', actions: [does('add_label', 'done')] });
  await rule({ event_name: 'conversation_opened', actions: [does('add_label', 'again')] });
  await rule({
    event_name: 'message_created',
    conditions: [asks('content', 'equal_to', ['later'])],
    actions: [does('snooze')],
  });
  await rule({
    event_name: 'message_created',
    conditions: [asks('content', 'equal_to', ['bye'])],
    actions: [does('resolve_conversation')],
  });
  await rule({
    event_name: 'message_created',
    conditions: [asks('content', 'starts_with', ['spam'])],
    actions: [does('mute')],
  });
  const visitor = await visit(service);
  await expect.poll(async () => (await show(visitor)).labels).toEqual(['new']);
  await say(visitor, 'later');
  await expect.poll(async () => (await show(visitor)).status).toBe('snoozed');
  await say(visitor, 'bye');
  await expect.poll(async () => (await show(visitor)).status).toBe('resolved');
  await idle();
  // Reopened by the word itself; the resolving was a rule's own, which sets off none.
  expect((await show(visitor)).labels).toEqual(['new', 'again']);
  await service.agent('POST', `${at(visitor)}/toggle_status`, { status: 'open' });
  await service.agent('POST', `${at(visitor)}/toggle_status`, { status: 'resolved' });
  await expect.poll(async () => (await show(visitor)).labels).toEqual(['new', 'again', 'done']);
  await say(visitor, 'spam spam');
  await expect.poll(async () => await show(visitor)).toMatchObject({ muted: true, status: 'resolved' });
});

test('conditions: every operator, joined by and before or', async () => {
  await service.agent('POST', `${account}/custom_attribute_definitions`, {
    attribute_display_name: 'Score',
    attribute_display_type: 'number',
    attribute_key: 'score',
    attribute_model: 'contact_attribute',
  });
  const visitor = await visit(service, {
    name: 'Rosa',
    email: 'rosa@example.com',
    custom_attributes: { score: 7, city: 'Oslo', since: '2020-01-01' },
  });
  const { body } = await service.agent('POST', `${account}/custom_attribute_definitions`, {
    attribute_display_name: 'Since',
    attribute_display_type: 'date',
    attribute_key: 'since',
    attribute_model: 'contact_attribute',
  });
  withId.parse(body);
  const yes = asks('email', 'is_present');
  const no = asks('email', 'is_not_present');
  const cases: [string, object[], boolean][] = [
    ['equal', [asks('name', 'equal_to', ['ROSA', 'Ada'])], true],
    ['unequal', [asks('name', 'not_equal_to', ['Ada'])], true],
    ['unequal-no', [asks('name', 'not_equal_to', ['Rosa'])], false],
    ['contains', [asks('email', 'contains', ['@example'])], true],
    ['lacks', [asks('email', 'does_not_contain', ['@example'])], false],
    ['absent', [asks('phone_number', 'is_not_present')], true],
    ['greater', [asks('score', 'is_greater_than', [6])], true],
    ['less', [asks('score', 'is_less_than', ['6'])], false],
    ['days', [asks('since', 'days_before', [30])], true],
    ['starts', [asks('content', 'starts_with', ['Test'])], true],
    ['custom', [asks('city', 'equal_to', ['oslo'])], true],
    ['inbox', [asks('inbox_id', 'equal_to', [1])], true],
    ['private', [asks('private_note', 'equal_to', [false])], true],
    ['type', [asks('message_type', 'equal_to', ['incoming'])], true],
    ['type-number', [asks('message_type', 'equal_to', [0])], true],
    ['type-digit', [asks('message_type', 'contains', ['0'])], true],
    ['type-other', [asks('message_type', 'equal_to', [1, 'outgoing'])], false],
    ['type-unlike', [asks('message_type', 'not_equal_to', [0])], false],
    ['and-no', [{ ...yes, query_operator: 'and' }, no], false],
    ['or-yes', [{ ...no, query_operator: 'or' }, yes], true],
    // yes or (no and no), then (yes and no) or (no and yes)
    ['binds', [{ ...yes, query_operator: 'or' }, { ...no, query_operator: 'and' }, no], true],
    [
      'binds-no',
      [
        { ...yes, query_operator: 'and' },
        { ...no, query_operator: 'or' },
        { ...no, query_operator: 'and' },
        yes,
      ],
      false,
    ],
  ];
  for (const [label, conditions] of cases) {
    await rule({ event_name: 'message_created', conditions, actions: [does('add_label', label)] });
  }
  await rule({
    event_name: 'conversation_updated',
    conditions: [asks('priority', 'attribute_changed', ['urgent'])],
    actions: [does('add_label', 'changed')],
  });
  await say(visitor, 'test this');
  await idle();
  const expected = cases.filter(([, , holds]) => holds).map(([label]) => label);
  expect((await show(visitor)).labels).toEqual(expected);
  await service.agent('POST', `${at(visitor)}/toggle_priority`, { priority: 'low' });
  await service.agent('POST', `${at(visitor)}/toggle_priority`, { priority: 'urgent' });
  await expect.poll(async () => (await show(visitor)).labels).toEqual([...expected, 'changed']);
});

test('labels have changed to what was added, whatever else is there', async () => {
  const conditions = [asks('labels', 'attribute_changed', ['vip', 'late'])];
  await rule({ event_name: 'conversation_updated', conditions, actions: [does('change_priority', 'high')] });
  const visitor = await visit(service);
  const label = async (...labels: string[]) => {
    await service.agent('POST', `${at(visitor)}/labels`, { labels });
    await idle();
    return (await show(visitor)).priority;
  };
  expect([await label('old'), await label('old', 'vip', 'new')]).toEqual([null, 'high']);
  await service.agent('POST', `${at(visitor)}/toggle_priority`, {});
  expect([await label('vip', 'newer'), await label('newer')]).toEqual([null, null]);
});

test.skipIf(!hasPostgres)(
  'two processes judge each event once, and wake each sleeper once',
  async () => {
    const place = await makeSharedPlace();
    const one = await startTestService({}, place);
    const other = await startTestService({}, place);
    await one.agent('POST', rules, {
      name: 'Once',
      event_name: 'message_created',
      conditions: [],
      actions: [does('send_message', 'once')],
    });
    const visitors = await Promise.all(Array.from({ length: 8 }, () => visit(one)));
    const soon = Math.floor(Date.now() / 1000) + 2;
    await Promise.all(
      visitors.map(async (visitor, n) => {
        for (let m = 0; m < 5; m += 1) {
          await (m % 2 ? one : other).call('POST', `${visitor.path}/messages`, { content: `${m}` });
        }
        const asleep = { status: 'snoozed', snoozed_until: soon };
        await (n % 2 ? one : other).agent('POST', `${at(visitor)}/toggle_status`, asleep);
      }),
    );
    const count = async (content: string) =>
      Number(
        (
          await one.db.query<{ count: number }>('select count(*) as count from messages where content = $1', [
            content,
          ])
        )[0]?.count,
      );
    const woken = 'Conversation was reopened by the end of its snooze';
    await expect.poll(() => count('once')).toBe(40);
    await expect.poll(() => count(woken)).toBe(8);
    expect(await one.db.query('select id from rule_events')).toEqual([]);
    await other.stop();
    expect(await count('once')).toBe(40);
    expect(await count(woken)).toBe(8);
    await one.end();
  },
  startMs,
);

test('a rule may keep asking for what is no longer defined, and nothing else that is unknown', async () => {
  const definitions = `${account}/custom_attribute_definitions`;
  const passing = { attribute_display_name: 'Passing', attribute_key: 'passing', attribute_model: 1 };
  const defined = withId.parse((await service.agent('POST', definitions, passing)).body);
  const id = await rule({
    event_name: 'message_created',
    conditions: [asks('passing', 'is_present')],
    actions: [does('mute')],
  });
  await service.agent('DELETE', `${definitions}/${defined.id}`);
  const { payload } = z
    .object({ payload: z.looseObject({ conditions: z.array(z.unknown()) }) })
    .parse((await service.agent('GET', `${rules}/${id}`)).body);
  const back = await service.agent('PATCH', `${rules}/${id}`, { ...payload, name: 'Renamed' });
  expect(back.body).toEqual({ payload: { ...payload, name: 'Renamed' } });
  const conditions = [...payload.conditions, asks('unheard_of', 'is_present')];
  const refused = await service.agent('PATCH', `${rules}/${id}`, { conditions });
  expect(refused.status).toBe(422);
  expect(errorBody.parse(refused.body).errors).toMatchObject([{ field: 'conditions.1.attribute_key' }]);
});
