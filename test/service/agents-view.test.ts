/** What agents ask beyond the specification's four filters and its contacts: teams, labels, orders, new contacts, pictures. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { png, wav } from '../support/media.js';
import { inboxPath, startMs, startTestService, type TestService, visit } from '../support/service.js';

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
