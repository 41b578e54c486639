/** Where webhooks may not go: to what only the service itself reaches. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deliveryLog, type Receiver, startReceiver, webhookAnswer } from '../support/receiver.js';
import { inboxPath, startMs, startTestService, type TestService } from '../support/service.js';

const account = '/api/v1/accounts/1';
let service: TestService;
let receiver: Receiver;
beforeAll(async () => {
  service = await startTestService({ webhooks: { allowPrivate: false, attempts: 3, backoffMs: 20 } });
  receiver = await startReceiver();
}, startMs);
afterAll(async () => {
  await service.end();
  await receiver.stop();
});

test('without leave, no private address is reached, by number or by name', async () => {
  const { port } = new URL(receiver.url);
  const hosts = [
    '127.0.0.1',
    'localhost',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::127.0.0.1]',
    '[::ffff:0:127.0.0.1]',
    '2130706433',
    '10.0.0.1',
    '0.0.0.0',
  ];
  const ids: number[] = [];
  for (const host of hosts) {
    const url = `http://${host}:${port}/`;
    const answer = await service.agent('POST', `${account}/webhooks`, { url });
    ids.push(webhookAnswer.parse(answer.body).id);
  }
  await service.call('POST', `${inboxPath}/contacts`, { name: 'Nobody' });
  for (const id of ids) {
    await expect
      .poll(
        async () =>
          deliveryLog.parse((await service.agent('GET', `${account}/webhooks/${id}/deliveries`)).body)
            .payload,
      )
      .toMatchObject([{ state: 'dead', error: 'the address is private', attempts: 1 }]);
  }
  expect(receiver.all).toEqual([]);
});
