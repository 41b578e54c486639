/**
 * Somebody of the account asks, and their body is on its way for long:
 * 1. the request is let in, and half of its body comes;
 * 2. whoever asks is let go, or may less than before;
 * 3. the rest comes, and is refused as if it had come as a whole only now.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { rawLine } from '../support/raw-line.js';
import { startMs, startTestService, type TestService, visit } from '../support/service.js';

const account = '/api/v1/accounts/1';
let service: TestService;
beforeAll(async () => {
  service = await startTestService();
}, startMs);
afterAll(() => service.end());

const newcomer = z.looseObject({ id: z.number(), access_token: z.string() });
let people = 0;
async function hire(role: 'administrator' | 'agent') {
  people += 1;
  const fields = { name: 'Mallory', email: `mallory-${people}@demo.example`, role };
  const made = newcomer.parse((await service.agent('POST', `${account}/agents`, fields)).body);
  await members('POST', made.id);
  return made;
}
type Newcomer = Awaited<ReturnType<typeof hire>>;
const members = (method: string, id: number) =>
  service.agent(method, `${account}/inbox_members`, { inbox_id: 1, user_ids: [id] });

/** Nothing is left of the second that a body may take without anybody asking again. */
const longMs = 1500;

const json = (body: object) => ({ type: 'application/json', body: JSON.stringify(body) });
const form = (...parts: string[]) => ({
  type: 'multipart/form-data; boundary=b',
  body: `${parts.map((part) => `--b\r\ncontent-disposition: form-data; ${part}\r\n`).join('')}--b--\r\n`,
});

interface Asked {
  method: string;
  path: string;
  type: string;
  body: string;
}

/** Sends the second half after what happens meanwhile, and tells what is answered. */
async function ask({ id, access_token: token }: Newcomer, asked: Asked, meanwhile: () => Promise<unknown>) {
  const { method, path, type, body } = asked;
  const { socket, closed, heard } = rawLine(service.port);
  const half = Math.floor(body.length / 2);
  socket.write(
    `${method} ${path} HTTP/1.1\r\nHost: x\r\napi_access_token: ${token}\r\nContent-Type: ${type}\r\n` +
      `Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body.slice(0, half)}`,
  );
  const isIn = async () => {
    const sql = 'select 1 from account_users where user_id = $1 and active_at is not null';
    return (await service.db.query(sql, [id])).length;
  };
  await expect.poll(isIn).toBe(1);
  const began = performance.now();
  await expect.poll(() => performance.now() - began).toBeGreaterThan(longMs);
  await meanwhile();
  const before = await service.rows();
  socket.write(body.slice(half));
  await closed;
  return { heard: heard(), before };
}

const post = (path: string, sent: { type: string; body: string }) => () => ({
  method: 'POST',
  path,
  ...sent,
});
const message = async (sent: { type: string; body: string }): Promise<Asked> => {
  const { conversationId } = await visit(service);
  return post(`${account}/conversations/${conversationId}/messages`, sent)();
};
const contact = async (sent: { type: string; body: string }): Promise<Asked> => {
  const { contactId } = await visit(service);
  return { ...post(`${account}/contacts/${contactId}`, sent)(), method: 'PUT' };
};
const withFile = form(
  'name="content"\r\n\r\nin their name',
  'name="attachments[]"; filename="a.txt"\r\n\r\nand a file of some length, so that half is more than its head',
);
const letGo = ({ id }: Newcomer) => service.agent('DELETE', `${account}/agents/${id}`);
const demote = ({ id }: Newcomer) => service.agent('PATCH', `${account}/agents/${id}`, { role: 'agent' });
const leave = ({ id }: Newcomer) => members('DELETE', id);
const again = { name: 'Again', email: 'again@demo.example', role: 'administrator' };
const hook = { url: 'https://example.com/late' };
type Row = [
  string,
  string,
  'administrator' | 'agent',
  () => Asked | Promise<Asked>,
  (who: Newcomer) => Promise<unknown>,
  RegExp,
];
test.each<Row>([
  ['let go', 'a person', 'administrator', post(`${account}/agents`, json(again)), letGo, /^HTTP\/1.1 401 /],
  ['let go', 'a webhook', 'administrator', post(`${account}/webhooks`, json(hook)), letGo, /^HTTP\/1.1 401 /],
  ['let go', 'a message', 'agent', () => message(json({ content: 'late' })), letGo, /^HTTP\/1.1 401 /],
  ['let go', 'a form', 'agent', () => message(withFile), letGo, /^HTTP\/1.1 401 /],
  [
    'let go',
    'a form of a contact',
    'agent',
    () => contact(form('name="name"\r\n\r\nlate')),
    letGo,
    /^HTTP\/1.1 401 /,
  ],
  [
    'no longer an administrator',
    'a person',
    'administrator',
    post(`${account}/agents`, json(again)),
    demote,
    /^HTTP\/1.1 403 /,
  ],
  ['no longer of the inbox', 'a form', 'agent', () => message(withFile), leave, /^HTTP\/1.1 404 /],
  [
    'no longer of the inbox',
    'a message',
    'agent',
    () => message(json({ content: 'late' })),
    leave,
    /^HTTP\/1.1 404 /,
  ],
])('who is %s cannot bring %s to its end', async (_, __, role, what, meanwhile, refusal) => {
  const who = await hire(role);
  const asked = await what();
  const files = async () =>
    (await readdir(join(service.place.dataDir, 'uploads'), { recursive: true })).length;
  const kept = await files();
  const { heard, before } = await ask(who, asked, () => meanwhile(who));
  expect(heard).toMatch(refusal);
  expect(await service.rows()).toEqual(before);
  await expect.poll(files).toBe(kept);
});

test('who stays is heard, however long it takes', async () => {
  const who = await hire('agent');
  const { heard } = await ask(who, await message(withFile), () => Promise.resolve());
  expect(heard).toMatch(/^HTTP\/1.1 200 /);
});
