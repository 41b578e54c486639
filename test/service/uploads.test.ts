/** Files: streamed to disk within limits, handed out so that nothing runs, gone when their message is refused. */
import { existsSync } from 'node:fs';
import { readdir, readlink, rename } from 'node:fs/promises';
import http from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { defaultLimits } from '../../demo/service/core.js';
import { viewMessages } from '../../demo/service/domain/messages-view.js';
import type { MessageRow } from '../../demo/service/store/rows.js';
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

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEklEQVR4nGP4z8AARAxQ6v9/AB/mBfsKGiWMAAAAAElFTkSuQmCC',
  'base64',
);

const attachment = z.looseObject({ id: z.number(), data_url: z.string(), file_type: z.string() });
const message = z.looseObject({ id: z.number(), attachments: z.array(attachment) });

function form(files: [string, BlobPart, string?][], fields: Record<string, string> = {}): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  for (const [name, bytes, type] of files) {
    data.append('attachments[]', new File([bytes], name, { type: type ?? 'application/octet-stream' }));
  }
  return data;
}

const post = (data: FormData) => service.call('POST', `${visitor.path}/messages`, data);

async function filesOnDisk(): Promise<string[]> {
  const below = join(service.place.dataDir, 'uploads');
  return (await readdir(below, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);
}

test('a picture is kept byte for byte, known by its bytes, measured, and may be shown', async () => {
  const sent = await post(form([['p.png', png, 'image/png']], { content: 'look', echo_id: 'picture' }));
  expect(sent.status).toBe(200);
  const [file] = message.parse(sent.body).attachments;
  expect(sent.body).toMatchObject({ content: 'look', echo_id: 'picture' });
  expect(file).toEqual({
    id: expect.any(Number),
    message_id: message.parse(sent.body).id,
    account_id: 1,
    file_type: 'image',
    extension: 'png',
    data_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/uploads\/[\w-]{32}\/p\.png$/),
    thumb_url: file?.data_url,
    file_size: png.length,
    width: 3,
    height: 2,
    fallback_title: 'p.png',
  });
  const got = await fetch(file?.data_url ?? '');
  expect(Buffer.from(await got.arrayBuffer()).equals(png)).toBe(true);
  expect(Object.fromEntries(got.headers)).toMatchObject({
    'content-type': 'image/png',
    'content-disposition': `inline; filename="p.png"; filename*=UTF-8''p.png`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  });
});

test.each([
  ['page.html', '<script>alert(1)</script>', 'text/html'],
  ['drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', 'image/svg+xml'],
  ['feed.xml', '<?xml version="1.0"?><a/>', 'text/xml'],
  ['lies.png', '<html><script>alert(1)</script>', 'image/png'],
  ['noext', 'hello', ''],
])('%s is a download and nothing else', async (name, content, type) => {
  const sent = await post(form([[name, content, type]]));
  const [file] = message.parse(sent.body).attachments;
  expect(file).toMatchObject({ file_type: 'file', thumb_url: '', width: null, height: null });
  const got = await fetch(file?.data_url ?? '');
  expect(await got.text()).toBe(content);
  expect(got.headers.get('content-type')).toBe('application/octet-stream');
  expect(got.headers.get('content-disposition')).toMatch(/^attachment;/);
  expect(got.headers.get('x-content-type-options')).toBe('nosniff');
});

test.each([
  ['\x1aE\xdf\xa3 webm \x86\x86A_OPUS', 'audio', 'audio/webm'],
  ['\x1aE\xdf\xa3 webm \x86\x86A_OPUS \x86\x85V_VP8', 'video', 'video/webm'],
  ['\0\0\0\x20ftypisom hdlr\0\0\0\0\0\0\0\0soun', 'audio', 'audio/mp4'],
  ['\0\0\0\x20ftypisom hdlr\0\0\0\0\0\0\0\0soun hdlr\0\0\0\0\0\0\0\0vide', 'video', 'video/mp4'],
  // Its tracks stand at the end.
  ['\0\0\0\x20ftypisom mdat', 'video', 'video/mp4'],
])('a container without pictures is a sound: %j', async (bytes, type, contentType) => {
  const sent = await post(form([['recorded', Buffer.from(bytes, 'latin1')]]));
  const [file] = message.parse(sent.body).attachments;
  expect(file?.file_type).toBe(type);
  expect((await fetch(file?.data_url ?? '')).headers.get('content-type')).toBe(contentType);
});

test('names from outside never reach the disk, and lose what could mislead', async () => {
  const sent = await post(
    form([
      ['../../..\\etc/pass\u202Ewd"\r\n.txt', 'x'],
      [`${'ü'.repeat(300)}.pdf`, 'x'],
      [`${'x'.repeat(119)}🎉.pdf`, 'x'],
    ]),
  );
  const [first, second, third] = message.parse(sent.body).attachments;
  expect(first).toMatchObject({
    extension: 'txt',
    fallback_title: expect.stringMatching(/^passwd[%\w]*\.txt$/),
  });
  expect(second).toMatchObject({ extension: 'pdf', fallback_title: `${'ü'.repeat(120)}.pdf` });
  expect(third).toMatchObject({ fallback_title: `${'x'.repeat(119)}🎉.pdf` });
  const got = await fetch(second?.data_url ?? '');
  expect(got.headers.get('content-disposition')).toMatch(/filename\*=UTF-8''(%C3%BC)+\.pdf$/);
  for (const name of await filesOnDisk()) expect(name).toMatch(/^[\w-]{32}$/);
});

test('a player may ask for a part', async () => {
  const sent = await post(form([['part.bin', '0123456789']]));
  const url = message.parse(sent.body).attachments[0]?.data_url ?? '';
  for (const [range, content, answer] of [
    ['bytes=2-4', '234', 'bytes 2-4/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=-3', '789', 'bytes 7-9/10'],
  ] as const) {
    const got = await fetch(url, { headers: { range } });
    expect([got.status, await got.text(), got.headers.get('content-range')]).toEqual([206, content, answer]);
  }
  expect((await fetch(url, { headers: { range: 'bytes=10-' } })).status).toBe(416);
  expect((await fetch(url, { headers: { range: 'lines=1' } })).status).toBe(200);
});

/** Of the service, which runs in this process. */
async function openFiles(): Promise<string[]> {
  const names = await readdir('/proc/self/fd');
  const targets = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')));
  return targets.filter((target) => target.startsWith(service.place.dataDir) && target.includes('uploads'));
}

const contactOf = ({ contactId }: Visitor) => `/api/v1/accounts/1/contacts/${contactId}`;
const payload = z.object({ thumbnail: z.string() });
const shown = z.object({ payload });
const changed = z.object({ payload: z.tuple([payload]) });

/** Longer than what is read before anybody wants it. */
async function picture(of: Visitor): Promise<string> {
  const data = new FormData();
  data.append('avatar', new File([png, Buffer.alloc(fileBytes - png.length)], 'me.png'));
  return changed.parse((await service.agent('PUT', contactOf(of), data)).body).payload[0].thumbnail;
}

test('when two contacts become one a picture of either stays, and a second one goes', async () => {
  const known = await visit(service, { email: 'pictured@example.com' });
  for (const nth of ['first', 'second']) {
    const other = await visit(service);
    const before = (await filesOnDisk()).length;
    const address = await picture(other);
    await service.call('PATCH', other.contactPath, { email: 'pictured@example.com' });
    const { thumbnail } = shown.parse((await service.agent('GET', contactOf(known))).body).payload;
    expect(thumbnail === address).toBe(nth === 'first');
    expect((await fetch(thumbnail)).status).toBe(200);
    expect((await filesOnDisk()).length - before).toBe(nth === 'first' ? 1 : 0);
  }
});

test('a picture that is taken away, or gives way to another, is nobody’s to see', async () => {
  const person = await visit(service);
  const before = (await filesOnDisk()).sort();
  const elsewhere = { avatar_url: 'https://example.com/me.png' };
  const changes = [
    () => service.agent('PUT', contactOf(person), { avatar_url: null }),
    () => service.agent('PUT', contactOf(person), elsewhere),
    () => service.call('PATCH', person.contactPath, { avatar_url: 'https://example.com/own.png' }),
  ];
  for (const change of changes) {
    const address = await picture(person);
    await service.agent('PUT', contactOf(person), { name: 'Ada', avatar_url: address });
    await service.call('PATCH', person.contactPath, { name: 'Eve' });
    expect((await fetch(address)).status).toBe(200);
    expect((await change()).status).toBe(200);
    expect((await fetch(address)).status).toBe(404);
    expect((await filesOnDisk()).sort()).toEqual(before);
  }
});

test.skipIf(!existsSync('/proc/self/fd'))('who asks for the head of a file leaves none open', async () => {
  const sent = await post(form([['large.bin', Buffer.alloc(fileBytes)]]));
  const file = message.parse(sent.body).attachments[0]?.data_url ?? '';
  const avatar = await picture(visitor);
  for (const url of [file, avatar]) {
    const whole = await fetch(url);
    await whole.arrayBuffer();
    for (let n = 0; n < 5; n += 1) {
      const head = await fetch(url, { method: 'HEAD', headers: { range: 'bytes=0-1' } });
      expect(head.status).toBe(200);
      for (const name of ['content-length', 'content-type', 'content-security-policy'])
        expect(head.headers.get(name)).toBe(whole.headers.get(name));
      expect(await head.text()).toBe('');
    }
  }
  await expect.poll(openFiles).toEqual([]);
  const gone = file.replace(/[^/]+\/[^/]+$/, 'nobodys/x');
  expect((await fetch(gone, { method: 'HEAD' })).status).toBe(404);
});

test('an agent sends files too, with typed attributes in a form', async () => {
  const data = form([['a.txt', 'for you']], {
    content: 'see',
    private: 'true',
    content_attributes: '{"a":1}',
  });
  const path = `/api/v1/accounts/1/conversations/${visitor.conversationId}/messages`;
  const sent = await service.agent('POST', path, data);
  expect(sent.body).toMatchObject({
    private: true,
    content_attributes: { a: 1 },
    attachment: { fallback_title: 'a.txt' },
    attachments: [{ fallback_title: 'a.txt' }],
  });
  const wrong = await service.agent('POST', path, form([['a.txt', 'x']], { content_attributes: '{' }));
  expect(wrong.status).toBe(422);
  expect(errorBody.parse(wrong.body).errors[0]).toMatchObject({ field: 'content_attributes' });
});

test('a repeat with the same echo_id keeps the first files and no others', async () => {
  const first = await post(form([['once.txt', 'once']], { echo_id: 'files-once' }));
  const before = await filesOnDisk();
  const again = await post(form([['once.txt', 'once']], { echo_id: 'files-once' }));
  expect(again.body).toEqual(first.body);
  expect((await filesOnDisk()).sort()).toEqual(before.sort());
});

test('files are sorted to their messages in one walk, however many there are', async () => {
  const sender = await visit(service);
  for (const name of ['a', 'b', 'c', 'd']) {
    await service.call('POST', `${sender.path}/messages`, form([1, 2].map((n) => [`${name}${n}.txt`, name])));
  }
  const db = service.db;
  const rows = await db.query<MessageRow>('select * from messages order by id desc limit 4');
  let looks = 0;
  const look = (value: unknown) => {
    looks += 1;
    return value;
  };
  const views = await viewMessages(
    {
      async query<Row>(...asked: Parameters<typeof db.query>) {
        const found = await db.query<Row>(...asked);
        for (const row of found) {
          if (typeof row !== 'object' || row === null || !('message_id' in row)) continue;
          const { message_id } = row;
          Object.defineProperty(row, 'message_id', { get: () => look(message_id) });
        }
        return found;
      },
    },
    rows,
    new Map(),
  );
  expect(views.map(({ attachments }) => attachments.map((file) => file.file_name))).toEqual(
    ['d', 'c', 'b', 'a'].map((name) => [`${name}1.txt`, `${name}2.txt`]),
  );
  expect(looks).toBe(8);
});

test('a deleted message takes its files along', async () => {
  const path = `/api/v1/accounts/1/conversations/${visitor.conversationId}/messages`;
  const sent = message.parse((await service.agent('POST', path, form([['gone.txt', 'gone']]))).body);
  await service.agent('DELETE', `${path}/${sent.id}`);
  expect((await fetch(sent.attachments[0]?.data_url ?? '')).status).toBe(404);
});

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

test.each(['attachments[]', 'attachments'])('words where a file belongs (%s) are refused', async (name) => {
  const data = new FormData();
  data.append('content', 'look at this');
  data.append(name, 'https://example.com/a.png');
  const answer = await service.call('POST', `${visitor.path}/messages`, data);
  expect(answer.status).toBe(422);
  expect(errorBody.parse(answer.body).errors).toMatchObject([{ field: 'attachments', code: 'invalid_type' }]);
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
