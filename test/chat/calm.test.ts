/** An owner with very many visitors lets each of them look more seldom. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALM, POLL_MS } from '../../src/realtime/reconnect.js';
import { startTestService, type TestService } from '../support/service.js';
import { newProfile, openTab, until } from '../support/tab.js';

/** Makes no wait of a length that others have. */
const RANDOM = 0.13;
let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.end());

test.each([
  ['usual', 1],
  ['calm', CALM],
])('where no socket can be had, %s looks every so often, %s times', async (reconnect, times) => {
  const waits: number[] = [];
  const { baseUrl, inboxIdentifier } = { baseUrl: service.url, inboxIdentifier: service.inboxIdentifier };
  const tab = openTab(
    newProfile(),
    { baseUrl, inboxIdentifier, reconnect },
    {
      WebSocket: undefined,
      random: () => RANDOM,
      after(ms, work) {
        waits.push(ms);
        const timer = setTimeout(work, ms);
        return () => clearTimeout(timer);
      },
    },
  );
  tab.chat.setOpen(true);
  await tab.chat.send('Polled');
  await until(tab.chat.$line, (line) => line === 'polling');
  const look = POLL_MS.open * (0.5 + RANDOM);
  expect(waits).toContain(look * times);
  expect(waits).not.toContain(look * (CALM / times));
  tab.close();
});
