/** What agents ask: refused when nobody could answer it, quoted when it is there, and the rating asked once. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import {
  errorBody,
  startMs,
  startTestService,
  type TestService,
  type Visitor,
  visit,
} from '../support/service.js';

const account = '/api/v1/accounts/1';
let service: TestService;
let visitor: Visitor;
beforeAll(async () => {
  service = await startTestService();
  visitor = await visit(service);
}, startMs);
afterAll(() => service.end());

const at = (of: Visitor) => `${account}/conversations/${of.conversationId}`;
const ask = (body: object, of = visitor) => service.agent('POST', `${at(of)}/messages`, body);
const told = z.looseObject({ id: z.number(), content_attributes: z.record(z.string(), z.unknown()) });
const thread = async (of: Visitor) =>
  z
    .array(z.looseObject({ id: z.number(), content_type: z.string(), message_type: z.number() }))
    .parse((await service.call('GET', `${of.path}/messages`)).body);

const link = { type: 'link', text: 'See', uri: 'https://x.example/a' };
const item = 'content_attributes.items.0';

test.each([
  ['input_select', {}, 'content_attributes.items', 'required'],
  ['input_select', { items: [] }, 'content_attributes.items', 'too_small'],
  ['input_select', { items: { title: 'A' } }, 'content_attributes.items', 'invalid_type'],
  ['input_select', { items: ['A'] }, item, 'invalid_type'],
  ['input_select', { items: [{ title: 'A', value: 'a', colour: 'red' }] }, item, 'invalid_value'],
  ['cards', {}, 'content_attributes.items', 'required'],
  ['cards', { items: [] }, 'content_attributes.items', 'too_small'],
  ['cards', { items: [{ title: 'A' }] }, `${item}.actions`, 'required'],
  ['cards', { items: [{ title: 'A', actions: [] }] }, `${item}.actions`, 'too_small'],
  ['cards', { items: [{ title: 'A', actions: [link], price: 1 }] }, item, 'invalid_value'],
  ['cards', { items: [{ actions: [{ ...link, colour: 'red' }] }] }, `${item}.actions.0`, 'invalid_value'],
])('%s of %j is refused', async (content_type, content_attributes, field, code) => {
  const before = await service.rows();
  const body = { content: 'Choose', content_type, content_attributes };
  const form = new FormData();
  form.append('content_type', content_type);
  form.append('content_attributes', JSON.stringify(content_attributes));
  form.append('attachments[]', new File(['x'], 'a.txt'));
  for (const answer of [await ask(body), await ask(form)]) {
    expect(answer.status).toBe(422);
    expect(errorBody.parse(answer.body).errors[0]).toMatchObject({ field, code });
  }
  expect(await service.rows()).toEqual(before);
});

test.each([
  ['input_select', { items: [{ title: 'A', value: 'a' }] }],
  ['cards', { items: [{ title: 'A', description: 'B', media_url: 'https://x.example/a', actions: [link] }] }],
  ['form', { items: [], button_label: 'Send' }],
  ['form', {}],
  ['article', {}],
  ['text', { items: [{ whatever: true }] }],
])('%s of %j is asked', async (content_type, content_attributes) => {
  const answer = await ask({ content: 'Choose', content_type, content_attributes });
  expect(answer.status).toBe(200);
  expect(told.parse(answer.body).content_attributes).toEqual(content_attributes);
});

test('a quote is of a message of this conversation, or of none', async () => {
  const other = await visit(service);
  const { id: theirs } = told.parse((await ask({ content: 'elsewhere' }, other)).body);
  const { id } = told.parse((await ask({ content: 'here' })).body);
  const quoting = async (content_attributes: object) =>
    told.parse((await ask({ content: 'As I said', content_attributes })).body).content_attributes;
  expect(await quoting({ in_reply_to: id, more: 1 })).toEqual({ in_reply_to: id, more: 1 });
  expect(await quoting({ in_reply_to: String(id) })).toEqual({ in_reply_to: id });
  for (const in_reply_to of [theirs, id + 1_000_000, 2 ** 60, -1, 0.5, 'x', null, {}, true]) {
    expect(await quoting({ in_reply_to })).toEqual({ in_reply_to: null });
  }
  expect(await quoting({ in_reply_to_external_id: 'x' })).toEqual({ in_reply_to_external_id: null });
});

test('who was asked by an agent how it was is not asked again, and answers that on the page', async () => {
  await service.agent('PATCH', `${account}/inboxes/1`, { csat_survey_enabled: true });
  const asked = await visit(service);
  const { id } = told.parse((await ask({ content: 'How was it?', content_type: 'input_csat' }, asked)).body);
  const { uuid } = z.looseObject({ uuid: z.string() }).parse((await service.call('GET', asked.path)).body);
  const page = `/public/api/v1/csat_survey/${uuid}`;
  expect((await service.call('GET', page)).body).toMatchObject({ id, csat_survey_response: null });
  await service.agent('POST', `${at(asked)}/toggle_status`, { status: 'resolved' });
  const surveys = (await thread(asked)).filter((row) => row.content_type === 'input_csat');
  expect(surveys).toMatchObject([{ id, message_type: 1 }]);
  const answer = { csat_survey_response: { rating: 5, feedback_message: 'well' } };
  const put = await service.call('PUT', page, { message: { submitted_values: answer } });
  expect(put.body).toMatchObject({ id, ...answer });

  // A note among agents asks nobody.
  const noted = await visit(service);
  await ask({ content: 'Rate?', content_type: 'input_csat', private: true }, noted);
  await service.agent('POST', `${at(noted)}/toggle_status`, { status: 'resolved' });
  expect((await thread(noted)).map((row) => row.message_type)).toEqual([3]);
  await service.agent('PATCH', `${account}/inboxes/1`, { csat_survey_enabled: false });
});

test('who was asked how it was is not asked again because an agent deleted the question', async () => {
  await service.agent('PATCH', `${account}/inboxes/1`, { csat_survey_enabled: true });
  for (const byAgent of [true, false]) {
    const asked = await visit(service);
    const move = (status: string) => service.agent('POST', `${at(asked)}/toggle_status`, { status });
    if (byAgent) await ask({ content: 'How was it?', content_type: 'input_csat' }, asked);
    else await move('resolved');
    const [survey] = await thread(asked);
    expect(survey).toMatchObject({ content_type: 'input_csat', message_type: byAgent ? 1 : 3 });
    // A second deletion, as by two agents at once, knows no more of it than the first one left.
    for (let n = 0; n < 2; n += 1) await service.agent('DELETE', `${at(asked)}/messages/${survey?.id}`);
    await move('open');
    await move('resolved');
    expect(await thread(asked)).toMatchObject([{ id: survey?.id, content_type: 'text' }]);
  }
  await service.agent('PATCH', `${account}/inboxes/1`, { csat_survey_enabled: false });
});

test('an answer that cannot be taken names the field at fault, and what nobody asks for vanishes', async () => {
  const { id } = told.parse((await ask({ content: 'How was it?', content_type: 'input_csat' })).body);
  const answer = (submitted_values: unknown) =>
    service.call('PATCH', `${visitor.path}/messages/${id}`, { submitted_values });
  const rated = (rating: unknown) => ({ csat_survey_response: { rating } });
  const long = { value: 'x'.repeat(5001) };
  for (const [values, field, code] of [
    [rated('5'), 'csat_survey_response.rating', 'invalid_type'],
    [[{}, rated('5')], '1.csat_survey_response.rating', 'invalid_type'],
    [rated(6), 'csat_survey_response.rating', 'too_big'],
    [long, 'value', 'too_long'],
    [[long], '0.value', 'too_long'],
    [[7], '0', 'invalid_type'],
    [Array.from({ length: 14 }, () => ({ value: 'x'.repeat(5000) })), undefined, 'too_big'],
  ] as const) {
    const refused = await answer(values);
    expect(refused.status).toBe(422);
    expect(errorBody.parse(refused.body).errors).toMatchObject([
      { field: ['submitted_values', ...(field ? [field] : [])].join('.'), code },
    ]);
  }
  for (const [values, kept] of [
    [{ name: 'city', value: { of: 'x' }, title: ['y'], other: { a: 1 } }, { name: 'city' }],
    [
      [{ value: [1], title: 'T' }, { city: 'Oslo' }],
      [{ title: 'T' }, {}],
    ],
    [{ city: 'Oslo' }, {}],
  ] as const) {
    const { body } = await answer(values);
    expect(told.parse(body).content_attributes).toEqual({ submitted_values: kept });
  }
});
