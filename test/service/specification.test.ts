/** Holds the table of the specification against the tests it names, the description, and what is really answered. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { description } from '../support/described.js';
import { inboxPath, startMs, startTestService, type TestService, visit } from '../support/service.js';
import { operations, rules } from './specification.js';
import { cannotArise, fields, type Kind } from './specification-fields.js';

let service: TestService;
const real = new Map<string, unknown>();
const account = '/api/v1/accounts/1';

/** Into an answer by keys and places. */
function at(value: unknown, ...path: (string | number)[]): unknown {
  return path.reduce((inner: unknown, key) => Object(inner)[key], value);
}

beforeAll(async () => {
  service = await startTestService();
  const fellow = { name: 'Fields', email: 'fields@example.com', phone_number: '+12025550123' };
  const visitor = await visit(service, fellow);
  const form = new FormData();
  form.append('content', 'with a file');
  const png =
    'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEklEQVR4nGP4z8AARAxQ6v9/AB/mBfsKGiWMAAAAAElFTkSuQmCC';
  form.append('attachments[]', new File([Buffer.from(png, 'base64')], 'p.png'));
  const message = (await service.call('POST', `${visitor.path}/messages`, form)).body;
  const conversationPath = `${account}/conversations/${visitor.conversationId}`;
  await service.agent('POST', `${conversationPath}/assignments`, { assignee_id: 1 });
  const list = (await service.agent('GET', `${account}/conversations`)).body;
  const conversation = at(list, 'data', 'payload', 0);
  const answer = (await service.agent('POST', `${conversationPath}/messages`, { content: 'answer' })).body;
  const page = (await service.agent('GET', `${conversationPath}/messages`)).body;
  const contacts = (await service.agent('GET', `${account}/contacts`)).body;
  const publicConversation = (await service.call('GET', visitor.path)).body;
  const inboxes = (await service.agent('GET', `${account}/inboxes`)).body;
  const definitions = (
    await service.agent('GET', `${account}/custom_attribute_definitions?attribute_model=1`)
  ).body;
  const rule = {
    name: 'Word',
    description: 'Finds a word',
    event_name: 'message_created',
    conditions: [
      { attribute_key: 'content', filter_operator: 'contains', values: ['word'], query_operator: null },
    ],
    actions: [{ action_name: 'add_label', action_params: ['found'] }],
  };
  await service.agent('POST', `${account}/automation_rules`, rule);
  const rules = (await service.agent('GET', `${account}/automation_rules`)).body;
  await service.agent('POST', `${account}/teams`, { name: 'first line' });
  const summary = (await service.agent('GET', '/api/v2/accounts/1/summary_reports/team')).body;
  const hook = { url: 'https://hooks.example/in', name: 'In', subscriptions: ['message_created'] };
  const webhook = (await service.agent('POST', `${account}/webhooks`, hook)).body;
  const measured = (await service.agent('GET', `${account}/reporting_events`)).body;
  const refusal = (await service.call('GET', `${inboxPath}/contacts/nobody`)).body;
  for (const [name, value] of Object.entries({
    'contact (account)': at(contacts, 'payload', 0),
    'contact inbox': at(contacts, 'payload', 0, 'contact_inboxes', 0),
    'inbox of a contact inbox': at(contacts, 'payload', 0, 'contact_inboxes', 0, 'inbox'),
    'contact (public)': at(publicConversation, 'contact'),
    'conversation (public)': publicConversation,
    'message (public)': message,
    attachment: at(message, 'attachments', 0),
    'sender (contact)': at(message, 'sender'),
    'sender (agent)': at(answer, 'sender'),
    'message (account)': at(page, 'payload', 0),
    'conversation (account)': conversation,
    'meta of a conversation': at(conversation, 'meta'),
    'meta.sender of a conversation': at(conversation, 'meta', 'sender'),
    'meta.assignee of a conversation': at(conversation, 'meta', 'assignee'),
    membership: at((await service.agent('GET', '/api/v1/profile')).body, 'accounts', 0),
    'conversation counts': at(list, 'data', 'meta'),
    'meta of a message list': at(page, 'meta'),
    'assignee of a message list': at(page, 'meta', 'assignee'),
    inbox: at(inboxes, 'payload', 0),
    'working hours': at(inboxes, 'payload', 0, 'working_hours', 1),
    'attribute definition': at(definitions, 0),
    'contact list meta': at(contacts, 'meta'),
    'reporting event': at(measured, 'payload', 0),
    'reporting list meta': at(measured, 'meta'),
    'automation rule': at(rules, 'payload', 0),
    'condition of a rule': at(rules, 'payload', 0, 'conditions', 0),
    'action of a rule': at(rules, 'payload', 0, 'actions', 0),
    webhook,
    'team summary row': at(summary, 0),
    error: refusal,
    'entry of an error': at(refusal, 'errors', 0),
  })) {
    real.set(name, value);
  }
}, startMs);
afterAll(() => service.end());

const kinds: Record<Kind, z.ZodType> = {
  integer: z.int(),
  number: z.number(),
  string: z.string(),
  boolean: z.boolean(),
  object: z.record(z.string(), z.unknown()),
  array: z.array(z.unknown()),
  iso: z.iso.datetime(),
  null: z.null(),
};

describe.each(Object.keys(fields))('%s', (resource) => {
  test(`every field of ${resource} is there, of its type`, () => {
    const value = real.get(resource);
    expect(value, 'no real answer was taken').toBeDefined();
    for (const [name, allowed] of Object.entries(fields[resource] ?? {})) {
      const field = at(value, name);
      expect(field, `${resource}.${name} is missing`).toBeDefined();
      const fits = allowed.some((kind) => kinds[kind].safeParse(field).success);
      expect(fits, `${resource}.${name} is ${JSON.stringify(field)}, not ${allowed}`).toBe(true);
    }
  });
});

const tests = new Map<string, Promise<string>>();
const sourceOf = (file: string) => {
  const known = tests.get(file) ?? readFile(join(import.meta.dirname, file), 'utf8');
  tests.set(file, known);
  return known;
};

/** A title as it is written in its file, or made of a template there. */
async function hasTest(file: string, title: string): Promise<boolean> {
  const source = await sourceOf(file);
  const made = /^every field of (.+) is there, of its type$/.exec(title)?.[1];
  if (made && file === 'specification.test.ts') return made in fields;
  return ["'", '"', '`'].some((quote) => source.includes(`${quote}${title}${quote}`));
}

test('every line names a test that exists', async () => {
  const lines = [...operations.map(({ name, proof }) => [name, ...proof] as const), ...rules];
  for (const [says, file, title] of lines) {
    expect(await hasTest(file, title), `"${says}" is proven by no test: ${file}, ${title}`).toBe(true);
  }
  expect(new Set(rules.map(([says]) => says)).size).toBe(rules.length);
});

test('every operation and parameter of the table is in the description', () => {
  for (const { name, method, path, query = [], body = [] } of operations) {
    const operation = description.paths[path]?.[method];
    expect(operation, `${name} is not there`).toBeDefined();
    const parameters = operation?.parameters.filter((one) => one.in === 'query').map((one) => one.name);
    expect(parameters, name).toEqual(expect.arrayContaining([...query]));
    const properties = operation?.requestBody?.content['application/json']?.schema.properties;
    expect(Object.keys(Object(properties)), name).toEqual(expect.arrayContaining([...body]));
  }
});

test('fields of kinds that cannot arise are described as such', () => {
  const attachment = Object(description.components.schemas.Attachment?.properties);
  for (const name of cannotArise.attachment) {
    expect(attachment[name]?.description, name).toMatch(/only/);
    expect(description.components.schemas.Attachment?.required).not.toContain(name);
  }
  const senders = JSON.stringify([
    description.components.schemas.ContactSender,
    description.components.schemas.UserSender,
  ]);
  for (const name of cannotArise.sender) expect(senders).not.toContain(`"${name}":`);
});

test('the description has version 1.1.0, and every path its own', () => {
  expect(description.info.version).toBe('1.1.0');
  for (const { path } of operations) expect(path).toMatch(/^\/(api\/v[12]|public\/api\/v1)\//);
});

const payload = z.object({ payload: z.array(z.looseObject({ id: z.number() })) });

test('a search finds a contact by each of four fields', async () => {
  const fellow = {
    name: 'Findable Person',
    identifier: 'Crm-4711',
    email: 'looked-for@example.net',
    phone_number: '+4799887766',
  };
  const visitor = await visit(service, fellow);
  for (const q of ['findable', 'Crm-47', 'LOOKED-FOR', '99887']) {
    const found = await service.agent('GET', `${account}/contacts/search?q=${encodeURIComponent(q)}`);
    expect(
      payload.parse(found.body).payload.map(({ id }) => id),
      q,
    ).toEqual([visitor.contactId]);
  }
});

test('a contact takes city, country, country_code and created_at_ip', async () => {
  const visitor = await visit(service);
  const place = { city: 'Oslo', country: 'Norway', country_code: 'NO', created_at_ip: '192.0.2.7' };
  const path = `${account}/contacts/${visitor.contactId}`;
  await service.agent('PUT', path, { additional_attributes: place });
  expect((await service.agent('GET', path)).body).toMatchObject({
    payload: { additional_attributes: place },
  });
});

test('a conversation has one number wherever it is named', async () => {
  const visitor = await visit(service);
  const sent = (await service.call('POST', `${visitor.path}/messages`, { content: 'n' })).body;
  const shown = (await service.agent('GET', `${account}/conversations/${visitor.conversationId}`)).body;
  const page = (await service.agent('GET', `${account}/conversations/${visitor.conversationId}/messages`))
    .body;
  expect([at(sent, 'conversation_id'), at(shown, 'id'), at(page, 'payload', 0, 'conversation_id')]).toEqual(
    Array(3).fill(visitor.conversationId),
  );
});

test('the status filter takes all, open, resolved, pending and snoozed', async () => {
  const states = ['open', 'resolved', 'pending', 'snoozed'] as const;
  const made = new Map<string, number>();
  for (const status of states) {
    const visitor = await visit(service);
    await service.agent('POST', `${account}/conversations/${visitor.conversationId}/toggle_status`, {
      status,
    });
    made.set(status, visitor.conversationId);
  }
  const shape = z.object({
    data: z.object({ payload: z.array(z.object({ id: z.number(), status: z.string() })) }),
  });
  for (const status of states) {
    const { data } = shape.parse(
      (await service.agent('GET', `${account}/conversations?status=${status}`)).body,
    );
    expect(data.payload.map(({ id }) => id)).toContain(made.get(status));
    expect(new Set(data.payload.map((one) => one.status))).toEqual(new Set([status]));
  }
  const { data } = shape.parse((await service.agent('GET', `${account}/conversations?status=all`)).body);
  expect(data.payload.map(({ id }) => id)).toEqual(expect.arrayContaining([...made.values()]));
});

test('before a message there are up to 20, ascending', async () => {
  const visitor = await visit(service);
  for (let n = 0; n < 25; n += 1) await service.call('POST', `${visitor.path}/messages`, { content: `${n}` });
  const path = `${account}/conversations/${visitor.conversationId}/messages`;
  const ids = async (query: string) =>
    payload.parse((await service.agent('GET', `${path}${query}`)).body).payload.map(({ id }) => id);
  const newest = await ids('');
  const last = newest.at(-1) ?? 0;
  const before = await ids(`?before=${last}`);
  expect(before).toHaveLength(20);
  expect(before).toEqual(Array.from({ length: 20 }, (_, n) => last - 20 + n));
});
