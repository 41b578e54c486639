/** Answers larger than what lines and streams take in: who takes nothing of theirs is cut, who takes little is not. */
import { once } from 'node:events';
import http from 'node:http';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startMs, startTestService, type TestService, type Visitor, visit } from '../support/service.js';

const silentBodyMs = 1000;
const letters = 30_000_000;
let service: TestService;
let visitor: Visitor;
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
  await service.db.query(
    `insert into messages (account_id, inbox_id, conversation_id, content, message_type, created_at)
     select account_id, inbox_id, id, repeat('x', 100000), 0, now() - interval '1 day'
     from conversations, generate_series(1, ${letters / 100_000}) where display_id = $1`,
    [visitor.conversationId],
  );
}, startMs);
afterAll(() => service.end());

async function begin(path: string): Promise<http.IncomingMessage> {
  const request = http.get(service.url + path, { agent: false });
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
      setTimeout(() => answer.resume(), 20);
    });
    await once(answer, 'end');
    expect(answer.complete).toBe(true);
    expect(size).toBeGreaterThan(letters);
    expect(performance.now() - began).toBeGreaterThan(3 * silentBodyMs);
  },
  startMs,
);
