/** What is asked of two processes on one PostgreSQL in the same moment. */
import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createAccount, createUser, setAccessToken } from '../../demo/service/domain/accounts.js';
import { eventually } from '../support/eventually.js';
import { hasPostgres } from '../support/processes.js';
import { inboxPath, listen, proofOf, type TestService, type Visitor, visit } from '../support/service.js';
import { useTwo } from '../support/two.js';

const account = '/api/v1/accounts/1';
const withId = z.looseObject({ id: z.number() });
const gone = z.union([withId, z.object({ payload: withId }).transform(({ payload }) => payload)]);

describe.skipIf(!hasPostgres)('two processes on one PostgreSQL', () => {
  const two = useTwo();
  const { behind, holding } = two;
  let a: TestService;
  let b: TestService;
  beforeAll(() => {
    [a, b] = two.both;
  });

  /** As a merge leaves it. */
  const became = ({ contactId: gone }: Visitor, { contactId: survivor }: Visitor) => [
    `update contact_inboxes set contact_id = ${survivor} where contact_id = ${gone}`,
    `update conversations set contact_id = ${survivor} where contact_id = ${gone}`,
    `delete from contacts where id = ${gone}`,
  ];

  test('what an agent and the contact change in one moment is both there', async () => {
    const visitor = await visit(a);
    const own = `${account}/contacts/${visitor.contactId}`;
    const answers = await holding(`contacts where id = ${visitor.contactId}`, [
      () => a.agent('PUT', own, { custom_attributes: { plan: 'Team' }, name: 'Ada' }),
      () => b.call('PATCH', visitor.contactPath, { custom_attributes: { city: 'Oslo' } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect((await a.agent('GET', own)).body).toMatchObject({
      payload: { name: 'Ada', custom_attributes: { plan: 'Team', city: 'Oslo' } },
    });
  });

  test('what an agent writes about somebody whom another becomes in that moment stays', async () => {
    const known = await visit(a, { email: 'known@example.com' });
    const visitor = await visit(a, { custom_attributes: { city: 'Oslo' } });
    const own = `${account}/contacts/${known.contactId}`;
    await holding(`contacts where id = ${known.contactId}`, [
      () => a.agent('PUT', own, { custom_attributes: { plan: 'Team' } }),
      () => b.call('PATCH', visitor.contactPath, { email: 'known@example.com' }),
    ]);
    expect((await a.agent('GET', own)).body).toMatchObject({
      payload: { custom_attributes: { plan: 'Team', city: 'Oslo' } },
    });
  });

  test('an inbox of one conversation makes one, whichever process is asked', async () => {
    await a.agent('PATCH', `${account}/inboxes/1`, { lock_to_single_conversation: true });
    const contact = z
      .object({ source_id: z.string() })
      .parse((await a.call('POST', `${inboxPath}/contacts`, {})).body);
    const path = `${inboxPath}/contacts/${contact.source_id}/conversations`;
    const answers = await holding('accounts', [
      () => a.call('POST', path, {}),
      () => b.call('POST', path, {}),
    ]);
    expect(new Set(answers.map(({ body }) => withId.parse(body).id)).size).toBe(1);
    expect((await a.call('GET', path)).body).toHaveLength(1);
    await a.agent('PATCH', `${account}/inboxes/1`, { lock_to_single_conversation: false });
  });

  const ownersOf = (keys: readonly string[]) =>
    a.db.query<{ misplaced: boolean }>(
      `select v.contact_id <> p.contact_id as misplaced
       from conversations v join contact_inboxes p on p.id = v.contact_inbox_id where p.source_id = any($1)`,
      [keys],
    );

  test('a conversation begun by who only claims a name, while it is proven, is not the proven one’s', async () => {
    const proof = await proofOf(a, 'raced');
    const claimant = await visit(a, { identifier: proof.identifier });
    const answers = await holding('accounts', [
      () => a.call('POST', `${claimant.contactPath}/conversations`, {}),
      () => b.call('POST', `${inboxPath}/contacts`, proof),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const owners = await ownersOf([claimant.sourceId]);
    expect(owners).toEqual([{ misplaced: false }, { misplaced: false }]);
    const told = await a.call('GET', claimant.contactPath);
    expect(withId.parse(told.body).id).not.toBe(withId.parse(answers[1]?.body).id);
  });

  test('claims, their words, their proofs and what an agent changes, all in one moment, end where they belong', async () => {
    const proof = await proofOf(a, 'crowded');
    const claimants = await Promise.all(
      Array.from({ length: 6 }, () => visit(a, { identifier: proof.identifier })),
    );
    const asked = claimants.flatMap((one, n) => [
      () => a.call('POST', `${one.path}/messages`, { content: `${n}` }),
      () => b.call('PATCH', one.contactPath, { name: `Claimant ${n}` }),
      () => b.call('POST', `${one.contactPath}/conversations`, {}),
      ...(n % 3 ? [] : [() => a.call('GET', `${one.contactPath}?${new URLSearchParams(proof)}`)]),
    ]);
    const own = `${account}/contacts/${claimants[0]?.contactId}`;
    const answers = await Promise.all(
      [
        ...asked,
        () => b.call('POST', `${inboxPath}/contacts`, proof),
        () => a.agent('PUT', own, { name: 'Crowded' }),
      ].map((ask) => ask()),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await ownersOf(claimants.map(({ sourceId }) => sourceId))).toEqual(
      Array.from({ length: 12 }, () => ({ misplaced: false })),
    );
    const proven =
      'select count(*)::int as proven from contact_inboxes where hmac_verified and source_id = any($1)';
    expect(await a.db.query(proven, [claimants.map(({ sourceId }) => sourceId)])).toEqual([{ proven: 2 }]);
  });

  test('a conversation begun while its contact becomes another is the other one’s', async () => {
    const known = await visit(a, { email: 'other@example.com' });
    const visitor = await visit(a);
    const answers = await holding(`contacts where id = ${known.contactId}`, [
      () => a.call('PATCH', visitor.contactPath, { email: 'other@example.com' }),
      () => b.call('POST', `${visitor.contactPath}/conversations`, {}),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const shown = await a.agent('GET', `${account}/conversations/${withId.parse(answers[1]?.body).id}`);
    expect(shown.body).toMatchObject({ meta: { sender: { id: known.contactId } } });
  });

  test('who asks in the moment in which their contact becomes another is answered as that one', async () => {
    const known = await visit(a);
    const visitor = await visit(a);
    const [answer] = await behind(
      'lock table contacts in access exclusive mode',
      [() => b.call('GET', visitor.contactPath)],
      became(visitor, known),
    );
    expect(answer).toMatchObject({ status: 200, body: { id: known.contactId, source_id: visitor.sourceId } });
  });

  test.each([
    ['one conversation', (visitor: Visitor) => `${account}/conversations/${visitor.conversationId}`],
    ['a list of them', () => `${account}/conversations`],
  ])('an agent who reads %s while its contact becomes another reads of that one', async (_, pathOf) => {
    const known = await visit(a);
    const visitor = await visit(a);
    const [answer] = await behind(
      'lock table contacts in access exclusive mode',
      [() => b.agent('GET', pathOf(visitor))],
      became(visitor, known),
    );
    expect(answer?.status).toBe(200);
    const shown = z.looseObject({ id: z.number(), meta: z.looseObject({ sender: withId }) });
    const page = z
      .object({ data: z.object({ payload: z.array(shown) }) })
      .transform(({ data }) => data.payload);
    const all = z.union([page, shown.transform((one) => [one])]).parse(answer?.body);
    expect(all.find(({ id }) => id === visitor.conversationId)?.meta.sender.id).toBe(known.contactId);
  });

  test.each([
    // It is looked at again once its turn has come, and told.
    ['is about to be judged', 401, () => 'lock table contact_inboxes in exclusive mode'],
    [
      'is being judged',
      200,
      ({ contactId }: Visitor) => `select 1 from contacts where id = ${contactId} for update`,
    ],
  ])(
    'a proof that %s when the name of its contact changes proves nothing of the new one',
    async (when, status, lock) => {
      const [inbox] = await a.db.query<{ hmac_token: string }>('select hmac_token from inboxes where id = 1');
      const hmac = createHmac('sha256', inbox?.hmac_token ?? '').update(when);
      const proof = new URLSearchParams({ identifier: when, identifier_hash: hmac.digest('hex') });
      const visitor = await visit(a, { identifier: when });
      const [answer] = await behind(
        lock(visitor),
        [() => b.call('GET', `${visitor.contactPath}?${proof}`)],
        [`update contacts set identifier = 'now ${when}' where id = ${visitor.contactId}`],
      );
      expect(answer?.status).toBe(status);
      const sql = 'select hmac_verified from contact_inboxes where source_id = $1';
      expect(await a.db.query(sql, [visitor.sourceId])).toEqual([{ hmac_verified: false }]);
    },
  );

  test('who is let go in the moment in which they take a conversation does not have it', async () => {
    const visitor = await visit(a);
    const made = z
      .looseObject({ id: z.number(), access_token: z.string() })
      .parse(
        (await a.agent('POST', `${account}/agents`, { name: 'Bo', email: 'bo@example.com', role: 'agent' }))
          .body,
      );
    await a.agent('POST', `${account}/inbox_members`, { inbox_id: 1, user_ids: [made.id] });
    const path = `${account}/conversations/${visitor.conversationId}`;
    const [taken] = await behind(
      `select 1 from conversations where display_id = ${visitor.conversationId} for update`,
      [
        () =>
          b.call(
            'POST',
            `${path}/toggle_status`,
            { status: 'open' },
            { api_access_token: made.access_token },
          ),
      ],
      [`delete from account_users where user_id = ${made.id}`],
    );
    expect(taken?.status).toBe(200);
    const kept = await a.db.query('select assignee_id from conversations where display_id = $1', [
      visitor.conversationId,
    ]);
    expect(kept).toEqual([{ assignee_id: null }]);
  });

  test('a team that is deleted while a conversation is given to it is not found, and no fault', async () => {
    const { conversationId } = await visit(a);
    const made = withId.parse((await a.agent('POST', `${account}/teams`, { name: 'Gone soon' })).body);
    const [answer] = await behind(
      `select 1 from teams where id = ${made.id} for update`,
      [() => b.agent('POST', `${account}/conversations/${conversationId}/assignments`, { team_id: made.id })],
      [`delete from teams where id = ${made.id}`],
    );
    expect(answer).toMatchObject({ status: 404, body: { errors: [{ field: 'team_id' }] } });
  });

  const rule = { name: 'Gone', event_name: 'message_created', conditions: [] };
  const actions = [{ action_name: 'mute', action_params: [] }];
  test.each([
    ['labels', 'labels', { title: 'gone' }, { color: '#000000' }],
    ['teams', 'teams', { name: 'Gone' }, { description: 'x' }],
    ['team_members', 'teams', { name: 'Gone, too' }, { user_ids: [1] }],
    ['canned_responses', 'canned_responses', { short_code: 'gone', content: 'x' }, { content: 'y' }],
    ['automation_rules', 'automation_rules', { ...rule, actions }, { active: false }],
    ['webhooks', 'webhooks', { url: 'https://gone.example/' }, { name: 'x' }],
  ])(
    'what is changed of %s while it is deleted is not found, and no fault',
    async (what, table, body, to) => {
      const { id } = gone.parse((await a.agent('POST', `${account}/${table}`, body)).body);
      const path = `${account}/${table}/${id}`;
      const answers = await behind(
        `select 1 from ${table} where id = ${id} for update`,
        [() => b.agent('PATCH', what === table ? path : `${path}/${what}`, to)],
        [`delete from ${table} where id = ${id}`],
      );
      expect(answers).toMatchObject([{ status: 404, body: { errors: [{ code: 'not_found' }] } }]);
    },
  );

  test('who is changed or taken into an inbox while they are let go is not found, and is in none', async () => {
    for (const [verb, path, body] of [
      ['PATCH', 'agents/:id', { role: 'administrator' }],
      ['POST', 'inbox_members', { inbox_id: 1 }],
    ] as const) {
      const bo = { name: 'Bo', email: `${verb}-bo@example.com` };
      const { id } = withId.parse((await a.agent('POST', `${account}/agents`, bo)).body);
      const own = `account_users where user_id = ${id}`;
      const answers = await behind(
        `select 1 from ${own} for update`,
        [() => b.agent(verb, `${account}/${path.replace(':id', `${id}`)}`, { ...body, user_ids: [id] })],
        [`delete from ${own}`],
      );
      expect(answers, path).toMatchObject([{ status: 404, body: { errors: [{ code: 'not_found' }] } }]);
      expect(await a.db.query('select 1 from inbox_members where user_id = $1', [id])).toEqual([]);
    }
  });

  test('what happens while a webhook that asks for it is deleted happens', async () => {
    const { conversationId } = await visit(a);
    const body = { url: 'https://going.example/', subscriptions: ['conversation_status_changed'] };
    const { id } = gone.parse((await a.agent('POST', `${account}/webhooks`, body)).body);
    const answers = await behind(
      `select 1 from webhooks where id = ${id} for update`,
      [
        () =>
          b.agent('POST', `${account}/conversations/${conversationId}/toggle_status`, { status: 'pending' }),
      ],
      [`delete from webhooks where id = ${id}`],
    );
    expect(answers).toMatchObject([{ status: 200, body: { payload: { current_status: 'pending' } } }]);
  });

  test('whom two accounts let go in one moment has no token left', async () => {
    const bo = { name: 'Bo', email: 'bo-of-two@example.com' };
    const { id } = withId.parse((await a.agent('POST', `${account}/agents`, bo)).body);
    const other = await createAccount(a.db, 'Other');
    const admin = await createUser(a.db, other, {
      name: 'Eva',
      displayName: '',
      email: 'eva@other.example',
      role: 'administrator',
    });
    await setAccessToken(a.db, admin, 'agent', 'evas-token');
    const eva = { api_access_token: 'evas-token' };
    const theirs = `/api/v1/accounts/${other}/agents`;
    expect((await b.call('POST', theirs, bo, eva)).status).toBe(200);
    // A table that both change after they have looked who else has this person.
    const answers = await behind(
      'lock table team_members in share mode',
      [
        () => a.agent('DELETE', `${account}/agents/${id}`),
        () => b.call('DELETE', `${theirs}/${id}`, undefined, eva),
      ],
      [],
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await a.db.query('select 1 from access_tokens where user_id = $1', [id])).toEqual([]);
  });

  test('two answers in one moment: the second tells what the first one left', async () => {
    const visitor = await visit(a);
    const thread = `${account}/conversations/${visitor.conversationId}/messages`;
    const { id } = withId.parse((await a.agent('POST', thread, { content: 'Pick' })).body);
    const heard = await listen(b, { pubsub_token: visitor.token });
    const answer = (value: string) => ({ submitted_values: [{ title: value, value }] });
    await holding(`messages where id = ${id}`, [
      () => a.call('PATCH', `${visitor.path}/messages/${id}`, answer('first')),
      () => b.call('PATCH', `${visitor.path}/messages/${id}`, answer('second')),
    ]);
    const told = await heard.event('message.updated', ({ content_attributes }) =>
      JSON.stringify(content_attributes).includes('second'),
    );
    expect(told.data.previous_changes).toEqual({
      content_attributes: [answer('first'), answer('second')],
    });
    heard.close();
  });

  test('two who change different things of a webhook change both', async () => {
    const hook = z
      .object({ payload: z.object({ webhook: withId }) })
      .parse(
        (await a.agent('POST', `${account}/webhooks`, { url: 'https://old.example/', name: 'Old' })).body,
      ).payload.webhook;
    const path = `${account}/webhooks/${hook.id}`;
    await holding(`webhooks where id = ${hook.id}`, [
      () => a.agent('PATCH', path, { url: 'https://new.example/' }),
      () => b.agent('PATCH', path, { name: 'New' }),
    ]);
    const [row] = await a.db.query('select url, name from webhooks where id = $1', [hook.id]);
    expect(row).toEqual({ url: 'https://new.example/', name: 'New' });
  });

  test('a contact that becomes another while an agent changes it is not found, and no fault', async () => {
    const known = await visit(a, { email: 'stays@example.com' });
    const visitor = await visit(a);
    const answers = await behind(
      `select 1 from contacts where id = ${visitor.contactId} for update`,
      [() => b.agent('PUT', `${account}/contacts/${visitor.contactId}`, { name: 'Too late' })],
      became(visitor, known),
    );
    expect(answers).toMatchObject([{ status: 404, body: { errors: [{ field: 'id', code: 'not_found' }] } }]);
  });

  test('an answer to a survey that is deleted in that moment is not stored', async () => {
    await a.agent('PATCH', `${account}/inboxes/1`, { csat_survey_enabled: true });
    const visitor = await visit(a);
    const own = `${account}/conversations/${visitor.conversationId}`;
    await a.agent('POST', `${own}/toggle_status`, { status: 'resolved' });
    await a.agent('PATCH', `${account}/inboxes/1`, { csat_survey_enabled: false });
    const [survey] = await a.db.query<{ id: number }>(
      `select id from messages where content_type = 'input_csat' order by id desc limit 1`,
    );
    const answer = { submitted_values: { csat_survey_response: { rating: 1 } } };
    const answers = await holding(`messages where id = ${survey?.id}`, [
      () => a.agent('DELETE', `${own}/messages/${survey?.id}`),
      () => b.call('PATCH', `${visitor.path}/messages/${survey?.id}`, answer),
    ]);
    expect(answers).toMatchObject([
      { status: 200 },
      { status: 404, body: { errors: [{ field: 'message_id', code: 'not_found' }] } },
    ]);
    const kept = 'select content_attributes from messages where id = $1';
    expect(await a.db.query(kept, [survey?.id])).toEqual([{ content_attributes: { deleted: true } }]);
  });

  test('two that wait for each other both get their way', async () => {
    const [one, two] = [await visit(a), await visit(a)];
    let begun = 0;
    const take = (first: Visitor, second: Visitor) =>
      a.db.transaction(async (tx) => {
        const lock = 'select 1 from contacts where id = $1 for update';
        await tx.query(lock, [first.contactId]);
        begun++;
        await eventually('both have one', async () => begun > 1);
        await tx.query(lock, [second.contactId]);
      });
    await Promise.all([take(one, two), take(two, one)]);
    // One of them had to begin again, on a busy machine more than once.
    expect(begun).toBeGreaterThan(2);
  });
});
