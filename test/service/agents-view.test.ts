/** What agents ask beyond the specification's four filters and its contacts: teams, labels, orders, new contacts, pictures. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { png, wav } from '../support/media.js';
import {
  errorBody,
  inboxPath,
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
const page = z.object({
  data: z.object({
    meta: z.object({ all_count: z.number() }),
    payload: z.array(z.looseObject({ id: z.number() })),
  }),
});
const ids = async (query: string) => {
  const { body } = await service.agent('GET', `${account}/conversations?${query}`);
  return page.parse(body).data.payload.map(({ id }) => id);
};
const made = z.object({
  payload: z.object({
    contact: z.looseObject({ id: z.number() }),
    contact_inbox: z.looseObject({ source_id: z.string() }).nullable(),
  }),
});

test('conversations are filtered by team and labels, and come in the order that is asked for', async () => {
  const { id: team } = z
    .looseObject({ id: z.number() })
    .parse((await service.agent('POST', `${account}/teams`, { name: 'Night' })).body);
  const [a, b, c] = [await visit(service), await visit(service), await visit(service)].map(
    ({ conversationId }) => conversationId,
  );
  const tell = (id: number | undefined, verb: string, body: object) =>
    service.agent('POST', `${account}/conversations/${id}/${verb}`, body);
  await tell(a, 'assignments', { team_id: team });
  await tell(a, 'labels', { labels: ['red', 'blue'] });
  await tell(b, 'labels', { labels: ['green'] });
  await tell(a, 'toggle_priority', { priority: 'low' });
  await tell(c, 'toggle_priority', { priority: 'urgent' });

  expect(await ids(`team_id=${team}`)).toEqual([a]);
  expect((await ids('labels[]=green&labels[]=blue')).sort()).toEqual([a, b]);
  expect(await ids('labels[]=r')).toEqual([]);
  expect(await ids('sort_by=created_at_asc')).toEqual([a, b, c]);
  expect(await ids('sort_by=created_at_desc')).toEqual([c, b, a]);
  expect(await ids('sort_by=priority_desc')).toEqual([c, a, b]);
  expect((await ids('sort_by=priority_asc'))[0]).toBe(b);
  expect(await ids('sort_by=priority_desc_created_at_asc')).toEqual([c, a, b]);
  const counted = await service.agent('GET', `${account}/conversations/meta?labels[]=red&team_id=${team}`);
  expect(counted.body).toMatchObject({ meta: { all_count: 1 } });
  const refused = await service.agent('GET', `${account}/conversations?sort_by=colour`);
  expect(refused.status).toBe(422);
  expect(refused.body).toMatchObject({ errors: [{ field: 'sort_by' }] });
});

test('a search tells the newest message with the words, whoever wrote it, and no other list does', async () => {
  const found = z.object({
    data: z.object({
      payload: z.array(
        z.object({
          id: z.number(),
          messages: z.array(z.object({ content: z.string() })),
          found_message: z.object({ content: z.string(), private: z.boolean() }).optional(),
        }),
      ),
    }),
  });
  const look = async (query: string) =>
    found
      .parse((await service.agent('GET', `${account}/conversations?${query}`)).body)
      .data.payload.map(({ id, messages, found_message: one }) => [
        id,
        messages.map(({ content }) => content),
        one?.content,
      ]);
  const [visitor, other] = [await visit(service), await visit(service)];
  const say = (words: string) => service.call('POST', `${visitor.path}/messages`, { content: words });
  await say('My 100%_lamp is dark');
  await say('The 100%_LAMP is still dark');
  await service.call('POST', `${other.path}/messages`, { content: 'A lamp of mine' });
  const note = { content: 'Had a 100%_lamp before', private: true };
  const noted = `${account}/conversations/${other.conversationId}/messages`;
  await service.agent('POST', noted, note);
  await service.agent('POST', noted, { content: 'Hello' });
  await say('Thank you');
  expect(await look(`q=${encodeURIComponent('100%_lamp')}`)).toEqual([
    [visitor.conversationId, ['Thank you'], 'The 100%_LAMP is still dark'],
    [other.conversationId, ['Hello'], note.content],
  ]);
  expect(await look(`q=${encodeURIComponent('thank YOU')}`)).toEqual([
    [visitor.conversationId, ['Thank you'], 'Thank you'],
  ]);
  expect((await look('')).map(([, , words]) => words).filter(Boolean)).toEqual([]);
});

test('conversations are found by the key of their contact, and counted', async () => {
  const [one, other] = [await visit(service), await visit(service)];
  const again = await service.call('POST', `${one.contactPath}/conversations`, {});
  const { id } = z.looseObject({ id: z.number() }).parse(again.body);
  expect(await ids(`source_id=${one.sourceId}`)).toEqual([id, one.conversationId]);
  await service.call('POST', `${one.path}/toggle_status`);
  expect(await ids(`source_id=${one.sourceId}`)).toEqual([id]);
  expect(await ids(`source_id=${one.sourceId}&status=resolved`)).toEqual([one.conversationId]);
  expect(await ids(`source_id=${other.sourceId}`)).toEqual([other.conversationId]);
  expect(await ids('source_id=nobody')).toEqual([]);
  const counts = `${account}/conversations/meta?status=all&source_id=`;
  expect((await service.agent('GET', counts + one.sourceId)).body).toEqual({
    meta: { mine_count: 0, unassigned_count: 2, assigned_count: 0, all_count: 2 },
  });
  expect((await service.agent('GET', counts)).status).toBe(422);
});

test('conversations that nobody attends to are found: without a first reply, or waiting for another', async () => {
  const [fresh, waiting, answered] = [await visit(service), await visit(service), await visit(service)];
  const say = (path: string) => service.call('POST', `${path}/messages`, { content: 'Anybody?' });
  const reply = (id: number) =>
    service.agent('POST', `${account}/conversations/${id}/messages`, { content: 'Here' });
  for (const { path, conversationId } of [waiting, answered]) {
    await say(path);
    await reply(conversationId);
  }
  await say(waiting.path);
  const unattended = await ids('conversation_type=unattended');
  expect(unattended).toEqual(expect.arrayContaining([fresh.conversationId, waiting.conversationId]));
  expect(unattended).not.toContain(answered.conversationId);
  const { body } = await service.agent('GET', `${account}/conversations/meta?conversation_type=unattended`);
  expect(body).toMatchObject({ meta: { all_count: unattended.length } });
});

test('what was changed lately comes at once, and not in pages', async () => {
  const { contactPath, conversationId } = await visit(service);
  for (let n = 0; n < 26; n += 1) await service.call('POST', `${contactPath}/conversations`, {});
  await service.db.query(`update conversations set updated_at = now() - interval '2 hours'
    where display_id = ${conversationId}`);
  const lately = await ids('status=all&updated_within=3600&page=2');
  expect(lately.length).toBeGreaterThan(25);
  expect(lately).not.toContain(conversationId);
  expect(await ids('status=all&updated_within=10000')).toContain(conversationId);
  const { body } = await service.agent('GET', `${account}/conversations/meta?status=all&updated_within=3600`);
  expect(body).toMatchObject({ meta: { all_count: lately.length } });
});

test.each([
  ['conversations?conversation_type=mention', 'conversation_type', /^takes unattended alone: /],
  ['conversations?conversation_type=participating', 'conversation_type', /^takes unattended alone: /],
  ['conversations/meta?conversation_type=bogus', 'conversation_type', /^takes unattended alone: /],
  ['conversations?updated_within=soon', 'updated_within', /^is not a number of seconds$/],
  ['conversations/meta?updated_within=-1', 'updated_within', /^is not a number of seconds$/],
  ['contacts?labels[]=vip', 'labels[]', /^is not taken here: /],
  ['contacts/search?q=a&labels[]=vip', 'labels[]', /^is not taken here: /],
])('a filter that would change nothing is refused: %s', async (path, field, sentence) => {
  const { status, body } = await service.agent('GET', `${account}/${path}`);
  expect(status).toBe(422);
  expect(errorBody.parse(body).errors).toEqual([
    { field, message: expect.stringMatching(sentence), code: 'invalid_value' },
  ]);
});

test('contacts are listed without their keys where nobody wants them', async () => {
  await visit(service, { name: 'Keyless', email: 'keyless@example.org' });
  const listed = z.object({ payload: z.array(z.looseObject({ name: z.string() })).min(1) });
  for (const path of ['contacts?', 'contacts/search?q=keyless&']) {
    const get = async (query: string) =>
      listed.parse((await service.agent('GET', `${account}/${path}include_contact_inboxes=${query}`)).body)
        .payload;
    const whole = await get('true');
    expect(whole[0], path).toMatchObject({ contact_inboxes: [{ inbox: { id: 1 } }] });
    const rest = whole.map(({ contact_inboxes: _keys, ...contact }) => contact);
    expect(await get('false'), path).toEqual(rest);
  }
  const refused = await service.agent('GET', `${account}/contacts?include_contact_inboxes=maybe`);
  expect(refused.status).toBe(422);
});

test('a contact is made by an agent, with or without an inbox; what is taken is refused', async () => {
  const fields = { name: 'Ada', email: 'Ada@made.example', custom_attributes: { plan: 'Team' } };
  const plain = await service.agent('POST', `${account}/contacts`, fields);
  expect(plain.body).toMatchObject({
    payload: {
      contact: { name: 'Ada', email: 'ada@made.example', contact_inboxes: [] },
      contact_inbox: null,
    },
  });
  const taken = await service.agent('POST', `${account}/contacts`, fields);
  expect(taken.status).toBe(422);
  expect(taken.body).toMatchObject({ errors: [{ field: 'email', code: 'taken' }] });
  const wrong = await service.agent('POST', `${account}/contacts`, { custom_attributes: { plan: 'Gold' } });
  expect(wrong.status).toBe(422);
  const paired = { name: 'Grace', inbox_id: 1, source_id: 'graces-key' };
  const known = made.parse((await service.agent('POST', `${account}/contacts`, paired)).body);
  expect(known.payload.contact_inbox).toMatchObject({ source_id: 'graces-key', inbox: { id: 1 } });
  const talked = await service.call('POST', `${inboxPath}/contacts/graces-key/conversations`, {});
  expect(talked.status).toBe(200);
  const listed = await service.agent('GET', `${account}/contacts/${known.payload.contact.id}/conversations`);
  expect(listed.body).toMatchObject({ payload: [{ meta: { sender: { name: 'Grace' } } }] });
  const again = await service.agent('POST', `${account}/contacts`, paired);
  expect(again.status).toBe(422);
  expect(again.body).toMatchObject({ errors: [{ field: 'source_id', code: 'taken' }] });
  expect((await service.agent('POST', `${account}/contacts`, { inbox_id: 99 })).status).toBe(404);
});

test('a form changes a contact and brings a picture; what is no picture is refused, the one before goes', async () => {
  const { contactId } = await visit(service);
  const path = `${account}/contacts/${contactId}`;
  const form = (picture: Buffer<ArrayBuffer>, name: string) => {
    const body = new FormData();
    body.append('name', 'Pictured');
    body.append('custom_attributes[plan]', 'Free');
    body.append('additional_attributes', JSON.stringify({ city: 'Oslo' }));
    body.append('avatar', new Blob([picture]), name);
    return body;
  };
  const shown = z.object({ payload: z.array(z.looseObject({ thumbnail: z.url() })).length(1) });
  const first = await service.agent('PUT', path, form(png(8, 8, [9, 9, 9]), 'me.png'));
  expect(first.status).toBe(200);
  expect(first.body).toMatchObject({
    payload: [
      { name: 'Pictured', custom_attributes: { plan: 'Free' }, additional_attributes: { city: 'Oslo' } },
    ],
  });
  const address = shown.parse(first.body).payload[0]?.thumbnail ?? '';
  const picture = await fetch(address);
  expect(picture.status).toBe(200);
  expect(picture.headers.get('content-type')).toBe('image/png');
  expect(picture.headers.get('x-content-type-options')).toBe('nosniff');

  const noise = await service.agent('PUT', path, form(wav(1), 'me.png'));
  expect(noise.status).toBe(422);
  expect(noise.body).toMatchObject({ errors: [{ field: 'avatar', code: 'invalid_value' }] });
  const large = Buffer.concat([png(8, 8, [9, 9, 9]), Buffer.alloc(15 * 1024 * 1024)]);
  const refused = await service.agent('PUT', path, form(large, 'me.png'));
  expect(refused.status).toBe(413);
  expect(refused.body).toMatchObject({ errors: [{ field: 'avatar', code: 'too_large' }] });
  expect((await fetch(address)).status).toBe(200);

  const second = await service.agent('PUT', path, form(png(9, 9, [1, 2, 3]), 'new.png'));
  expect(shown.parse(second.body).payload[0]?.thumbnail).not.toBe(address);
  expect((await fetch(address)).status).toBe(404);
});

test('a form writes attributes in the types that they have', async () => {
  for (const [key, type] of [
    ['score', 'number'],
    ['share', 'percent'],
    ['vip', 'checkbox'],
    ['old', 'checkbox'],
    ['none', 'currency'],
    ['plan', 'list'],
    ['page', 'link'],
    ['since', 'date'],
    ['words', 'text'],
    ['blank', 'text'],
  ] as const) {
    await service.agent('POST', `${account}/custom_attribute_definitions`, {
      attribute_display_name: key,
      attribute_display_type: type,
      attribute_key: key,
      attribute_model: 1,
      ...(type === 'list' ? { attribute_values: ['Free'] } : {}),
    });
  }
  const path = `${account}/contacts/${(await visit(service)).contactId}`;
  const put = (fields: Record<string, string>) => {
    const body = new FormData();
    for (const [name, text] of Object.entries(fields)) body.append(name, text);
    return service.agent('PUT', path, body);
  };
  const { body } = await put({
    'custom_attributes[score]': '5',
    'custom_attributes[share]': '-0.5',
    'custom_attributes[vip]': 'true',
    'custom_attributes[old]': 'false',
    'custom_attributes[none]': '',
    'custom_attributes[plan]': '',
    'custom_attributes[page]': ' ',
    'custom_attributes[since]': '',
    'custom_attributes[words]': '12',
    'custom_attributes[blank]': '',
  });
  expect(body).toMatchObject({
    payload: [
      {
        custom_attributes: {
          score: 5,
          share: -0.5,
          vip: true,
          old: false,
          none: null,
          plan: null,
          page: null,
          since: null,
          words: '12',
          blank: '',
        },
      },
    ],
  });
  for (const [name, text, code] of [
    ['custom_attributes[score]', 'five', 'invalid_type'],
    ['custom_attributes[score]', '0x10', 'invalid_type'],
    ['custom_attributes[vip]', '5', 'invalid_type'],
    ['custom_attributes[__proto__]', '5', 'invalid_value'],
    ['additional_attributes[b][name]', 'true', 'invalid_value'],
    ['custom_attributes[]', '5', 'invalid_value'],
    ['custom_attributes[score', '5', 'invalid_value'],
  ] as const) {
    const refused = await put({ name: 'Nobody', [name]: text });
    expect(refused.status, name).toBe(422);
    const field =
      code === 'invalid_type' ? name.replace(/\[(\w+)\]/, '.$1') : text.length === 1 ? undefined : name;
    expect(refused.body, name).toMatchObject({ errors: [{ ...(field ? { field } : {}), code }] });
  }
  expect((await service.agent('GET', path)).body).not.toMatchObject({ payload: { name: 'Nobody' } });
});

test('a key that no address can name is refused, and null is none', async () => {
  for (const source_id of ['.', '..']) {
    for (const answer of [
      await service.call('POST', `${inboxPath}/contacts`, { source_id }),
      await service.agent('POST', `${account}/contacts`, { inbox_id: 1, source_id }),
    ]) {
      expect(answer.status).toBe(422);
      expect(answer.body).toMatchObject({ errors: [{ field: 'source_id', code: 'invalid_value' }] });
    }
  }
  for (const source_id of [null, '...', 'a.b', '%2e']) {
    const answer = await service.call('POST', `${inboxPath}/contacts`, { source_id });
    const { source_id: key } = z.looseObject({ source_id: z.string().min(1) }).parse(answer.body);
    const shown = await service.call('GET', `${inboxPath}/contacts/${encodeURIComponent(key)}`);
    expect(shown.body).toMatchObject({ source_id: key });
  }
});
