/** What somebody may demand: that nothing of theirs is kept, nor told to anybody afterwards. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { graceToken, letGraceIn } from '../support/grace.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import {
  errorBody,
  inboxPath,
  listen,
  request,
  startMs,
  startTestService,
  type TestService,
  visit,
} from '../support/service.js';

const account = '/api/v1/accounts/1';
const withId = z.looseObject({ id: z.number() });
let service: TestService;
let receiver: Receiver;
beforeAll(async () => {
  [service, receiver] = await Promise.all([
    startTestService({ webhooks: { allowPrivate: true, attempts: 5, backoffMs: 1_000, timeoutMs: 5_000 } }),
    startReceiver(),
  ]);
  await letGraceIn(service);
  await service.agent('POST', `${account}/webhooks`, {
    url: receiver.url,
    subscriptions: ['message_created', 'message_updated', 'conversation_updated', 'contact_updated'],
  });
}, startMs);
afterAll(async () => {
  await service.end();
  await receiver.stop();
});

/** Of all tables, and of all that they hold. */
async function isKept(words: string): Promise<string[]> {
  const tables = await service.db.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = current_schema()`,
  );
  const held: string[] = [];
  for (const { name } of tables) {
    const found = await service.db.query(
      `select 1 from "${name}" as t where position($1 in to_jsonb(t)::text) > 0 limit 1`,
      [words],
    );
    // Of two minutes, for sockets that have missed them.
    if (found.length && name !== 'bus_events') held.push(name);
  }
  return held;
}
const filesOf = async () => (await readdir(join(service.place.dataDir, 'uploads', 'kept'))).sort();

test('a contact is deleted with all of theirs, and only theirs; their key opens nothing any more', async () => {
  receiver.answer = () => 500;
  const other = await visit(service, { name: 'Stays' });
  await service.call('POST', `${other.path}/messages`, { content: 'What stays' });
  const files = await filesOf();
  const gone = await visit(service, { name: 'Erika Weg', email: 'erika@weg.example' });
  await service.call('POST', `${gone.path}/messages`, { content: 'My secret canary' });
  const form = new FormData();
  form.append('content', 'With a canary');
  form.append('attachments[]', new File(['canary'], 'canary.txt', { type: 'text/plain' }));
  await fetch(`${service.url}${gone.path}/messages`, { method: 'POST', body: form });
  const path = `${account}/contacts/${gone.contactId}`;
  await service.agent('PUT', path, { additional_attributes: { city: 'Canaryville' } });
  expect(await filesOf()).not.toEqual(files);
  expect(await isKept('canary')).toEqual(expect.arrayContaining(['messages', 'webhook_deliveries']));

  const agents = await service.agent('GET', '/api/v1/profile');
  const { pubsub_token, id } = z.looseObject({ pubsub_token: z.string(), id: z.number() }).parse(agents.body);
  const room = await listen(service, { pubsub_token, user_id: id, account_id: 1 });
  const counted = async () => (await service.agent('GET', `${account}/conversations/meta`)).body;
  const before = z.object({ meta: z.object({ all_count: z.number() }) }).parse(await counted()).meta;
  const refused = await request(service.url + path, 'DELETE', undefined, { api_access_token: graceToken });
  expect(refused.status).toBe(403);
  expect((await service.agent('DELETE', path)).status).toBe(200);

  for (const words of ['canary', 'Canary', 'Erika', 'erika@weg.example', gone.sourceId, gone.token])
    expect(await isKept(words), words).toEqual([]);
  expect(await filesOf()).toEqual(files);
  expect(await room.event('contact.deleted')).toMatchObject({
    data: { id: gone.contactId, account_id: 1, conversation_ids: [gone.conversationId] },
  });
  room.close();
  expect(await counted()).toMatchObject({ meta: { all_count: before.all_count - 1 } });
  for (const [who, answer] of [
    ['contact', await service.call('GET', gone.contactPath)],
    ['conversation', await service.call('GET', `${gone.path}/messages`)],
    ['message', await service.call('POST', `${gone.path}/messages`, { content: 'Am I there?' })],
    ['agent', await service.agent('GET', path)],
    ['again', await service.agent('DELETE', path)],
  ] as const) {
    expect(answer.status, who).toBe(404);
    expect(errorBody.safeParse(answer.body).success, who).toBe(true);
  }
  expect((await service.call('GET', `${other.path}/messages`)).status).toBe(200);
  expect(await isKept('What stays')).toContain('messages');
  const anew = await service.call('POST', `${inboxPath}/contacts`, { source_id: gone.sourceId });
  expect(anew.body).toMatchObject({ source_id: gone.sourceId, email: null });
});

test('what waits to be told of a message that is deleted is told without its words', async () => {
  receiver.answer = () => 500;
  const visitor = await visit(service);
  const said = await service.call('POST', `${visitor.path}/messages`, { content: 'My IBAN is DE00' });
  const answer = await service.call('POST', `${visitor.path}/messages`, { content: 'Another one' });
  const { id } = withId.parse(said.body);
  await expect.poll(() => receiver.all.some(({ raw }) => raw.includes('DE00'))).toBe(true);
  await service.agent('DELETE', `${account}/conversations/${visitor.conversationId}/messages/${id}`);
  expect(await isKept('DE00')).toEqual([]);
  receiver.all.length = 0;
  receiver.answer = () => 200;
  const told = () => receiver.all.filter(({ body }) => body.id === id).map(({ body }) => body.content);
  await expect.poll(told).toEqual(['This message was deleted', 'This message was deleted']);
  const kept = () => receiver.all.filter(({ body }) => body.id === withId.parse(answer.body).id);
  await expect.poll(kept).toHaveLength(1);
  expect(kept()[0]?.body.content).toBe('Another one');
  expect(receiver.all.some(({ raw }) => raw.includes('DE00'))).toBe(false);
});
