/** What is asked with each message costs the same however much was said before. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { saidSql } from '../../demo/service/domain/templates.js';
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
