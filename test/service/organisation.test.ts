/** Teams, agents, labels, canned responses, inboxes: made and changed by administrators, seen by all. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { createAccount, createUser, setAccessToken } from '../../demo/service/domain/accounts.js';
import { graceToken, letGraceIn } from '../support/grace.js';
import {
  type Answer,
  errorBody,
  listen,
  listenAsAgent,
  request,
  startMs,
  startTestService,
  type TestService,
  visit,
} from '../support/service.js';

const account = '/api/v1/accounts/1';
let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await letGraceIn(service);
}, startMs);
afterAll(() => service.end());

const withId = z.looseObject({ id: z.number() });
const as = (token: string) => (method: string, path: string, body?: unknown) =>
  request(service.url + path, method, body, { api_access_token: token });
const asGrace = as(graceToken);
function refusal(answer: Answer, status: number) {
  expect(answer.status).toBe(status);
  return errorBody.parse(answer.body).errors[0];
}

test('a team has members, takes conversations, and leaves them free when it goes', async () => {
  const path = `${account}/teams`;
  const made = await service.agent('POST', path, { name: ' Support ', description: 'First line' });
  const { id } = withId.parse(made.body);
  const team = {
    id,
    name: 'Support',
    description: 'First line',
    allow_auto_assign: true,
    account_id: 1,
    is_member: false,
  };
  expect(made.body).toEqual(team);
  expect(refusal(await service.agent('POST', path, { name: 'Support' }), 422)).toMatchObject({
    field: 'name',
    code: 'taken',
  });
  const members = `${path}/${id}/team_members`;
  expect((await service.agent('POST', members, { user_ids: [1, 2] })).body).toMatchObject([
    { id: 1 },
    { id: 2 },
  ]);
  expect((await service.agent('PATCH', members, { user_ids: [2] })).body).toMatchObject([{ id: 2 }]);
  expect(refusal(await service.agent('POST', members, { user_ids: [99] }), 404)?.field).toBe('user_ids');
  expect((await asGrace('GET', path)).body).toEqual([{ ...team, is_member: true }]);
  expect((await service.agent('PATCH', `${path}/${id}`, { name: 'Care' })).body).toMatchObject({
    name: 'Care',
    description: 'First line',
  });

  const visitor = await visit(service);
  const conversation = `${account}/conversations/${visitor.conversationId}`;
  const agents = await listenAsAgent(service);
  const assigned = await service.agent('POST', `${conversation}/assignments`, { team_id: id });
  expect(assigned.body).toEqual({
    id,
    name: 'Care',
    description: 'First line',
    allow_auto_assign: true,
    account_id: 1,
  });
  await agents.event('team.changed', (data) => data.id === visitor.conversationId);
  expect((await service.agent('GET', conversation)).body).toMatchObject({
    meta: { team: { id, name: 'Care' } },
  });
  expect(
    refusal(await service.agent('POST', `${conversation}/assignments`, { team_id: 99 }), 404)?.field,
  ).toBe('team_id');
  expect((await service.agent('DELETE', `${path}/${id}`)).status).toBe(200);
  expect((await service.agent('GET', conversation)).body).toMatchObject({ meta: { team: null } });
  agents.close();
});

test('an agent is taken in with a token told once, changed, and let go without a trace of access', async () => {
  const path = `${account}/agents`;
  const made = await service.agent('POST', path, { name: 'Tim', email: 'Tim@Demo.example', role: 'agent' });
  const tim = z.looseObject({ id: z.number(), access_token: z.string() }).parse(made.body);
  expect(made.body).toMatchObject({ name: 'Tim', email: 'tim@demo.example', role: 'agent' });
  const asTim = as(tim.access_token);
  const listening = z.looseObject({ id: z.number(), pubsub_token: z.string() });
  const before = listening.parse((await asTim('GET', '/api/v1/profile')).body);
  expect(before.id).toBe(tim.id);
  expect(JSON.stringify((await service.agent('GET', path)).body)).not.toContain(tim.access_token);
  expect(
    refusal(await service.agent('POST', path, { name: 'Tim', email: 'tim@demo.example' }), 422),
  ).toMatchObject({ field: 'email', code: 'taken' });
  expect(refusal(await asTim('POST', path, { name: 'X', email: 'x@x.example' }), 403)?.code).toBe(
    'forbidden',
  );
  expect(
    (await service.agent('PATCH', `${path}/${tim.id}`, { availability: 'busy', auto_offline: false })).body,
  ).toMatchObject({
    availability_status: 'busy',
    role: 'agent',
  });
  expect(refusal(await service.agent('PATCH', `${path}/1`, { role: 'agent' }), 422)?.code).toBe(
    'last_administrator',
  );
  expect(refusal(await service.agent('DELETE', `${path}/1`), 422)?.code).toBe('last_administrator');

  const visitor = await visit(service);
  const conversation = `${account}/conversations/${visitor.conversationId}`;
  await service.agent('POST', `${conversation}/assignments`, { assignee_id: tim.id });
  expect((await service.agent('DELETE', `${path}/${tim.id}`)).status).toBe(200);
  expect(refusal(await asTim('GET', '/api/v1/profile'), 401)?.code).toBe('invalid_token');
  const shown = await service.agent('GET', conversation);
  expect(JSON.stringify(shown.body)).not.toContain('assignee"');

  // Taken in once more, they come in again, and not by what opened before.
  const again = await service.agent('POST', path, { name: 'Timothy', email: 'tim@demo.example' });
  const timothy = z.looseObject({ id: z.number(), access_token: z.string() }).parse(again.body);
  const now = listening.parse((await as(timothy.access_token)('GET', '/api/v1/profile')).body);
  expect(now).toMatchObject({ id: tim.id, name: 'Timothy' });
  expect(now.pubsub_token).not.toBe(before.pubsub_token);
  expect((await asTim('GET', '/api/v1/profile')).status).toBe(401);
  expect((await service.agent('DELETE', `${path}/${tim.id}`)).status).toBe(200);
});

test('an account that takes in somebody of another one changes neither their name nor their state', async () => {
  const other = await createAccount(service.db, 'Other');
  const olga = { name: 'Olga', displayName: '', email: 'olga@other.example', role: 'administrator' } as const;
  await setAccessToken(service.db, await createUser(service.db, other, olga), 'test', 'olga-token-for-tests');
  const asOlga = as('olga-token-for-tests');
  const path = `/api/v1/accounts/${other}/agents`;
  const taken = await asOlga('POST', path, { name: 'Mine', email: 'grace@demo.example' });
  expect(taken.body).toMatchObject({ id: 2, name: 'Grace Agent' });
  for (const fields of [{ name: 'Renamed' }, { availability: 'offline' }]) {
    const [field] = Object.keys(fields);
    expect(refusal(await asOlga('PATCH', `${path}/2`, fields), 403)).toMatchObject({ field });
  }
  expect((await asOlga('PATCH', `${path}/2`, { role: 'administrator' })).body).toMatchObject({
    role: 'administrator',
  });
  const shown = await asGrace('GET', `${account}/agents`);
  expect(shown.body).toContainEqual(expect.objectContaining({ id: 2, name: 'Grace Agent', role: 'agent' }));
  const kept = await service.db.query('select availability from users where id = 2');
  expect(kept).toEqual([{ availability: 'online' }]);
  expect((await asOlga('DELETE', `${path}/2`)).status).toBe(200);
});

test('when somebody was last at work is known to the minute, and of nobody who never was', async () => {
  const known = z.object({
    id: z.number(),
    pubsub_token: z.string(),
    accounts: z.tuple([z.looseObject({ active_at: z.iso.datetime().nullable() })]),
  });
  const join = async (name: string) => {
    const fields = { name, email: `${name}@demo.example`, role: 'agent' };
    const { body } = await service.agent('POST', `${account}/agents`, fields);
    const asThem = as(z.object({ access_token: z.string() }).parse(body).access_token);
    const profile = async () => known.parse((await asThem('GET', '/api/v1/profile')).body);
    const activeAt = async () => (await profile()).accounts[0].active_at;
    return { asThem, profile, activeAt, ...(await profile()) };
  };
  const asks = await join('asks');
  const listens = await join('listens');
  expect([await asks.activeAt(), await listens.activeAt()]).toEqual([null, null]);

  await asks.asThem('GET', `${account}/agents`);
  const first = await asks.activeAt();
  expect(Math.abs(Date.now() - Date.parse(first ?? ''))).toBeLessThan(30_000);
  await asks.asThem('GET', `${account}/agents`);
  expect(await asks.activeAt()).toBe(first);
  const back = `update account_users set active_at = active_at - interval '61 seconds' where user_id = $1`;
  await service.db.query(back, [asks.id]);
  const earlier = await asks.activeAt();
  await asks.asThem('GET', `${account}/agents`);
  expect(Date.parse((await asks.activeAt()) ?? '')).toBeGreaterThan(Date.parse(earlier ?? '') + 60_000);

  const room = { pubsub_token: listens.pubsub_token, user_id: listens.id, account_id: 1 };
  const socket = await listen(service, room);
  await socket.event('presence.update');
  expect(await listens.activeAt()).not.toBeNull();
  socket.close();
});

test('labels are offered by the account and worn by conversations', async () => {
  const path = `${account}/labels`;
  const made = await service.agent('POST', path, { title: 'Billing', color: '#ff0000' });
  const label = {
    id: withId.parse(made.body).id,
    title: 'billing',
    description: '',
    color: '#ff0000',
    show_on_sidebar: true,
  };
  expect(made.body).toEqual(label);
  expect((await asGrace('GET', path)).body).toEqual({ payload: [label] });
  expect((await service.agent('PATCH', `${path}/${label.id}`, { description: 'Money' })).body).toEqual({
    ...label,
    description: 'Money',
  });
  for (const [body, field, code] of [
    [{ title: 'billing' }, 'title', 'taken'],
    [{ title: 'a b' }, 'title', 'invalid_value'],
    [{ title: 'ok', color: 'red' }, 'color', 'invalid_value'],
  ] as const) {
    expect(refusal(await service.agent('POST', path, body), 422)).toMatchObject({ field, code });
  }
  const visitor = await visit(service);
  const conversation = `${account}/conversations/${visitor.conversationId}`;
  const worn = await asGrace('POST', `${conversation}/labels`, { labels: ['billing', 'vip', 'billing'] });
  expect(worn.body).toEqual({ payload: ['billing', 'vip'] });
  expect((await asGrace('GET', `${conversation}/labels`)).body).toEqual({ payload: ['billing', 'vip'] });
  expect((await asGrace('GET', conversation)).body).toMatchObject({ labels: ['billing', 'vip'] });
  expect((await service.agent('DELETE', `${path}/${label.id}`)).status).toBe(200);
});

test('canned responses are found by code and by words', async () => {
  const path = `${account}/canned_responses`;
  const made = await asGrace('POST', path, {
    short_code: 'hours',
    content: 'We are open from nine to five.',
  });
  const { id } = withId.parse(made.body);
  await asGrace('POST', path, { short_code: 'bye', content: 'Have a good day' });
  const search = async (words: string) =>
    z
      .array(z.looseObject({ short_code: z.string() }))
      .parse((await asGrace('GET', `${path}?search=${encodeURIComponent(words)}`)).body);
  expect((await search('')).map((row) => row.short_code)).toEqual(['bye', 'hours']);
  expect((await search('HOUR')).map((row) => row.short_code)).toEqual(['hours']);
  expect((await search('good day')).map((row) => row.short_code)).toEqual(['bye']);
  expect(await search('%')).toEqual([]);
  expect((await asGrace('PATCH', `${path}/${id}`, { content: 'Always open.' })).body).toMatchObject({
    short_code: 'hours',
    content: 'Always open.',
  });
  expect(refusal(await asGrace('POST', path, { short_code: 'bye', content: 'x' }), 422)?.code).toBe('taken');
  expect((await asGrace('DELETE', `${path}/${id}`)).status).toBe(200);
});

test('that everybody proves who they are may be told within the channel, where the reference has it', async () => {
  const path = `${account}/inboxes`;
  const channel = { type: 'api', hmac_mandatory: true };
  const made = await service.agent('POST', path, { name: 'Proven', channel });
  expect(made.body).toMatchObject({ hmac_mandatory: true });
  const at = `${path}/${withId.parse(made.body).id}`;
  const tell = async (body: object) => (await service.agent('PATCH', at, body)).body;
  expect(await tell({ channel: { hmac_mandatory: false } })).toMatchObject({ hmac_mandatory: false });
  expect(await tell({ channel: { hmac_mandatory: 'true' } })).toMatchObject({ hmac_mandatory: true });
  expect(await tell({ channel: {} })).toMatchObject({ hmac_mandatory: true });
  const both = { hmac_mandatory: false, channel: { hmac_mandatory: true } };
  expect(await tell(both)).toMatchObject({ hmac_mandatory: false });
});

test('an inbox is made, told its settings, and seen by its members alone', async () => {
  const path = `${account}/inboxes`;
  const made = await service.agent('POST', path, {
    name: 'Second shop',
    channel: { type: 'api' },
    greeting_enabled: true,
    greeting_message: 'Hello',
  });
  const inbox = z.looseObject({ id: z.number(), inbox_identifier: z.string() }).parse(made.body);
  expect(made.body).toMatchObject({
    name: 'Second shop',
    channel_type: 'Channel::Api',
    greeting_enabled: true,
    hmac_token: expect.any(String),
  });
  expect((await service.call('GET', `/public/api/v1/inboxes/${inbox.inbox_identifier}`)).body).toMatchObject({
    name: 'Second shop',
    greeting_enabled: true,
  });
  expect((await asGrace('GET', `${path}/${inbox.id}`)).status).toBe(404);
  await service.agent('POST', `${account}/inbox_members`, { inbox_id: inbox.id, user_ids: [2] });
  const seen = await asGrace('GET', `${path}/${inbox.id}`);
  expect(seen.status).toBe(200);
  expect(seen.body).not.toHaveProperty('hmac_token');
  expect((await asGrace('GET', `${account}/inbox_members/${inbox.id}`)).body).toMatchObject({
    payload: [{ id: 1 }, { id: 2 }],
  });
  const monday = {
    day_of_week: 1,
    closed_all_day: false,
    open_hour: 8,
    open_minutes: 30,
    close_hour: 12,
    close_minutes: 0,
    open_all_day: false,
  };
  const changed = await service.agent('PATCH', `${path}/${inbox.id}`, {
    timezone: 'Europe/Oslo',
    working_hours_enabled: true,
    working_hours: [monday],
  });
  const hours = z
    .looseObject({ working_hours: z.array(z.looseObject({ day_of_week: z.number() })) })
    .parse(changed.body).working_hours;
  expect(hours.map((day) => day.day_of_week)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(hours[1]).toEqual(monday);
  expect(changed.body).toMatchObject({ timezone: 'Europe/Oslo', greeting_message: 'Hello' });
  for (const [body, field] of [
    [{ timezone: 'Mars' }, 'timezone'],
    [{ name: '' }, 'name'],
    [{ working_hours: [{ ...monday, close_hour: 7 }] }, 'working_hours.0.close_hour'],
    [{ working_hours: [{ day_of_week: 1 }] }, 'working_hours.0.open_hour'],
    [{ working_hours: [{ day_of_week: 7, open_all_day: true }] }, 'working_hours.0.day_of_week'],
  ] as const) {
    expect(refusal(await service.agent('PATCH', `${path}/${inbox.id}`, body), 422)?.field).toBe(field);
  }
  expect(refusal(await asGrace('PATCH', `${path}/1`, { name: 'Mine' }), 403)?.code).toBe('forbidden');
  expect(
    (await service.agent('DELETE', `${account}/inbox_members`, { inbox_id: inbox.id, user_ids: [2] })).status,
  ).toBe(200);
  expect((await asGrace('GET', `${path}/${inbox.id}`)).status).toBe(404);
});
