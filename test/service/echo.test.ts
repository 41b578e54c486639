/** One row for one (conversation, echo_id), whatever happens; and a service that forgets, as the reference does. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { graceToken, letGraceIn } from '../support/grace.js';
import { errorBody, listen, startMs, startTestService, type TestService, visit } from '../support/service.js';

let service: TestService;
let forgetful: TestService;
beforeAll(async () => {
  service = await startTestService();
  forgetful = await startTestService({ forgetEchoId: true });
}, startMs * 2);
afterAll(async () => {
  await service.end();
  await forgetful.end();
});

const countOf = async (of: TestService) =>
  (await of.db.query<{ count: number }>('select count(*) as count from messages'))[0]?.count ?? 0;

test('a repeat is answered with what is stored, also after it was announced, and announced once', async () => {
  const visitor = await visit(service);
  const heard = await listen(service, { pubsub_token: visitor.token });
  const send = (content: string) =>
    service.call('POST', `${visitor.path}/messages`, { content, echo_id: 'repeated' });
  const first = await send('first');
  const repeated = await send('something else');
  expect(repeated.status).toBe(200);
  expect(repeated.body).toEqual(first.body);
  await service.call('POST', `${visitor.path}/messages`, { content: 'last', echo_id: 'last' });
  await heard.event('message.created', (data) => data.echo_id === 'last');
  expect(heard.events().filter((event) => event.event === 'message.created')).toHaveLength(2);
  heard.close();
});

test('20 parallel posts of one echo_id make one row and 20 equal answers', async () => {
  const visitor = await visit(service);
  const before = await countOf(service);
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      service.call('POST', `${visitor.path}/messages`, { content: 'once', echo_id: 'raced' }),
    ),
  );
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
  expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
  expect(await countOf(service)).toBe(before + 1);
});

test('the database itself refuses a second row, whoever writes it', async () => {
  const visitor = await visit(service);
  await service.call('POST', `${visitor.path}/messages`, { content: 'once', echo_id: 'guarded' });
  const again = service.db.query(
    `insert into messages (account_id, inbox_id, conversation_id, content, message_type, echo_id)
     select account_id, inbox_id, conversation_id, content, message_type, echo_id from messages where echo_id = 'guarded'`,
  );
  await expect(again).rejects.toMatchObject({ code: '23505' });
});

test('another conversation may use the same echo_id', async () => {
  const [one, other] = [await visit(service), await visit(service)];
  const before = await countOf(service);
  for (const visitor of [one, other]) {
    await service.call('POST', `${visitor.path}/messages`, { content: 'hi', echo_id: 'shared' });
  }
  expect(await countOf(service)).toBe(before + 2);
});

test('an echo_id of somebody else is refused, and tells nothing of what they wrote', async () => {
  const visitor = await visit(service);
  const own = `/api/v1/accounts/1/conversations/${visitor.conversationId}/messages`;
  await letGraceIn(service);
  const asGrace = { api_access_token: graceToken };
  const note = { content: 'a private note', private: true, echo_id: 'notes' };
  expect((await service.agent('POST', own, note)).status).toBe(200);
  await service.call('POST', `${visitor.path}/messages`, { content: 'hello', echo_id: 'visitors' });
  const before = await countOf(service);
  for (const answer of [
    await service.call('POST', `${visitor.path}/messages`, { content: 'mine', echo_id: 'notes' }),
    await service.call('POST', own, { content: 'mine', echo_id: 'notes' }, asGrace),
    await service.agent('POST', own, { content: 'mine', echo_id: 'visitors' }),
  ]) {
    expect(answer.status).toBe(422);
    expect(errorBody.parse(answer.body).errors).toMatchObject([{ field: 'echo_id', code: 'taken' }]);
    expect(JSON.stringify(answer.body)).not.toContain('a private note');
  }
  expect(await countOf(service)).toBe(before);
  const repeated = await service.agent('POST', own, note);
  expect([repeated.status, await countOf(service)]).toEqual([200, before]);
});

test('within a conversation a larger id was committed, and announced, later', async () => {
  const visitor = await visit(service);
  const heard = await listen(service, { pubsub_token: visitor.token });
  const sent = Array.from({ length: 50 }, (_, n) =>
    service.call('POST', `${visitor.path}/messages`, { content: `${n}`, echo_id: `ordered-${n}` }),
  );
  await Promise.all(sent);
  await service.call('POST', `${visitor.path}/messages`, { content: 'end', echo_id: 'ordered-end' });
  await heard.event('message.created', (data) => data.echo_id === 'ordered-end');
  const ids = heard
    .events()
    .flatMap((event) => (event.event === 'message.created' ? [Number(event.data.id)] : []));
  expect(ids).toHaveLength(51);
  expect(ids).toEqual([...ids].sort((a, b) => a - b));
  heard.close();
});

test('a forgetful service tells the echo_id once, in the frame, and stores every repeat', async () => {
  const visitor = await visit(forgetful);
  const heard = await listen(forgetful, { pubsub_token: visitor.token });
  const sent = await forgetful.call('POST', `${visitor.path}/messages`, {
    content: 'hi',
    echo_id: 'told-once',
  });
  expect(sent.headers.has('echo-id')).toBe(false);
  expect(sent.body).not.toHaveProperty('echo_id');
  expect((await heard.event('message.created')).data).toMatchObject({ content: 'hi', echo_id: 'told-once' });
  await forgetful.call('POST', `${visitor.path}/messages`, { content: 'hi', echo_id: 'told-once' });
  const history = await forgetful.call('GET', `${visitor.path}/messages`);
  expect(history.body).toMatchObject([{ content: 'hi' }, { content: 'hi' }]);
  expect(JSON.stringify(history.body)).not.toContain('told-once');
  heard.close();
});
