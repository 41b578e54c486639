/** How conversations move: who may, what everybody hears, and what is said automatically on the way. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { graceToken, letGraceIn } from '../support/grace.js';
import {
  errorBody,
  listen,
  listenAsAgent,
  request,
  startMs,
  startTestService,
  type TestService,
  type Visitor,
  visit,
} from '../support/service.js';

const account = '/api/v1/accounts/1';
let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await letGraceIn(service);
}, startMs);
afterAll(() => service.end());

const plain = {
  greeting_enabled: false,
  working_hours_enabled: false,
  csat_survey_enabled: false,
  lock_to_single_conversation: false,
};
const inbox = (settings: object) => service.agent('PATCH', `${account}/inboxes/1`, settings);
afterEach(async () => {
  expect((await inbox(plain)).status).toBe(200);
});

const at = (visitor: Visitor) => `${account}/conversations/${visitor.conversationId}`;
const say = (visitor: Visitor, content: string) =>
  service.call('POST', `${visitor.path}/messages`, { content });
const asGrace = (path: string, body: object) =>
  request(service.url + path, 'POST', body, { api_access_token: graceToken });
const move = (visitor: Visitor, status: string, more: object = {}) =>
  service.agent('POST', `${at(visitor)}/toggle_status`, { status, ...more });
const shown = z.looseObject({ status: z.string(), snoozed_until: z.number(), muted: z.boolean() });
const show = async (visitor: Visitor) => shown.parse((await service.agent('GET', at(visitor))).body);
const message = z.looseObject({
  id: z.number(),
  content: z.string().nullable(),
  message_type: z.number(),
  content_type: z.string(),
  content_attributes: z.record(z.string(), z.unknown()),
});
const thread = async (visitor: Visitor) =>
  z.object({ payload: z.array(message) }).parse((await service.agent('GET', `${at(visitor)}/messages`)).body)
    .payload;
const lines = async (visitor: Visitor) =>
  (await thread(visitor)).filter((row) => row.message_type === 2).map((row) => row.content);
const seenByContact = async (visitor: Visitor) =>
  z.array(message).parse((await service.call('GET', `${visitor.path}/messages`)).body);

test('every move is an event for both sides and a line for the agents alone', async () => {
  const visitor = await visit(service, { name: 'Mover' });
  const contact = await listen(service, { pubsub_token: visitor.token });
  const agents = await listenAsAgent(service);
  await move(visitor, 'pending');
  await move(visitor, 'open');
  await move(visitor, 'snoozed', { snoozed_until: 4_000_000_000 });
  await service.call('POST', `${visitor.path}/toggle_status`);
  await say(visitor, 'one more thing');
  await asGrace(`${at(visitor)}/toggle_status`, { status: 'resolved' });
  await asGrace(`${at(visitor)}/toggle_status`, {});
  expect(await lines(visitor)).toEqual([
    'Conversation was marked as pending by Ada',
    'Conversation was reopened by Ada',
    'Conversation was snoozed by Ada',
    'Conversation was marked resolved by Mover',
    'Conversation was reopened by a new message',
    'Conversation was marked resolved by Grace',
    'Conversation was reopened by Grace',
    'Grace self-assigned this conversation',
  ]);
  const states = ['pending', 'open', 'snoozed', 'resolved', 'open', 'resolved', 'open'];
  await contact.event('conversation.updated', (data) => JSON.stringify(data.meta).includes('Grace'));
  // Each has a socket of its own.
  await agents.event('message.created', (data) => data.content === 'Grace self-assigned this conversation');
  for (const side of [contact, agents]) {
    const moves = side.events().filter((event) => event.event === 'conversation.status_changed');
    expect(moves.map((event) => event.data.status)).toEqual(states);
  }
  expect(contact.events().filter((event) => event.data.message_type === 2)).toEqual([]);
  expect((await seenByContact(visitor)).map((row) => row.content)).toEqual(['one more thing']);
  // Larger ids are told later: who catches up by id misses nothing.
  const told = agents.events().filter((event) => event.event === 'message.created');
  const ids = told.map((event) => Number(event.data.id));
  expect(ids).toEqual([...ids].sort((a, b) => a - b));
  contact.close();
  agents.close();
});

test('what changes nothing leaves no line', async () => {
  const visitor = await visit(service);
  await move(visitor, 'open');
  await service.agent('POST', `${at(visitor)}/toggle_priority`, { priority: null });
  await service.agent('POST', `${at(visitor)}/labels`, { labels: [] });
  await service.agent('POST', `${at(visitor)}/unmute`);
  expect(await lines(visitor)).toEqual([]);
});

test('what changes nothing is told to nobody, moves no time, and is answered as before', async () => {
  const visitor = await visit(service);
  const { id: team } = z
    .looseObject({ id: z.number() })
    .parse((await service.agent('POST', `${account}/teams`, { name: 'twice' })).body);
  const sides = [await listen(service, { pubsub_token: visitor.token }), await listenAsAgent(service)];
  const reply = async (content: string) => {
    await service.agent('POST', `${at(visitor)}/messages`, { content });
    for (const side of sides) await side.event('message.created', (data) => data.content === content);
  };
  // An answer is told as a change of the conversation, too: the first one alone.
  await reply('the first answer');
  const updatedAt = () =>
    service.db.query('select updated_at from conversations where display_id = $1', [visitor.conversationId]);
  const post = (path: string, body: object) => () => service.agent('POST', `${at(visitor)}/${path}`, body);
  const verbs = [
    post('assignments', { assignee_id: 2 }),
    post('assignments', { assignee_id: 0 }),
    post('assignments', { team_id: team }),
    post('assignments', { team_id: 0 }),
    post('labels', { labels: ['b', 'a', 'b'] }),
    post('labels', { labels: [] }),
    post('toggle_priority', { priority: 'high' }),
    post('toggle_priority', { priority: null }),
    post('custom_attributes', { custom_attributes: { longer: { b: 1, a: [2] }, c: null } }),
    post('custom_attributes', { custom_attributes: { longer: { a: [2], b: 1 } }, merge: true }),
    post('destroy_custom_attributes', { custom_attributes: ['c'] }),
    () => move(visitor, 'pending'),
    () => move(visitor, 'snoozed', { snoozed_until: 4_000_000_000 }),
    () => move(visitor, 'snoozed', { snoozed_until: 4_000_000_001 }),
    () => move(visitor, 'snoozed'),
    () => move(visitor, 'resolved'),
    () => asGrace(`${at(visitor)}/toggle_status`, { status: 'open' }),
    () => move(visitor, 'open'),
  ];
  for (const [n, verb] of verbs.entries()) {
    const { status, body } = await verb();
    expect(status).toBe(200);
    await reply(`${n} was done`);
    const before = await updatedAt();
    expect(await verb()).toMatchObject({ status, body });
    expect([n, await updatedAt()]).toEqual([n, before]);
    await reply(`${n} was done again`);
    for (const side of sides) {
      const heard = side.events();
      const done = heard.findIndex(({ data }) => data.content === `${n} was done`);
      expect([n, heard[done + 1]?.data.content]).toEqual([n, `${n} was done again`]);
    }
  }
  const snoozes = sides[0]?.events().filter(({ data }) => data.status === 'snoozed') ?? [];
  expect(snoozes.map(({ event, data }) => [event, data.snoozed_until])).toEqual([
    ['conversation.status_changed', 4_000_000_000],
    ['conversation.updated', 4_000_000_000],
    ['conversation.updated', 4_000_000_001],
    ['conversation.updated', null],
  ]);
  for (const side of sides) side.close();
});

test('a snooze ends by itself, and by a word of the contact', async () => {
  const [timed, called] = [await visit(service), await visit(service)];
  const soon = Math.floor(Date.now() / 1000) + 1;
  await move(called, 'snoozed');
  // As it is told at once: asked for afterwards, it may be over.
  const { body } = await move(timed, 'snoozed', { snoozed_until: soon });
  expect(body).toMatchObject({ payload: { current_status: 'snoozed', snoozed_until: soon } });
  await expect.poll(async () => await show(timed)).toMatchObject({ status: 'open', snoozed_until: 0 });
  expect((await lines(timed)).at(-1)).toBe('Conversation was reopened by the end of its snooze');
  expect((await show(called)).status).toBe('snoozed');
  await say(called, 'hello?');
  expect((await show(called)).status).toBe('open');
});

test('a muted contact is heard and reopens nothing, until unmuted', async () => {
  const visitor = await visit(service);
  await service.agent('POST', `${at(visitor)}/mute`);
  expect(await show(visitor)).toMatchObject({ status: 'resolved', muted: true });
  expect((await say(visitor, 'hey!')).status).toBe(200);
  expect((await show(visitor)).status).toBe('resolved');
  expect((await thread(visitor)).map((row) => row.content)).toContain('hey!');
  const next = await service.call('POST', `${visitor.contactPath}/conversations`, {});
  expect(next.body).toMatchObject({ status: 'resolved' });
  await service.agent('POST', `${at(visitor)}/unmute`);
  await say(visitor, 'and now?');
  expect(await show(visitor)).toMatchObject({ status: 'open', muted: false });
  expect(await lines(visitor)).toEqual([
    'Ada has muted the conversation',
    'Conversation was marked resolved by Ada',
    'Ada has unmuted the conversation',
    'Conversation was reopened by a new message',
  ]);
});

test('a greeting follows the first message, once, and not where somebody answered before', async () => {
  await inbox({ greeting_enabled: true, greeting_message: 'Welcome!' });
  const [fresh, answered] = [await visit(service), await visit(service)];
  expect(await seenByContact(fresh)).toEqual([]);
  const heard = await listen(service, { pubsub_token: fresh.token });
  await say(fresh, 'hi');
  await say(fresh, 'still me');
  await heard.event('message.created', (data) => data.content === 'Welcome!');
  const seen = await seenByContact(fresh);
  expect(seen.map((row) => row.content)).toEqual(['hi', 'Welcome!', 'still me']);
  expect(seen[1]).toMatchObject({ message_type: 3, content_type: 'text' });
  expect(seen[1]).not.toHaveProperty('sender');
  await service.agent('POST', `${at(answered)}/messages`, { content: 'Can I help?' });
  await say(answered, 'yes');
  expect((await seenByContact(answered)).map((row) => row.content)).toEqual(['Can I help?', 'yes']);
  heard.close();
});

const never = [0, 1, 2, 3, 4, 5, 6].map((n) => ({ day_of_week: n, closed_all_day: true }));
const always = [0, 1, 2, 3, 4, 5, 6].map((n) => ({ day_of_week: n, open_all_day: true }));

test('outside working hours a notice is said instead, once a day, and not beside an agent', async () => {
  const closed = {
    greeting_enabled: true,
    greeting_message: 'Welcome!',
    working_hours_enabled: true,
    working_hours: never,
    out_of_office_message: 'We are closed.',
  };
  await inbox(closed);
  const [visitor, talking] = [await visit(service), await visit(service)];
  await say(visitor, 'hi');
  await say(visitor, 'anyone?');
  await service.agent('POST', `${at(talking)}/messages`, { content: 'I am here, though' });
  await say(talking, 'lucky me');
  expect((await seenByContact(visitor)).map((row) => row.content)).toEqual([
    'hi',
    'We are closed.',
    'anyone?',
  ]);
  expect((await seenByContact(talking)).map((row) => row.content)).toEqual(['I am here, though', 'lucky me']);
  await inbox({ working_hours: always });
  const open = await visit(service);
  await say(open, 'hi');
  expect((await seenByContact(open)).map((row) => row.content)).toEqual(['hi', 'Welcome!']);
});

test('who is resolved is asked once how it was, and may answer for 14 days', async () => {
  await inbox({ csat_survey_enabled: true });
  const visitor = await visit(service);
  await say(visitor, 'thanks, bye');
  await service.call('POST', `${visitor.path}/toggle_status`);
  await say(visitor, 'oh, and');
  await move(visitor, 'resolved');
  const surveys = (await seenByContact(visitor)).filter((row) => row.content_type === 'input_csat');
  expect(surveys).toMatchObject([{ message_type: 3, content_attributes: { display_type: 'emoji' } }]);
  const path = `${visitor.path}/messages/${surveys[0]?.id}`;
  const answer = { csat_survey_response: { rating: 4, feedback_message: 'ok' } };
  const answered = await service.call('PATCH', path, { submitted_values: answer });
  expect(answered.body).toMatchObject({
    content_attributes: { display_type: 'emoji', submitted_values: answer },
  });

  const { uuid } = z.looseObject({ uuid: z.string() }).parse((await service.call('GET', visitor.path)).body);
  const page = `/public/api/v1/csat_survey/${uuid}`;
  expect((await service.call('GET', page)).body).toMatchObject({
    id: surveys[0]?.id,
    conversation_id: visitor.conversationId,
    csat_survey_response: answer.csat_survey_response,
  });
  const better = { csat_survey_response: { rating: 5, feedback_message: '' } };
  const again = await service.call('PUT', page, { message: { submitted_values: better } });
  expect(again.body).toMatchObject(better);

  const age = (days: number) =>
    service.db.query(`update messages set created_at = now() - make_interval(days => $2) where id = $1`, [
      surveys[0]?.id,
      days,
    ]);
  await age(14);
  expect((await service.call('PATCH', path, { submitted_values: answer })).status).toBe(200);
  await age(15);
  for (const late of [
    await service.call('PATCH', path, { submitted_values: answer }),
    await service.call('PUT', page, { message: { submitted_values: better } }),
  ]) {
    expect(late.status).toBe(422);
    expect(errorBody.parse(late.body).errors[0]).toMatchObject({
      field: 'submitted_values',
      code: 'too_late',
    });
  }
});

test('with one conversation for all, a new one is the old one, resolved or not', async () => {
  await inbox({ lock_to_single_conversation: true });
  const visitor = await visit(service);
  await move(visitor, 'resolved');
  const again = await service.call('POST', `${visitor.contactPath}/conversations`, {});
  expect(again.body).toMatchObject({ id: visitor.conversationId, status: 'resolved' });
});

test('with proof of identity asked for, nobody comes in without it', async () => {
  await inbox({ hmac_mandatory: true });
  const refused = await service.call('POST', '/public/api/v1/inboxes/demo-inbox/contacts', {});
  expect(refused.status).toBe(401);
  expect(errorBody.parse(refused.body).errors[0]?.field).toBe('identifier_hash');
  await inbox({ hmac_mandatory: false });
});

test('each open conversation of a muted contact is resolved when it is muted', async () => {
  const visitor = await visit(service);
  const { contactPath } = visitor;
  const other = z
    .looseObject({ id: z.number() })
    .parse((await service.call('POST', `${contactPath}/conversations`, {})).body);
  await service.agent('POST', `${at(visitor)}/mute`);
  const second = `${account}/conversations/${other.id}`;
  expect(shown.parse((await service.agent('GET', second)).body)).toMatchObject({
    status: 'open',
    muted: true,
  });
  await service.agent('POST', `${second}/mute`);
  expect(shown.parse((await service.agent('GET', second)).body)).toMatchObject({ status: 'resolved' });
});
