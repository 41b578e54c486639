/** Receivers that are slow, silent, wrong, private or away, and services that stop in between. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { claimSql } from '../../demo/service/jobs/deliveries.js';
import { rowsRead } from '../support/plan.js';
import { hasPostgres, makeSharedPlace } from '../support/processes.js';
import { deliveryLog, isSigned, type Receiver, startReceiver, webhookAnswer } from '../support/receiver.js';
import {
  inboxPath,
  makePlace,
  startMs,
  startTestService,
  type TestService,
  visit,
} from '../support/service.js';

const account = '/api/v1/accounts/1';
const quick = { allowPrivate: true, attempts: 3, backoffMs: 20, timeoutMs: 20_000 };
let service: TestService;
let receiver: Receiver;
beforeAll(async () => {
  service = await startTestService({ webhooks: quick });
  receiver = await startReceiver();
}, startMs);
afterAll(async () => {
  await service.end();
  await receiver.stop();
});

const made: number[] = [];
async function subscribe(path: string, subscriptions?: readonly string[]) {
  const body = { url: receiver.url + path, name: path, subscriptions };
  const answer = await service.agent('POST', `${account}/webhooks`, body);
  expect(answer.status).toBe(200);
  const hook = webhookAnswer.parse(answer.body);
  made.push(hook.id);
  return hook;
}
afterEach(async () => {
  for (const id of made.splice(0)) await service.agent('DELETE', `${account}/webhooks/${id}`);
  receiver.answer = () => 200;
  receiver.all.length = 0;
});

const deliveries = async (id: number, query = '') =>
  deliveryLog.parse((await service.agent('GET', `${account}/webhooks/${id}/deliveries${query}`)).body);

test(
  'a receiver that never answers holds up nobody but itself',
  async () => {
    const patient = await startTestService({ webhooks: { ...quick, timeoutMs: 60_000 } });
    for (const path of ['/silent', '/fine']) {
      const url = receiver.url + path;
      await patient.agent('POST', `${account}/webhooks`, { url, subscriptions: ['message_created'] });
    }
    receiver.answer = ({ path }) => (path === '/silent' ? 'never' : 200);
    for (let n = 0; n < 20; n += 1) {
      const visitor = await visit(patient);
      await patient.call('POST', `${visitor.path}/messages`, { content: `${n}` });
    }
    const at = (path: string) => receiver.all.filter((got) => got.path === path);
    await expect.poll(() => at('/fine').length).toBe(20);
    await expect.poll(() => at('/silent').length).toBe(4);
    await patient.end();
  },
  startMs,
);

test('of what was delivered the words go, and of what was given up they are kept to be sent again', async () => {
  receiver.answer = ({ path }) => (path === '/wrong' ? 400 : 200);
  const [fine, wrong] = [
    await subscribe('/kept', ['contact_created']),
    await subscribe('/wrong', ['contact_created']),
  ];
  await service.call('POST', `${inboxPath}/contacts`, { name: 'Somebody private' });
  const state = async ({ id }: { id: number }) => (await deliveries(id)).payload[0]?.state;
  await expect.poll(() => state(fine)).toBe('delivered');
  await expect.poll(() => state(wrong)).toBe('dead');
  const kept = `select webhook_id from webhook_deliveries where body like '%Somebody private%'`;
  expect(await service.db.query(kept)).toEqual([{ webhook_id: wrong.id }]);
  const [line] = (await deliveries(fine.id)).payload;
  expect(line).toMatchObject({ event: 'contact_created', attempts: 1, response_status: 200, error: null });
  receiver.answer = () => 200;
  const [dead] = (await deliveries(wrong.id)).payload;
  await service.agent('POST', `${account}/webhooks/${wrong.id}/deliveries/${dead?.id}/retry`);
  await expect.poll(() => state(wrong)).toBe('delivered');
  const [first, again] = receiver.all.filter(({ path }) => path === '/wrong');
  expect(again?.raw.equals(first?.raw ?? Buffer.alloc(0))).toBe(true);
  expect(await service.db.query(kept)).toEqual([]);
});

test('how much waits for a receiver that keeps us waiting is no work for whoever looks what is next', async () => {
  const hook = await subscribe('/long-queue', ['message_created']);
  await service.db.query(
    `insert into webhook_deliveries (account_id, webhook_id, lane, event, body, leased_until)
     select 1, $1::bigint, 'webhook:' || $1::bigint || '/conversation:' || n, 'message_created', '{}',
       case when n <= 4 then now() + interval '1 hour' end from generate_series(1, 3000) n`,
    [hook.id],
  );
  await service.db.query('analyze webhook_deliveries');
  expect(await rowsRead(service, claimSql, [16, 60, []])).toBeLessThan(1000);
});

const hours = { ...quick, attempts: 1000, backoffMs: 3_600_000 };
const due = 'select 1 from webhook_deliveries where next_attempt_at <= now()';

test('what waits behind one that failed is no work either until that one is tried again', async () => {
  const patient = await startTestService({ webhooks: hours });
  receiver.answer = () => 503;
  const body = { url: `${receiver.url}/away`, subscriptions: ['message_created'] };
  const hook = webhookAnswer.parse((await patient.agent('POST', `${account}/webhooks`, body)).body);
  await patient.db.query(
    `insert into webhook_deliveries (account_id, webhook_id, lane, event, body)
     select 1, $1::bigint, 'webhook:' || $1::bigint || '/conversation:1', 'message_created',
       '{"event":"message_created"}' from generate_series(1, 500)`,
    [hook.id],
  );
  await expect.poll(async () => (await patient.db.query(due)).length).toBe(0);
  expect(receiver.all).toHaveLength(1);
  // What is written afterwards is not either: of the same conversation.
  const visitor = await visit(patient);
  expect(visitor.conversationId).toBe(1);
  await patient.call('POST', `${visitor.path}/messages`, { content: 'waits, too' });
  const waiting = `select 1 from webhook_deliveries where body like '%waits, too%'`;
  expect(await patient.db.query(waiting)).toHaveLength(1);
  expect(await patient.db.query(due)).toEqual([]);
  await patient.end();
});

test(
  'what has waited for seven days is given up',
  async () => {
    const place = await makePlace();
    const first = await startTestService({ webhooks: hours }, place);
    receiver.answer = () => 503;
    const body = { url: `${receiver.url}/gone`, subscriptions: ['contact_created'] };
    const hook = webhookAnswer.parse((await first.agent('POST', `${account}/webhooks`, body)).body);
    for (const name of ['Old', 'New']) await first.call('POST', `${inboxPath}/contacts`, { name });
    // A service that stops before it has read an answer tries again at once.
    await expect.poll(async () => [receiver.all.length, await first.db.query(due)]).toEqual([2, []]);
    const age = `update webhook_deliveries
      set created_at = created_at - interval '7 days', queued_at = queued_at - interval '7 days'`;
    await first.db.query(`${age} where body like '%"Old"%'`);
    await first.stop();
    const second = await startTestService({ webhooks: hours }, place);
    const log = async (of: TestService) =>
      deliveryLog.parse((await of.agent('GET', `${account}/webhooks/${hook.id}/deliveries`)).body).payload;
    await expect.poll(async () => (await log(second)).map(({ state }) => state)).toEqual(['waiting', 'dead']);
    // Who sends the old one again waits for it from then on.
    const [, old] = await log(second);
    await second.agent('POST', `${account}/webhooks/${hook.id}/deliveries/${old?.id}/retry`);
    await expect.poll(() => receiver.all.length).toBe(3);
    await second.db.query(`${age} where body like '%"New"%'`);
    await second.stop();
    const third = await startTestService({ webhooks: hours }, place);
    await expect.poll(async () => (await log(third)).map(({ state }) => state)).toEqual(['dead', 'waiting']);
    await third.end();
  },
  startMs,
);

test('of one conversation they come in order, even when the first ones fail at first', async () => {
  const hook = await subscribe('/order', ['message_created']);
  const [one, other] = [await visit(service), await visit(service)];
  receiver.answer = ({ body }, count) => (body.content === 'one 0' && count < 3 ? 503 : 200);
  for (let n = 0; n < 8; n += 1) {
    await service.call('POST', `${one.path}/messages`, { content: `one ${n}` });
    await service.call('POST', `${other.path}/messages`, { content: `other ${n}` });
  }
  await expect.poll(async () => (await deliveries(hook.id, '?state=delivered')).meta.count).toBe(16);
  const contents = (prefix: string) =>
    receiver.all.map((got) => String(got.body.content)).filter((text) => text.startsWith(prefix));
  const eight = (prefix: string) => Array.from({ length: 8 }, (_, n) => `${prefix} ${n}`);
  expect(contents('one')).toEqual(['one 0', 'one 0', ...eight('one')]);
  expect(contents('other')).toEqual(eight('other'));
  // Every attempt of one delivery has its one id, and a signature of its own time.
  const first = receiver.all.filter((got) => got.body.content === 'one 0');
  expect(new Set(first.map((got) => got.headers['x-service-delivery'])).size).toBe(1);
  for (const got of first) expect(isSigned(got, hook.secret ?? '')).toBe(true);
});

test(
  'what fails too often is dead, shown, and can be tried again',
  async () => {
    const hasty = await startTestService({ webhooks: { ...quick, timeoutMs: 3000 } });
    const { id } = webhookAnswer.parse(
      (
        await hasty.agent('POST', `${account}/webhooks`, {
          url: `${receiver.url}/dead`,
          subscriptions: ['message_created'],
        })
      ).body,
    );
    const log = async (state: string) =>
      deliveryLog.parse(
        (await hasty.agent('GET', `${account}/webhooks/${id}/deliveries?state=${state}`)).body,
      );
    const visitor = await visit(hasty);
    const answers = new Map<string, number | 'never'>([
      ['wrong', 400],
      ['broken', 500],
      ['silent', 'never'],
    ]);
    receiver.answer = ({ body }) => answers.get(String(body.content)) ?? 200;
    for (const content of [...answers.keys(), 'fine']) {
      await hasty.call('POST', `${visitor.path}/messages`, { content });
    }
    await expect.poll(async () => (await log('delivered')).meta.count, { timeout: 60_000 }).toBe(1);
    const dead = (await log('dead')).payload;
    expect(dead).toMatchObject([
      { event: 'message_created', attempts: 3, response_status: null, error: 'no answer within 3000 ms' },
      { attempts: 3, response_status: 500, error: 'answered 500' },
      { attempts: 1, response_status: 400, error: 'answered 400' },
    ]);
    answers.clear();
    const again = await hasty.agent('POST', `${account}/webhooks/${id}/deliveries/${dead[1]?.id}/retry`);
    expect(again.body).toMatchObject({ payload: { state: 'waiting', delivery: dead[1]?.delivery } });
    await expect.poll(async () => (await log('delivered')).meta.count, { timeout: 60_000 }).toBe(2);
    await hasty.end();
  },
  startMs,
);

test('a receiver that would rather speak another protocol has not answered, and holds up nobody', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n');
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (!address || typeof address === 'string') throw new Error('the receiver listens on no port');
  const url = `http://127.0.0.1:${address.port}/`;
  const hook = webhookAnswer.parse(
    (await service.agent('POST', `${account}/webhooks`, { url, subscriptions: ['message_created'] })).body,
  );
  made.push(hook.id);
  const visitor = await visit(service);
  await service.call('POST', `${visitor.path}/messages`, { content: 'hello' });
  await expect
    .poll(async () => (await deliveries(hook.id)).payload)
    .toMatchObject([{ state: 'dead', attempts: 3, response_status: null, error: 'no answer' }]);
  server.close();
});

test('a redirect is not followed', async () => {
  const hook = await subscribe('/redirect', ['message_created']);
  const visitor = await visit(service);
  receiver.answer = ({ path }) =>
    path === '/redirect' ? { status: 302, location: `${receiver.url}/inside` } : 200;
  await service.call('POST', `${visitor.path}/messages`, { content: 'come here' });
  await expect
    .poll(async () => (await deliveries(hook.id, '?state=dead')).payload)
    .toMatchObject([{ response_status: 302, error: 'redirects are not followed', attempts: 1 }]);
  expect(receiver.all.map((got) => got.path)).toEqual(['/redirect']);
});

test(
  'what was not sent before a stop is sent after the next start',
  async () => {
    const place = await makePlace();
    const first = await startTestService({ webhooks: { ...quick, attempts: 1000 } }, place);
    const hook = { url: `${receiver.url}/restart`, subscriptions: ['contact_created'] };
    await first.agent('POST', `${account}/webhooks`, hook);
    receiver.answer = () => 503;
    await first.call('POST', `${inboxPath}/contacts`, { name: 'Kept' });
    await expect.poll(() => receiver.all.length).toBeGreaterThan(0);
    await first.stop();
    receiver.answer = () => 200;
    const second = await startTestService({ webhooks: quick }, place);
    await expect
      .poll(
        async () =>
          (await second.db.query(`select * from webhook_deliveries where state = 'delivered'`)).length,
      )
      .toBe(1);
    await second.end();
  },
  startMs,
);

test(
  'a service that stops has not been refused by whoever it was just asking',
  async () => {
    const place = await makePlace();
    const once = { ...quick, attempts: 1, timeoutMs: 60_000 };
    const first = await startTestService({ webhooks: once }, place);
    const hook = { url: `${receiver.url}/asked`, subscriptions: ['contact_created'] };
    await first.agent('POST', `${account}/webhooks`, hook);
    receiver.answer = () => 'never';
    await first.call('POST', `${inboxPath}/contacts`, { name: 'Asked' });
    await expect.poll(() => receiver.all.length).toBe(1);
    await first.stop();
    receiver.answer = () => 200;
    const second = await startTestService({ webhooks: once }, place);
    await expect
      .poll(() => second.db.query('select state, attempts from webhook_deliveries'))
      .toEqual([{ state: 'delivered', attempts: 1 }]);
    await second.end();
  },
  startMs,
);

test(
  'a delivery whose end cannot be kept is told to the log without what stands in it',
  async () => {
    const lines: string[] = [];
    const logTo = { write: (line: string) => void lines.push(line) };
    const noted = await startTestService({ webhooks: quick, log: 'error', logTo });
    // As a database does that puts the row into its words, on a line that looks like one of ours.
    await noted.db.query(
      `create function say_it() returns trigger language plpgsql as
       $$ begin raise exception E'no room for\\n    at %', new.body; end $$`,
    );
    await noted.db.query(
      `create trigger say_it before update on webhook_deliveries for each row
       when (new.finished_at is not null) execute function say_it()`,
    );
    const hook = { url: `${receiver.url}/noted`, subscriptions: ['message_created'] };
    expect((await noted.agent('POST', `${account}/webhooks`, hook)).status).toBe(200);
    const visitor = await visit(noted);
    await noted.call('POST', `${visitor.path}/messages`, { content: 'CANARY words' });
    await expect.poll(() => lines.join('\n')).toContain('"delivery":');
    expect(lines.join('\n')).not.toContain('CANARY');
    await noted.end();
  },
  startMs,
);

test.skipIf(!hasPostgres)(
  'two processes share the work and send nothing twice',
  async () => {
    const place = await makeSharedPlace();
    const one = await startTestService({ webhooks: quick }, place);
    const other = await startTestService({ webhooks: quick }, place);
    await one.agent('POST', `${account}/webhooks`, {
      url: `${receiver.url}/shared`,
      subscriptions: ['message_created'],
    });
    const visitors = await Promise.all(Array.from({ length: 6 }, () => visit(one)));
    await Promise.all(
      visitors.map(async (visitor) => {
        for (let n = 0; n < 20; n += 1) {
          const through = n % 2 ? one : other;
          await through.call('POST', `${visitor.path}/messages`, {
            content: `${visitor.conversationId}:${n}`,
          });
        }
      }),
    );
    await expect.poll(() => receiver.all.length).toBe(120);
    const contents = receiver.all.map((got) => String(got.body.content));
    expect(new Set(contents).size).toBe(120);
    for (const { conversationId } of visitors) {
      const mine = contents.filter((text) => text.startsWith(`${conversationId}:`));
      expect(mine).toEqual(Array.from({ length: 20 }, (_, n) => `${conversationId}:${n}`));
    }
    await other.stop();
    await one.end();
  },
  startMs,
);
