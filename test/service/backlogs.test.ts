/**
 * Answers larger than what lines and streams take in: who takes nothing of theirs is cut, who takes little is not. And
 * sockets that nobody reads.
 */
import diagnostics from 'node:diagnostics_channel';
import { once } from 'node:events';
import http from 'node:http';
import { Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Listener,
  listen,
  startMs,
  startTestService,
  type TestService,
  type Visitor,
  visit,
} from '../support/service.js';

/** Longer than the process stands still in which both ends of a line are. */
const silentBodyMs = 5_000;
const letters = 30_000_000;
let service: TestService;
let visitor: Visitor;
const fill = ({ db }: TestService, { conversationId }: Visitor) =>
  db.query(
    `insert into messages (account_id, inbox_id, conversation_id, content, message_type, created_at)
     select account_id, inbox_id, id, repeat('x', 100000), 0, now() - interval '1 day'
     from conversations, generate_series(1, ${letters / 100_000}) where display_id = $1`,
    [conversationId],
  );
/** By the path that was asked for, the service's end of the line. */
const lines = new Map<string, Socket>();

beforeAll(async () => {
  service = await startTestService({
    limits: { silentBodyMs },
    before: (context, next) => {
      lines.set(context.req.path, context.env.incoming.socket);
      return next();
    },
  });
  visitor = await visit(service);
  await fill(service, visitor);
}, startMs);
afterAll(() => service.end());

async function begin(path: string, from = service): Promise<http.IncomingMessage> {
  const request = http.get(from.url + path, { agent: false });
  request.on('error', () => undefined);
  const [answer] = await once(request, 'response');
  if (!(answer instanceof http.IncomingMessage)) throw new Error('no answer came');
  return answer.on('error', () => undefined);
}

test('an answer that nobody reads is cut, and its reader sees that it is not whole', async () => {
  const answer = await begin(visitor.path);
  const line = lines.get(visitor.path);
  if (!line) throw new Error('nobody asked');
  if (!line.destroyed) await once(line, 'close');
  const closed = new Promise((resolve) => answer.once('close', resolve));
  answer.resume();
  await closed;
  expect(answer.complete).toBe(false);
});

test(
  'an answer that is read slowly comes whole, however long it takes',
  async () => {
    const path = `${visitor.contactPath}/conversations`;
    const answer = await begin(path);
    const began = performance.now();
    let size = 0;
    answer.on('data', ({ length }: Buffer) => {
      size += length;
      answer.pause();
      setTimeout(() => answer.resume(), 40);
    });
    await new Promise((resolve) => answer.once('close', resolve));
    expect(answer.complete).toBe(true);
    expect(size).toBeGreaterThan(letters);
    expect(performance.now() - began).toBeGreaterThan(3 * silentBodyMs);
  },
  startMs,
);

test(
  'answers together keep no more than there is room for: those give way that are behind',
  async () => {
    const answerBacklogBytes = 400_000;
    const asked: Socket[] = [];
    const narrow = await startTestService({
      limits: { answerBacklogBytes },
      before: (context, next) => {
        asked.push(context.env.incoming.socket);
        return next();
      },
    });
    const other = await visit(narrow);
    await fill(narrow, other);
    asked.length = 0;
    const answers = await Promise.all(Array.from({ length: 8 }, () => begin(other.path, narrow)));
    // Each is longer than what its line takes in, so a piece of each waits in the service, and some are cut for that.
    const staying = () =>
      asked.filter(({ destroyed }) => !destroyed).map(({ writableLength }) => writableLength);
    await expect.poll(() => staying().length).toBeLessThan(answers.length - 2);
    // A line may take in a little more, and another piece comes: until the next look it is too much.
    await expect
      .poll(
        () =>
          staying().every((waiting) => waiting > 0) &&
          staying().reduce((sum, waiting) => sum + waiting, 0) <= answerBacklogBytes,
      )
      .toBe(true);
    const wholes = answers.map(async (answer) => {
      answer.resume();
      await new Promise((resolve) => answer.once('close', resolve));
      return answer.complete;
    });
    const whole = (await Promise.all(wholes)).filter((isWhole) => isWhole).length;
    expect(whole).toBeGreaterThan(0);
    expect(whole).toBeLessThan(answers.length - 2);
    await narrow.end();
  },
  startMs,
);

/** A socket of the visitor's that is let in and reads nothing from now on, and the service's end of its line. */
async function listenUnread(
  to: TestService,
  { token }: Visitor,
): Promise<{ unread: Listener; line: Socket }> {
  const opened: Socket[] = [];
  const note = (message: unknown) => {
    const socket = Object(message).socket;
    if (socket instanceof Socket) opened.push(socket);
  };
  diagnostics.subscribe('net.server.socket', note);
  const unread = await listen(to, { pubsub_token: token });
  diagnostics.unsubscribe('net.server.socket', note);
  unread.socket.pause();
  const [line] = opened;
  if (!line) throw new Error('nobody came');
  return { unread, line };
}

const sayMuch = (to: TestService, { path }: Visitor) =>
  to.call('POST', `${path}/messages`, { content: 'x'.repeat(150_000) });

test(
  'a socket of which nothing is read is cut after a while, and one that is read is not',
  async () => {
    const patient = await startTestService({ limits: { silentBodyMs } });
    const other = await visit(patient);
    const read = await listen(patient, { pubsub_token: other.token });
    const { unread, line } = await listenUnread(patient, other);
    // Until it is more than the line takes in, and no more: what waits is far from too much by itself.
    while (line.writableLength === 0) await sayMuch(patient, other);
    if (!line.destroyed) await once(line, 'close');
    await patient.call('POST', `${other.path}/messages`, { content: 'still here' });
    await read.event('message.created', ({ content }) => content === 'still here');
    unread.socket.terminate();
    read.close();
    await patient.end();
  },
  startMs,
);

test(
  'sockets together keep no more than there is room for: those give way that are behind',
  async () => {
    const narrow = await startTestService({ limits: { socketBacklogBytes: 100_000 } });
    const other = await visit(narrow);
    const read = await listen(narrow, { pubsub_token: other.token });
    const { unread, line } = await listenUnread(narrow, other);
    let most = 0;
    while (!line.destroyed) {
      await sayMuch(narrow, other);
      most = Math.max(most, line.writableLength);
    }
    // The one message that did not fit any more, and perhaps one that was on its way.
    expect(most).toBeLessThan(1_000_000);
    await narrow.call('POST', `${other.path}/messages`, { content: 'still here' });
    await read.event('message.created', ({ content }) => content === 'still here');
    unread.socket.terminate();
    read.close();
    await narrow.end();
  },
  startMs,
);
