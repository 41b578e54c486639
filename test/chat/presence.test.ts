/** Who of the team is there, as the service says with each beat: only that nobody is counts, and not for a blink. */
import { afterAll, expect, test } from 'vitest';
import { startFaultProxy } from '../support/fault-proxy.js';
import { ownClock } from '../support/own-clock.js';
import { startTestService } from '../support/service.js';
import { newProfile, openTab, until } from '../support/tab.js';

const service = await startTestService();
const proxy = await startFaultProxy(service.url);
afterAll(async () => {
  await proxy.stop();
  await service.end();
});

test('nobody is there once the service has said so, and whoever was is gone after two minutes', async () => {
  const clock = ownClock();
  const options = { baseUrl: proxy.url, inboxIdentifier: 'demo-inbox' };
  // With a jitter that is always small.
  const tab = openTab(newProfile(), options, { ...clock.env, random: () => 0.005 });
  const changes: boolean[] = [];
  tab.chat.$nobody.listen((is) => void changes.push(is));
  expect(tab.chat.$nobody.get()).toBe(false);
  await tab.chat.send('Hello');
  const rows = await until(tab.chat.$rows, (all) => all?.[0]?.state === 'sent');
  const conversation = rows?.[0]?.message?.conversation_id ?? 0;
  // No agent is signed in.
  await until(tab.chat.$nobody, (is) => is);
  const subscribe = proxy.frames.find(({ text }) => text.includes('"subscribe"'));
  const { identifier } = JSON.parse(subscribe?.text ?? '{}');
  const present = (users: unknown) =>
    proxy.inject({ identifier, message: { event: 'presence.update', data: { account_id: 1, users } } });
  present({ 7: 'busy', 9: 'offline' });
  present('not who, but how many');
  present({ 7: 'busy', 9: 'online' });
  await until(tab.chat.$nobody, (is) => !is);
  // A page that its agent does not look at is there but for a moment of each minute.
  present({});
  present({ 9: 'offline' });
  present({ 9: 'online' });
  const path = `/api/v1/accounts/1/conversations/${conversation}/messages`;
  expect((await service.agent('POST', path, { content: 'After all of that' })).status).toBe(200);
  await until(tab.chat.$rows, (all) => !!all?.some(({ content }) => content === 'After all of that'));
  expect(changes).toEqual([true, false]);
  // The line is silent for so long, and sought anew.
  clock.pass(125_000);
  await until(tab.chat.$nobody, (is) => is);
  tab.close();
});
