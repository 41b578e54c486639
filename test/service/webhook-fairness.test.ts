/** Many receivers that keep us waiting: neither another account nor another receiver of theirs waits with them. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  createAccount,
  createInbox,
  createUser,
  setAccessToken,
} from '../../demo/service/domain/accounts.js';
import { type Receiver, startReceiver, webhookAnswer } from '../support/receiver.js';
import { inboxPath, request, startMs, startTestService, type TestService } from '../support/service.js';

/** The sixteen of the slow ones are not given up while the test runs. */
const webhooks = { allowPrivate: true, timeoutMs: startMs };
let service: TestService;
let receiver: Receiver;
let other = 0;
const otherToken = 'token-of-another-account';
beforeAll(async () => {
  receiver = await startReceiver();
}, startMs);
afterAll(() => receiver.stop());
beforeEach(async () => {
  receiver.all.length = 0;
  receiver.answer = ({ path }) => (path.startsWith('/silent') ? 'never' : 200);
  service = await startTestService({ webhooks });
  other = await createAccount(service.db, 'Other');
  const olga = {
    name: 'Olga',
    displayName: 'Olga',
    email: 'olga@other.example',
    role: 'administrator',
  } as const;
  await setAccessToken(service.db, await createUser(service.db, other, olga), 'console', otherToken);
  await createInbox(service.db, other, { identifier: 'other-inbox', name: 'Other' });
}, startMs);
afterEach(() => service.end());

const at = (path: string) => receiver.all.filter((got) => got.path.startsWith(path));

async function subscribe(path: string, accountId = 1, token = service.apiAccessToken) {
  const body = { url: receiver.url + path, subscriptions: ['contact_created'] };
  const url = `${service.url}/api/v1/accounts/${accountId}/webhooks`;
  const answer = await request(url, 'POST', body, { api_access_token: token });
  expect(answer.status).toBe(200);
  return webhookAnswer.parse(answer.body);
}

async function arrive(count: number, path = inboxPath): Promise<void> {
  for (let n = 0; n < count; n += 1) await service.call('POST', `${path}/contacts`, { name: `${path} ${n}` });
}

test(
  'receivers of one account that never answer hold up nobody of another',
  async () => {
    for (let n = 0; n < 9; n += 1) await subscribe(`/silent/${n}`);
    await subscribe('/other', other, otherToken);
    await arrive(8);
    await expect.poll(() => at('/silent').length).toBeGreaterThanOrEqual(16);
    await arrive(8, '/public/api/v1/inboxes/other-inbox');
    await expect.poll(() => at('/other').length).toBe(8);
    expect(at('/silent').length).toBeLessThanOrEqual(16);
  },
  startMs,
);

test(
  'in an account with slow receivers nobody waits until all of what is for them was tried',
  async () => {
    const slow: number[] = [];
    for (let n = 0; n < 4; n += 1) slow.push((await subscribe(`/silent/${n}`)).id);
    const fine = await subscribe('/fine');
    // What is for the slow ones is older, all of it.
    await service.db.query(
      `insert into webhook_deliveries (account_id, webhook_id, lane, event, body, next_attempt_at)
     select 1, hook, 'webhook:' || hook || '/contact:' || n, 'contact_created', '{"event":"contact_created"}',
       now() - make_interval(secs => case when hook = $2::bigint then 0 else 60 end)
     from unnest($1::bigint[]) as hook, generate_series(1, 50) n where hook <> $2::bigint or n = 1`,
      [[...slow, fine.id], fine.id],
    );
    await expect.poll(() => at('/fine').length).toBe(1);
    expect(at('/silent').length).toBeLessThanOrEqual(16);
  },
  startMs,
);
