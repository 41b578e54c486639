/** What is measured while conversations go, one by one and for each team. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { graceToken, letGraceIn } from '../support/grace.js';
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
const summaryPath = '/api/v2/accounts/1/summary_reports/team';
let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await letGraceIn(service);
}, startMs);
afterAll(() => service.end());

const at = (visitor: Visitor) => `${account}/conversations/${visitor.conversationId}`;
const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const list = z.object({
  meta: z.object({ count: z.number(), current_page: z.number(), total_pages: z.number() }),
  payload: z.array(
    z.looseObject({
      name: z.string(),
      value: z.number(),
      value_in_business_hours: z.number(),
      conversation_id: z.number(),
    }),
  ),
});
const events = async (query = '') =>
  list.parse((await service.agent('GET', `${account}/reporting_events${query}`)).body);

const asGrace = (method: string, path: string, body?: unknown) =>
  request(service.url + path, method, body, { api_access_token: graceToken });

/** The contact waited since an hour ago. */
async function anHourAgo(visitor: Visitor) {
  await service.db.query(
    `update conversations set created_at = created_at - interval '1 hour',
       waiting_since = waiting_since - interval '1 hour' where display_id = $1`,
    [visitor.conversationId],
  );
}

test('first response, replies and resolution are measured, with working hours beside them', async () => {
  const closed = [0, 1, 2, 3, 4, 5, 6].map((n) => ({ day_of_week: n, closed_all_day: true }));
  await service.agent('PATCH', `${account}/inboxes/1`, {
    working_hours_enabled: true,
    working_hours: closed,
  });
  const visitor = await visit(service);
  await service.call('POST', `${visitor.path}/messages`, { content: 'anyone?' });
  await anHourAgo(visitor);
  await asGrace('POST', `${at(visitor)}/messages`, { content: 'only us', private: true });
  await asGrace('POST', `${at(visitor)}/messages`, { content: 'here' });
  await asGrace('POST', `${at(visitor)}/messages`, { content: 'and there' });
  await service.call('POST', `${visitor.path}/messages`, { content: 'thanks' });
  await anHourAgo(visitor);
  await service.agent('POST', `${at(visitor)}/messages`, { content: 'welcome' });
  await asGrace('POST', `${at(visitor)}/toggle_status`, { status: 'open' });
  await service.agent('POST', `${at(visitor)}/toggle_status`, { status: 'resolved' });
  await service.agent('PATCH', `${account}/inboxes/1`, { working_hours_enabled: false });

  const { meta, payload } = await events();
  expect(meta).toEqual({ count: 3, current_page: 1, total_pages: 1 });
  expect(payload.map((event) => event.name)).toEqual(['resolution', 'reply_time', 'first_response']);
  const [resolution, reply, first] = payload;
  expect(first).toEqual({
    id: expect.any(Number),
    account_id: 1,
    name: 'first_response',
    value: expect.any(Number),
    value_in_business_hours: 0,
    conversation_id: visitor.conversationId,
    inbox_id: 1,
    user_id: 2,
    event_start_time: iso,
    event_end_time: iso,
    created_at: iso,
    updated_at: iso,
  });
  expect(first?.value).toBeGreaterThan(3599);
  expect(first?.value).toBeLessThan(3700);
  expect(reply).toMatchObject({ user_id: 1, value_in_business_hours: 0 });
  expect(reply?.value).toBeGreaterThan(3599);
  expect(reply?.value).toBeLessThan(3700);
  // Whoever had it when it ended.
  expect(resolution).toMatchObject({ user_id: 2 });
  expect(resolution?.value).toBeGreaterThan(7199);
});

test('events are filtered by time, inbox, agent and name, newest first, 25 a page', async () => {
  const now = Math.floor(Date.now() / 1000);
  expect((await events(`?since=${now - 600}&until=${now + 600}`)).meta.count).toBe(3);
  expect((await events(`?since=${now + 600}`)).meta.count).toBe(0);
  expect((await events(`?until=${now - 600}`)).meta.count).toBe(0);
  expect((await events('?name=reply_time')).payload).toMatchObject([{ name: 'reply_time' }]);
  expect((await events('?user_id=1')).payload).toMatchObject([{ name: 'reply_time' }]);
  expect((await events('?inbox_id=1')).meta.count).toBe(3);
  expect((await events('?inbox_id=2')).meta.count).toBe(0);
  const many = await visit(service);
  for (let n = 0; n < 27; n += 1) {
    await service.agent('POST', `${at(many)}/toggle_status`, { status: n % 2 ? 'open' : 'resolved' });
  }
  const all = await events('?name=resolution');
  expect(all.meta).toEqual({ count: 15, current_page: 1, total_pages: 1 });
  for (let n = 0; n < 26; n += 1) {
    await service.agent('POST', `${at(many)}/toggle_status`, { status: n % 2 ? 'resolved' : 'open' });
  }
  const second = await events('?name=resolution&page=2');
  expect(second.meta).toEqual({ count: 28, current_page: 2, total_pages: 2 });
  expect(second.payload).toHaveLength(3);
  const refused = await service.agent('GET', `${account}/reporting_events?since=yesterday`);
  expect(refused.status).toBe(422);
  expect(errorBody.parse(refused.body).errors[0]?.field).toBe('since');
});

const rows = z.array(
  z.object({
    id: z.number(),
    conversations_count: z.number(),
    resolved_conversations_count: z.number(),
    avg_resolution_time: z.number().nullable(),
    avg_first_response_time: z.number().nullable(),
    avg_reply_time: z.number().nullable(),
  }),
);
const summary = async (query = '') => rows.parse((await service.agent('GET', summaryPath + query)).body);

test('a team sees its counts and averages, in plain or in working time', async () => {
  const team = async (name: string) =>
    z.looseObject({ id: z.number() }).parse((await service.agent('POST', `${account}/teams`, { name })).body)
      .id;
  const [busy, idle] = [await team('Busy'), await team('Idle')];
  for (const value of [100, 300]) {
    const visitor = await visit(service);
    await service.agent('POST', `${at(visitor)}/assignments`, { team_id: busy });
    await service.call('POST', `${visitor.path}/messages`, { content: 'hi' });
    await service.agent('POST', `${at(visitor)}/messages`, { content: 'hello' });
    if (value === 300) await service.agent('POST', `${at(visitor)}/toggle_status`, { status: 'resolved' });
    await service.db.query(
      `update reporting_events set value = $1::float8, value_in_business_hours = $1::float8 / 10 where conversation_id =
         (select id from conversations where display_id = $2)`,
      [value, visitor.conversationId],
    );
  }
  const nothing = { avg_resolution_time: null, avg_first_response_time: null, avg_reply_time: null };
  const none = { conversations_count: 0, resolved_conversations_count: 0, ...nothing };
  const measured = {
    id: busy,
    conversations_count: 2,
    resolved_conversations_count: 1,
    avg_resolution_time: 300,
    avg_first_response_time: 200,
    avg_reply_time: null,
  };
  expect(await summary()).toEqual([measured, { id: idle, ...none }]);
  expect(await summary('?business_hours=true')).toEqual([
    { ...measured, avg_resolution_time: 30, avg_first_response_time: 20 },
    { id: idle, ...none },
  ]);
  const now = Math.floor(Date.now() / 1000);
  expect(await summary(`?since=${now - 600}&until=${now}`)).toEqual([measured, { id: idle, ...none }]);
  for (const beside of [`?since=${now + 600}`, `?until=${now - 7 * 86_400}`])
    expect(await summary(beside)).toEqual([
      { id: busy, ...none },
      { id: idle, ...none },
    ]);
});

test('reports are for administrators: 403 with the specified body', async () => {
  for (const path of [summaryPath, `${account}/reporting_events`]) {
    const answer = await asGrace('GET', path);
    expect(answer.status).toBe(403);
    expect(errorBody.parse(answer.body).errors[0]?.code).toBe('forbidden');
  }
});

test('nobody waits in what stays resolved because they are blocked', async () => {
  const visitor = await visit(service);
  await service.call('POST', `${visitor.path}/messages`, { content: 'anyone?' });
  await service.agent('POST', `${at(visitor)}/mute`);
  const file = new FormData();
  file.append('content', 'with a file');
  file.append('attachments[]', new File(['words'], 'words.txt', { type: 'text/plain' }));
  for (const body of [{ content: 'alone' }, file]) {
    expect((await service.call('POST', `${visitor.path}/messages`, body)).status).toBe(200);
    const shown = await service.agent('GET', at(visitor));
    expect(shown.body).toMatchObject({ status: 'resolved', waiting_since: 0 });
  }
});

test('who comes back to what was resolved without an answer has waited since then alone', async () => {
  const visitor = await visit(service);
  const since = async () =>
    z.looseObject({ waiting_since: z.number() }).parse((await service.agent('GET', at(visitor))).body)
      .waiting_since;
  await service.call('POST', `${visitor.path}/messages`, { content: 'anyone?' });
  await service.agent('POST', `${at(visitor)}/messages`, { content: 'here' });
  await service.call('POST', `${visitor.path}/messages`, { content: 'thanks' });
  await anHourAgo(visitor);
  expect(await since()).toBeGreaterThan(0);
  await service.agent('POST', `${at(visitor)}/toggle_status`, { status: 'resolved' });
  expect(await since()).toBe(0);
  await service.call('POST', `${visitor.path}/messages`, { content: 'one more thing' });
  expect(await since()).toBeGreaterThan(Date.now() / 1000 - 60);
  await service.agent('POST', `${at(visitor)}/messages`, { content: 'yes?' });
  const { payload } = await events('?name=reply_time');
  expect(payload[0]).toMatchObject({ conversation_id: visitor.conversationId });
  expect(payload[0]?.value).toBeLessThan(60);
});

test('an empty name asks for events of all names', async () => {
  const all = await events();
  expect(all.meta.count).toBeGreaterThan(0);
  expect(await events('?name=')).toEqual(all);
  expect((await events('?name=nothing')).meta.count).toBe(0);
});
