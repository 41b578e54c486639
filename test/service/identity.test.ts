/** Who proves who they are, who claims it, and what each of them may read. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import {
  inboxPath,
  proofOf,
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

test('nobody makes one of two others by knowing the e-mail of one and the phone number of the other', async () => {
  const alice = await visit(service, { email: 'alice@example.com' });
  const bob = await visit(service, { phone_number: '+12025550190' });
  const [slow, quick] = [await visit(service), await visit(service)];
  const phone = { phone_number: '+12025550190' };
  expect((await service.call('PATCH', slow.contactPath, { email: 'alice@example.com' })).status).toBe(200);
  for (const refused of [
    await service.call('PATCH', slow.contactPath, phone),
    await service.call('PATCH', quick.contactPath, { email: 'alice@example.com', ...phone }),
  ]) {
    expect(refused.status).toBe(422);
    expect(refused.body).toMatchObject({ errors: [{ field: 'phone_number', code: 'taken' }] });
  }
  for (const { contactPath, contactId } of [alice, bob, quick])
    expect((await service.call('GET', contactPath)).body).toMatchObject({ id: contactId });
});

test('whoever proves an identity reads nothing of somebody whose e-mail they claim', async () => {
  const lead = await visit(service, { email: 'lead@example.com' });
  await service.call('POST', `${lead.path}/messages`, { content: 'for the team alone' });
  const proof = await proofOf(service, 'mallory');
  const mallory = await visit(service, proof);
  const claim = await service.call('PATCH', mallory.contactPath, { ...proof, email: 'lead@example.com' });
  await service.call('GET', `${mallory.contactPath}?${new URLSearchParams(proof)}`);
  const { body } = await service.call('GET', `${mallory.contactPath}/conversations`);
  expect(JSON.stringify(body)).not.toContain('for the team alone');
  expect(body).toMatchObject([{ id: mallory.conversationId, contact: { id: mallory.contactId } }]);
  expect(claim.status).toBe(422);
  expect(claim.body).toMatchObject({ errors: [{ field: 'email', code: 'taken' }] });
});

test('nobody is handed a contact with an identity for knowing its e-mail or phone number', async () => {
  const known = { email: 'eight@example.com', phone_number: '+12025550188' };
  await visit(service, { identifier: 'customer-8', ...known });
  for (const [field, value] of Object.entries(known)) {
    const asked = await service.call('POST', `${inboxPath}/contacts`, { [field]: value });
    expect(asked.status).toBe(422);
    expect(asked.body).toMatchObject({ errors: [{ field, code: 'taken' }] });
  }
});

test.each([
  ['under a made-up name', { identifier: 'made-up' }],
  ['by nobody in particular', {}],
])('an e-mail that was left %s keeps nobody from proving who they are', async (left, who) => {
  const email = `${left.replaceAll(' ', '-')}@example.com`;
  const other = await visit(service, { ...who, email });
  const proof = await proofOf(service, email);
  const refused = await service.call('POST', `${inboxPath}/contacts`, { ...proof, email });
  expect(refused.status).toBe(422);
  expect(refused.body).toMatchObject({ errors: [{ field: 'email', code: 'taken' }] });
  const proven = await visit(service, proof);
  expect(proven.contactId).not.toBe(other.contactId);
  const row = `select c.identifier, c.email, p.hmac_verified from contacts c
    join contact_inboxes p on p.contact_id = c.id where p.source_id = $1`;
  expect(await service.db.query(row, [proven.sourceId])).toEqual([
    { identifier: email, email: null, hmac_verified: true },
  ]);
});

test('identity is proven by HMAC, and a wrong proof is refused', async () => {
  const proof = await proofOf(service, 'customer-1');
  const made = await service.call('POST', `${inboxPath}/contacts`, { source_id: 'proven', ...proof });
  expect(made.status).toBe(200);
  const [pair] = await service.db.query<{ hmac_verified: boolean }>(
    `select hmac_verified from contact_inboxes where source_id = 'proven'`,
  );
  expect(pair?.hmac_verified).toBe(true);
  const wrong = {
    identifier: 'customer-1',
    identifier_hash: proof.identifier_hash.replace(/^./, (sign) => (sign === '0' ? '1' : '0')),
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
  const proof = await proofOf(service, 'customer-2');
  const phone = await visit(service, proof);
  const laptop = await visit(service, proof);
  const { body } = await service.call('GET', `${laptop.contactPath}/conversations`);
  expect(body).toMatchObject([{ id: phone.conversationId }, { id: laptop.conversationId }]);
});

test('who has proven one identifier has not proven the one that an agent writes in its place', async () => {
  const before = await visit(service, await proofOf(service, 'customer-3'));
  const path = `/api/v1/accounts/1/contacts/${before.contactId}`;
  expect((await service.agent('PUT', path, { identifier: 'customer-4' })).status).toBe(200);
  const after = await visit(service, await proofOf(service, 'customer-4'));
  expect(after.contactId).toBe(before.contactId);
  const of = async ({ contactPath }: Visitor) =>
    z.array(id).parse((await service.call('GET', `${contactPath}/conversations`)).body);
  expect((await service.call('GET', `${before.contactPath}/conversations`)).status).toBe(404);
  expect((await of(after)).map((one) => one.id)).toEqual([after.conversationId]);
  expect((await service.agent('PUT', path, { name: 'Ada' })).status).toBe(200);
  const other = await visit(service, await proofOf(service, 'customer-4'));
  expect((await of(other)).map((one) => one.id)).toContain(after.conversationId);
});
