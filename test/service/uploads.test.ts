/** Files: streamed to disk within limits, handed out so that nothing runs, gone with their message. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readlink, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { viewMessages } from '../../demo/service/domain/messages-view.js';
import type { MessageRow } from '../../demo/service/store/rows.js';
import { filesBelow, form, png } from '../support/files.js';
import {
  errorBody,
  startedPlace,
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

const attachment = z.looseObject({ id: z.number(), data_url: z.string(), file_type: z.string() });
const message = z.looseObject({ id: z.number(), attachments: z.array(attachment) });

const post = (data: FormData) => service.call('POST', `${visitor.path}/messages`, data);

const filesOnDisk = () => filesBelow(service.place.dataDir);

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

test.each(['..?', '.?', '..\u202E', ' .. ', '.../..|', '..'])(
  'a name of which only dots are left is no step in an address: %j',
  async (name) => {
    const sent = await post(form([[name, 'fetched']]));
    const [file] = message.parse(sent.body).attachments;
    const got = await fetch(file?.data_url ?? '');
    expect(got.status).toBe(200);
    expect(await got.text()).toBe('fetched');
  },
);

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
  for (const range of ['lines=1', 'bytes=4-2', 'bytes=12-11']) {
    const got = await fetch(url, { headers: { range } });
    expect([got.status, await got.text()]).toEqual([200, '0123456789']);
  }
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

test(
  'a picture is shown where the service is to be found by now, and stays when an older address is sent back',
  async () => {
    const place = await startedPlace();
    const old = await startTestService({ publicUrl: 'https://old.example' }, place);
    const person = await visit(old);
    const data = form([], { name: 'Ada' });
    data.append('avatar', new File([png], 'me.png'));
    const [given] = changed.parse((await old.agent('PUT', contactOf(person), data)).body).payload;
    expect(given.thumbnail).toMatch(/^https:\/\/old\.example\/avatars\/[\w-]{32}$/);
    // As versions before this one kept them.
    await old.db.query('update contacts set avatar_url = $2 where id = $1', [
      person.contactId,
      given.thumbnail,
    ]);
    await old.db.query(`delete from migrations where name = '0038-pictures'`);
    await old.stop();

    const later = await startTestService({ publicUrl: 'https://new.example/chat' }, place);
    const path = new URL(given.thumbnail).pathname;
    const address = `https://new.example/chat${path}`;
    const isShown = async () => {
      const { body } = await later.agent('GET', contactOf(person));
      expect(shown.parse(body).payload.thumbnail).toBe(address);
      expect((await later.call('GET', path)).status).toBe(200);
    };
    await isShown();
    for (const avatar_url of [given.thumbnail, address]) {
      expect((await later.agent('PUT', contactOf(person), { avatar_url })).status).toBe(200);
      await isShown();
      expect((await later.call('PATCH', person.contactPath, { avatar_url })).status).toBe(200);
      await isShown();
    }
    await later.end();
  },
  startMs,
);

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

test('a file that the disk does not give is a fault of ours, and its place is not told', async () => {
  const [file] = message.parse((await post(form([['p.png', png, 'image/png']]))).body).attachments;
  const address = new URL(file?.data_url ?? '').pathname;
  const kept = join(service.place.dataDir, 'uploads', 'kept', address.split('/')[2] ?? '');
  // What is there and cannot be opened by anybody: the end of somebody's socket.
  const place = await mkdtemp(join(tmpdir(), 's-'));
  const end = createServer().listen(join(place, 's'));
  await once(end, 'listening');
  await rm(kept);
  await symlink(join(place, 's'), kept);
  const answer = await service.call('GET', address);
  expect(answer.status).toBe(500);
  expect(errorBody.parse(answer.body).errors[0]).toMatchObject({ code: 'internal_error' });
  expect(JSON.stringify(answer.body)).not.toContain(place);
  await rm(kept);
  end.close();
  await rm(place, { recursive: true });
});
