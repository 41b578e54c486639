/** What an address may ask for beside the API: files, and commands of its sockets, each of which may be new. */
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { errorBody, startMs, startTestService, type TestService, visit } from '../support/service.js';

test.each(['/uploads/missing/file.png', '/avatars/missing'])(
  'who asks for %s too often is told when to come back, and the agents are not',
  async (path) => {
    const strict = await startTestService({ limits: { requestsPerAddress: 6 } });
    const answers = await Promise.all(Array.from({ length: 14 }, () => strict.call('GET', path)));
    const late = answers.filter(({ status }) => status !== 404);
    expect(late.length).toBeGreaterThanOrEqual(7);
    for (const answer of late) {
      expect(answer.status).toBe(429);
      expect(errorBody.parse(answer.body).errors[0]).toMatchObject({ code: 'too_many_requests' });
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((await strict.agent('GET', '/api/v1/profile')).status).toBe(200);
    await strict.end();
  },
  startMs,
);

/** A socket of a visitor behind a proxy, let in. */
async function listenFrom(service: TestService, address: string, token: string) {
  const headers = { 'X-Forwarded-For': address };
  const url = `${service.url.replace('http', 'ws')}/cable`;
  const socket = new WebSocket(url, ['actioncable-v1-json'], { headers });
  const identifier = JSON.stringify({ channel: 'RoomChannel', pubsub_token: token });
  let beats = 0;
  const confirmed = new Promise<void>((resolve) => {
    socket.on('message', (data) => {
      const text = data.toString();
      if (text.includes('presence.update')) beats += 1;
      if (text.includes('presence.update') && beats === 1) resolve();
    });
  });
  await once(socket, 'open');
  socket.send(JSON.stringify({ command: 'subscribe', identifier }));
  await confirmed;
  return {
    socket,
    beats: () => beats,
    beat: () =>
      socket.send(JSON.stringify({ command: 'message', identifier, data: '{"action":"update_presence"}' })),
  };
}

test('sockets of one address are in a hurry together, and those of another are not', async () => {
  const service = await startTestService({ proxies: 1, limits: { commandsPerAddress: 8 } });
  const visitor = await visit(service);
  const [one, two, other] = await Promise.all(
    ['203.0.113.7', '203.0.113.7', '203.0.113.8'].map((address) =>
      listenFrom(service, address, visitor.token),
    ),
  );
  if (!one || !two || !other) throw new Error('there are three');
  const cut = Promise.race([once(one.socket, 'close'), once(two.socket, 'close')]);
  for (let n = 0; n < 5; n += 1) for (const { beat } of [one, two]) beat();
  await cut;
  expect(one.beats() + two.beats()).toBeLessThanOrEqual(8);
  other.beat();
  await expect.poll(other.beats).toBe(2);
  for (const { socket } of [one, two, other]) socket.terminate();
  await service.end();
});
