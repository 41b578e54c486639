/** The socket tells an agent what REST would let them read, and nothing more, whatever becomes of the agent. */
import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { hasPostgres, makeSharedPlace } from '../support/processes.js';
import {
  connect,
  type Listener,
  listen,
  listenAsAgent,
  request,
  startMs,
  startTestService,
  type TestService,
  visit,
} from '../support/service.js';

const account = '/api/v1/accounts/1';
let service: TestService;
let secondInbox: { id: number; inbox_identifier: string };
beforeAll(async () => {
  service = await startTestService();
  secondInbox = z
    .object({ id: z.number(), inbox_identifier: z.string() })
    .parse(
      (await service.agent('POST', `${account}/inboxes`, { name: 'Second', channel: { type: 'api' } })).body,
    );
}, startMs);
afterAll(() => service.end());

const newcomer = z.looseObject({ id: z.number(), access_token: z.string() });
const profile = z.object({ id: z.number(), pubsub_token: z.string(), account_id: z.number() });
const withId = z.looseObject({ id: z.number() });

let tim: { id: number; room: Record<string, unknown> };
let people = 0;
/** An agent of the first inbox alone. */
beforeEach(async () => {
  people += 1;
  const fields = { name: 'Tim', email: `tim-${people}@demo.example`, role: 'agent' };
  const { id, access_token: token } = newcomer.parse(
    (await service.agent('POST', `${account}/agents`, fields)).body,
  );
  await members('POST', 1, id);
  const me = profile.parse(
    (await request(`${service.url}/api/v1/profile`, 'GET', undefined, { api_access_token: token })).body,
  );
  tim = { id, room: { pubsub_token: me.pubsub_token, user_id: id, account_id: 1 } };
});

const members = (method: string, inbox_id: number, ...user_ids: number[]) =>
  service.agent(method, `${account}/inbox_members`, { inbox_id, user_ids });

/** Somebody in the second inbox, and a note about them. */
async function secret(words: string): Promise<void> {
  const path = `/public/api/v1/inboxes/${secondInbox.inbox_identifier}/contacts`;
  const contact = z.object({ source_id: z.string() }).parse((await service.call('POST', path, {})).body);
  const conversations = `${path}/${contact.source_id}/conversations`;
  const { id } = withId.parse((await service.call('POST', conversations, {})).body);
  await service.call('POST', `${conversations}/${id}/messages`, { content: words });
  await service.call('POST', `${conversations}/${id}/toggle_typing`, { typing_status: 'on' });
  const own = `${account}/conversations/${id}`;
  await service.agent('POST', `${own}/messages`, { content: words, private: true });
  await service.agent('POST', `${own}/assignments`, { assignee_id: 1 });
  await service.call('POST', `${conversations}/${id}/update_last_seen`);
  await service.agent('POST', `${own}/toggle_status`, { status: 'resolved' });
}

const ended = async (listener: Listener) => {
  const closed = once(listener.socket, 'close');
  const frame = await listener.frame(({ type }) => type === 'disconnect');
  expect(frame).toMatchObject({ reconnect: true });
  await closed;
};

async function refused(by: TestService, room: Record<string, unknown>): Promise<void> {
  const listener = await connect(by);
  listener.send({ command: 'subscribe', identifier: JSON.stringify({ channel: 'RoomChannel', ...room }) });
  await listener.frame(({ type }) => type === 'reject_subscription');
  listener.close();
}

/** What the administrator listens with. */
async function ownRoom(of: TestService): Promise<Record<string, unknown>> {
  const { id, ...room } = profile.parse((await of.agent('GET', '/api/v1/profile')).body);
  return { ...room, user_id: id };
}

test('an agent hears the conversations of their own inboxes, an administrator those of all', async () => {
  const agent = await listen(service, tim.room);
  const administrator = await listenAsAgent(service);
  await secret('of the second inbox');
  await administrator.event('message.created', (data) => data.private === true);
  await administrator.event('conversation.typing_on');
  await administrator.event('conversation.read');
  await administrator.event('assignee.changed');

  const visitor = await visit(service);
  await service.call('POST', `${visitor.path}/messages`, { content: 'of the first inbox' });
  await service.call('POST', `${visitor.path}/update_last_seen`);
  const heard = await agent.event('message.created');
  expect(heard.data.content).toBe('of the first inbox');
  await agent.event('conversation.read');
  // Contacts belong to the account.
  await agent.event('contact.created', (data) => data.id === visitor.contactId);
  const inboxes = agent.events().flatMap(({ data }) => (data.inbox_id === undefined ? [] : [data.inbox_id]));
  expect(new Set(inboxes)).toEqual(new Set([1]));
  expect(JSON.stringify(agent.events())).not.toContain('of the second inbox');
  agent.close();
  administrator.close();
});

test('who is let go hears nothing more, and is not let in again', async () => {
  const agent = await listen(service, tim.room);
  const end = ended(agent);
  expect((await service.agent('DELETE', `${account}/agents/${tim.id}`)).status).toBe(200);
  const visitor = await visit(service);
  await service.call('POST', `${visitor.path}/messages`, { content: 'after the dismissal' });
  await end;
  expect(JSON.stringify(agent.events())).not.toContain('after the dismissal');
  await refused(service, tim.room);
});

test.skipIf(!hasPostgres)(
  "who has an administrator's token of before hears nothing more, through no process, once one has another",
  async () => {
    const place = await makeSharedPlace();
    const first = await startTestService({}, place);
    const room = await ownRoom(first);
    const listener = await listen(first, room);
    const same = await startTestService({}, place);
    expect(await ownRoom(same)).toEqual(room);
    expect(listener.frames.filter(({ type }) => type === 'disconnect')).toEqual([]);
    const end = ended(listener);
    const other = await startTestService({ apiAccessToken: 'another-token' }, place);
    await end;
    for (const one of [first, same, other]) await refused(one, room);
    (await listen(first, await ownRoom(other))).close();
    await first.stop();
    await same.stop();
    await other.end();
  },
  startMs,
);

test.each([
  ['joins an inbox', () => members('POST', secondInbox.id, tim.id)],
  ['is put among the members of an inbox', () => members('PATCH', secondInbox.id, 1, tim.id)],
  [
    'becomes an administrator',
    () => service.agent('PATCH', `${account}/agents/${tim.id}`, { role: 'administrator' }),
  ],
])('who %s comes back and hears more', async (_, change) => {
  const before = await listen(service, tim.room);
  const end = ended(before);
  expect((await change()).status).toBe(200);
  await end;
  const after = await listen(service, tim.room);
  await secret('now for everybody');
  await after.event('message.created', (data) => data.private === true);
  after.close();
});

test.each([
  ['leaves an inbox', 'agent', () => members('DELETE', secondInbox.id, tim.id)],
  ['is no longer among the members of an inbox', 'agent', () => members('PATCH', secondInbox.id, 1)],
  [
    'is no longer an administrator',
    'administrator',
    () => service.agent('PATCH', `${account}/agents/${tim.id}`, { role: 'agent' }),
  ],
])('who %s hears nothing more of it', async (_, role, change) => {
  if (role === 'agent') await members('POST', secondInbox.id, tim.id);
  else await service.agent('PATCH', `${account}/agents/${tim.id}`, { role });
  const before = await listen(service, tim.room);
  const end = ended(before);
  expect((await change()).status).toBe(200);
  await secret('no longer for everybody');
  await end;
  const after = await listen(service, tim.room);
  await secret('no longer for everybody');
  const visitor = await visit(service);
  await service.call('POST', `${visitor.path}/messages`, { content: 'of the first inbox' });
  await after.event('message.created', (data) => data.content === 'of the first inbox');
  for (const listener of [before, after])
    expect(JSON.stringify(listener.events())).not.toContain('no longer for everybody');
  after.close();
});

test('what changes nothing about what somebody may hear leaves their socket alone', async () => {
  const agent = await listen(service, tim.room);
  await members('POST', 1, tim.id);
  await service.agent('PATCH', `${account}/agents/${tim.id}`, { role: 'agent', availability: 'busy' });
  const visitor = await visit(service);
  await service.call('POST', `${visitor.path}/messages`, { content: 'still here' });
  await agent.event('message.created', (data) => data.content === 'still here');
  expect(agent.frames.filter(({ type }) => type === 'disconnect')).toEqual([]);
  agent.close();
});
