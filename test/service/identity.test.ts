/** Who proves who they are, who claims it, what each of them may read, and what becomes of keys of before. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import {
  inboxPath,
  listen,
  proofOf,
  startedPlace,
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

const answerIn = ({ conversationId }: Visitor, content: string) =>
  service.agent('POST', `${account}/conversations/${conversationId}/messages`, { content });
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

const shownTo = z.looseObject({
  meta: z.object({ sender: z.looseObject({ id: z.number(), additional_attributes: z.unknown() }) }),
});
const contactIn = async ({ conversationId }: Visitor) =>
  shownTo.parse((await service.agent('GET', `${account}/conversations/${conversationId}`)).body).meta.sender;
const isThere = async (contactId: number) =>
  (await service.agent('GET', `${account}/contacts/${contactId}`)).status;

test('what was begun in the name of somebody is somebody else’s, once they have proven who they are, until that is proven, too', async () => {
  const proof = await proofOf(service, 'customer-6');
  const planted = await visit(service, { identifier: proof.identifier });
  await service.call('POST', `${planted.path}/messages`, { content: 'planted words' });
  const theirs = await listen(service, { pubsub_token: planted.token });

  const vera = await visit(service, { ...proof, name: 'Vera' });
  expect(vera.contactId).toBe(planted.contactId);
  const all = await listen(service, { pubsub_token: vera.token });
  expect(await conversationsOf(vera)).toMatchObject([{ id: vera.conversationId }]);
  const reached = `${vera.contactPath}/conversations/${planted.conversationId}`;
  expect((await service.call('GET', reached)).status).toBe(404);
  expect((await service.call('POST', `${reached}/messages`, { content: 'misled' })).status).toBe(404);
  const own = { name: 'Vera Lind', email: 'vera@example.com' };
  expect((await service.call('PATCH', vera.contactPath, own)).status).toBe(200);

  // Their words and the answers to them go on, and nothing is told of Vera.
  const claimant = await contactIn(planted);
  expect(claimant.id).not.toBe(vera.contactId);
  expect(claimant.additional_attributes).toEqual({ claimed_identifier: 'customer-6' });
  const address = { email: 'mallory@example.com' };
  expect((await service.call('PATCH', planted.contactPath, address)).status).toBe(200);
  const told = await service.call('GET', planted.contactPath);
  expect(told.body).toMatchObject({ id: claimant.id, source_id: planted.sourceId, ...address });
  expect(await conversationsOf(planted)).toMatchObject([{ id: planted.conversationId }]);
  expect((await service.call('POST', `${planted.path}/messages`, { content: 'more' })).status).toBe(200);
  await answerIn(planted, 'to whoever planted it');
  await theirs.event('message.created', (data) => data.content === 'to whoever planted it');
  await answerIn(vera, 'to Vera');
  await all.event('message.created', (data) => data.content === 'to Vera');
  expect(JSON.stringify(all.events())).not.toContain('planted it');
  for (const seen of [told.body, theirs.events()]) expect(JSON.stringify(seen)).not.toMatch(/vera@|Vera/);

  // It may have been Vera, on another device: then she proves that, too.
  expect((await service.call('PATCH', planted.contactPath, proof)).body).toMatchObject({
    id: vera.contactId,
  });
  await answerIn(planted, 'to Vera once more');
  for (const one of [all, theirs])
    await one.event('message.created', (data) => data.content === 'to Vera once more');
  expect(await conversationsOf(vera)).toHaveLength(2);
  expect(await conversationsOf(planted)).toHaveLength(2);
  expect(await contactIn(planted)).toMatchObject({ id: vera.contactId, ...own, additional_attributes: {} });
  expect(await isThere(claimant.id)).toBe(404);
  for (const one of [all, theirs]) one.close();
});

test('a name that somebody has proven makes another contact of whoever only says it, and theirs once they prove it', async () => {
  const proof = await proofOf(service, 'customer-12');
  const laptop = await visit(service, proof);
  await service.call('PATCH', laptop.contactPath, { name: 'Nora', email: 'nora@example.com' });
  const phone = await visit(service, { identifier: proof.identifier, name: 'Somebody' });
  const claimant = await contactIn(phone);
  expect(claimant.id).not.toBe(laptop.contactId);
  expect(claimant).toMatchObject({
    name: 'Somebody',
    identifier: null,
    additional_attributes: { claimed_identifier: 'customer-12' },
  });
  // Whoever has left an address without a name is nobody to join for them, either.
  await visit(service, { email: 'left@example.com' });
  const refused = await service.call('PATCH', phone.contactPath, { email: 'left@example.com' });
  expect(refused.status).toBe(422);
  expect(refused.body).toMatchObject({ errors: [{ field: 'email', code: 'taken' }] });
  // Once for each of the three ways in which a proof comes.
  const query = new URLSearchParams(proof);
  expect((await service.call('GET', `${phone.contactPath}?${query}`)).body).toMatchObject({
    id: laptop.contactId,
    name: 'Nora',
  });
  expect(await conversationsOf(laptop)).toHaveLength(2);
  const tablet = await visit(service, { identifier: proof.identifier });
  const made = await service.call('POST', `${inboxPath}/contacts`, { ...proof, source_id: tablet.sourceId });
  expect(made.body).toMatchObject({ id: laptop.contactId, pubsub_token: tablet.token });
  expect(await conversationsOf(laptop)).toHaveLength(3);
});

test('whoever proves what they have said takes along no key of somebody else’s, and gets the name where nobody has it any more', async () => {
  const proof = await proofOf(service, 'customer-13');
  const first = await visit(service, proof);
  const phone = await visit(service, { identifier: proof.identifier });
  const shared = { email: 'shared@example.com' };
  await service.call('PATCH', phone.contactPath, shared);
  const stranger = await visit(service, shared);
  expect(stranger.contactId).toBe((await contactIn(phone)).id);
  await service.call('PATCH', phone.contactPath, proof);
  expect((await contactIn(phone)).id).toBe(first.contactId);
  expect(await conversationsOf(first)).toHaveLength(2);
  expect(await contactIn(stranger)).toMatchObject({ id: stranger.contactId, identifier: null });
  expect(await conversationsOf(stranger)).toMatchObject([{ id: stranger.conversationId }]);

  const late = await visit(service, { identifier: proof.identifier });
  const renamed = { identifier: 'customer-14' };
  expect((await service.agent('PUT', `${account}/contacts/${first.contactId}`, renamed)).status).toBe(200);
  expect((await service.call('PATCH', late.contactPath, proof)).status).toBe(200);
  expect(await contactIn(late)).toMatchObject({ identifier: 'customer-13', additional_attributes: {} });
  const again = await visit(service, proof);
  expect(await conversationsOf(again)).toHaveLength(2);
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

test('a name that is claimed while it is proven is nobody’s but of those who prove it', async () => {
  const proof = await proofOf(service, 'customer-10');
  const claims = Array.from({ length: 12 }, () =>
    service.call('POST', `${inboxPath}/contacts`, { identifier: proof.identifier }),
  );
  const proofs = Array.from({ length: 4 }, () => service.call('POST', `${inboxPath}/contacts`, proof));
  for (const { status } of await Promise.all([...proofs, ...claims])) expect(status).toBe(200);
  const sql = `select c.identifier is not null as named, p.hmac_verified, count(*)::int
    from contact_inboxes p join contacts c on c.id = p.contact_id
    where c.identifier = $1 or p.claims = $1 group by 1, 2 order by 1`;
  expect(await service.db.query(sql, [proof.identifier])).toEqual([
    { named: false, hmac_verified: false, count: 12 },
    { named: true, hmac_verified: true, count: 4 },
  ]);
});

test(
  'keys that were locked before this version open what was said with them again, apart from whoever has proven the name',
  async () => {
    const place = await startedPlace();
    const old = await startTestService({}, place);
    const proof = await proofOf(old, 'customer-15');
    const phone = await visit(old, { identifier: proof.identifier });
    await old.call('POST', `${phone.path}/messages`, { content: 'From the phone' });
    const laptop = await visit(old, proof);
    // As the version before this one kept them.
    for (const statement of [
      `update conversations set contact_id = ${laptop.contactId}`,
      `update messages set sender_id = ${laptop.contactId} where sender_type = 'Contact'`,
      `update contact_inboxes set contact_id = ${laptop.contactId}`,
      `delete from contacts where additional_attributes ? 'claimed_identifier'`,
      `alter table contact_inboxes drop column claims, add column by_agent boolean not null default false,
       add column locked boolean not null default false`,
      'update contact_inboxes set locked = not hmac_verified',
      `delete from migrations where name = '0040-claims'`,
    ])
      await old.db.query(statement);
    await old.stop();

    const now = await startTestService({}, place);
    const listed = z.array(z.looseObject({ id: z.number() }));
    const told = await now.call('GET', `${phone.path}/messages`);
    expect(told.body).toMatchObject([{ content: 'From the phone' }]);
    const { body } = await now.call('GET', `${laptop.contactPath}/conversations`);
    expect(listed.parse(body).map((one) => one.id)).toEqual([laptop.conversationId]);
    const sql = `select c.identifier, c.additional_attributes from contacts c join messages m on m.sender_id = c.id
    where m.content = 'From the phone'`;
    expect(await now.db.query(sql)).toEqual([
      { identifier: null, additional_attributes: { claimed_identifier: 'customer-15' } },
    ]);
    expect((await now.call('PATCH', phone.contactPath, proof)).body).toMatchObject({ id: laptop.contactId });
    const both = await now.call('GET', `${laptop.contactPath}/conversations`);
    expect(listed.parse(both.body)).toHaveLength(2);
    await now.end();
  },
  startMs,
);
