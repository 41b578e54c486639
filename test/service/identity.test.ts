/** Who proves who they are, and what they may read. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import {
  inboxPath,
  listen,
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
const account = '/api/v1/accounts/1';
const pair = z.looseObject({ id: z.number(), pubsub_token: z.string() });

const conversationsOf = async ({ contactPath }: Visitor) =>
  z.array(id).parse((await service.call('GET', `${contactPath}/conversations`)).body);

/** An agent knows somebody, and gives out the key. */
async function known(identifier: string): Promise<Visitor> {
  const made = await service.agent('POST', `${account}/contacts`, { inbox_id: 1, identifier });
  const { source_id } = z
    .object({ payload: z.object({ contact_inbox: z.looseObject({ source_id: z.string() }) }) })
    .parse(made.body).payload.contact_inbox;
  const contactPath = `${inboxPath}/contacts/${source_id}`;
  const shown = pair.parse((await service.call('GET', contactPath)).body);
  const { id: conversationId } = id.parse(
    (await service.call('POST', `${contactPath}/conversations`, {})).body,
  );
  return {
    sourceId: source_id,
    token: shown.pubsub_token,
    contactId: shown.id,
    conversationId,
    contactPath,
    path: `${contactPath}/conversations/${conversationId}`,
  };
}

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

test('where everybody proves who they are, a proof of nobody is none', async () => {
  await visit(service, { source_id: 'from-before' });
  const { identifier_hash } = await proofOf(service, '');
  await service.agent('PATCH', `${account}/inboxes/1`, { hmac_mandatory: true });
  try {
    for (const refused of [
      await service.call('POST', `${inboxPath}/contacts`, { identifier_hash }),
      await service.call('POST', `${inboxPath}/contacts`, { identifier: ' ', identifier_hash }),
      await service.call('GET', `${inboxPath}/contacts/from-before?identifier_hash=${identifier_hash}`),
      await service.call('PATCH', `${inboxPath}/contacts/from-before`, { identifier_hash, name: 'Eve' }),
    ]) {
      expect(refused.status).toBe(401);
      expect(refused.body).toMatchObject({
        errors: [{ field: 'identifier_hash', code: 'invalid_identifier_hash' }],
      });
    }
  } finally {
    await service.agent('PATCH', `${account}/inboxes/1`, { hmac_mandatory: false });
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
  const [one, two] = [{ id: before.conversationId }, { id: after.conversationId }];
  expect(await conversationsOf(before)).toMatchObject([one]);
  // Whoever had the old name is whom the agent has given the new one.
  expect(await conversationsOf(after)).toMatchObject([one, two]);
  expect((await service.agent('PUT', path, { name: 'Ada' })).status).toBe(200);
  const other = await visit(service, await proofOf(service, 'customer-4'));
  expect(await conversationsOf(other)).toMatchObject([one, two, { id: other.conversationId }]);
});

test('whom an agent has named in the middle of a talk goes on with it, here and where they prove the name', async () => {
  const tab = await visit(service);
  const path = `/api/v1/accounts/1/contacts/${tab.contactId}`;
  expect((await service.agent('PUT', path, { identifier: 'customer-11' })).status).toBe(200);
  const phone = await visit(service, await proofOf(service, 'customer-11'));
  expect(phone.contactId).toBe(tab.contactId);
  expect(await conversationsOf(tab)).toMatchObject([{ id: tab.conversationId }]);
  expect(await conversationsOf(phone)).toMatchObject([
    { id: tab.conversationId },
    { id: phone.conversationId },
  ]);
});

test('a key that an agent has given out stays open, and its conversations are reached by whoever has proven the name', async () => {
  const given = await known('customer-5');
  const proven = await visit(service, await proofOf(service, 'customer-5'));
  expect(proven.contactId).toBe(given.contactId);
  const all = await listen(service, { pubsub_token: proven.token });
  const own = await listen(service, { pubsub_token: given.token });
  const reached = `${proven.contactPath}/conversations/${given.conversationId}`;
  for (const [path, content] of [
    [`${reached}/messages`, 'from the proven one'],
    [`${given.path}/messages`, 'from the other one'],
  ] as const) {
    await service.call('POST', path, { content });
    for (const one of [all, own]) await one.event('message.created', (data) => data.content === content);
  }
  // Two at once are written together.
  await Promise.all(
    ['one', 'two'].map((content) => service.call('POST', `${given.path}/messages`, { content })),
  );
  await service.call('POST', `${proven.path}/messages`, { content: 'for the proven one' });
  for (const content of ['one', 'two', 'for the proven one'])
    await all.event('message.created', (data) => data.content === content);
  await service.call('POST', `${given.path}/toggle_status`);
  for (const one of [all, own])
    await one.event('conversation.status_changed', (data) => data.id === given.conversationId);
  expect(JSON.stringify(own.events())).not.toContain('for the proven one');
  expect(await conversationsOf(given)).toMatchObject([{ id: given.conversationId }]);
  const foreign = `${given.contactPath}/conversations/${proven.conversationId}`;
  expect((await service.call('GET', foreign)).status).toBe(404);
  for (const one of [all, own]) one.close();
});
