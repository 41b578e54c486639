/** Who proves who they are, who claims it, and what each of them may read. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import {
  inboxPath,
  startMs,
  startTestService,
  type TestService,
  type Visitor,
  visit,
} from '../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
}, startMs);
afterAll(() => service.end());

const id = z.looseObject({ id: z.number() });

test('nobody becomes a contact with a proven identity of its own by knowing its e-mail', async () => {
  await visit(service, { identifier: 'customer-7', email: 'seven@example.com' });
  const stranger = await visit(service);
  const { status, body } = await service.call('PATCH', stranger.contactPath, { email: 'seven@example.com' });
  expect(status).toBe(422);
  expect(body).toMatchObject({ errors: [{ field: 'email', code: 'taken' }] });
});

test('whoever proves an identity reads nothing of somebody whose e-mail they claim', async () => {
  const lead = await visit(service, { email: 'lead@example.com' });
  await service.call('POST', `${lead.path}/messages`, { content: 'for the team alone' });
  const [inbox] = await service.db.query<{ hmac_token: string }>(
    'select hmac_token from inboxes where id = 1',
  );
  const hash = createHmac('sha256', inbox?.hmac_token ?? '')
    .update('mallory')
    .digest('hex');
  const proof = { identifier: 'mallory', identifier_hash: hash };
  const mallory = await visit(service, proof);
  const claim = await service.call('PATCH', mallory.contactPath, { ...proof, email: 'lead@example.com' });
  await service.call('GET', `${mallory.contactPath}?${new URLSearchParams(proof)}`);
  const { body } = await service.call('GET', `${mallory.contactPath}/conversations`);
  expect(JSON.stringify(body)).not.toContain('for the team alone');
  expect(body).toMatchObject([{ id: mallory.conversationId, contact: { id: mallory.contactId } }]);
  expect(claim.status).toBe(422);
  expect(claim.body).toMatchObject({ errors: [{ field: 'email', code: 'taken' }] });
});

test('identity is proven by HMAC, and a wrong proof is refused', async () => {
  const [inbox] = await service.db.query<{ hmac_token: string }>(
    'select hmac_token from inboxes where id = 1',
  );
  const hash = createHmac('sha256', inbox?.hmac_token ?? '')
    .update('customer-1')
    .digest('hex');
  const proof = { identifier: 'customer-1', identifier_hash: hash };
  const made = await service.call('POST', `${inboxPath}/contacts`, { source_id: 'proven', ...proof });
  expect(made.status).toBe(200);
  const [pair] = await service.db.query<{ hmac_verified: boolean }>(
    `select hmac_verified from contact_inboxes where source_id = 'proven'`,
  );
  expect(pair?.hmac_verified).toBe(true);
  const wrong = {
    identifier: 'customer-1',
    identifier_hash: hash.replace(/^./, (sign) => (sign === '0' ? '1' : '0')),
  };
  for (const refused of [
    await service.call('POST', `${inboxPath}/contacts`, { source_id: 'unproven', ...wrong }),
    await service.call('GET', `${inboxPath}/contacts/proven?${new URLSearchParams(wrong)}`),
    await service.call('PATCH', `${inboxPath}/contacts/proven`, wrong),
  ]) {
    expect(refused.status).toBe(401);
    expect(refused.body).toMatchObject({
      errors: [{ field: 'identifier_hash', code: 'invalid_identifier_hash' }],
    });
  }
});

test('a verified contact reaches the conversations of all its verified devices', async () => {
  const [inbox] = await service.db.query<{ hmac_token: string }>(
    'select hmac_token from inboxes where id = 1',
  );
  const hash = createHmac('sha256', inbox?.hmac_token ?? '')
    .update('customer-2')
    .digest('hex');
  const proof = { identifier: 'customer-2', identifier_hash: hash };
  const phone = await visit(service, proof);
  const laptop = await visit(service, proof);
  const { body } = await service.call('GET', `${laptop.contactPath}/conversations`);
  expect(body).toMatchObject([{ id: phone.conversationId }, { id: laptop.conversationId }]);
  const unproven = await visit(service, { identifier: 'customer-2' });
  const own = await service.call('GET', `${unproven.contactPath}/conversations`);
  expect(own.body).toMatchObject([{ id: unproven.conversationId }]);
  const foreign = `${unproven.contactPath}/conversations/${phone.conversationId}`;
  expect((await service.call('GET', foreign)).status).toBe(404);
});

test('who has proven one identifier has not proven the one that an agent writes in its place', async () => {
  const [inbox] = await service.db.query<{ hmac_token: string }>(
    'select hmac_token from inboxes where id = 1',
  );
  const proofOf = (identifier: string) => {
    const hmac = createHmac('sha256', inbox?.hmac_token ?? '');
    return { identifier, identifier_hash: hmac.update(identifier).digest('hex') };
  };
  const before = await visit(service, proofOf('customer-3'));
  const path = `/api/v1/accounts/1/contacts/${before.contactId}`;
  expect((await service.agent('PUT', path, { identifier: 'customer-4' })).status).toBe(200);
  const after = await visit(service, proofOf('customer-4'));
  expect(after.contactId).toBe(before.contactId);
  const of = async ({ contactPath }: Visitor) =>
    z.array(id).parse((await service.call('GET', `${contactPath}/conversations`)).body);
  expect((await of(before)).map((one) => one.id)).toEqual([before.conversationId]);
  expect((await service.agent('PUT', path, { name: 'Ada' })).status).toBe(200);
  const other = await visit(service, proofOf('customer-4'));
  expect((await of(other)).map((one) => one.id)).toContain(after.conversationId);
});
