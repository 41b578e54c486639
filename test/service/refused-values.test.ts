/** Who is refused reads what would be taken instead, and a code that fits. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  errorBody,
  startMs,
  startTestService,
  type TestService,
  type Visitor,
  visit,
} from '../support/service.js';

let service: TestService;
let visitor: Visitor;
beforeAll(async () => {
  service = await startTestService();
  visitor = await visit(service);
}, startMs);
afterAll(() => service.end());

const account = '/api/v1/accounts/1';
const conversation = () => `${account}/conversations/${visitor.conversationId}`;
const message = () => `${visitor.path}/messages/1`;
const yesOrNo = 'must be true or false';
const noWebhook = 'is not taken here: make a webhook with the inbox_id of this inbox';
const answers = 'must be an answer, such as {"value": "blue"}, or a list of them';

test.each<[method: string, path: () => string, body: unknown, field: string, code: string, message: string]>([
  [
    'POST',
    () => `${conversation()}/toggle_priority`,
    { priority: 'bogus' },
    'priority',
    'invalid_type',
    'must be low, medium, high or urgent, or empty to clear it',
  ],
  [
    'GET',
    () => '/api/v2/accounts/1/summary_reports/team?business_hours=yes',
    undefined,
    'business_hours',
    'invalid_type',
    yesOrNo,
  ],
  [
    'POST',
    () => `${conversation()}/custom_attributes`,
    { custom_attributes: {}, merge: 1 },
    'merge',
    'invalid_type',
    yesOrNo,
  ],
  [
    'PUT',
    () => `${account}/contacts/${visitor.contactId}`,
    { blocked: 'yes' },
    'blocked',
    'invalid_type',
    yesOrNo,
  ],
  ['PATCH', message, { submitted_values: null }, 'submitted_values', 'invalid_type', answers],
  ['PATCH', message, { submitted_values: 'blue' }, 'submitted_values', 'invalid_type', answers],
  [
    'PATCH',
    () => `${account}/inboxes/1`,
    { webhook_url: 'https://example.com' },
    'webhook_url',
    'invalid_value',
    noWebhook,
  ],
  [
    'PATCH',
    () => `${account}/inboxes/1`,
    { channel: { webhook_url: 'https://example.com' } },
    'channel.webhook_url',
    'invalid_value',
    noWebhook,
  ],
])('%s %# tells what is taken', async (method, path, body, field, code, message) => {
  const sent = await service.call('POST', `${visitor.path}/messages`, { content: 'hello' });
  const at = path().replace(/messages\/1$/, `messages/${Object(sent.body).id}`);
  const answer = await service.agent(method, at, body);
  expect(answer.status).toBe(422);
  expect(errorBody.parse(answer.body).errors).toEqual([{ field, message, code }]);
});

test('a webhook of an inbox may be nothing', async () => {
  for (const webhook_url of ['', null])
    expect((await service.agent('PATCH', `${account}/inboxes/1`, { webhook_url })).status).toBe(200);
});
