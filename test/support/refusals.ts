/** Every operation against requests that its own description calls wrong: refused as specified, nothing written. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect } from 'vitest';
import { z } from 'zod';
import { description } from './described.js';
import { oneOfEach } from './one-of-each.js';
import { addOtherAccount, otherContacts, otherToken } from './other-account.js';
import { errorBody, request, startMs, startTestService, type TestService, visit } from './service.js';
import { type Known, type Spoiled, spoiled } from './spoil.js';

const atOnce = 8;
const bodyBytes = 16 * 1024;
const plenty = 1_000_000_000;
const withId = z.looseObject({ id: z.number() });

let service: TestService;
let known: Known;
let foreign: Known;
async function mustBeRefused(one: Spoiled): Promise<void> {
  const token = { ours: service.apiAccessToken, foreign: otherToken, none: undefined, wrong: undefined }[
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

export const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(() => path.includes('/api/'))
    .map(([method, operation]) => ({ name: operation.operationId, path, method, operation })),
);

/** @returns the service, once a test runs, and what holds one operation to its own description */
export function useRefusals() {
  beforeAll(async () => {
    const limits = { requestsPerAddress: plenty, requestsPerContact: plenty, bodyBytes };
    service = await startTestService({ limits, apiAccessToken: 'token-of-the-administrator' });
    const visitor = await visit(service);
    const sent = withId.parse(
      (await service.call('POST', `${visitor.path}/messages`, { content: 'here' })).body,
    );
    const { uuid } = z
      .looseObject({ uuid: z.string() })
      .parse((await service.call('GET', visitor.path)).body);
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
      contact_identifier: visitor.sourceId,
      conversation_id: String(visitor.conversationId),
      message_id: String(sent.id),
      id: String(visitor.contactId),
    };
    await addOtherAccount(service);
    const contact = withId.parse((await service.call('POST', otherContacts, { source_id: 'olgas' })).body);
    for (let n = 0; n < 9; n += 1) await service.call('POST', `${otherContacts}/olgas/conversations`, {});
    const theirs = `${otherContacts}/olgas/conversations/9/messages`;
    const message = withId.parse((await service.call('POST', theirs, { content: 'theirs' })).body);
    foreign = {
      contact_identifier: 'olgas',
      conversation_id: '9',
      message_id: String(message.id),
      id: String(contact.id),
    };
  }, startMs);
  afterAll(() => service.end());
  return {
    service: () => service,
    /** So many requests that do not fit are refused, and nothing is written. */
    async refuses({ path, method, operation }: (typeof operations)[number], cases: number): Promise<void> {
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
    },
  };
}
