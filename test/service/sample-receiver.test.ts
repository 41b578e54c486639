/** The receiver that the demo brings for webhooks: it takes what the service sends, and refuses what others make of it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { root } from '../support/processes.js';
import { webhookAnswer } from '../support/receiver.js';
import { startMs, startTestService, type TestService, visit } from '../support/service.js';

const webhooks = '/api/v1/accounts/1/webhooks';

let service: TestService;
let secret: string;
let receiver: ChildProcess;
let url: string;
/** What it has printed, a line each. */
const lines: string[] = [];

beforeAll(async () => {
  service = await startTestService({ webhooks: { allowPrivate: true } });
  const subscriptions = ['message_created'];
  const made = await service.agent('POST', webhooks, { url: 'http://127.0.0.1:9/', subscriptions });
  const webhook = webhookAnswer.parse(made.body);
  secret = webhook.secret ?? '';
  receiver = spawn(process.execPath, [join(root, 'demo/receiver.mjs')], {
    env: { ...process.env, WEBHOOK_SECRET: secret, PORT: '0', HOST: '127.0.0.1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  receiver.stdout?.on('data', (chunk: Buffer) => lines.push(...chunk.toString().trim().split('\n')));
  await vi.waitUntil(() => lines.length === 1, { timeout: 20_000 });
  url = lines[0] ?? '';
  const moved = await service.agent('PATCH', `${webhooks}/${webhook.id}`, {
    url: `${url}/hook`,
    subscriptions,
  });
  expect(moved.status).toBe(200);
}, startMs);
afterAll(async () => {
  if (receiver) {
    const gone = once(receiver, 'exit');
    receiver.kill();
    await gone;
  }
  await service?.end();
});
beforeEach(() => {
  lines.length = 0;
});

interface Letter {
  delivery?: string;
  body?: string;
  /** Seconds from now. */
  at?: number;
  signature?: string;
}

/** Signed as the specification says, unless told otherwise. */
function letter({
  delivery = randomUUID(),
  body = '{"event":"message_created","id":7}',
  at = 0,
  signature,
}: Letter = {}) {
  const timestamp = String(Math.floor(Date.now() / 1000) + at);
  const digest = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  const headers = {
    'content-type': 'application/json',
    'x-service-delivery': delivery,
    'x-service-timestamp': timestamp,
    'x-service-signature': signature ?? `sha256=${digest}`,
  };
  return { method: 'POST', headers, body };
}
async function deliver(request: ReturnType<typeof letter>) {
  const answer = await fetch(`${url}/hook`, request);
  return [answer.status, await answer.text()];
}

test('what the service sends is taken, without anybody’s words', async () => {
  const visitor = await visit(service);
  const said = await service.call('POST', `${visitor.path}/messages`, { content: 'a secret of mine' });
  expect(said.status).toBe(200);
  await expect
    .poll(() => lines, { timeout: 20_000 })
    .toEqual([expect.stringMatching(/^message_created \d+$/)]);
});

test('what is altered, unsigned or signed by another key is refused', async () => {
  const whole = letter();
  const altered = { ...whole, body: whole.body.replace('7', '8') };
  const later = { ...whole, headers: { ...whole.headers, 'x-service-timestamp': `${Date.now()}` } };
  const unsigned = letter({ signature: '' });
  const foreign = letter({
    signature: `sha256=${createHmac('sha256', 'another').update('x').digest('hex')}`,
  });
  for (const request of [altered, later, unsigned, foreign])
    expect(await deliver(request)).toEqual([401, 'not signed, or altered']);
  expect(await deliver(whole)).toEqual([200, 'thanks']);
  await expect.poll(() => lines.at(-1)).toBe('message_created 7');
  expect(lines.filter((line) => line.startsWith('message_created'))).toEqual(['message_created 7']);
});

test('what comes late, or from a time to come, is refused', async () => {
  for (const at of [-400, 400]) expect(await deliver(letter({ at }))).toEqual([401, 'late']);
  for (const at of [-200, 200])
    expect(await deliver(letter({ at, body: `{"id":${at}}` }))).toEqual([200, 'thanks']);
});

test('what is sent once more as it was is refused, under another name, too; what the service tries again is taken once', async () => {
  const delivery = randomUUID();
  const body = '{"event":"message_created","id":9}';
  const first = letter({ delivery, body });
  expect(await deliver(first)).toEqual([200, 'thanks']);
  expect(await deliver(first)).toEqual([409, 'repeated']);
  const renamed = { ...first, headers: { ...first.headers, 'x-service-delivery': randomUUID() } };
  expect(await deliver(renamed)).toEqual([409, 'repeated']);
  expect(await deliver(letter({ delivery, body, at: 3 }))).toEqual([200, 'taken before']);
  await expect.poll(() => lines.length).toBeGreaterThanOrEqual(3);
  expect(lines.filter((line) => line === 'message_created 9')).toHaveLength(1);
});
