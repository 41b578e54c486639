/** A label that is called otherwise is so everywhere: on conversations, in rules, in the list that is filtered by it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { addOtherAccount } from '../support/other-account.js';
import { startMs, startTestService, type TestService, visit } from '../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
}, startMs);
afterAll(() => service.end());

const account = '/api/v1/accounts/1';
const withId = z.looseObject({ id: z.number() });
const worn = z.object({ payload: z.array(z.string()) });

async function label(title: string): Promise<string> {
  const { body } = await service.agent('POST', `${account}/labels`, { title });
  return `${account}/labels/${withId.parse(body).id}`;
}
const labelsAt = ({ conversationId }: { conversationId: number }) =>
  `${account}/conversations/${conversationId}/labels`;

async function wearing(...labels: string[]) {
  const visitor = await visit(service);
  await service.agent('POST', labelsAt(visitor), { labels });
  return {
    ...visitor,
    worn: async () => worn.parse((await service.agent('GET', labelsAt(visitor))).body).payload,
  };
}

test('conversations bear the new word in the place of the old one, once, and are found by it', async () => {
  const path = await label('billing');
  const [one, both, none] = [
    await wearing('vip', 'billing', 'old'),
    await wearing('billing', 'money'),
    await wearing('billings'),
  ];
  await addOtherAccount(service);
  await service.db.query(`update conversations set labels = '["billing"]' where account_id <> 1`);
  const renamed = await service.agent('PATCH', path, { title: 'Money', color: '#00ff00' });
  expect(renamed.body).toMatchObject({ title: 'money', color: '#00ff00' });
  expect(await one.worn()).toEqual(['vip', 'money', 'old']);
  expect(await both.worn()).toEqual(['money']);
  expect(await none.worn()).toEqual(['billings']);
  const { body } = await service.agent('GET', `${account}/conversations/meta?labels[]=money`);
  expect(body).toMatchObject({ meta: { all_count: 2 } });
  const elsewhere = `select 1 from conversations where account_id <> 1 and labels ? 'money'`;
  expect(await service.db.query(elsewhere)).toEqual([]);
});

test('rules ask for the new word and add it, and what they say otherwise stays', async () => {
  const path = await label('refund');
  const asks = (key: string, ...values: unknown[]) => ({
    attribute_key: key,
    filter_operator: 'equal_to',
    values,
    query_operator: 'and',
  });
  const made = await service.agent('POST', `${account}/automation_rules`, {
    name: 'Refunds',
    event_name: 'conversation_updated',
    conditions: [asks('labels', 'Refund', 'vip'), asks('content', 'refund')],
    actions: [
      { action_name: 'add_label', action_params: ['refund', 'seen'] },
      { action_name: 'send_message', action_params: ['refund'] },
    ],
  });
  const { id } = withId.parse(Object(made.body).payload);
  await service.agent('PATCH', path, { title: 'money-back' });
  expect((await service.agent('GET', `${account}/automation_rules/${id}`)).body).toMatchObject({
    payload: {
      conditions: [asks('labels', 'money-back', 'vip'), asks('content', 'refund')],
      actions: [
        { action_name: 'add_label', action_params: ['money-back', 'seen'] },
        { action_name: 'send_message', action_params: ['refund'] },
      ],
    },
  });
});

test('a word that is taken is refused, and nothing is renamed', async () => {
  const path = await label('early');
  await label('late');
  const one = await wearing('early');
  const refused = await service.agent('PATCH', path, { title: 'late' });
  expect(refused.status).toBe(422);
  expect(refused.body).toMatchObject({ errors: [{ field: 'title', code: 'taken' }] });
  expect(await one.worn()).toEqual(['early']);
});
