/** Files that are refused, cut off or cannot be kept: told at once, and nothing of them stays. */
import { rename } from 'node:fs/promises';
import http from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { defaultLimits } from '../../demo/service/limits.js';
import { filesBelow, form, png } from '../support/files.js';
import {
  errorBody,
  startMs,
  startTestService,
  type TestService,
  type Visitor,
  visit,
} from '../support/service.js';

let service: TestService;
let visitor: Visitor;
const fileBytes = 200_000;
beforeAll(async () => {
  service = await startTestService({ limits: { fileBytes } });
  visitor = await visit(service);
}, startMs);
afterAll(() => service.end());

const message = z.looseObject({
  id: z.number(),
  attachments: z.array(z.looseObject({ fallback_title: z.string() })),
});

const post = (data: FormData) => service.call('POST', `${visitor.path}/messages`, data);

const filesOnDisk = () => filesBelow(service.place.dataDir);

async function refused(
  data: FormData | string,
  status: number,
  field: string,
  headers?: Record<string, string>,
) {
  const before = [await service.rows(), (await filesOnDisk()).sort()];
  const answer = await service.call('POST', `${visitor.path}/messages`, data, headers);
  expect(answer.status).toBe(status);
  expect(errorBody.parse(answer.body).errors.map((error) => error.field)).toContain(field);
  expect([await service.rows(), (await filesOnDisk()).sort()]).toEqual(before);
}

test('too large, too many, malformed: refused, and nothing stays on the disk', async () => {
  await refused(form([['big.bin', Buffer.alloc(fileBytes + 1)]]), 413, 'attachments');
  await refused(form(Array.from({ length: 16 }, (_, n) => [`${n}.txt`, 'x'])), 413, 'attachments');
  await refused(form([['a.txt', 'x']], { content: 'x'.repeat(150_001) }), 422, 'content');
  await refused(form([['a.txt', 'x']], { content: 'a\0b' }), 422, 'content');
  await refused(form([['a.txt', 'x']], { content: 'x'.repeat(defaultLimits.bodyBytes + 1) }), 413, 'content');
  const halves = {
    content: 'x',
    one: 'y'.repeat(defaultLimits.bodyBytes / 2),
    two: 'z'.repeat(defaultLimits.bodyBytes / 2),
  };
  await refused(form([['a.txt', 'x']], halves), 413, 'two');
  const multipart = (boundary: string) => ({ 'content-type': `multipart/form-data${boundary}` });
  await refused('nonsense', 400, 'body', multipart('; boundary=b'));
  await refused('nonsense', 400, 'body', multipart('; x=1'));
  const part = '--b\r\ncontent-disposition: form-data; name="attachments[]"; filename="a.txt"\r\n\r\ncut';
  await refused(part, 400, 'body', multipart('; boundary=b'));
  const largest = await post(form([['largest.bin', Buffer.alloc(fileBytes)]]));
  expect(largest.status).toBe(200);
  const most = await post(form(Array.from({ length: 15 }, (_, n) => [`${n}.txt`, `${n}`])));
  expect(message.parse(most.body).attachments.map((file) => file.fallback_title)).toHaveLength(15);
});

test.each([
  ['a name with a character that has no place there', 'content-disposition: form-data; name="a\x01b"'],
  ['a file whose name has one', 'content-disposition: form-data; name="attachments[]"; filename="a\0.txt"'],
  ['a header without a colon', 'content-disposition'],
  ['a header without end', `x-more: ${'x'.repeat(30_000)}`],
])(
  'a part with %s is refused as soon as all has come',
  { timeout: defaultLimits.refusedBodyMs / 2 },
  async (_, head) => {
    const whole = `--b\r\ncontent-disposition: form-data; name="content"\r\n\r\nhello\r\n--b\r\n${head}\r\n\r\nx\r\n--b--\r\n`;
    await refused(whole, 400, 'body', { 'content-type': 'multipart/form-data; boundary=b' });
  },
);

test('a field for files that nobody has filled is no file', async () => {
  // As browsers send it; `File` of this platform would give it a name.
  const empty = (name: string, field: string) =>
    [
      `--b\r\ncontent-disposition: form-data; name="${field}"\r\n\r\nhello`,
      `--b\r\ncontent-disposition: form-data; name="${name}"; filename=""`,
      'content-type: application/octet-stream\r\n\r\n\r\n--b--\r\n',
    ].join('\r\n');
  const headers = { 'content-type': 'multipart/form-data; boundary=b' };
  const before = (await filesOnDisk()).sort();
  const said = await service.call(
    'POST',
    `${visitor.path}/messages`,
    empty('attachments[]', 'content'),
    headers,
  );
  expect(said.body).toMatchObject({ content: 'hello' });
  expect(said.body).not.toHaveProperty('attachments');
  const renamed = await service.call(
    'PUT',
    `/api/v1/accounts/1/contacts/${visitor.contactId}`,
    empty('avatar', 'name'),
    { ...headers, api_access_token: service.apiAccessToken },
  );
  expect(renamed.status).toBe(200);
  expect((await filesOnDisk()).sort()).toEqual(before);
});

/** As `File` of this platform would not write it: a name that is not escaped, a file that has none. */
const part = (name: string, filename: string, content: string) =>
  [
    `--b\r\ncontent-disposition: form-data; name="content"\r\n\r\nlook`,
    `--b\r\ncontent-disposition: form-data; ${name}; filename="${filename}"`,
    `content-type: application/octet-stream\r\n\r\n${content}\r\n--b--\r\n`,
  ].join('\r\n');

test.each(['attachments', 'attachments[0]', 'attachments[12]'])('files may come as %s, too', async (name) => {
  const data = new FormData();
  data.append(name, new File(['x'], 'a.txt'));
  const sent = message.parse((await post(data)).body);
  expect(sent.attachments).toMatchObject([{ fallback_title: 'a.txt' }]);
  // The specification has words as null for visitors alone.
  const path = `/api/v1/accounts/1/conversations/${visitor.conversationId}/messages?after=${sent.id - 1}`;
  const { body } = await service.agent('GET', path);
  expect(body).toMatchObject({ payload: [{ id: sent.id, content: '', processed_message_content: '' }] });
});

test.each([
  ['attachment', 'name="attachment"'],
  ['file', 'name="file"'],
  ['content', 'name="content"'],
  ['attachments[a]', 'name="attachments[a]"'],
  ['body', 'x="y"'],
])('a file that has lost its way is told, and nothing is stored: %s', async (field, name) => {
  for (const filename of ['a.txt', ''])
    await refused(part(name, filename, 'x'), 422, field, {
      'content-type': 'multipart/form-data; boundary=b',
    });
});

test('a field for files that is not ours, and that nobody has filled, is no file either', async () => {
  const headers = { 'content-type': 'multipart/form-data; boundary=b' };
  const said = await service.call('POST', `${visitor.path}/messages`, part('name="file"', '', ''), headers);
  expect([said.status, said.body]).toMatchObject([200, { content: 'look' }]);
});

test('a picture of a contact under another name is told, and nothing is changed', async () => {
  const before = [await service.rows(), (await filesOnDisk()).sort()];
  const data = new FormData();
  data.append('name', 'Changed');
  data.append('picture', new File([png], 'me.png'));
  const answer = await service.agent('PUT', `/api/v1/accounts/1/contacts/${visitor.contactId}`, data);
  expect(answer.status).toBe(422);
  expect(errorBody.parse(answer.body).errors).toMatchObject([
    { field: 'picture', message: 'takes no file: send it as avatar', code: 'invalid_type' },
  ]);
  expect([await service.rows(), (await filesOnDisk()).sort()]).toEqual(before);
});

const lists = ['attachments[]', 'attachments', 'attachments[0]'];
test.each(lists)('words where a file belongs (%s) are refused', async (name) => {
  const data = new FormData();
  data.append('content', 'look at this');
  data.append(name, 'https://example.com/a.png');
  const answer = await service.call('POST', `${visitor.path}/messages`, data);
  expect(answer.status).toBe(422);
  expect(errorBody.parse(answer.body).errors).toMatchObject([{ field: 'attachments', code: 'invalid_type' }]);
});

test('words where files belong are refused in JSON, too, and a list of nothing is none', async () => {
  const theirs = `/api/v1/accounts/1/conversations/${visitor.conversationId}/messages`;
  for (const send of [
    (body: object) => service.call('POST', `${visitor.path}/messages`, body),
    (body: object) => service.agent('POST', theirs, body),
  ]) {
    for (const [name, value] of [
      ['attachments', ['https://example.com/a.png']],
      ['attachments[]', ['https://example.com/a.png']],
      ['attachments', 'https://example.com/a.png'],
      ['attachments', { 0: 'https://example.com/a.png' }],
    ] as const) {
      const refused = await send({ content: 'look at this', [name]: value });
      expect(refused.status).toBe(422);
      expect(errorBody.parse(refused.body).errors).toMatchObject([
        { field: 'attachments', message: expect.stringMatching(/^must be a file/), code: 'invalid_type' },
      ]);
    }
    for (const attachments of [[], null, '', [''], {}])
      expect((await send({ content: 'nothing to look at', attachments })).status).toBe(200);
  }
});

test('words where a picture of a contact belongs are refused, in a form and in JSON', async () => {
  const path = `/api/v1/accounts/1/contacts/${visitor.contactId}`;
  const before = await service.agent('GET', path);
  const words = 'data:image/png;base64,iVBORw0KGgo=';
  const data = new FormData();
  data.append('name', 'Changed');
  data.append('avatar', words);
  for (const body of [data, { name: 'Changed', avatar: words }]) {
    const answer = await service.agent('PUT', path, body);
    expect(answer.status).toBe(422);
    expect(errorBody.parse(answer.body).errors).toMatchObject([
      { field: 'avatar', message: 'must be a file', code: 'invalid_type' },
    ]);
  }
  expect((await service.agent('GET', path)).body).toEqual(before.body);
});

test('too large a picture of a contact is told under its own name', async () => {
  const path = `/api/v1/accounts/1/contacts/${visitor.contactId}`;
  const data = new FormData();
  data.append('avatar', new File([png, Buffer.alloc(fileBytes)], 'me.png'));
  const answer = await service.agent('PUT', path, data);
  expect(answer.status).toBe(413);
  expect(errorBody.parse(answer.body).errors).toMatchObject([{ field: 'avatar', code: 'too_large' }]);
});

test('who hangs up in the middle of a file leaves nothing behind', async () => {
  const before = [await service.rows(), (await filesOnDisk()).sort()];
  const sockets = await new Promise<void>((resolve) => {
    const request = http.request(`${service.url}${visitor.path}/messages`, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=b', 'content-length': 100_000 },
    });
    request.on('error', () => resolve());
    request.write(
      '--b\r\ncontent-disposition: form-data; name="attachments[]"; filename="a.txt"\r\n\r\nbegun',
    );
    request.flushHeaders();
    const hangUp = async () => {
      while ((await filesOnDisk()).length === before[1]?.length) await new Promise(setImmediate);
      request.destroy();
    };
    void hangUp();
  });
  expect(sockets).toBeUndefined();
  await expect.poll(async () => [await service.rows(), (await filesOnDisk()).sort()]).toEqual(before);
});

test.each([
  ['a small file', 1],
  ['one larger than what is held in memory', 150_000],
])(
  'a disk that takes nothing is our fault and told at once, and nothing is half-written: %s',
  async (_, size) => {
    const waiting = join(service.place.dataDir, 'uploads', 'waiting');
    const before = await filesOnDisk();
    await rename(waiting, `${waiting} elsewhere`);
    try {
      const sent = await post(form([['a.bin', 'x'.repeat(size)]], { content: `never kept ${size}` }));
      expect(sent.status).toBe(500);
    } finally {
      await rename(`${waiting} elsewhere`, waiting);
    }
    expect(await filesOnDisk()).toEqual(before);
    const kept = await service.db.query('select id from messages where content = $1', [`never kept ${size}`]);
    expect(kept).toEqual([]);
    expect((await post(form([['a.bin', 'again']], { content: 'kept' }))).status).toBe(200);
  },
);
