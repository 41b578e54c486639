/** A visitor who turns to the chat while the line is in question does not wait as one who is elsewhere. */
import { afterEach, beforeEach, test } from 'vitest';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.js';
import { ownClock } from '../support/own-clock.js';
import { newProfile, until } from '../support/tab.js';
import { useVisitors } from '../support/visitors.js';

const { service, open, say } = await useVisitors();

let proxy: FaultProxy;
beforeEach(async () => {
  proxy = await startFaultProxy(service.url);
});
afterEach(() => proxy.stop());

test('a window that is opened just after the line was found down does not wait as a closed one', async () => {
  const clock = ownClock();
  const tab = open(newProfile(), { ...clock.env, random: () => 0.93 }, { baseUrl: proxy.url });
  await say(tab, 'Before it went away');
  await until(tab.chat.$line, (line) => line === 'live');
  proxy.offline();
  tab.fire('visibilitychange');
  await until(tab.chat.$line, (line) => line === 'down');
  proxy.online();
  tab.chat.setOpen(true);
  clock.pass(11_000);
  await until(tab.chat.$line, (line) => line === 'live', 20_000);
});
