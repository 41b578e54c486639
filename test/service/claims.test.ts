/** Whoever only says who they are, before and after somebody proves it, and what becomes of both. */
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

const answerIn = ({ conversationId }: Visitor, content: string) =>
  service.agent('POST', `${account}/conversations/${conversationId}/messages`, { content });
const conversationsOf = async ({ contactPath }: Visitor) =>
  z.array(id).parse((await service.call('GET', `${contactPath}/conversations`)).body);

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
  expect(await contactIn(stranger)).toMatchObject({
    id: stranger.contactId,
    identifier: null,
    additional_attributes: {},
  });
  expect(await conversationsOf(stranger)).toMatchObject([{ id: stranger.conversationId }]);

  const late = await visit(service, { identifier: proof.identifier });
  const renamed = { identifier: 'customer-14' };
  expect((await service.agent('PUT', `${account}/contacts/${first.contactId}`, renamed)).status).toBe(200);
  expect((await service.call('PATCH', late.contactPath, proof)).status).toBe(200);
  expect(await contactIn(late)).toMatchObject({ identifier: 'customer-13', additional_attributes: {} });
  const again = await visit(service, proof);
  expect(await conversationsOf(again)).toHaveLength(2);
});

test('whom an agent gives another name after a claim comes back by that name, and nobody reads them by it meanwhile', async () => {
  const named = (contactId: number, identifier: string) =>
    service.agent('PUT', `${account}/contacts/${contactId}`, { identifier });
  const phone = await visit(service, { identifier: 'customer-16' });
  await named(phone.contactId, 'customer-17');
  const proof = await proofOf(service, 'customer-17');
  const laptop = await visit(service, proof);
  expect((await contactIn(phone)).additional_attributes).toEqual({ claimed_identifier: 'customer-17' });
  expect((await service.call('PATCH', phone.contactPath, proof)).body).toMatchObject({
    id: laptop.contactId,
  });
  expect(await conversationsOf(laptop)).toHaveLength(2);

  // Whom an agent has found out about by other means.
  const stranger = await visit(service, { identifier: 'customer-17' });
  const { id: strangerId } = await contactIn(stranger);
  await named(strangerId, 'customer-18');
  expect((await contactIn(stranger)).additional_attributes).toEqual({});
  await visit(service, await proofOf(service, 'customer-18'));
  expect((await contactIn(stranger)).id).toBe(strangerId);

  await named(laptop.contactId, 'customer-19');
  const curious = await visit(service, { identifier: 'customer-19' });
  expect(curious.contactId).not.toBe(laptop.contactId);
});

test('who has come by an address alone is set apart from whoever is named and proven later', async () => {
  const own = { email: 'nameless@example.com' };
  const first = await visit(service, own);
  const second = await visit(service, own);
  const third = await visit(service);
  expect((await service.call('PATCH', third.contactPath, { email: 'other@example.com' })).status).toBe(200);
  const fourth = await visit(service);
  expect((await service.call('PATCH', fourth.contactPath, { email: 'other@example.com' })).status).toBe(200);
  for (const [one, another, address, name] of [
    [first, second, 'nameless@example.com', 'customer-20'],
    [third, fourth, 'other@example.com', 'customer-21'],
  ] as const) {
    const { id: contactId } = await contactIn(one);
    expect((await contactIn(another)).id).toBe(contactId);
    await service.agent('PUT', `${account}/contacts/${contactId}`, { identifier: name });
    const proven = await visit(service, await proofOf(service, name));
    expect(proven.contactId).toBe(contactId);
    expect(await conversationsOf(proven)).toMatchObject([
      { id: one.conversationId },
      { id: proven.conversationId },
    ]);
    const apart = await contactIn(another);
    const claim = { claimed_identifier: address };
    expect(apart).toMatchObject({ identifier: null, email: null, additional_attributes: claim });
    expect(apart.id).not.toBe(contactId);
    expect(await conversationsOf(another)).toMatchObject([{ id: another.conversationId }]);
  }
});

test('a claim outlives that an agent takes the name away, and gives it back', async () => {
  const proof = await proofOf(service, 'customer-22');
  const phone = await visit(service, { identifier: proof.identifier });
  const path = `${account}/contacts/${phone.contactId}`;
  expect((await service.agent('PUT', path, { identifier: null })).status).toBe(200);
  expect((await service.call('PATCH', phone.contactPath, proof)).status).toBe(200);
  expect(await contactIn(phone)).toMatchObject({ id: phone.contactId, identifier: 'customer-22' });

  const next = await proofOf(service, 'customer-23');
  const claimant = await visit(service, { identifier: next.identifier });
  for (const identifier of [null, next.identifier])
    await service.agent('PUT', `${account}/contacts/${claimant.contactId}`, { identifier });
  const proven = await visit(service, next);
  expect(proven.contactId).toBe(claimant.contactId);
  expect((await contactIn(claimant)).id).not.toBe(proven.contactId);
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
      'alter table contact_inboxes drop column claims, drop column by_address',
      'alter table contacts drop column proven',
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
