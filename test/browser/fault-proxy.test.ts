/** The proxy that the fault tests stand on, against the real service. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  cutBody,
  delay,
  dropAfter,
  dropBefore,
  dropFrame,
  duplicateForward,
  duplicateFrame,
  type FaultProxy,
  hold,
  holdFrames,
  type Rule,
  startFaultProxy,
  status,
  times,
  truncatedJson,
  wrongType,
} from '../support/fault-proxy.js';
import {
  connect,
  listen,
  ask as request,
  startMs,
  startTestService,
  type TestService,
  visit,
} from '../support/service.js';

let service: TestService;
let proxy: FaultProxy;
beforeAll(async () => {
  service = await startTestService({ forgetEchoId: true });
  proxy = await startFaultProxy(service.url);
}, startMs);
afterEach(() => proxy.clear());
afterAll(async () => {
  await proxy.stop();
  await service.end();
});

const posts: Rule = ({ method, path }) =>
  method === 'POST' && path.endsWith('/messages') ? pass : undefined;
const pass = () => {};
const onPost =
  (fault: ReturnType<Rule>): Rule =>
  (seen) =>
    posts(seen) ? fault : undefined;

async function countOf(content: string): Promise<number> {
  const sql = 'select count(*) as count from messages where content = $1';
  const [row] = await service.db.query<{ count: number }>(sql, [content]);
  return Number(row?.count);
}

const say = async (content: string) =>
  request(`${proxy.url}${(await visit(service)).path}/messages`, 'POST', { content });

test('what no rule wants passes unchanged, preflights too, and is written down', async () => {
  proxy.rule(({ method }) => (method === 'OPTIONS' ? dropBefore : undefined));
  const visitor = await visit(service);
  const direct = await request(`${service.url}${visitor.path}`, 'GET');
  const through = await request(`${proxy.url}${visitor.path}`, 'GET');
  expect(through.body).toEqual(direct.body);
  expect(through.headers.get('access-control-allow-origin')).toBe('*');
  const preflight = await fetch(`${proxy.url}${visitor.path}/messages`, {
    method: 'OPTIONS',
    headers: { 'access-control-request-headers': 'content-type' },
  });
  expect(preflight.status).toBe(204);
  const [get, options] = proxy.requests.slice(-2);
  expect(get).toMatchObject({ method: 'GET', path: visitor.path, status: 200, forwarded: 1 });
  expect(options).toMatchObject({ method: 'OPTIONS', status: 204 });
  expect(options?.at).toBeGreaterThan(get?.at ?? Number.POSITIVE_INFINITY);
});

test('a request dropped before the service is not carried out', async () => {
  proxy.rule(onPost(dropBefore));
  await expect(say('dropped before')).rejects.toThrow();
  expect(await countOf('dropped before')).toBe(0);
  expect(proxy.requests.at(-1)).toMatchObject({ forwarded: 0, body: '{"content":"dropped before"}' });
  expect(proxy.requests.at(-1)?.status).toBeUndefined();
});

test.each([
  ['dropped after the commit', dropAfter],
  ['cut in the middle of the answer', cutBody],
])('a request that is %s is carried out, and nobody hears of it', async (words, fault) => {
  proxy.rule(onPost(fault));
  await expect(say(words)).rejects.toThrow();
  expect(await countOf(words)).toBe(1);
});

test('a truncated answer is whole for HTTP and broken for JSON', async () => {
  proxy.rule(onPost(truncatedJson));
  await expect(say('truncated')).rejects.toThrow(SyntaxError);
  expect(await countOf('truncated')).toBe(1);
});

test('an answer of the wrong type is a page', async () => {
  proxy.rule(onPost(wrongType));
  const answer = await say('signed out');
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/html');
  expect(await countOf('signed out')).toBe(1);
});

test('a status is answered with or without the work done, CORS and Retry-After', async () => {
  proxy.rule(times(1, onPost(status(503, { forward: true, cors: false }))));
  proxy.rule(times(1, onPost(status(429, { retryAfter: '7', body: { error: 'slow down' } }))));
  const done = await say('answered 503');
  expect(done.status).toBe(503);
  expect(done.headers.get('access-control-allow-origin')).toBeNull();
  expect(await countOf('answered 503')).toBe(1);
  const refused = await say('answered 429');
  expect(refused).toMatchObject({ status: 429, body: { error: 'slow down' } });
  expect(refused.headers.get('retry-after')).toBe('7');
  expect(refused.headers.get('access-control-allow-origin')).toBe('*');
  expect(await countOf('answered 429')).toBe(0);
  expect((await say('third time')).status).toBe(200);
});

test('a network that duplicates a request has it carried out twice', async () => {
  proxy.rule(onPost(duplicateForward));
  expect((await say('twice')).status).toBe(200);
  expect(await countOf('twice')).toBe(2);
  expect(proxy.requests.at(-1)).toMatchObject({ forwarded: 2 });
});

test('an answer is held until it is released, after the commit or before it', async () => {
  for (const [when, count] of [
    ['after', 1],
    ['before', 0],
  ] as const) {
    const words = `held ${when}`;
    const held = hold(when);
    const undo = proxy.rule(onPost(held.fault));
    const answer = say(words);
    await held.caught;
    expect(await countOf(words)).toBe(count);
    held.release();
    expect((await answer).status).toBe(200);
    expect(await countOf(words)).toBe(1);
    undo();
  }
});

test('a delayed answer comes late', async () => {
  proxy.rule(onPost(delay(60)));
  const startedAt = performance.now();
  expect((await say('late')).status).toBe(200);
  expect(performance.now() - startedAt).toBeGreaterThan(55);
});

test('offline destroys what is open and refuses what is new, online ends it', async () => {
  const held = hold();
  proxy.rule(onPost(held.fault));
  const waiting = say('under way').then(
    () => 'answered',
    () => 'lost',
  );
  await held.caught;
  const listener = await connect(proxy);
  const gone = new Promise((resolve) => listener.socket.once('close', resolve));
  proxy.offline();
  expect(await waiting).toBe('lost');
  await gone;
  await expect(request(`${proxy.url}/health`, 'GET')).rejects.toThrow();
  await expect(connect(proxy)).rejects.toThrow();
  proxy.clear();
  expect((await say('back')).status).toBe(200);
  (await connect(proxy)).close();
  held.release();
});

const talk = async () => {
  const visitor = await visit(service);
  const listener = await listen(proxy, { pubsub_token: visitor.token });
  const write = (content: string) => service.call('POST', `${visitor.path}/messages`, { content });
  const heard = () =>
    listener.events().flatMap(({ event, data }) => (event === 'message.created' ? [data.content] : []));
  return { listener, write, heard };
};
const says =
  (words: string) =>
  ({ text }: { text: string }) =>
    text.includes(`"content":"${words}"`);

test('a socket passes frames both ways, drops one, doubles one and brings others in another order', async () => {
  const { listener, write, heard } = await talk();
  expect(listener.socket.protocol).toBe('actioncable-v1-json');
  expect(proxy.frames.find((frame) => frame.direction === 'up')?.text).toContain('subscribe');
  const held = holdFrames();
  proxy.frameRule((frame) => (says('dropped')(frame) ? dropFrame : undefined));
  proxy.frameRule((frame) => (says('doubled')(frame) ? duplicateFrame : undefined));
  proxy.frameRule((frame) => (says('first')(frame) || says('second')(frame) ? held.fault : undefined));
  for (const words of ['dropped', 'first', 'second', 'doubled']) await write(words);
  await expect.poll(() => held.count()).toBe(2);
  await expect.poll(heard).toEqual(['doubled', 'doubled']);
  held.release((frames) => frames.reverse());
  await expect.poll(heard).toEqual(['doubled', 'doubled', 'second', 'first']);
  listener.close();
});

test('a half-open socket stays open and says nothing, while a new one works', async () => {
  const { listener, write, heard } = await talk();
  proxy.halfOpen();
  const fresh = await talk();
  await write('into the void');
  await fresh.write('alive');
  await expect.poll(fresh.heard).toEqual(['alive']);
  await expect.poll(() => proxy.frames.some(says('into the void'))).toBe(true);
  expect(heard()).toEqual([]);
  expect(listener.socket.readyState).toBe(listener.socket.OPEN);
  listener.close();
  fresh.listener.close();
});

test('sockets can be cut and refused while requests go on', async () => {
  const { listener } = await talk();
  const gone = new Promise((resolve) => listener.socket.once('close', resolve));
  proxy.cutSockets();
  await gone;
  await expect.poll(() => proxy.links()).toBe(0);
  proxy.refuseSockets();
  await expect(connect(proxy)).rejects.toThrow();
  expect((await say('by request')).status).toBe(200);
});
