/**
 * Nothing half-written: where the last statement of a change fails, the first one has not happened either. The
 * database itself is told to refuse, so what fails is what could fail.
 */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { errorBody, startMs, startTestService, type TestService, visit } from '../support/service.js';

const account = '/api/v1/accounts/1';
let service: TestService;
let receiver: Receiver;
beforeAll(async () => {
  service = await startTestService({ webhooks: { allowPrivate: true, backoffMs: 20 } });
  receiver = await startReceiver();
}, startMs);
afterAll(async () => {
  await service.end();
  await receiver.stop();
});

const broken: string[] = [];
async function refuse(table: string, rule: string) {
  await service.db.query(`alter table ${table} add constraint broken check (${rule}) not valid`);
  broken.push(table);
}
async function repair() {
  for (const table of broken.splice(0)) await service.db.query(`alter table ${table} drop constraint broken`);
}
afterEach(repair);

const count = async (rows: string) =>
  (await service.db.query<{ count: number }>(`select count(*) as count from ${rows}`))[0]?.count;
const conversation = z.looseObject({ status: z.string(), labels: z.array(z.string()) });

test('a message whose delivery cannot be queued is not stored, and is once it can', async () => {
  const url = `${receiver.url}/whole`;
  await service.agent('POST', `${account}/webhooks`, { url, subscriptions: ['message_created'] });
  const visitor = await visit(service);
  await refuse('webhook_deliveries', `body not like '%BREAK%'`);
  const before = await service.rows();
  const message = { content: 'BREAK', echo_id: 'whole' };
  const failed = await service.call('POST', `${visitor.path}/messages`, message);
  expect(failed.status).toBe(500);
  expect(errorBody.parse(failed.body).errors[0]).toMatchObject({ field: 'base', code: 'internal_error' });
  expect(await service.rows()).toEqual(before);
  await repair();
  expect((await service.call('POST', `${visitor.path}/messages`, message)).status).toBe(200);
  await expect.poll(() => receiver.all.map((got) => got.body.content)).toEqual(['BREAK']);
  await expect.poll(() => count(`webhook_deliveries where state = 'waiting'`)).toBe(0);
});

test('a state whose measure, line or survey cannot be written has not moved', async () => {
  await service.agent('PATCH', `${account}/inboxes/1`, { csat_survey_enabled: true });
  const visitor = await visit(service);
  const path = `${account}/conversations/${visitor.conversationId}`;
  for (const [table, rule] of [
    ['reporting_events', `name <> 'resolution'`],
    ['messages', 'message_type <> 2'],
    ['messages', `content_type <> 'input_csat'`],
  ] as const) {
    await refuse(table, rule);
    const before = await service.rows();
    expect((await service.agent('POST', `${path}/toggle_status`, { status: 'resolved' })).status).toBe(500);
    expect(await service.rows()).toEqual(before);
    await repair();
  }
  await service.agent('POST', `${path}/toggle_status`, { status: 'resolved' });
  expect(conversation.parse((await service.agent('GET', path)).body).status).toBe('resolved');
  await service.agent('PATCH', `${account}/inboxes/1`, { csat_survey_enabled: false });
});

test('a rule whose last action fails has done none, and does all when it is tried again', async () => {
  await service.agent('POST', `${account}/automation_rules`, {
    name: 'Two things',
    event_name: 'message_created',
    conditions: [{ attribute_key: 'content', filter_operator: 'equal_to', values: ['go'] }],
    actions: [
      { action_name: 'add_label', action_params: ['first'] },
      { action_name: 'send_message', action_params: ['second'] },
    ],
  });
  const visitor = await visit(service);
  const path = `${account}/conversations/${visitor.conversationId}`;
  await refuse('messages', `content <> 'second'`);
  await service.call('POST', `${visitor.path}/messages`, { content: 'go' });
  const tried = () =>
    service.db.query<{ attempts: number }>('select attempts from rule_events where attempts > 0');
  await expect.poll(async () => (await tried()).length).toBe(1);
  expect(conversation.parse((await service.agent('GET', path)).body).labels).toEqual([]);
  await repair();
  await expect.poll(() => count('rule_events')).toBe(0);
  expect(conversation.parse((await service.agent('GET', path)).body).labels).toEqual(['first']);
  const seen = z
    .array(z.looseObject({ content: z.string() }))
    .parse((await service.call('GET', `${visitor.path}/messages`)).body);
  expect(seen.map((message) => message.content)).toEqual(['go', 'second']);
});

test('what a process took and never finished is sent by another when its lease is over', async () => {
  const url = `${receiver.url}/lease`;
  const hook = await service.agent('POST', `${account}/webhooks`, {
    url,
    subscriptions: ['contact_created'],
  });
  const { id } = z.looseObject({ id: z.number() }).parse(hook.body);
  const put = (lane: string, leased: string) =>
    service.db.query(
      `insert into webhook_deliveries (account_id, webhook_id, lane, event, body, leased_until)
       values (1, $1, $2, 'contact_created', '{"event":"contact_created","lane":"' || $2::text || '"}', ${leased})`,
      [id, lane],
    );
  await put('taken', `now() + interval '1 hour'`);
  await put('free', 'null');
  const lanes = () => receiver.all.filter((got) => got.path === '/lease').map((got) => got.body.lane);
  await expect.poll(lanes).toEqual(['free']);
  await service.db.query(
    `update webhook_deliveries set leased_until = now() - interval '1 second' where lane = 'taken'`,
  );
  await expect.poll(lanes).toEqual(['free', 'taken']);
});
