/** A service that cannot list what somebody has said, for now or for good: what may be there is not made again for it. */
import { expect, test } from 'vitest';
import { newProfile, until } from '../support/tab.js';
import { useVisitors } from '../support/visitors.js';

const { service, hashOf, saidIn, open, proven, say, answer, reads } = await useVisitors();

/**
 * A tab with a clock of its own, whose first conversation is made without anybody's hearing of it.
 * @param ill while this is true no list is answered
 */
function unheard(ill: () => boolean) {
  let [lists, lost, skipped] = [0, false, 0];
  const tab = open(newProfile(), {
    monotonic: () => performance.now() + skipped,
    async fetch(url, init = {}) {
      const asks = String(url).endsWith('/conversations') && init.method;
      if (asks === 'GET') lists++;
      if (asks === 'GET' && ill()) return new Response('{}', { status: 500 });
      const answer = await fetch(url, init);
      if (asks !== 'POST' || lost) return answer;
      lost = true;
      throw new TypeError('lost');
    },
  });
  const later = () => {
    skipped += 60_000;
    tab.fire('online');
  };
  return {
    tab,
    later,
    async looksAgain() {
      const before = lists;
      later();
      await expect.poll(() => lists).toBeGreaterThan(before);
    },
  };
}

const conversationsOf = (identifier: string) =>
  service.db.query(
    'select v.id from conversations v join contacts c on c.id = v.contact_id where c.identifier = $1',
    [identifier],
  );

test.each([
  ['only named', 'nina', {}],
  ['proven', 'vera', { identifier_hash: hashOf('vera') }],
])(
  'a conversation of somebody %s is looked for until a list says whether it is there',
  async (_, who, proof) => {
    let ill = false;
    const { tab, later, looksAgain } = unheard(() => ill);
    expect((await tab.chat.identify({ identifier: who, ...proof })).ok).toBe(true);
    await tab.chat.send(`Of ${who}`);
    await until(tab.chat.$line, (line) => line === 'down');
    ill = true;
    for (let i = 0; i < 3; i++) await looksAgain();
    ill = false;
    later();
    await saidIn(tab, `Of ${who}`);
    expect(await conversationsOf(who)).toHaveLength(1);
  },
);

test('where no list of somebody proven is ever answered, their words leave all the same', async () => {
  const { tab, looksAgain } = unheard(() => true);
  const proof = { identifier_hash: hashOf('olga') };
  expect((await tab.chat.identify({ identifier: 'olga', ...proof })).ok).toBe(true);
  await tab.chat.send('Of Olga');
  await until(tab.chat.$line, (line) => line === 'down');
  for (let i = 0; i < 3; i++) await looksAgain();
  await saidIn(tab, 'Of Olga');
});

test('where no list is ever answered, the conversations that this browser knows of are there, and what is new in them', async () => {
  const tab = open(newProfile(), {
    fetch: async (url, init = {}) =>
      String(url).endsWith('/conversations') && init.method === 'GET'
        ? new Response('{}', { status: 500 })
        : fetch(url, init),
  });
  expect((await proven(tab, 'petra')).ok).toBe(true);
  const first = await say(tab, 'Of the first matter');
  expect(await tab.chat.newConversation()).toMatchObject({ ok: true });
  const second = await say(tab, 'Of the second matter');
  await answer(first, 'It is settled');
  await until(tab.chat.$news, (news) => news.length === 1);
  expect((await tab.chat.listConversations()).ok).toBe(true);
  const lines = () =>
    tab.chat.$conversations
      .get()
      ?.map(({ id, unread }) => [id, unread])
      .sort();
  expect(lines()).toEqual([
    [first, 1],
    [second, 0],
  ]);
  expect(tab.chat.$news.get()).toHaveLength(1);
  expect(await tab.chat.chooseConversation(first)).toMatchObject({ ok: true, value: true });
  await reads(tab, ['Of the first matter', 'It is settled']);
  await say(tab, 'Then it is');
});
