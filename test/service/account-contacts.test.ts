/** The agents' contacts: list, search, one, and its change. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { setAccessToken } from '../../demo/service/domain/accounts.js';
import { graceToken, letGraceIn } from '../support/grace.js';
import {
  inboxPath,
  request,
  startMs,
  startTestService,
  type TestService,
  visit,
} from '../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
}, startMs);
afterAll(() => service.end());

const account = '/api/v1/accounts/1';
const number = expect.any(Number);
const text = expect.any(String);

const contacts = z.object({
  meta: z.object({ count: z.number(), current_page: z.string() }),
  payload: z.array(z.looseObject({ id: z.number(), name: z.string(), email: z.string().nullable() })),
});

test('a page of messages names every pair of its contact', async () => {
  const fields = { email: 'two-devices@example.com' };
  const [phone, laptop] = [await visit(service, fields), await visit(service, fields)];
  const page = await service.agent('GET', `${account}/conversations/${phone.conversationId}/messages`);
  const pairs = [{ source_id: phone.sourceId }, { source_id: laptop.sourceId }];
  expect(page.body).toMatchObject({
    meta: { contact: { payload: [{ id: phone.contactId, contact_inboxes: pairs }] } },
  });
});

test('an agent is told the keys of contacts in the own inboxes alone, an administrator all', async () => {
  await letGraceIn(service);
  const asGrace = (path: string) =>
    request(`${service.url}${account}/${path}`, 'GET', undefined, { api_access_token: graceToken });
  const made = await service.agent('POST', `${account}/inboxes`, {
    name: 'Second',
    channel: { type: 'api' },
  });
  const second = z.looseObject({ inbox_identifier: z.string() }).parse(made.body).inbox_identifier;
  const fields = { email: 'both-inboxes@example.com', source_id: 'key-in-the-second-inbox' };
  await service.call('POST', `/public/api/v1/inboxes/${second}/contacts`, fields);
  const here = await visit(service, { email: fields.email });
  for (const path of [
    'contacts',
    'contacts/search?q=both-inboxes',
    `contacts/${here.contactId}`,
    `conversations/${here.conversationId}/messages`,
  ]) {
    const shown = JSON.stringify((await asGrace(path)).body);
    expect(shown, path).toContain(here.sourceId);
    expect(shown, path).not.toContain(fields.source_id);
    const all = JSON.stringify((await service.agent('GET', `${account}/${path}`)).body);
    expect(all, path).toContain(fields.source_id);
  }
});

test('contacts are listed 15 a page in eight orders, searched, shown', async () => {
  for (let n = 0; n < 17; n += 1) {
    await service.call('POST', `${inboxPath}/contacts`, {
      name: `Lister ${String.fromCharCode(97 + n)}`,
      email: `lister-${99 - n}@example.org`,
      phone_number: `+1202555${1000 + ((n * 7) % 17)}`,
      identifier: `Lister-${n}`,
    });
  }
  const get = async (path: string) => contacts.parse((await service.agent('GET', `${account}/${path}`)).body);
  const first = await get('contacts');
  expect(first.meta.current_page).toBe('1');
  expect(first.payload).toHaveLength(15);
  expect((await get('contacts?page=2')).meta).toEqual({ count: first.meta.count, current_page: '2' });
  const nameless = await visit(service, { name: 'No way to tell' });
  const all = await get(`contacts?page=2`);
  expect([...first.payload, ...all.payload].map((contact) => contact.id)).not.toContain(nameless.contactId);

  for (const key of ['name', 'email', 'phone_number'] as const) {
    const ordered = (await get(`contacts/search?q=lister&sort=${key}`)).payload.map(
      (contact) => contact[key],
    );
    expect(ordered).toEqual([...ordered].sort());
    const reversed = (await get(`contacts/search?q=lister&sort=-${key}`)).payload.map(
      (contact) => contact[key],
    );
    expect(reversed).toEqual([...reversed].sort().reverse());
  }
  await service.db.query(
    `update contacts set last_activity_at = now() - (id * 7 % 17) * interval '1 minute' where name like 'Lister %'`,
  );
  for (const [sort, turn] of [
    ['last_activity_at', 1],
    ['-last_activity_at', -1],
  ] as const) {
    const { payload } = await get(`contacts/search?q=lister&sort=${sort}`);
    const active = z.array(z.looseObject({ last_activity_at: z.number() })).parse(payload);
    const times = active.map(({ last_activity_at }) => last_activity_at);
    expect(new Set(times).size).toBeGreaterThan(10);
    expect(times).toEqual([...times].sort((a, b) => turn * (a - b)));
  }
  expect((await get('contacts/search?q=LISTER-90@')).payload).toMatchObject([{ name: 'Lister j' }]);
  expect((await get('contacts/search?q=Lister-16')).payload).toMatchObject([{ identifier: 'Lister-16' }]);
  const [found] = (await get('contacts/search?q=Lister-16')).payload;
  const shown = await service.agent('GET', `${account}/contacts/${found?.id}`);
  expect(shown.body).toEqual({ payload: found });
  expect(found).toMatchObject({
    contact_inboxes: [{ source_id: text, inbox: { id: 1 } }],
    created_at: number,
  });
});

test('an inbox that an agent is not in is not there for them: neither who is, nor to put a contact into', async () => {
  const token = 'grace-token-for-inboxes';
  await setAccessToken(service.db, 2, 'inboxes', token);
  const made = await service.agent('POST', `${account}/inboxes`, {
    name: 'Third',
    channel: { type: 'api' },
  });
  const { id } = z.looseObject({ id: z.number() }).parse(made.body);
  const ask = async (method: string, path: string, body?: object) =>
    (await request(`${service.url}${account}/${path}`, method, body, { api_access_token: token })).status;
  const members = `inbox_members/${id}`;
  const contact = { name: 'Put there', inbox_id: id };
  expect([await ask('GET', members), await ask('POST', 'contacts', contact)]).toEqual([404, 404]);
  expect(await service.db.query(`select 1 from contacts where name = 'Put there'`)).toEqual([]);
  await service.agent('POST', `${account}/inbox_members`, { inbox_id: id, user_ids: [2] });
  expect([await ask('GET', members), await ask('POST', 'contacts', contact)]).toEqual([200, 200]);
});

test('yes and no may be written as other languages do, in a form and in a query', async () => {
  const { contactId } = await visit(service);
  const path = `${account}/contacts/${contactId}`;
  for (const [text, blocked] of [
    ['True', true],
    ['0', false],
    ['1', true],
    ['FALSE', false],
  ] as const) {
    const form = new FormData();
    form.append('blocked', text);
    const changed = await service.agent('PUT', path, form);
    expect(changed.body).toMatchObject({ payload: [{ blocked }] });
    const report = `/api/v2/accounts/1/summary_reports/team?business_hours=${text}`;
    expect((await service.agent('GET', report)).status).toBe(200);
  }
  expect((await service.agent('PUT', path, { blocked: 'yes' })).status).toBe(422);
});

test('an agent changes a contact; maps are merged, null clears, what is taken is refused', async () => {
  const one = await visit(service, { email: 'one@example.net', phone_number: '+12025550177' });
  const other = await visit(service, { email: 'other@example.net', custom_attributes: { plan: 'Free' } });
  const path = `${account}/contacts/${other.contactId}`;
  const changed = await service.agent('PUT', path, {
    name: 'Renamed',
    email: null,
    blocked: true,
    custom_attributes: { city: 'Rome' },
    additional_attributes: { country: 'Italy' },
  });
  expect(changed.status).toBe(200);
  expect(changed.body).toMatchObject({
    id: other.contactId,
    payload: [
      {
        id: other.contactId,
        name: 'Renamed',
        email: null,
        blocked: true,
        custom_attributes: { plan: 'Free', city: 'Rome' },
        additional_attributes: { country: 'Italy' },
        contact_inboxes: [{ source_id: other.sourceId }],
      },
    ],
  });
  for (const [field, value] of [
    ['email', 'ONE@example.net'],
    ['phone_number', '+12025550177'],
  ] as const) {
    const taken = await service.agent('PUT', path, { [field]: value });
    expect(taken.status).toBe(422);
    expect(taken.body).toMatchObject({ errors: [{ field, code: 'taken' }] });
  }
  expect((await service.call('GET', one.contactPath)).body).toMatchObject({ email: 'one@example.net' });
});

test('who stays of two that became one has what either was known by', async () => {
  const known = await visit(service, { email: 'stays@example.net', custom_attributes: { plan: 'Free' } });
  const visitor = await visit(service, { name: 'Ada', avatar_url: 'https://example.net/ada.png' });
  await service.agent('PUT', `${account}/contacts/${known.contactId}`, {
    additional_attributes: { city: 'Rome' },
  });
  await service.agent('PUT', `${account}/contacts/${visitor.contactId}`, {
    additional_attributes: { city: 'Oslo', country: 'Norway' },
  });
  await service.call('POST', `${visitor.path}/messages`, { content: 'hello' });
  await service.call('PATCH', visitor.contactPath, { email: 'stays@example.net' });
  const path = `${account}/contacts/${known.contactId}`;
  const joined = {
    name: 'Ada',
    thumbnail: 'https://example.net/ada.png',
    additional_attributes: { city: 'Rome', country: 'Norway' },
    custom_attributes: { plan: 'Free' },
    last_activity_at: number,
  };
  expect((await service.agent('GET', path)).body).toMatchObject({ payload: joined });
  const other = await visit(service, { name: 'Eve', avatar_url: 'https://example.net/eve.png' });
  await service.call('PATCH', other.contactPath, { email: 'stays@example.net' });
  expect((await service.agent('GET', path)).body).toMatchObject({ payload: joined });
});

test('blanks alone are no value: a visitor says nothing with them, an agent clears', async () => {
  const blank = { identifier: '  ', email: ' ', phone_number: '\t', avatar_url: ' ' };
  const one = await visit(service, { identifier: '  ', name: 'One' });
  for (const fields of [{ identifier: '  ' }, blank]) {
    expect((await visit(service, fields)).contactId).not.toBe(one.contactId);
  }
  const none = { name: 'One', identifier: null, email: null, phone_number: null };
  expect((await service.call('PATCH', one.contactPath, { ...blank, name: '   ' })).body).toMatchObject(none);

  const path = `${account}/contacts/${one.contactId}`;
  await service.agent('PUT', path, { email: 'blank@example.net', identifier: 'not-blank' });
  const cleared = await service.agent('PUT', path, { ...blank, name: '   ' });
  expect(cleared.body).toMatchObject({ payload: [{ ...none, name: '', thumbnail: '' }] });
  const contact = { ...none, name: '' };
  for (let n = 0; n < 2; n += 1) {
    const made = await service.agent('POST', `${account}/contacts`, { ...blank, name: ' ' });
    expect(made.body).toMatchObject({ payload: { contact } });
  }
});

test('what would be stored as something else, or not at all, is refused with its field', async () => {
  const webhook_url = 'https://x.example';
  const refusals = [
    ['POST', 'contacts', { name: 'Five', additional_attributes: { city: 5 } }, 'additional_attributes.city'],
    ['POST', 'inboxes', { name: 'Told', channel: { type: 'api', webhook_url } }, 'channel.webhook_url'],
    ['PATCH', 'inboxes/1', { channel: { webhook_url } }, 'channel.webhook_url'],
    ['PATCH', 'inboxes/1', { webhook_url }, 'webhook_url'],
  ] as const;
  const before = await service.rows();
  for (const [method, path, body, field] of refusals) {
    const answer = await service.agent(method, `${account}/${path}`, body);
    expect([answer.status, answer.body]).toMatchObject([422, { errors: [{ field }] }]);
  }
  expect(await service.rows()).toEqual(before);
  const anything = { city: 'Bern', country: null, page: 5 };
  const made = await service.agent('POST', `${account}/contacts`, { additional_attributes: anything });
  expect(made.body).toMatchObject({ payload: { contact: { additional_attributes: anything } } });
});

test('a search does not mind blanks around its words, and of blanks alone is none', async () => {
  const visitor = await visit(service, { name: 'Wanda Searched' });
  await service.call('POST', `${visitor.path}/messages`, { content: 'needle in the hay' });
  await service.agent('POST', `${account}/conversations/${visitor.conversationId}/toggle_status`, {
    status: 'resolved',
  });
  const ask = (path: string) => service.agent('GET', `${account}/${path}`);
  expect((await ask('contacts/search?q=%20Wanda%20Searched%20')).body).toMatchObject({
    payload: [{ id: visitor.contactId }],
  });
  expect((await ask('conversations?q=%20needle%20%09')).body).toMatchObject({
    data: { meta: { all_count: 1 }, payload: [{ id: visitor.conversationId }] },
  });
  expect((await ask('conversations/meta?q=%20needle%20')).body).toMatchObject({ meta: { all_count: 1 } });
  const refused = await ask('contacts/search?q=%20%20');
  expect(refused.status).toBe(422);
  expect(refused.body).toMatchObject({ errors: [{ field: 'q', code: 'too_short' }] });
  expect((await ask('conversations?q=%20%20')).body).toEqual((await ask('conversations?q=')).body);
  expect((await ask('conversations?q=%20%20')).body).toEqual((await ask('conversations')).body);
});
