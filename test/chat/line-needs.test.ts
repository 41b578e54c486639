/** A visitor who turns to the chat while the line is in question does not wait as one who is elsewhere. */
import { afterEach, beforeEach, test } from 'vitest';
import { type FaultProxy, hold, startFaultProxy } from '../support/fault-proxy.js';
import { ownClock } from '../support/own-clock.js';
import { newProfile, until } from '../support/tab.js';
import { useVisitors } from '../support/visitors.js';

const { service, open, say, answer, reads, saidIn } = await useVisitors();

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

/** Its looks at a line without a socket are as late as can be, and the next one is held. */
function polls(profile = newProfile()) {
  const { fault, caught, release } = hold();
  const clock = ownClock();
  const tab = open(
    profile,
    { ...clock.env, random: () => 0.99, WebSocket: undefined },
    { baseUrl: proxy.url },
  );
  return {
    tab,
    clock,
    caught,
    release,
    holdNext() {
      const undo = proxy.rule(({ method, path }) => {
        if (method !== 'GET' || !path.includes('/messages')) return undefined;
        undo();
        return fault;
      });
    },
  };
}

test('a window that is opened during a look is one for the next look', async () => {
  const profile = newProfile();
  const before = open(profile, {}, { baseUrl: proxy.url });
  const conversation = await say(before, 'Is anybody there?');
  before.close();
  const { tab, clock, caught, release, holdNext } = polls(profile);
  holdNext();
  await caught;
  tab.chat.setOpen(true);
  release();
  await until(tab.chat.$line, (line) => line === 'polling');
  await answer(conversation, 'I am');
  clock.pass(16_000);
  await saidIn(tab, 'I am');
});

test('a conversation that is chosen during a look is fetched at once, where no socket can be had', async () => {
  const { tab, caught, release, holdNext } = polls();
  const first = await say(tab, 'about a lamp');
  await tab.chat.newConversation();
  await say(tab, 'about a chair');
  // One that finds no socket asks over REST the next time.
  tab.fire('online');
  await until(tab.chat.$line, (line) => line === 'polling');
  await tab.chat.listConversations();
  await answer(first, 'It is lit');
  holdNext();
  tab.fire('online');
  await caught;
  await tab.chat.chooseConversation(first);
  release();
  await reads(tab, ['about a lamp', 'It is lit']);
});
