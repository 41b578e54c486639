/** Every route against what it must refuse: the specified body, the right status and field, and nothing written. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { endpoints } from '../../demo/service/http/app.js';
import { defaultLimits } from '../../demo/service/limits.js';
import { oneOfEach } from '../support/one-of-each.js';
import { addOtherAccount, otherContacts, otherToken } from '../support/other-account.js';
import {
  errorBody,
  inboxPath,
  request,
  startMs,
  startTestService,
  type TestService,
  type Visitor,
  visit,
} from '../support/service.js';
import { statusOutside } from '../support/spoil.js';

let service: TestService;
let visitor: Visitor;
let stranger: Visitor;
let foreign: Visitor;
let messageId = 0;
let uuid = '';
/** One row of each kind that a path of the account API can name. */
let known: Record<string, number> = {};

beforeAll(async () => {
  service = await startTestService({ apiAccessToken: 'token-of-the-administrator' });
  visitor = await visit(service);
  stranger = await visit(service);
  const sent = await service.call('POST', `${visitor.path}/messages`, { content: 'here' });
  messageId = Number(Object(sent.body).id);
  await addOtherAccount(service);
  await service.call('POST', otherContacts, { source_id: 'olgas' });
  known = await oneOfEach(service);
  uuid = String(Object((await service.call('GET', visitor.path)).body).uuid);
  foreign = { ...visitor, sourceId: 'olgas', contactPath: `${otherContacts}/olgas`, path: '' };
  await service.call('POST', `${foreign.contactPath}/conversations`, {});
}, startMs);
afterAll(() => service.end());

let before: Record<string, unknown>;
beforeEach(async () => {
  before = await service.rows();
});
afterEach(async () => expect(await service.rows()).toEqual(before));

const unknownIds = [
  '999999',
  '0',
  '-1',
  'abc',
  '1.5',
  '9223372036854775808',
  '99999999999999999999',
  '%00',
  "1'--",
];

interface Asked {
  method: string;
  path: string;
  body?: unknown;
  token?: string | null;
  headers?: Record<string, string>;
}

async function refused(asked: Asked, status: number, field?: string | RegExp, code?: string) {
  const token = asked.token === undefined ? service.apiAccessToken : asked.token;
  const answer = await request(service.url + asked.path, asked.method, asked.body, {
    ...(token === null ? {} : { api_access_token: token }),
    ...asked.headers,
  });
  const what = `${asked.method} ${asked.path} ${JSON.stringify(asked.body ?? null).slice(0, 80)}`;
  expect(answer.status, what).toBe(status);
  const { errors } = errorBody.parse(answer.body);
  if (field instanceof RegExp) expect(errors[0]?.field, what).toMatch(field);
  else if (field !== undefined)
    expect(
      errors.map((error) => error.field),
      what,
    ).toContain(field);
  if (code !== undefined)
    expect(
      errors.map((error) => error.code),
      what,
    ).toContain(code);
}

/** A template with everything that exists filled in, but for what is given. */
function fill(template: string, known: Record<string, string | number>): string {
  return template.replace(/:(\w+)/g, (_, name: string) => String(known[name] ?? `missing-${name}`));
}

const routes = endpoints
  .filter((endpoint) => endpoint.path.includes('/api/'))
  .flatMap(({ methods, path, schemas }) =>
    methods.map((method) => ({ method: method.toUpperCase(), path, schemas })),
  );
const publicRoutes = routes.filter((route) => route.path.startsWith('/public'));
const accountRoutes = routes.filter((route) => !route.path.startsWith('/public'));

const publicIds = () => ({
  inbox_identifier: 'demo-inbox',
  contact_identifier: visitor.sourceId,
  conversation_id: visitor.conversationId,
  message_id: messageId,
  conversation_uuid: uuid,
});
const accountIds = () => ({
  account_id: 1,
  conversation_id: visitor.conversationId,
  message_id: messageId,
  id: visitor.contactId,
  ...known,
});

describe.each(publicRoutes)('$method $path', ({ method, path, schemas }) => {
  const names = [...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '');

  test.each(names)('unknown %s is 404', async (name) => {
    for (const value of unknownIds) {
      await refused(
        { method, path: fill(path, { ...publicIds(), [name]: value }), body: bodyFor(method) },
        404,
        name,
      );
    }
  });

  test("another contact's and another inbox's data is 404", async () => {
    if (names.includes('conversation_id')) {
      const known = { ...publicIds(), contact_identifier: stranger.sourceId };
      await refused({ method, path: fill(path, known), body: bodyFor(method) }, 404, 'conversation_id');
    }
    if (names.includes('contact_identifier')) {
      const known = { ...publicIds(), inbox_identifier: 'other-inbox' };
      await refused({ method, path: fill(path, known), body: bodyFor(method) }, 404, 'contact_identifier');
    }
  });

  badBodies(method, path, () => publicIds(), schemas.body !== undefined);
  otherMethods(method, path, () => publicIds());
});

describe.each(accountRoutes)('$method $path', ({ method, path, schemas }) => {
  const names = [...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '');

  test('no token and an unknown one are 401', async () => {
    const full = fill(path, accountIds());
    await refused({ method, path: full, token: null }, 401, 'api_access_token', 'required');
    for (const token of ['wrong', `${service.apiAccessToken}x`, "' or 1=1 --"]) {
      await refused({ method, path: full, token }, 401, 'api_access_token', 'invalid_token');
    }
  });

  test.each(names)('unknown %s is 404', async (name) => {
    for (const value of unknownIds) {
      await refused(
        { method, path: fill(path, { ...accountIds(), [name]: value }), body: bodyFor(method) },
        // Of an account it may be 403.
        name === 'account_id' ? statusOutside(path) : 404,
        name,
      );
    }
  });

  test("another account's data is 404", async () => {
    if (names.length === 0) return expect(path).toMatch(/^\/api\/v1\/profile(\/availability)?$/);
    await refused(
      { method, path: fill(path, accountIds()), body: bodyFor(method), token: otherToken },
      statusOutside(path),
      'account_id',
    );
    if (names.length === 1) return;
    // The other account, asked for ids that exist in ours alone.
    const known = { ...accountIds(), account_id: 2, conversation_id: 2 };
    await refused({ method, path: fill(path, known), body: bodyFor(method), token: otherToken }, 404);
  });

  badBodies(method, path, () => accountIds(), schemas.body !== undefined);
  otherMethods(method, path, () => accountIds());
});

function bodyFor(method: string): unknown {
  return ['GET', 'DELETE'].includes(method) ? undefined : {};
}

function badBodies(
  method: string,
  path: string,
  known: () => Record<string, string | number>,
  takesBody: boolean,
) {
  if (!takesBody) return;
  test('malformed JSON is 400, wrong types 415 and 422, too much 413', async () => {
    const asked = { method, path: fill(path, known()) };
    for (const body of ['{', '{"a":}', 'nonsense', '{"a":1}}', '\u0000']) {
      await refused({ ...asked, body }, 400, 'body', 'invalid_json');
    }
    await refused({ ...asked, body: new Uint8Array([0x22, 0xff, 0x22]) }, 400, 'body', 'invalid_json');
    await refused(
      { ...asked, body: 'a=1', headers: { 'content-type': 'application/xml' } },
      415,
      'content-type',
    );
    for (const body of ['[]', '"text"', '1', 'null', 'true']) {
      await refused({ ...asked, body }, 422, 'body', 'invalid_type');
    }
    const tooMuch = `{"${'a'.repeat(defaultLimits.bodyBytes)}":1}`;
    await refused({ ...asked, body: tooMuch }, 413, 'body', 'too_large');
    await refused({ ...asked, body: '{"x":"a\\u0000b"}' }, 422, 'x', 'invalid_value');
    await refused({ ...asked, body: '{"x":{"y\\u0000":1}}' }, 422, 'x', 'invalid_value');
    await refused(
      { ...asked, body: `{"x":${'['.repeat(500)}${']'.repeat(500)}}` },
      422,
      'x',
      'invalid_value',
    );
  });
}

function otherMethods(method: string, path: string, known: () => Record<string, string | number>) {
  test('another method is 405', async () => {
    const full = fill(path, known());
    // Of contacts one may be called "search".
    const fits = (template: string) => new RegExp(`^${template.replace(/:\w+/g, '[^/]+')}$`).test(full);
    const taken = routes.filter((route) => fits(route.path)).map((route) => route.method);
    const wrong = ['DELETE', 'PUT', 'PATCH', 'POST', 'GET'].find((name) => !taken.includes(name)) ?? method;
    const answer = await request(service.url + full, wrong, undefined, {
      api_access_token: service.apiAccessToken,
    });
    expect(answer.status).toBe(405);
    expect(errorBody.parse(answer.body).errors[0]).toMatchObject({
      field: 'method',
      code: 'method_not_allowed',
    });
    const heads = taken.includes('GET') ? ['HEAD'] : [];
    const allowed = answer.headers.get('allow')?.split(', ');
    expect(allowed).toEqual(expect.arrayContaining([...taken, ...heads]));
  });
}

const long = 'x'.repeat(150_001);
const conversation = () => `/api/v1/accounts/1/conversations/${visitor.conversationId}`;

/** [method, path, body, field, code] */
const fields: [string, () => string, unknown, string, string][] = [
  ['POST', () => `${inboxPath}/contacts`, { source_id: '' }, 'source_id', 'too_short'],
  ['POST', () => `${inboxPath}/contacts`, { source_id: 7 }, 'source_id', 'invalid_type'],
  ['POST', () => `${inboxPath}/contacts`, { source_id: 'x'.repeat(256) }, 'source_id', 'too_long'],
  ['POST', () => `${inboxPath}/contacts`, { email: 'no' }, 'email', 'invalid_value'],
  ['POST', () => `${inboxPath}/contacts`, { email: ['a@b.c'] }, 'email', 'invalid_type'],
  ['POST', () => `${inboxPath}/contacts`, { phone_number: '0123' }, 'phone_number', 'invalid_value'],
  ['POST', () => `${inboxPath}/contacts`, { name: {} }, 'name', 'invalid_type'],
  ['POST', () => `${inboxPath}/contacts`, { name: 'x'.repeat(256) }, 'name', 'too_long'],
  ['POST', () => `${inboxPath}/contacts`, { identifier: 1 }, 'identifier', 'invalid_type'],
  [
    'POST',
    () => `${inboxPath}/contacts`,
    { avatar_url: 'javascript:alert(1)' },
    'avatar_url',
    'invalid_value',
  ],
  ['POST', () => `${inboxPath}/contacts`, { custom_attributes: [] }, 'custom_attributes', 'invalid_type'],
  [
    'POST',
    () => `${inboxPath}/contacts`,
    { custom_attributes: { a: 'x'.repeat(1501) } },
    'custom_attributes.a',
    'too_long',
  ],
  ['PATCH', () => visitor.contactPath, { email: 'no' }, 'email', 'invalid_value'],
  ['PUT', () => visitor.contactPath, { phone_number: 5 }, 'phone_number', 'invalid_type'],
  [
    'POST',
    () => `${visitor.contactPath}/conversations`,
    { custom_attributes: { n: 10_000_000_000 } },
    'custom_attributes.n',
    'too_big',
  ],
  [
    'POST',
    () => `${visitor.contactPath}/conversations`,
    { custom_attributes: 'x' },
    'custom_attributes',
    'invalid_type',
  ],
  ['POST', () => `${visitor.path}/messages`, { content: long }, 'content', 'too_long'],
  ['POST', () => `${visitor.path}/messages`, { content: 1 }, 'content', 'invalid_type'],
  ['POST', () => `${visitor.path}/messages`, { content: ['a'] }, 'content', 'invalid_type'],
  ['POST', () => `${visitor.path}/messages`, { content: 'a\0b' }, 'content', 'invalid_value'],
  ['POST', () => `${visitor.path}/messages`, { content: 'a', echo_id: 5 }, 'echo_id', 'invalid_type'],
  [
    'POST',
    () => `${visitor.path}/messages`,
    { content: 'a', echo_id: 'e'.repeat(256) },
    'echo_id',
    'too_long',
  ],
  ['GET', () => `${visitor.path}/messages?before=abc`, undefined, 'before', 'invalid_value'],
  ['GET', () => `${visitor.path}/messages?before=99999999999999999999`, undefined, 'before', 'invalid_value'],
  ['PATCH', () => `${visitor.path}/messages/${messageId}`, {}, 'submitted_values', 'required'],
  [
    'PATCH',
    () => `${visitor.path}/messages/${messageId}`,
    { submitted_values: 'x' },
    'submitted_values',
    'invalid_type',
  ],
  ['POST', () => `${conversation()}/messages`, { content: long }, 'content', 'too_long'],
  ['POST', () => `${conversation()}/messages`, { message_type: 'activity' }, 'message_type', 'invalid_value'],
  ['POST', () => `${conversation()}/messages`, { content_type: 'video' }, 'content_type', 'invalid_value'],
  ['POST', () => `${conversation()}/messages`, { private: 'maybe' }, 'private', 'invalid_type'],
  [
    'POST',
    () => `${conversation()}/messages`,
    { content_attributes: [] },
    'content_attributes',
    'invalid_type',
  ],
  ['GET', () => `${conversation()}/messages?after=x`, undefined, 'after', 'invalid_value'],
  ['POST', () => `${conversation()}/toggle_status`, { status: 'done' }, 'status', 'invalid_value'],
  [
    'POST',
    () => `${conversation()}/toggle_status`,
    { snoozed_until: 'soon' },
    'snoozed_until',
    'invalid_type',
  ],
  ['POST', () => `${conversation()}/toggle_typing_status`, { is_private: 3 }, 'is_private', 'invalid_type'],
  ['POST', () => `${conversation()}/assignments`, {}, 'assignee_id', 'required'],
  ['POST', () => `${conversation()}/assignments`, { assignee_id: 'Ada' }, 'assignee_id', 'invalid_type'],
  ['POST', () => `${conversation()}/custom_attributes`, {}, 'custom_attributes', 'required'],
  [
    'POST',
    () => `${conversation()}/custom_attributes`,
    { custom_attributes: {}, merge: 1 },
    'merge',
    'invalid_type',
  ],
  ['GET', () => '/api/v1/accounts/1/conversations?status=gone', undefined, 'status', 'invalid_value'],
  ['GET', () => '/api/v1/accounts/1/conversations?page=0', undefined, 'page', 'invalid_value'],
  ['GET', () => '/api/v1/accounts/1/conversations?inbox_id=x', undefined, 'inbox_id', 'invalid_value'],
  ['GET', () => '/api/v1/accounts/1/conversations?q=%00', undefined, 'q', 'invalid_value'],
  ['GET', () => '/api/v1/accounts/1/contacts?sort=age', undefined, 'sort', 'invalid_value'],
  ['GET', () => '/api/v1/accounts/1/contacts?page=x', undefined, 'page', 'invalid_value'],
  ['GET', () => '/api/v1/accounts/1/contacts/search', undefined, 'q', 'required'],
  ['GET', () => '/api/v1/accounts/1/custom_attribute_definitions', undefined, 'attribute_model', 'required'],
  [
    'PUT',
    () => `/api/v1/accounts/1/contacts/${visitor.contactId}`,
    { email: 'no' },
    'email',
    'invalid_value',
  ],
  [
    'PUT',
    () => `/api/v1/accounts/1/contacts/${visitor.contactId}`,
    { blocked: 'x' },
    'blocked',
    'invalid_type',
  ],
];

test.each(fields)('%s refuses a bad field %#', async (method, path, body, field, code) => {
  await refused({ method, path: path(), body }, 422, field, code);
});

test('an assignee of another account does not exist', async () => {
  await refused(
    { method: 'POST', path: `${conversation()}/assignments`, body: { assignee_id: 3 } },
    404,
    'assignee_id',
  );
});

test('addresses we never had are 404 with the same body', async () => {
  for (const path of [
    '/api/v1/nothing',
    '/public/api/v1/inboxes',
    '/nothing',
    '/api/v1/profile/',
    `${inboxPath}/`,
    '/..%2f..%2fetc/passwd',
    '/%E0%A4%A',
  ]) {
    await refused({ method: 'GET', path }, 404, 'path', 'not_found');
  }
});
