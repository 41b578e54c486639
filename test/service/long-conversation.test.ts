/** Much that was said, and many conversations: what is asked with each message costs the same, and nothing is held whole. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { agentHistory, publicHistory, publicMessages } from '../../demo/service/domain/history.js';
import { viewMessages } from '../../demo/service/domain/messages-view.js';
import { saidSql } from '../../demo/service/domain/templates.js';
import { listText } from '../../demo/service/http/streamed.js';
import type { Queries } from '../../demo/service/store/database.js';
import type { ConversationRow, MessageRow } from '../../demo/service/store/rows.js';
import { rowsRead, rowsReadWhenKept } from '../support/plan.js';
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

const numbers = z.array(z.number());

/** What is asked first. */
async function firstAsked(ask: (db: Queries) => Promise<unknown>): Promise<[string, number[]]> {
  const all: [string, number[]][] = [];
  const listening: Queries = {
    query(text, params) {
      if (all.length === 0) all.push([text, numbers.parse(params)]);
      return service.db.query(text, params);
    },
  };
  await ask(listening);
  const [first] = all;
  if (!first) throw new Error('nothing was asked');
  return first;
}

test('a page of what was said costs the same wherever it is, and whatever was said elsewhere', async () => {
  const { conversationId } = await visit(service);
  const more = `insert into conversations (account_id, display_id, inbox_id, contact_id, contact_inbox_id)
    select account_id, 100000 + n, inbox_id, contact_id, contact_inbox_id
    from conversations, generate_series(1, 302) n where display_id = $1 returning *`;
  const rows = await service.db.query<ConversationRow>(more, [conversationId]);
  const [early, late, ...others] = rows;
  if (!early || !late) throw new Error('no conversation was made');
  const say = (conversations: readonly ConversationRow[], times: number) =>
    service.db.query(
      `insert into messages (account_id, inbox_id, conversation_id, content, message_type, sender_type, sender_id)
       select account_id, inbox_id, id, 'said', 1, 'User', 1 from generate_series(1, $2), conversations
       where id = any($1::bigint[])`,
      [conversations.map(({ id }) => id), times],
    );
  await say([early], 3000);
  await say(others, 10);
  await say([late], 3000);
  await service.db.query('analyze messages');
  const [{ id: begin } = { id: 0 }] = await service.db.query<{ id: number }>(
    'select min(id) as id from messages where conversation_id = $1',
    [late.id],
  );
  const before = begin + 100;
  const pages: ((db: Queries) => Promise<unknown>)[] = [
    (db) => publicHistory(db, early, undefined),
    (db) => publicHistory(db, late, before),
    (db) => agentHistory(db, early, {}).next(),
    (db) => agentHistory(db, late, { before }).next(),
    (db) => agentHistory(db, late, { after: begin - 2000 }).next(),
    (db) => agentHistory(db, late, { after: begin - 2000, before }).next(),
    (db) => publicMessages(db, late).next(),
  ];
  const read: number[] = [];
  for (const page of pages) {
    const asked = await firstAsked(page);
    read.push(await rowsRead(service, ...asked), await rowsReadWhenKept(service, ...asked));
  }
  expect(Math.max(...read), read.join()).toBeLessThan(100);
});
