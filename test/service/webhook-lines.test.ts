/** What one delivery leaves behind in a process that sends them for months. */
import { getEventListeners, once } from 'node:events';
import http, { type Server } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Outcome, send } from '../../demo/service/jobs/send.js';

let receiver: Server;
let url: string;
beforeAll(async () => {
  receiver = http.createServer((request, response) => {
    request.resume();
    if (request.url !== '/silent') response.end();
  });
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  const address = receiver.address();
  if (!address || typeof address === 'string') throw new Error('the receiver listens on no port');
  url = `http://127.0.0.1:${address.port}`;
});
afterAll(() => {
  receiver.closeAllConnections();
  receiver.close();
});

/** Who waits for the end, and what Node itself keeps with a signal. */
function waiting(stop: AbortSignal): number {
  // Its sets are none of the world's: they have a size and another prototype.
  const sizes = Object.getOwnPropertySymbols(stop).map(
    (symbol) => Object(Reflect.get(stop, symbol)).size ?? 0,
  );
  return sizes.reduce((sum: number, size: number) => sum + size, getEventListeners(stop, 'abort').length);
}

const letter = (path: string) => ({ url: url + path, uuid: 'one', body: '{}', secret: null });

test.each<[string, Partial<Outcome>, string, number]>([
  ['delivered', { kind: 'delivered' }, '/', 10_000],
  ['not answered in time', { kind: 'failed', error: 'no answer within 5 ms' }, '/silent', 5],
])(
  'letters that are %s leave nothing with the signal that ends the process',
  async (_, outcome, path, timeoutMs) => {
    const { signal: stop } = new AbortController();
    for (let n = 0; n < 50; n += 1) {
      expect(await send(letter(path), { allowPrivate: true, timeoutMs, stop })).toMatchObject(outcome);
    }
    expect(waiting(stop)).toBe(0);
  },
);

test('the end of the process ends a letter under way, and one that would begin after it', async () => {
  const end = new AbortController();
  const options = { allowPrivate: true, timeoutMs: 60_000, stop: end.signal };
  const asked = once(receiver, 'request');
  const sending = send(letter('/silent'), options);
  await asked;
  end.abort();
  expect(await sending).toMatchObject({ kind: 'failed', status: null });
  expect(await send(letter('/silent'), options)).toMatchObject({ kind: 'failed', status: null });
  expect(waiting(end.signal)).toBe(0);
});
