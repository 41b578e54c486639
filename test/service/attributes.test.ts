/** Attributes held against their definitions, wherever somebody writes them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { definitionSchema } from '../../demo/console/wire/admin.js';
import {
  type Answer,
  errorBody,
  inboxPath,
  startMs,
  startTestService,
  type TestService,
  visit,
} from '../support/service.js';

const account = '/api/v1/accounts/1';
const definitions = `${account}/custom_attribute_definitions`;
let service: TestService;
beforeAll(async () => {
  service = await startTestService();
}, startMs);
afterAll(() => service.end());

const withId = z.looseObject({ id: z.number() });
const define = (fields: object) =>
  service.agent('POST', definitions, { attribute_display_name: 'Some', attribute_model: 1, ...fields });

function refusal(answer: Answer) {
  expect(answer.status).toBe(422);
  return errorBody.parse(answer.body).errors;
}

test('a definition is made, shown, changed and deleted', async () => {
  const fields = {
    attribute_display_name: 'Size',
    attribute_display_type: 'list',
    attribute_description: 'Of shoes',
    attribute_key: 'size',
    attribute_values: ['S', 'M'],
    attribute_model: 'contact_attribute',
  };
  const { body } = await service.agent('POST', definitions, fields);
  const { id } = withId.parse(body);
  expect(body).toEqual({
    ...fields,
    attribute_values: '["S","M"]',
    id,
    regex_pattern: null,
    regex_cue: null,
    default_value: null,
    created_at: expect.any(String),
    updated_at: expect.any(String),
  });
  expect((await service.agent('GET', `${definitions}/${id}`)).body).toEqual(body);
  const changed = await service.agent('PATCH', `${definitions}/${id}`, { attribute_values: ['S', 'M', 'L'] });
  expect(changed.body).toMatchObject({ ...fields, attribute_values: '["S","M","L"]' });
  expect(definitionSchema.parse(changed.body).attribute_values).toEqual(['S', 'M', 'L']);
  const sentBack = await service.agent('PUT', `${definitions}/${id}`, body);
  expect(sentBack.body).toMatchObject({ attribute_values: '["S","M"]' });
  expect(refusal(await define({ attribute_key: 'size' }))[0]).toMatchObject({
    field: 'attribute_key',
    code: 'taken',
  });
  expect((await service.agent('DELETE', `${definitions}/${id}`)).status).toBe(204);
  expect((await service.agent('GET', `${definitions}/${id}`)).status).toBe(404);
});

test('what is no definition is refused', async () => {
  const cases: [object, string, string][] = [
    [{}, 'attribute_key', 'required'],
    [{ attribute_key: 'a b' }, 'attribute_key', 'invalid_value'],
    [{ attribute_key: 'a', attribute_display_type: 'colour' }, 'attribute_display_type', 'invalid_value'],
    [{ attribute_key: 'a', attribute_display_type: 'list' }, 'attribute_values', 'required'],
    [{ attribute_key: 'a', attribute_values: '["\\u0000"]' }, 'attribute_values', 'invalid_type'],
    [{ attribute_key: 'a', attribute_model: 2 }, 'attribute_model', 'invalid_value'],
    [{ attribute_key: 'a', regex_pattern: '(' }, 'regex_pattern', 'invalid_pattern'],
    [{ attribute_key: 'a', regex_pattern: '^(a+)+$' }, 'regex_pattern', 'invalid_pattern'],
  ];
  for (const [fields, field, code] of cases) {
    expect(refusal(await define(fields)), JSON.stringify(fields)).toContainEqual(
      expect.objectContaining({ field, code }),
    );
  }
});

test('each type takes what it is for, null clears, and all faults are told at once', async () => {
  const types = ['number', 'currency', 'percent', 'link', 'date', 'checkbox'];
  for (const type of types) {
    await define({ attribute_key: `a_${type}`, attribute_display_type: type });
  }
  await define({
    attribute_key: 'a_code',
    regex_pattern: '^[A-Z]{2}-\\d+$',
    regex_cue: 'Write it as AB-123',
  });
  const visitor = await visit(service);
  const write = (custom_attributes: object) =>
    service.call('PATCH', visitor.contactPath, { custom_attributes });
  const good = {
    a_number: 1.5,
    a_currency: 10,
    a_percent: 99,
    a_link: 'https://example.com/x',
    a_date: '2025-01-31',
    a_checkbox: false,
    a_code: 'AB-12',
    plan: 'Team',
    city: 'Oslo',
    free: { as: ['a', 'bird'] },
  };
  expect((await write(good)).body).toMatchObject({ custom_attributes: good });
  const bad = {
    a_number: '1',
    a_currency: true,
    a_percent: 'half',
    a_link: 'javascript:alert(1)',
    a_date: '31.01.2025',
    a_checkbox: 'yes',
    a_code: 'ab12',
    plan: 'Gold',
    city: 7,
  };
  const errors = refusal(await write(bad));
  expect(errors.map(({ field, code }) => [field, code])).toEqual([
    ['custom_attributes.a_number', 'invalid_type'],
    ['custom_attributes.a_currency', 'invalid_type'],
    ['custom_attributes.a_percent', 'invalid_type'],
    ['custom_attributes.a_link', 'invalid_type'],
    ['custom_attributes.a_date', 'invalid_type'],
    ['custom_attributes.a_checkbox', 'invalid_type'],
    ['custom_attributes.a_code', 'invalid_format'],
    ['custom_attributes.plan', 'not_in_list'],
    ['custom_attributes.city', 'invalid_type'],
  ]);
  expect(errors[6]?.message).toBe('Write it as AB-123');
  expect(errors[7]?.message).toBe('must be one of: Free, Team, Business');
  const shown = await service.agent('GET', `${account}/contacts/${visitor.contactId}`);
  expect(shown.body).toMatchObject({ payload: { custom_attributes: good } });
  expect((await write({ plan: null })).body).toMatchObject({ custom_attributes: { plan: null } });
});

test('nothing is written where one attribute is wrong: contact, conversation, by visitor or agent', async () => {
  const visitor = await visit(service);
  const wrong = { plan: 'Gold' };
  const before = await service.rows();
  refusal(await service.call('POST', `${inboxPath}/contacts`, { name: 'No', custom_attributes: wrong }));
  refusal(await service.call('PATCH', visitor.contactPath, { name: 'No', custom_attributes: wrong }));
  const page = { page_url: 'not a link' };
  refusal(await service.call('POST', `${visitor.contactPath}/conversations`, { custom_attributes: page }));
  const attributesPath = `${account}/conversations/${visitor.conversationId}/custom_attributes`;
  refusal(await service.agent('POST', attributesPath, { custom_attributes: page }));
  const contactPath = `${account}/contacts/${visitor.contactId}`;
  refusal(await service.agent('PUT', contactPath, { name: 'No', custom_attributes: wrong }));
  // The account API takes defined keys only, as specified.
  expect(
    refusal(await service.agent('PUT', contactPath, { custom_attributes: { unheard_of: 1 } })),
  ).toMatchObject([{ field: 'custom_attributes.unheard_of', code: 'undefined_attribute' }]);
  expect(await service.rows()).toEqual(before);
});

test('what is there may be sent back and cleared, though nobody has defined it or it fits no more', async () => {
  const custom_attributes = { secret: { of: ['a', 'bird'] }, was_free: 1 };
  const visitor = await visit(service, { custom_attributes });
  const path = `${account}/contacts/${visitor.contactId}`;
  await define({ attribute_key: 'was_free' });
  const set = (given: object) => service.agent('PUT', path, { name: 'Ada', custom_attributes: given });
  expect((await set(custom_attributes)).body).toMatchObject({
    payload: [{ name: 'Ada', custom_attributes }],
  });
  expect(refusal(await set({ secret: { of: ['a', 'fish'] }, was_free: 2 }))).toMatchObject([
    { field: 'custom_attributes.secret', code: 'undefined_attribute' },
    { field: 'custom_attributes.was_free', code: 'invalid_type' },
  ]);
  const none = { secret: null, was_free: null };
  expect((await set(none)).body).toMatchObject({ payload: [{ custom_attributes: none }] });
  const page = { page_url: 'no link' };
  await service.db.query('update conversations set custom_attributes = $1::jsonb where display_id = $2', [
    JSON.stringify(page),
    visitor.conversationId,
  ]);
  const attributesPath = `${account}/conversations/${visitor.conversationId}/custom_attributes`;
  const whole = { custom_attributes: { ...page, order_number: '7' } };
  expect((await service.agent('POST', attributesPath, whole)).body).toEqual(whole);
});

test('a visitor, too, may send back what is there, and nothing else that fits no more', async () => {
  const { contactId, contactPath } = await visit(service, { custom_attributes: { tier: 'Old' } });
  await define({ attribute_key: 'tier', attribute_display_type: 'list', attribute_values: ['New'] });
  const say = (tier: string) => ({ name: tier, custom_attributes: { tier } });
  expect((await service.call('PATCH', contactPath, say('Old'))).body).toMatchObject({ name: 'Old' });
  const refused = refusal(await service.call('PATCH', contactPath, say('Older')));
  expect(refused).toMatchObject([{ field: 'custom_attributes.tier', code: 'not_in_list' }]);
  const stored = await service.agent('GET', `${account}/contacts/${contactId}`);
  expect(stored.body).toMatchObject({ payload: say('Old') });
});

test('a text may have 1500 characters, emoji counted as one', async () => {
  const write = (note: string) =>
    service.call('POST', `${inboxPath}/contacts`, { custom_attributes: { note } });
  expect((await write('🦊'.repeat(1500))).status).toBe(200);
  expect(refusal(await write('🦊'.repeat(1501)))).toMatchObject([
    { field: 'custom_attributes.note', code: 'too_long' },
  ]);
});

test('what is kept of somebody stays of a size that can be told, however often and wherever it is added to', async () => {
  const visitor = await visit(service);
  const large = (key: string) => ({ custom_attributes: { [key]: { in: 'x'.repeat(40_000) } } });
  const conversation = `${account}/conversations/${visitor.conversationId}/custom_attributes`;
  const add = [
    (key: string) => service.call('PATCH', visitor.contactPath, large(key)),
    (key: string) => service.agent('POST', conversation, { ...large(key), merge: true }),
  ];
  for (const to of add) {
    expect((await to('first')).status).toBe(200);
    expect(refusal(await to('second'))).toMatchObject([{ field: 'custom_attributes', code: 'too_big' }]);
    expect((await to('first')).status).toBe(200);
  }
  const whole = { custom_attributes: { in: { in: 'x'.repeat(70_000) } } };
  const event = { name: 'webwidget.triggered', event_info: whole };
  for (const refused of [
    await service.call('POST', `${inboxPath}/contacts`, whole),
    await service.call('POST', `${visitor.contactPath}/conversations`, whole),
  ])
    expect(refusal(refused)).toMatchObject([{ field: 'custom_attributes', code: 'too_big' }]);
  expect(refusal(await service.call('POST', `${visitor.contactPath}/events`, event))).toMatchObject([
    { field: 'event_info', code: 'too_big' },
  ]);
  // Two that are one by now have no more together: what is known of the one who stays.
  const heavy = await visit(service, { email: 'heavy@example.com', ...large('third') });
  const map = { additional_attributes: large('page').custom_attributes };
  await service.agent('PUT', `${account}/contacts/${heavy.contactId}`, map);
  const mine = { additional_attributes: large('other').custom_attributes };
  await service.agent('PUT', `${account}/contacts/${visitor.contactId}`, mine);
  const claim = await service.call('PATCH', visitor.contactPath, { email: 'heavy@example.com' });
  expect(claim.body).toMatchObject({ id: heavy.contactId, email: 'heavy@example.com' });
  const shown = await service.agent('GET', `${account}/contacts/${heavy.contactId}`);
  expect(shown.body).toMatchObject({ payload: { ...large('third'), ...map } });
  expect(JSON.stringify(shown.body)).not.toMatch(/"(first|other)"/);
});

test('attributes are taken away by key', async () => {
  const visitor = await visit(service, { custom_attributes: { city: 'Oslo', plan: 'Free' } });
  const conversation = `${account}/conversations/${visitor.conversationId}`;
  await service.agent('POST', `${conversation}/custom_attributes`, { custom_attributes: { a: 1, b: 2 } });
  const rest = await service.agent('POST', `${conversation}/destroy_custom_attributes`, {
    custom_attributes: ['a', 'unknown'],
  });
  expect(rest.body).toEqual({ custom_attributes: { b: 2 } });
  const contact = await service.agent(
    'POST',
    `${account}/contacts/${visitor.contactId}/destroy_custom_attributes`,
    { custom_attributes: ['city'] },
  );
  expect(contact.body).toMatchObject({ payload: { custom_attributes: { plan: 'Free' } } });
});

test('a key named __proto__ is refused, not left out, and pollutes nothing', async () => {
  const visitor = await visit(service);
  const conversation = `${account}/conversations/${visitor.conversationId}`;
  const body = (map: string) => `{"content":"hi","${map}":{"__proto__":{"polluted":true},"kept":1}}`;
  for (const [map, answer] of [
    [
      'custom_attributes',
      service.agent('POST', `${conversation}/custom_attributes`, body('custom_attributes')),
    ],
    [
      'custom_attributes',
      service.call('POST', `${visitor.contactPath}/conversations`, body('custom_attributes')),
    ],
    ['custom_attributes', service.call('PATCH', visitor.contactPath, body('custom_attributes'))],
    ['content_attributes', service.agent('POST', `${conversation}/messages`, body('content_attributes'))],
  ] as const) {
    expect(refusal(await answer)).toMatchObject([{ field: `${map}.__proto__`, code: 'invalid_value' }]);
  }
  expect(Object('').polluted).toBeUndefined();
});

test('attributes of a conversation are replaced, or merged when asked', async () => {
  const visitor = await visit(service);
  const path = `${account}/conversations/${visitor.conversationId}/custom_attributes`;
  const set = (body: object) => service.agent('POST', path, body);
  expect((await set({ custom_attributes: { a: 1, b: 1 } })).body).toEqual({
    custom_attributes: { a: 1, b: 1 },
  });
  expect((await set({ custom_attributes: { b: 2 }, merge: true })).body).toEqual({
    custom_attributes: { a: 1, b: 2 },
  });
  expect((await set({ custom_attributes: { c: 3 } })).body).toEqual({ custom_attributes: { c: 3 } });
});

test('null is no way in for a key that nobody has defined', async () => {
  const unheard = { custom_attributes: { never_heard_of: null } };
  const { contactId } = await visit(service, { custom_attributes: { was_said: 1 } });
  const path = `${account}/contacts/${contactId}`;
  for (const answer of [
    await service.agent('PUT', path, unheard),
    await service.agent('POST', `${account}/contacts`, unheard),
  ]) {
    expect(refusal(answer)).toMatchObject([
      { field: 'custom_attributes.never_heard_of', code: 'undefined_attribute' },
    ]);
  }
  const cleared = { plan: null, was_said: null };
  const { body } = await service.agent('PUT', path, { custom_attributes: cleared });
  expect(body).toMatchObject({ payload: [{ custom_attributes: cleared }] });
});

test('a day that no calendar has is no date', async () => {
  await define({ attribute_key: 'a_day', attribute_display_type: 'date' });
  const write = (a_day: string) =>
    service.call('POST', `${inboxPath}/contacts`, { custom_attributes: { a_day } });
  for (const day of ['2025-02-31', '2025-02-30T10:00:00Z', '2023-02-29', '2025-04-31', '2025-13-01']) {
    expect(refusal(await write(day)), day).toMatchObject([
      { field: 'custom_attributes.a_day', code: 'invalid_type' },
    ]);
  }
  for (const day of ['2024-02-29', '2025-12-31T23:59:59+02:00', '2025-01-01T00:30:00+05:00']) {
    expect((await write(day)).status, day).toBe(200);
  }
});

test('a list keeps its choices, and no key is one that cannot be written', async () => {
  const list = { attribute_key: 'chosen', attribute_display_type: 'list', attribute_values: ['a', 'b'] };
  const { id } = withId.parse((await define(list)).body);
  const change = (fields: object) => service.agent('PATCH', `${definitions}/${id}`, fields);
  for (const attribute_values of [[], '[]']) {
    expect(refusal(await change({ attribute_values }))).toMatchObject([
      { field: 'attribute_values', code: 'required' },
    ]);
  }
  expect((await change({ attribute_display_name: 'Renamed' })).body).toMatchObject({
    attribute_display_name: 'Renamed',
    attribute_values: '["a","b"]',
  });
  expect(refusal(await define({ attribute_key: '__proto__' }))).toMatchObject([
    { field: 'attribute_key', code: 'invalid_value' },
  ]);
});

test('a number that cannot be told again is refused, wherever it stands', async () => {
  const visitor = await visit(service);
  const conversation = `${account}/conversations/${visitor.conversationId}`;
  const body = (map: string) => `{"content":"hi","${map}":{"deep":[{"n":-1e400}]}}`;
  for (const [map, answer] of [
    ['custom_attributes', service.call('PATCH', visitor.contactPath, body('custom_attributes'))],
    [
      'custom_attributes',
      service.agent('POST', `${conversation}/custom_attributes`, body('custom_attributes')),
    ],
    [
      'additional_attributes',
      service.agent('PUT', `${account}/contacts/${visitor.contactId}`, body('additional_attributes')),
    ],
    ['content_attributes', service.agent('POST', `${conversation}/messages`, body('content_attributes'))],
  ] as const) {
    expect(refusal(await answer)).toMatchObject([{ field: `${map}.deep.0.n`, code: 'invalid_value' }]);
  }
});
