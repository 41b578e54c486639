/** Agents say themselves, with the token they have, whether they can be talked to. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { graceToken, letGraceIn } from '../support/grace.js';
import {
  errorBody,
  listen,
  request,
  startMs,
  startTestService,
  type TestService,
  visit,
} from '../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await letGraceIn(service);
}, startMs);
afterAll(() => service.end());

const path = '/api/v1/profile/availability';
const asGrace = (body: unknown) =>
  request(service.url + path, 'POST', body, { api_access_token: graceToken });
const accountsOf = (body: unknown) => z.object({ accounts: z.array(z.looseObject({})) }).parse(body).accounts;

test('who says that they are busy is so in their profile, for their colleagues and for visitors', async () => {
  await service.agent('PATCH', '/api/v1/accounts/1/agents/2', { auto_offline: false });
  for (const [body, availability] of [
    [{ availability: 'busy' }, 'busy'],
    [{ profile: { availability: 'offline', account_id: 1 } }, 'offline'],
    [{ profile: { availability: 'busy' } }, 'busy'],
  ] as const) {
    const answer = await asGrace(body);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ id: 2, name: 'Grace Agent' });
    expect(accountsOf(answer.body)).toMatchObject([
      { id: 1, availability, availability_status: availability },
    ]);
    const { body: agents } = await service.agent('GET', '/api/v1/accounts/1/agents');
    expect(agents).toMatchObject([
      { id: 1, availability_status: 'offline' },
      { id: 2, availability_status: availability },
    ]);
  }
  const { token } = await visit(service);
  const room = await listen(service, { pubsub_token: token });
  expect((await room.event('presence.update')).data).toMatchObject({ users: { 2: 'busy' } });
  room.close();
});

test.each<[unknown, status: number, field: string, code: string]>([
  [{}, 422, 'availability', 'required'],
  [{ availability: 'away' }, 422, 'availability', 'invalid_value'],
  [{ profile: { availability: 'away' } }, 422, 'profile.availability', 'invalid_value'],
  [{ profile: {} }, 422, 'profile.availability', 'required'],
  [{ availability: 'busy', account_id: 999 }, 404, 'account_id', 'not_found'],
  [{ profile: { availability: 'busy', account_id: 999 } }, 404, 'profile.account_id', 'not_found'],
])('%j is refused, and nothing is said', async (body, status, field, code) => {
  const before = await service.rows();
  const answer = await asGrace(body);
  expect(answer.status).toBe(status);
  expect(errorBody.parse(answer.body).errors).toMatchObject([{ field, code }]);
  expect(await service.rows()).toEqual(before);
});

test('nobody says it without a token', async () => {
  const answer = await service.call('POST', path, { availability: 'busy' });
  expect(answer.status).toBe(401);
});
