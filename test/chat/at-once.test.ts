/** What is asked for while something else is under way, or before this tab has heard of it. */
import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import type { Env } from '../../src/env.js';
import { gate } from '../support/gate.js';
import { newProfile, type Profile, type Tab, until } from '../support/tab.js';
import { useVisitors } from '../support/visitors.js';

const { service, open, say, answer, reads, contactOf } = await useVisitors();

const channels: BroadcastChannel[] = [];
afterEach(() => {
  for (const channel of channels.splice(0)) channel.close();
});
/** As a page in the back/forward cache: nothing of what the other tabs tell. */
const deaf: Partial<Env> = {
  channel() {
    const channel = new BroadcastChannel(randomUUID());
    channels.push(channel);
    return channel;
  },
};

const wordsOf = ({ chat }: Tab) => chat.$rows.get()?.map(({ content }) => content);

/** A tab that has written in nobody's name, and has not heard that another one has named who that is. */
async function keptWhile(profile: Profile, identifier: string): Promise<Tab> {
  const kept = open(profile, deaf);
  await say(kept, `before ${identifier} had a name`);
  kept.fire('pagehide');
  const here = open(profile);
  await here.chat.identify({ identifier });
  await say(here, `a secret of ${identifier}`);
  return kept;
}

test.each(['logout', 'forget'] as const)(
  '%s in a tab that has not heard who the visitor is by now ends them, too',
  async (ends) => {
    const profile = newProfile();
    const kept = await keptWhile(profile, `ida-${ends}`);
    expect((await kept.chat[ends]()).ok).toBe(true);
    expect(kept.front.$letIn.get()).toEqual({ identifier: undefined });
    const next = open(profile);
    await until(next.chat.$line, (line) => line === 'idle');
    await until(next.chat.$rows, (rows) => rows !== undefined);
    expect([wordsOf(kept), wordsOf(next)]).toEqual([[], []]);
  },
);

test('a logout in a tab whose visitor has ended already ends nobody else, and tells who is here', async () => {
  const profile = newProfile();
  const kept = await keptWhile(profile, 'jana');
  const here = open(profile);
  await here.chat.logout();
  await here.chat.identify({ identifier: 'karl' });
  await say(here, 'a word of karl');
  expect((await kept.chat.logout()).ok).toBe(true);
  expect(kept.front.$letIn.get()).toEqual({ identifier: 'karl' });
  await reads(kept, ['a word of karl']);
  await say(here, 'and one more');
});

test('a page of older messages that comes after the conversation was left and come back to makes no hole', {
  timeout: 60_000,
}, async () => {
  const profile = newProfile();
  const before = open(profile);
  const long = await say(before, 'm0');
  for (let i = 1; i < 70; i++) await answer(long, `m${i}`);
  await before.chat.newConversation();
  const other = await say(before, 'elsewhere');
  before.close();
  const [asked, held] = [gate(), gate()];
  let holds = false;
  const tab = open(profile, {
    async fetch(url, init) {
      const done = await fetch(url, init);
      if (!holds || !String(url).includes('before=')) return done;
      holds = false;
      asked.open();
      await held.opened;
      return done;
    },
  });
  await reads(tab, ['elsewhere']);
  await tab.chat.chooseConversation(long);
  await until(tab.chat.$rows, (rows) => rows?.length === 20);
  await tab.chat.loadOlder();
  holds = true;
  const older = tab.chat.loadOlder();
  await asked.opened;
  await tab.chat.chooseConversation(other);
  await reads(tab, ['elsewhere']);
  await tab.chat.chooseConversation(long);
  await until(tab.chat.$rows, (rows) => rows?.length === 20);
  held.open();
  expect((await older).ok).toBe(false);
  while (tab.chat.$hasOlder.get()) await tab.chat.loadOlder();
  expect(wordsOf(tab)).toEqual(Array.from({ length: 70 }, (_, i) => `m${i}`));
});

test.each(['', 'for three'])(
  'two conversations chosen at once have each their own draft, leaving "%s"',
  async (words) => {
    const tab = open(newProfile());
    const { chat } = tab;
    const draft = () => chat.$draft.get();
    chat.setOpen(true);
    const one = await say(tab, 'one');
    await chat.newConversation();
    const two = await say(tab, 'two');
    await chat.newConversation();
    const three = await say(tab, 'three');
    await chat.listConversations();
    await chat.chooseConversation(one);
    chat.setDraft('for one');
    await chat.chooseConversation(three);
    chat.setDraft(words);
    await Promise.all([chat.chooseConversation(one), chat.chooseConversation(two)]);
    expect([tab.front.$home.get(), draft()]).toEqual([two, '']);
    await chat.chooseConversation(one);
    expect(draft()).toBe('for one');
    await chat.chooseConversation(three);
    expect(draft()).toBe(words);
  },
);

test('attributes that are told in one breath with another name are of whom it names', async () => {
  const here = open(newProfile());
  await here.chat.identify({ identifier: 'mona' });
  await say(here, 'a word of mona');
  const told = await Promise.all([
    here.chat.identify({ identifier: 'nils' }),
    here.chat.describe({ custom_attributes: { lamp: 'off' } }),
  ]);
  expect(told.map(({ ok }) => ok)).toEqual([true, true]);
  await say(here, 'a word of nils');
  await expect.poll(() => contactOf('nils')).toMatchObject([{ custom_attributes: { lamp: 'off' } }]);
});

test('attributes that are told after another tab has logged out are of whoever comes', async () => {
  const profile = newProfile();
  const [here, there] = [open(profile), open(profile)];
  await here.chat.identify({ identifier: 'lars', custom_attributes: { tier: 'gold' } });
  await say(here, 'a word of lars');
  await there.chat.logout();
  await reads(here, []);
  await here.chat.describe({ custom_attributes: { lamp: 'on' } });
  await say(here, 'a word of nobody');
  await here.chat.describe({ custom_attributes: { shelf: 2 } });
  const known = () =>
    service.db.query(
      `select c.identifier, c.custom_attributes from messages m join conversations v on v.id = m.conversation_id
       join contacts c on c.id = v.contact_id where m.content = 'a word of nobody'`,
    );
  await expect.poll(known).toEqual([{ identifier: null, custom_attributes: { lamp: 'on', shelf: 2 } }]);
});
