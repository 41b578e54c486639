/** Bodies with more in them than anybody can mend: refused in few words, and nothing written. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Answer,
  errorBody,
  inboxPath,
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
  visitor = await visit(service, { email: 'ada@example.com' });
}, startMs);
afterAll(() => service.end());

const contacts = `${inboxPath}/contacts`;
const keys = (count: number, value: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, value]));

function fewWords(answer: Answer, status: number): void {
  expect(answer.status).toBe(status);
  expect(errorBody.parse(answer.body).errors.length).toBeLessThanOrEqual(100);
  expect(JSON.stringify(answer.body).length).toBeLessThan(250_000);
}

/** A way to send attributes, to whoever may. */
const ways = {
  'a visitor': (attributes: unknown) => service.call('POST', contacts, { custom_attributes: attributes }),
  'a conversation': (attributes: unknown) =>
    service.call('POST', `${visitor.contactPath}/conversations`, { custom_attributes: attributes }),
  'a form': (attributes: unknown) => {
    const form = new FormData();
    form.append('custom_attributes', JSON.stringify(attributes));
    return service.agent('PUT', `/api/v1/accounts/1/contacts/${visitor.contactId}`, form);
  },
  'an agent': (attributes: unknown) =>
    service.agent('PUT', `/api/v1/accounts/1/contacts/${visitor.contactId}`, {
      custom_attributes: attributes,
    }),
};

test.each(Object.entries(ways))('more values than anybody has are refused at once: %s', async (_, send) => {
  const before = await service.rows();
  for (const many of [keys(130_000, 1), keys(100_000, 1e10), { list: Array(500_000).fill(1) }]) {
    const answer = await send(many);
    fewWords(answer, 413);
    expect(errorBody.parse(answer.body).errors).toEqual([
      { field: 'body', message: 'Too many values (maximum is 20000)', code: 'too_large' },
    ]);
  }
  expect(await service.rows()).toEqual(before);
});

test.each(Object.entries(ways))('of many wrong values a hundred are told: %s', async (_, send) => {
  const before = await service.rows();
  for (const many of [keys(4000, 1e10), keys(19_000, 1e10), { ['k'.repeat(1_000_000)]: 1e10 }])
    fewWords(await send(many), 422);
  expect(await service.rows()).toEqual(before);
});

test('of many attributes that nobody defined a hundred are told', async () => {
  const answer = await ways['an agent'](keys(4000, 'text'));
  fewWords(answer, 422);
  expect(errorBody.parse(answer.body).errors).toHaveLength(100);
});

test('a list with long names is told in few words', async () => {
  const before = await service.rows();
  for (let n = 0; n < 3; n += 1) {
    const made = await service.agent('POST', '/api/v1/accounts/1/custom_attribute_definitions', {
      attribute_display_name: `List ${n}`,
      attribute_display_type: 'list',
      attribute_key: `list_${n}`,
      attribute_model: 'contact_attribute',
      attribute_values: Array.from({ length: 500 }, (_, m) => `${m}-${'x'.repeat(200)}`),
    });
    expect(made.status).toBe(200);
  }
  const answer = await ways['a visitor']({ list_0: 'a', list_1: 'b', list_2: 'c' });
  fewWords(answer, 422);
  const { errors } = errorBody.parse(answer.body);
  expect(errors.map(({ code }) => code)).toEqual(Array(3).fill('not_in_list'));
  expect(errors[0]?.message).toMatch(/^must be one of: 0-x+, .*…$/);
  expect((await service.rows()).contacts).toEqual(before.contacts);
});

test('as many values as fit are taken', async () => {
  const made = await service.call('POST', contacts, { custom_attributes: keys(5000, 1) });
  expect(made.status).toBe(200);
});
