/** Every operation against 300 requests that its own description calls wrong: refused as specified, nothing written. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createAccount, createInbox, createUser, setAccessToken } from '../../demo/service/seed.js';
import { description } from '../support/described.js';
import { oneOfEach } from '../support/one-of-each.js';
import {
  errorBody,
  request,
  startMs,
  startTestService,
  type TestService,
  visit,
} from '../support/service.js';
import { type Known, payloads, type Spoiled, spoiled } from '../support/spoil.js';

const cases = 300;
const atOnce = 8;
const bodyBytes = 16 * 1024;
const plenty = 1_000_000_000;
const foreignToken = 'token-of-another-account';
const withId = z.looseObject({ id: z.number() });

let service: TestService;
let known: Known;
let foreign: Known;
beforeAll(async () => {
  const limits = { requestsPerAddress: plenty, requestsPerContact: plenty, bodyBytes };
  service = await startTestService({ limits, apiAccessToken: 'token-of-the-administrator' });
  const visitor = await visit(service);
  const sent = withId.parse(
    (await service.call('POST', `${visitor.path}/messages`, { content: 'here' })).body,
  );
  const { uuid } = z.looseObject({ uuid: z.string() }).parse((await service.call('GET', visitor.path)).body);
  await service.db.query(
    `insert into messages (account_id, inbox_id, conversation_id, message_type, content_type)
     select account_id, inbox_id, id, 3, 'input_csat' from conversations where uuid = $1`,
    [uuid],
  );
  const kinds = Object.entries(await oneOfEach(service)).map(([name, id]) => [name, String(id)]);
  known = {
    ...Object.fromEntries(kinds),
    conversation_uuid: uuid,
    account_id: '1',
    inbox_identifier: 'demo-inbox',
    source_id: visitor.sourceId,
    conversation_id: String(visitor.conversationId),
    message_id: String(sent.id),
    id: String(visitor.contactId),
  };
  const account = await createAccount(service.db, 'Other');
  const olga = {
    name: 'Olga',
    displayName: 'Olga',
    email: 'olga@other.example',
    role: 'administrator',
  } as const;
  await setAccessToken(service.db, await createUser(service.db, account, olga), 'console', foreignToken);
  await createInbox(service.db, account, { identifier: 'other-inbox', name: 'Other' });
  const others = '/public/api/v1/inboxes/other-inbox/contacts';
  const contact = withId.parse((await service.call('POST', others, { source_id: 'olgas' })).body);
  for (let n = 0; n < 9; n += 1) await service.call('POST', `${others}/olgas/conversations`, {});
  const theirs = `${others}/olgas/conversations/9/messages`;
  const message = withId.parse((await service.call('POST', theirs, { content: 'theirs' })).body);
  foreign = {
    source_id: 'olgas',
    conversation_id: '9',
    message_id: String(message.id),
    id: String(contact.id),
  };
}, startMs);
afterAll(() => service.end());

async function mustBeRefused(one: Spoiled): Promise<void> {
  const token = { ours: service.apiAccessToken, foreign: foreignToken, none: undefined, wrong: undefined }[
    one.token
  ];
  const headers = { ...(token === undefined ? {} : { api_access_token: token }), ...one.headers };
  const answer = await request(service.url + one.path + one.query, one.method, one.body, headers);
  const what = `${one.method} ${one.path}${one.query} ${JSON.stringify(one.body ?? null).slice(0, 200)} as ${one.token}`;
  expect(answer.status, what).toBe(one.status);
  const fields = errorBody.parse(answer.body).errors.map(({ field }) => field);
  const named = fields.some((field) => field === one.field || field.startsWith(`${one.field}.`));
  expect(named, `${what}: ${one.field} is not among ${fields}`).toBe(true);
}

const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(() => path.includes('/api/'))
    .map(([method, operation]) => ({ name: operation.operationId, path, method, operation })),
);

describe.each(operations)('$name', ({ path, method, operation }) => {
  test('refuses 300 requests that do not fit, and writes nothing', async () => {
    const before = await service.rows();
    const all = fc.sample(spoiled(path, method, operation, known, foreign, bodyBytes), {
      numRuns: cases,
      seed: 20_251,
    });
    const left = [...all];
    const lane = async () => {
      for (let one = left.pop(); one; one = left.pop()) await mustBeRefused(one);
    };
    await Promise.all(Array.from({ length: atOnce }, lane));
    expect(all).toHaveLength(cases);
    expect(await service.rows()).toEqual(before);
  });
});

test('hostile text that fits is kept as it was written, and harms nothing', async () => {
  const visitor = await visit(service);
  for (const text of payloads) {
    const sent = await service.call('POST', `${visitor.path}/messages`, { content: text });
    expect(sent.body).toMatchObject({ content: text });
    await service.call('PATCH', visitor.contactPath, { name: text, custom_attributes: { note: text } });
    expect((await service.call('GET', visitor.contactPath)).body).toMatchObject({ name: text });
    const q = encodeURIComponent(text);
    expect((await service.agent('GET', `/api/v1/accounts/1/contacts/search?q=${q}`)).status).toBe(200);
    const found = await service.agent('GET', `/api/v1/accounts/1/conversations?q=${q}`);
    expect(JSON.stringify(found.body)).toContain(`"id":${visitor.conversationId}`);
  }
});
