/** Rules that ask for attributes whose names mean something to programs. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { startMs, startTestService, type TestService, visit } from '../support/service.js';

const account = '/api/v1/accounts/1';
let service: TestService;
beforeAll(async () => {
  service = await startTestService();
}, startMs);
afterAll(() => service.end());

test.each(['constructor', 'toString'])('%s has changed only where it has', async (key) => {
  const definition = { attribute_display_name: key, attribute_key: key, attribute_model: 0 };
  await service.agent('POST', `${account}/custom_attribute_definitions`, definition);
  const condition = { attribute_key: key, filter_operator: 'attribute_changed' };
  const rule = { name: key, event_name: 'conversation_updated', conditions: [condition] };
  const actions = [{ action_name: 'add_label', action_params: [key] }];
  await service.agent('POST', `${account}/automation_rules`, { ...rule, actions });
  const { conversationId } = await visit(service);
  const path = `${account}/conversations/${conversationId}`;
  const labels = async () => {
    await expect.poll(async () => (await service.db.query('select id from rule_events')).length).toBe(0);
    const { body } = await service.agent('GET', `${path}/labels`);
    return z.object({ payload: z.array(z.string()) }).parse(body).payload;
  };
  await service.agent('POST', `${path}/toggle_priority`, { priority: 'high' });
  expect(await labels()).toEqual([]);
  await service.agent('POST', `${path}/custom_attributes`, { custom_attributes: { [key]: 'Brick' } });
  expect(await labels()).toEqual([key]);
});
