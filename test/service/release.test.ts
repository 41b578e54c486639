/**
 * An agent or a team with hundreds of conversations goes, or an agent sees an inbox no more: each is free and told of,
 * and no transaction has them all.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import {
  errorBody,
  listenAsAgent,
  startMs,
  startTestService,
  type TestService,
  visit,
} from '../support/service.js';

const account = '/api/v1/accounts/1';
const withId = z.looseObject({ id: z.number() });
const count = 450;
let service: TestService;
beforeEach(async () => {
  service = await startTestService();
  const visitor = await visit(service);
  await service.db.query(
    `insert into conversations (account_id, display_id, uuid, inbox_id, contact_id, contact_inbox_id)
     select account_id, display_id + n, gen_random_uuid(), inbox_id, contact_id, contact_inbox_id
     from conversations, generate_series(1, ${count - 1}) n where display_id = $1`,
    [visitor.conversationId],
  );
}, startMs);
afterEach(() => service.end());

const kinds = [
  {
    column: 'assignee_id',
    path: `${account}/agents`,
    fields: { name: 'Tim', email: 'tim@demo.example', role: 'agent' },
  },
  { column: 'team_id', path: `${account}/teams`, fields: { name: 'Care' } },
];

/** What this does frees each of the conversations that so many had, and no transaction has them all. */
async function allFreed(column: string, act: () => ReturnType<TestService['agent']>): Promise<void> {
  const agents = await listenAsAgent(service);
  expect((await act()).status).toBe(200);
  const held = await service.db.query(`select 1 from conversations where ${column} is not null`);
  expect(held).toEqual([]);
  const largest = await service.db.query<{ size: number }>(
    'select count(*) as size from conversations group by xmin::text order by 1 desc limit 1',
  );
  expect(largest[0]?.size).toBeLessThanOrEqual(100);
  const told = () => agents.events().filter(({ event }) => event === 'conversation.updated');
  await expect.poll(() => told().length).toBe(count);
  expect(new Set(told().map(({ data }) => data.id)).size).toBe(count);
  agents.close();
}

test.each(kinds)(
  'where $column names who goes, each conversation is free, and no transaction has them all',
  async ({ column, path, fields }) => {
    const { id } = withId.parse((await service.agent('POST', path, fields)).body);
    await service.db.query(`update conversations set ${column} = $1`, [id]);
    await allFreed(column, () => service.agent('DELETE', `${path}/${id}`));
  },
  startMs,
);

const members = (method: string, inbox_id: number, ...user_ids: number[]) =>
  service.agent(method, `${account}/inbox_members`, { inbox_id, user_ids });

const secondInbox = async () => {
  const fields = { name: 'Second', channel: { type: 'api' } };
  return withId.parse((await service.agent('POST', `${account}/inboxes`, fields)).body).id;
};

test.each([
  ['is taken out of an inbox', 'agent', (id: number) => members('DELETE', 1, id)],
  ['is no longer among the members of an inbox', 'agent', () => members('PATCH', 1, 1)],
  [
    'is no administrator any more',
    'administrator',
    (id: number) => service.agent('PATCH', `${account}/agents/${id}`, { role: 'agent' }),
  ],
] as const)(
  'an agent who %s gives away what was theirs there, and nothing else',
  async (_, role, act) => {
    const tim = { name: 'Tim', email: 'tim@demo.example', role };
    const { id } = withId.parse((await service.agent('POST', `${account}/agents`, tim)).body);
    const second = await secondInbox();
    await members('POST', second, id);
    if (role === 'agent') await members('POST', 1, id);
    await service.db.query('update conversations set assignee_id = $1', [id]);
    await allFreed('assignee_id', () => act(id));
    // Where they are a member, all stays as it is.
    if (role === 'agent') await members('POST', 1, id);
    else await service.agent('PATCH', `${account}/agents/${id}`, { role });
    await service.db.query(
      'update conversations set assignee_id = $1, inbox_id = case when id % 2 = 0 then $2 else 1 end',
      [id, second],
    );
    expect((await act(id)).status).toBe(200);
    const rows = await service.db.query<{ inbox_id: number }>(
      'select inbox_id from conversations where assignee_id = $1',
      [id],
    );
    expect(rows).toHaveLength(count / 2);
    expect(rows.every(({ inbox_id: inbox }) => Number(inbox) === second)).toBe(true);
  },
  startMs,
);

test(
  'who sees an inbox all the same keeps what is theirs in it, and so does everybody where the change is refused',
  async () => {
    const administrator = { name: 'Tim', email: 'tim@demo.example', role: 'administrator' };
    const { id } = withId.parse((await service.agent('POST', `${account}/agents`, administrator)).body);
    const kept = async (assignee: number) => {
      const sql = 'select 1 from conversations where assignee_id = $1';
      expect(await service.db.query(sql, [assignee])).toHaveLength(count);
    };
    await members('POST', 1, id);
    await service.db.query('update conversations set assignee_id = $1', [id]);
    expect((await members('DELETE', 1, id)).status).toBe(200);
    await kept(id);
    await members('POST', 1, 2);
    await service.db.query('update conversations set assignee_id = 2');
    expect((await members('DELETE', 1, 2, 999)).status).toBe(404);
    await kept(2);
    await service.agent('PATCH', `${account}/agents/${id}`, { role: 'agent' });
    await service.db.query('update conversations set assignee_id = 1');
    await members('DELETE', 1, 1);
    expect((await service.agent('PATCH', `${account}/agents/1`, { role: 'agent' })).status).toBe(422);
    await kept(1);
  },
  startMs,
);

test(
  'of the last administrator nothing is given away',
  async () => {
    await service.db.query('update conversations set assignee_id = 1');
    const answer = await service.agent('DELETE', `${account}/agents/1`);
    expect(answer.status).toBe(422);
    expect(errorBody.parse(answer.body).errors[0]).toMatchObject({ code: 'last_administrator' });
    const kept = await service.db.query('select 1 from conversations where assignee_id = 1');
    expect(kept).toHaveLength(count);
  },
  startMs,
);

test(
  'a rule that gives conversations back to who goes keeps nobody from going',
  async () => {
    const [kind] = kinds;
    if (!kind) throw new Error('there are two');
    const { id } = withId.parse((await service.agent('POST', kind.path, kind.fields)).body);
    const rule = {
      name: 'All for Tim',
      event_name: 'conversation_updated',
      conditions: [],
      actions: [{ action_name: 'assign_agent', action_params: [id] }],
    };
    expect((await service.agent('POST', `${account}/automation_rules`, rule)).status).toBe(200);
    await service.db.query('update conversations set assignee_id = $1', [id]);
    expect((await service.agent('DELETE', `${kind.path}/${id}`)).status).toBe(200);
    await expect.poll(() => service.db.query('select 1 from rule_events')).toEqual([]);
    const held = await service.db.query('select 1 from conversations where assignee_id is not null');
    expect(held).toEqual([]);
  },
  startMs,
);
