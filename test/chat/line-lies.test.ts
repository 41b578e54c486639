/** A line that is said to be gone and is not, and one that fails now and then for hours. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { REQUEST_LIMIT_MS } from '../../src/api/http.js';
import type { Env } from '../../src/env.js';
import { dropBefore, type FaultProxy, startFaultProxy } from '../support/fault-proxy.js';
import { startTestService, type TestService } from '../support/service.js';
import { newProfile, openTab, until } from '../support/tab.js';

const CONFIRM_LIMIT_MS = 10_000;
let service: TestService;
let proxy: FaultProxy;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.end());
beforeEach(async () => {
  proxy = await startFaultProxy(service.url);
});
afterEach(() => proxy.stop());

async function live(change: Partial<Env>, words: string) {
  const tab = openTab(newProfile(), { baseUrl: proxy.url, inboxIdentifier: 'demo-inbox' }, change);
  tab.chat.setOpen(true);
  await tab.chat.send(words);
  await until(tab.chat.$line, (line) => line === 'live');
  return tab;
}
const sent = (words: string) => (rows: readonly { content: string; state: string }[] | undefined) =>
  rows?.some(({ content, state }) => content === words && state === 'sent') === true;

test('a browser that says it is offline while the socket goes on sends what is written, and says that it is there', async () => {
  const tab = await live({ random: () => 0.005 }, 'hello there');
  tab.page.online = false;
  tab.fire('offline');
  expect(tab.chat.$line.get()).toBe('down');
  await tab.chat.send('over another network');
  await until(tab.chat.$rows, sent('over another network'));
  await until(tab.chat.$line, (line) => line === 'live');
  expect(tab.page.online).toBe(false);
  // Where nothing comes any more it is believed.
  proxy.offline();
  tab.fire('offline');
  await until(tab.chat.$line, (line) => line === 'down');
  await tab.chat.send('this waits');
  await until(tab.chat.$rows, (rows) => rows?.at(-1)?.state === 'waiting');
  tab.close();
});

test('a request that fails now and then on a line that stands is waited for no longer than the one before', async () => {
  const asked: number[] = [];
  let stood = 0;
  const tab = await live(
    {
      random: () => 0.99,
      // Hundred times as fast, but for what a request and a socket may take: the machine is no faster.
      after(ms, work) {
        asked.push(ms);
        const isLimit = ms === REQUEST_LIMIT_MS || ms === CONFIRM_LIMIT_MS;
        const timer = setTimeout(
          () => {
            if (ms === 5_000) stood++;
            work();
          },
          isLimit ? ms : ms / 100,
        );
        return () => clearTimeout(timer);
      },
    },
    'a long day',
  );
  const waits: (number | undefined)[] = [];
  for (const words of ['first', 'second', 'third', 'fourth']) {
    await expect.poll(() => stood).toBeGreaterThan(0);
    stood = 0;
    const undo = proxy.rule(({ method, path }) => {
      if (method !== 'POST' || !path.endsWith('/messages')) return undefined;
      undo();
      return dropBefore;
    });
    asked.length = 0;
    const down = until(tab.chat.$line, (line) => line === 'down');
    await tab.chat.send(words);
    await down;
    waits.push(asked.at(-1));
    await until(tab.chat.$rows, sent(words));
    await until(tab.chat.$line, (line) => line === 'live');
  }
  expect(new Set(waits).size).toBe(1);
  tab.close();
});
