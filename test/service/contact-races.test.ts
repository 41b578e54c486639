/** Contacts of two processes on one PostgreSQL: who waited for somebody looks again who that is by now. */
import { beforeAll, describe, expect, test } from 'vitest';
import { viewMessages } from '../../demo/service/domain/messages-view.js';
import type { MessageRow } from '../../demo/service/store/rows.js';
import { hasPostgres } from '../support/processes.js';
import { inboxPath, type TestService, visit } from '../support/service.js';
import { useTwo } from '../support/two.js';

describe.skipIf(!hasPostgres)('two processes on one PostgreSQL', () => {
  const two = useTwo();
  const { behind, holding } = two;
  let a: TestService;
  let b: TestService;
  beforeAll(() => {
    [a, b] = two.both;
  });

  test('who has given an e-mail away in the moment in which it is asked for becomes nobody', async () => {
    const known = await visit(a, { email: 'given-away@example.com' });
    const visitor = await visit(a);
    const [answer] = await behind(
      `select 1 from contacts where id = ${known.contactId} for update`,
      [() => b.call('PATCH', visitor.contactPath, { email: 'given-away@example.com' })],
      [`update contacts set email = 'new@example.com' where id = ${known.contactId}`],
    );
    expect(answer).toMatchObject({
      status: 200,
      body: { id: visitor.contactId, email: 'given-away@example.com' },
    });
  });

  test.each([
    [
      'gets an identity',
      `identifier = 'named just now'`,
      422,
      { errors: [{ field: 'email', code: 'taken' }] },
    ],
    ['gets another e-mail', `email = 'moved@example.com'`, 200, { email: 'gets-another-e-mail@example.com' }],
  ])('a new key is not for a contact that %s in that moment', async (how, change, status, body) => {
    const email = `${how.replaceAll(' ', '-')}@example.com`;
    const known = await visit(a, { email });
    const [answer] = await behind(
      `select 1 from contacts where id = ${known.contactId} for update`,
      [() => b.call('POST', `${inboxPath}/contacts`, { email })],
      [`update contacts set ${change} where id = ${known.contactId}`],
    );
    expect(answer).toMatchObject({ status, body });
    expect(answer?.body).not.toMatchObject({ id: known.contactId });
  });

  test('a contact that becomes another while a second browser finds it by its e-mail is found there', async () => {
    const known = await visit(a, { phone_number: '+4712345670' });
    const visitor = await visit(a, { email: 'second@example.com' });
    const answers = await holding(`contacts where id = ${visitor.contactId}`, [
      () => a.call('PATCH', visitor.contactPath, { phone_number: '+4712345670' }),
      () => b.call('POST', `${inboxPath}/contacts`, { email: 'second@example.com' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[1]?.body).toMatchObject({ id: known.contactId, email: 'second@example.com' });
  });

  test('what somebody wrote who becomes another while it is read has that one as its sender', async () => {
    const known = await visit(a, { email: 'reader@example.com', name: 'Ada' });
    const visitor = await visit(a);
    await a.call('POST', `${visitor.path}/messages`, { content: 'from nobody?' });
    const read = await a.db.query<MessageRow>(`select * from messages where content = 'from nobody?'`);
    await b.call('PATCH', visitor.contactPath, { email: 'reader@example.com' });
    const views = await viewMessages(a.db, read, new Map());
    expect(views).toMatchObject([
      {
        message: { sender_id: known.contactId },
        sender: { type: 'contact', contact: { id: known.contactId, name: 'Ada' } },
      },
    ]);
  });
});
