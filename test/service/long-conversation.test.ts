/** Much that was said, and many conversations: what is asked with each message costs the same, and nothing is held whole. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { viewMessages } from '../../demo/service/domain/messages-view.js';
import { saidSql } from '../../demo/service/domain/templates.js';
import { listText } from '../../demo/service/http/streamed.js';
import type { MessageRow } from '../../demo/service/store/rows.js';
import { rowsRead } from '../support/plan.js';
import { startMs, startTestService, type TestService, visit } from '../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
}, startMs);
afterAll(() => service.end());

test('whether an automatic message is due is known without reading what was said', async () => {
  const visitor = await visit(service);
  await service.call('POST', `${visitor.path}/messages`, { content: 'first' });
  await service.db.query(
    `insert into messages (account_id, inbox_id, conversation_id, content, message_type, sender_type, sender_id, created_at)
     select m.account_id, m.inbox_id, m.conversation_id, 'long ago', 1, 'User', 1, now() - interval '1 day'
     from messages m, generate_series(1, 3000) where m.content = 'first'`,
  );
  await service.db.query('analyze messages');
  const [first] = await service.db.query<{ conversation_id: number }>(
    "select conversation_id from messages where content = 'first'",
  );
  expect(await rowsRead(service, saidSql, [first?.conversation_id, new Date()])).toBeLessThan(100);
});

test('however many conversations a visitor has, all of them are there, oldest first', async () => {
  const visitor = await visit(service);
  const all = `${visitor.contactPath}/conversations`;
  for (let n = 1; n < 45; n += 1) await service.call('POST', all, { custom_attributes: { n } });
  const shown = await service.call('GET', all);
  const list = z.array(z.looseObject({ id: z.number(), messages: z.array(z.unknown()) })).parse(shown.body);
  expect(list).toHaveLength(45);
  expect(list.map(({ id }) => id)).toEqual(list.map(({ id }) => id).sort((a, b) => a - b));
});

test('however long what was said, all of it is there, and no more than one message is written at once', async () => {
  const visitor = await visit(service);
  const long = 'long '.repeat(29_000);
  for (let n = 0; n < 8; n += 1)
    await service.call('POST', `${visitor.path}/messages`, { content: `${n} ${long}`.trim() });
  for (let n = 0; n < 60; n += 1) await service.call('POST', `${visitor.path}/messages`, { content: `${n}` });
  const shown = await service.call('GET', visitor.path);
  const { messages } = z.object({ messages: z.array(z.object({ content: z.string() })) }).parse(shown.body);
  expect(messages.map(({ content }) => Number.parseInt(content, 10))).toEqual([
    ...Array.from({ length: 8 }, (_, n) => n),
    ...Array.from({ length: 60 }, (_, n) => n),
  ]);
  const [row] = await service.db.query<{ conversation_id: number }>(
    'select conversation_id from messages where content = $1 limit 1',
    [`0 ${long}`.trim()],
  );
  const rows = await service.db.query<MessageRow>('select * from messages where conversation_id = $1', [
    row?.conversation_id,
  ]);
  const views = await viewMessages(service.db, rows, new Map());
  async function* pages() {
    yield views;
  }
  const pieces: number[] = [];
  for await (const piece of listText('[', pages(), ({ message }) => ({ content: message.content }), ']'))
    pieces.push(piece.length);
  expect(pieces.length).toBeGreaterThanOrEqual(8);
  expect(Math.max(...pieces)).toBeLessThan(150_000);
});
