/** The socket: the official Action Cable client, unchanged, and frame by frame who hears what. */
import { adapters, type Consumer, createConsumer } from '@rails/actioncable';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import WebSocket from 'ws';
import { z } from 'zod';
import {
  connect,
  inboxPath,
  listen,
  listenAsAgent,
  startMs,
  startTestService,
  type TestService,
  visit,
} from '../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ limits: { socketsPerContact: 3 } });
}, startMs);
afterAll(() => service.end());

// What the client expects of a browser and Node has not.
beforeEach(() => {
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('removeEventListener', () => undefined);
  vi.stubGlobal('document', { visibilityState: 'visible' });
});
afterEach(() => vi.unstubAllGlobals());

const consumers: Consumer[] = [];
afterEach(() => {
  for (const consumer of consumers.splice(0)) consumer.disconnect();
});

function official(of: TestService): Consumer {
  Object.assign(adapters, { WebSocket });
  const consumer = createConsumer(`${of.url.replace('http', 'ws')}/cable`);
  consumers.push(consumer);
  return consumer;
}

interface Heard {
  confirmed: Promise<unknown>;
  rejected: Promise<unknown>;
  disconnected: Promise<unknown>;
  received(event: string): Promise<{ event: string; data: Record<string, unknown> }>;
}

function subscribe(consumer: Consumer, room: object): Heard & { perform(action: string): void } {
  const seen: { event: string; data: Record<string, unknown> }[] = [];
  const looks = new Set<() => void>();
  const states: Record<'connected' | 'rejected' | 'disconnected', (value?: unknown) => void> = {
    connected: () => undefined,
    rejected: () => undefined,
    disconnected: () => undefined,
  };
  const state = (name: keyof typeof states) =>
    new Promise((resolve) => {
      states[name] = resolve;
    });
  const heard = {
    confirmed: state('connected'),
    rejected: state('rejected'),
    disconnected: state('disconnected'),
    received: (event: string) =>
      new Promise<(typeof seen)[number]>((resolve) => {
        const look = () => {
          const found = seen.find((item) => item.event === event);
          if (!found) return;
          looks.delete(look);
          resolve(found);
        };
        looks.add(look);
        look();
      }),
  };
  const subscription = consumer.subscriptions.create(
    { channel: 'RoomChannel', ...room },
    {
      connected: () => states.connected(),
      rejected: () => states.rejected(),
      disconnected: (how: unknown) => states.disconnected(how),
      received: (message: (typeof seen)[number]) => {
        seen.push(message);
        for (const look of [...looks]) look();
      },
    },
  );
  return { ...heard, perform: (action) => subscription.perform(action) };
}

test('the official client subscribes, hears a message, and is told of presence when it asks', async () => {
  const visitor = await visit(service);
  const room = subscribe(official(service), { pubsub_token: visitor.token });
  await room.confirmed;
  expect((await room.received('presence.update')).data).toMatchObject({ account_id: 1 });
  await service.call('POST', `${visitor.path}/messages`, { content: 'heard', echo_id: 'official' });
  expect((await room.received('message.created')).data).toMatchObject({
    content: 'heard',
    echo_id: 'official',
  });
});

test('the official client is rejected for a token nobody has', async () => {
  await subscribe(official(service), { pubsub_token: 'nobodys' }).rejected;
  await subscribe(official(service), {}).rejected;
  for (const user_id of [1.5, 1e20, -1])
    await subscribe(official(service), { pubsub_token: 'nobodys', user_id, account_id: 1 }).rejected;
  const visitor = await visit(service);
  await subscribe(official(service), { pubsub_token: visitor.token, user_id: 1, account_id: 1 }).rejected;
});

test(
  'the official client is told of a restart and means to come back',
  async () => {
    const short = await startTestService();
    const visitor = await visit(short);
    const room = subscribe(official(short), { pubsub_token: visitor.token });
    await room.confirmed;
    await short.end();
    expect(await room.disconnected).toEqual({ willAttemptReconnect: true });
  },
  startMs,
);

test('welcome, ping in seconds, confirm and reject with the identifier as it was written', async () => {
  const visitor = await visit(service);
  const socket = await connect(service);
  expect(socket.socket.protocol).toBe('actioncable-v1-json');
  await socket.frame((frame) => frame.type === 'welcome');
  const identifier = `{ "pubsub_token":"${visitor.token}" ,"channel":"RoomChannel"}`;
  socket.send({ command: 'subscribe', identifier });
  expect(await socket.frame((frame) => frame.type === 'confirm_subscription')).toMatchObject({ identifier });
  const wrong = '{"channel":"OtherChannel"}';
  socket.send({ command: 'subscribe', identifier: wrong });
  expect(await socket.frame((frame) => frame.type === 'reject_subscription')).toMatchObject({
    identifier: wrong,
  });
  const { message } = await socket.frame((frame) => frame.type === 'ping');
  expect(Number.isInteger(message)).toBe(true);
  expect(Math.abs(Number(message) - Date.now() / 1000)).toBeLessThan(5);
  socket.close();
});

test('nonsense from a client disturbs nobody', async () => {
  const visitor = await visit(service);
  const socket = await connect(service);
  for (const text of [
    '',
    '{',
    '[]',
    'null',
    '{"command":"fly","identifier":"x"}',
    '{"command":"subscribe"}',
  ]) {
    socket.socket.send(text);
  }
  socket.send({ command: 'message', identifier: 'unknown', data: '{"action":"update_presence"}' });
  socket.send({ command: 'subscribe', identifier: `{"channel":"RoomChannel","pubsub_token":"a\\u0000"}` });
  await socket.frame((frame) => frame.type === 'reject_subscription');
  const room = JSON.stringify({ channel: 'RoomChannel', pubsub_token: visitor.token });
  socket.send({ command: 'subscribe', identifier: room });
  await socket.frame((frame) => frame.type === 'confirm_subscription');
  socket.socket.send('x'.repeat(20_000));
  await new Promise((resolve) => socket.socket.once('close', resolve));
  expect((await service.call('GET', '/health')).status).toBe(200);
});

test('the contact hears what is for it, the agent all', async () => {
  const visitor = await visit(service);
  const contact = await listen(service, { pubsub_token: visitor.token });
  const agent = await listenAsAgent(service);
  const path = `/api/v1/accounts/1/conversations/${visitor.conversationId}`;

  await service.call('POST', `${visitor.path}/toggle_typing`, { typing_status: 'on' });
  await agent.event('conversation.typing_on', (data) => Object(data.user).id === visitor.contactId);
  await service.call('POST', `${visitor.path}/messages`, { content: 'question', echo_id: 'q' });
  const heard = await agent.event('message.created', (data) => data.echo_id === 'q');
  expect(heard.data).toEqual((await contact.event('message.created')).data);

  await service.agent('POST', `${path}/toggle_typing_status`, { typing_status: 'on', is_private: true });
  expect((await contact.event('conversation.typing_on')).data).toMatchObject({
    is_private: true,
    user: { id: 1, type: 'user' },
    conversation: { id: visitor.conversationId, status: 'open' },
  });
  await service.agent('POST', `${path}/messages`, { content: 'a note', private: true });
  await agent.event('message.created', (data) => data.content === 'a note');
  await service.agent('POST', `${path}/messages`, { content: 'answer' });
  const answer = await contact.event('message.created', (data) => data.content === 'answer');
  expect(answer.data).toMatchObject({
    account_id: 1,
    message_type: 1,
    status: 'sent',
    updated_at: expect.stringMatching(/Z$/),
    sender: { id: 1, type: 'user' },
    performer: { id: 1 },
  });
  await service.call('POST', `${visitor.path}/update_last_seen`);
  expect((await contact.event('message.updated')).data).toMatchObject({
    content: 'answer',
    status: 'read',
    previous_changes: { status: ['sent', 'read'] },
  });
  await agent.event('conversation.read', (data) => data.id === visitor.conversationId);
  await service.agent('POST', `${path}/toggle_status`, { status: 'resolved' });
  expect((await contact.event('conversation.status_changed')).data).toMatchObject({ status: 'resolved' });
  await contact.event('conversation.updated', (data) => data.status === 'resolved');
  await service.call('POST', `${visitor.path}/messages`, { content: 'again' });
  await contact.event('conversation.status_changed', (data) => data.status === 'open');
  await contact.event('message.created', (data) => data.content === 'again');
  await service.call('PATCH', visitor.contactPath, { name: 'Renamed' });
  await agent.event('contact.updated', (data) => data.name === 'Renamed');

  const names = contact.events().map((event) => event.event);
  expect(names).not.toContain('conversation.read');
  expect(names).not.toContain('contact.updated');
  const text = JSON.stringify(contact.frames);
  expect(text).not.toContain('a note');
  const typing = contact.events().filter((event) => event.event === 'conversation.typing_on');
  expect(typing.every((event) => Object(event.data.user).type === 'user')).toBe(true);
  const ownTyping = agent.events().filter((event) => Object(event.data.user).type === 'user');
  expect(ownTyping).toEqual([]);
  // The token opens the channel, so no frame may carry it as data.
  const inside = JSON.stringify([...contact.events(), ...agent.events()]);
  expect(inside).not.toContain(visitor.token);
  contact.close();
  agent.close();
});

test('a new contact and a new conversation are news for agents; nobody hears a stranger', async () => {
  const agent = await listenAsAgent(service);
  const stranger = await visit(service);
  const other = await listen(service, { pubsub_token: stranger.token });
  await service.call('POST', `${inboxPath}/contacts`, { source_id: 'news', name: 'News' });
  await agent.event('contact.created', (data) => data.name === 'News');
  const visitor = await visit(service);
  await agent.event('conversation.created', (data) => data.id === visitor.conversationId);
  await service.call('POST', `${visitor.path}/messages`, { content: 'secret of another' });
  await agent.event('message.created', (data) => data.content === 'secret of another');
  expect(JSON.stringify(other.events())).not.toContain('secret of another');
  agent.close();
  other.close();
});

test('agents hear that two contacts are one now, of their conversations, and that it is there', async () => {
  const known = await visit(service, { email: 'one@demo.example' });
  const visitor = await visit(service);
  const contact = await listen(service, { pubsub_token: visitor.token });
  const agent = await listenAsAgent(service);
  await service.call('PATCH', visitor.contactPath, { email: 'one@demo.example', name: 'Ada' });
  expect((await agent.event('contact.merged')).data).toMatchObject({
    id: known.contactId,
    account_id: 1,
    name: 'Ada',
    availability_status: 'online',
  });
  const isMoved = (data: Record<string, unknown>) => data.id === visitor.conversationId;
  for (const name of ['conversation.contact_changed', 'conversation.updated']) {
    expect((await agent.event(name, isMoved)).data).toMatchObject({
      contact_inbox: { contact_id: known.contactId },
      meta: { sender: { id: known.contactId, name: 'Ada' } },
    });
  }
  expect((await contact.event('conversation.updated')).data).toMatchObject({ id: visitor.conversationId });
  const untold = contact.events().map(({ event }) => event);
  expect(untold).not.toContain('contact.merged');
  expect(untold).not.toContain('conversation.contact_changed');

  // Once everybody's last beat is forgotten, the next one of the same socket is the survivor's. Several processes tell
  // each other of beats a moment later, so that the last one of before may still be on its way.
  const now = performance.now.bind(performance);
  let ahead = 0;
  const later = vi.spyOn(performance, 'now').mockImplementation(() => now() + ahead);
  const identifier = JSON.stringify({ channel: 'RoomChannel', pubsub_token: visitor.token });
  const updates = () => contact.events().filter(({ event }) => event === 'presence.update').length;
  const present = async () => {
    ahead += 25_000;
    const before = updates();
    contact.send({ command: 'message', identifier, data: '{"action":"update_presence"}' });
    await contact.frame(() => updates() > before);
    const late = await listenAsAgent(service);
    const { data } = await late.event('presence.update');
    late.close();
    const { contacts } = z.object({ contacts: z.record(z.string(), z.string()) }).parse(data);
    return [known.contactId, visitor.contactId].map((id) => contacts[id]);
  };
  await expect.poll(present).toEqual(['online', undefined]);
  later.mockRestore();
  for (const socket of [contact, agent]) socket.close();
});

test('presence shows the agents who are there', async () => {
  const visitor = await visit(service);
  const agent = await listenAsAgent(service);
  const contact = await listen(service, { pubsub_token: visitor.token });
  const { data } = await contact.event('presence.update');
  expect(data).toEqual({ account_id: 1, users: { '1': 'online' } });
  const identifier = JSON.stringify({ channel: 'RoomChannel', pubsub_token: visitor.token });
  contact.send({ command: 'message', identifier, data: '{"action":"update_presence"}' });
  await contact.frame(
    (frame) =>
      contact.events().filter((event) => event.event === 'presence.update').length > 1 && frame !== undefined,
  );
  const shown = await service.agent('GET', `/api/v1/accounts/1/contacts/${visitor.contactId}`);
  expect(shown.body).toMatchObject({ payload: { availability_status: 'online' } });
  const agents = await service.agent('GET', '/api/v1/accounts/1/agents');
  expect(agents.body).toMatchObject([
    { id: 1, availability_status: 'online' },
    { id: 2, availability_status: 'offline' },
  ]);
  const profile = await service.agent('GET', '/api/v1/profile');
  const here = { availability: 'online', availability_status: 'online' };
  expect(profile.body).toMatchObject({ accounts: [here] });
  agent.close();
  contact.close();
});

test('presence shows those who never go offline by themselves, as they say they are', async () => {
  const path = '/api/v1/accounts/1/agents/2';
  await service.agent('PATCH', path, { auto_offline: false, availability: 'busy' });
  const visitor = await visit(service);
  const contact = await listen(service, { pubsub_token: visitor.token });
  const { data } = await contact.event('presence.update');
  expect(data.users).toMatchObject({ '2': 'busy' });
  await service.agent('PATCH', path, { auto_offline: true, availability: 'online' });
  contact.close();
});

test('a contact may hold so many sockets; the oldest gives way', async () => {
  const visitor = await visit(service);
  const first = await listen(service, { pubsub_token: visitor.token });
  const closed = new Promise((resolve) => first.socket.once('close', resolve));
  const others = [];
  for (let n = 0; n < 3; n += 1) others.push(await listen(service, { pubsub_token: visitor.token }));
  await closed;
  expect(first.frames.at(-1)).toMatchObject({ type: 'disconnect', reason: 'remote', reconnect: false });
  await service.call('POST', `${visitor.path}/messages`, { content: 'still here' });
  await Promise.all(others.map((other) => other.event('message.created')));
  for (const other of others) other.close();
});
