/** Answers to interactive messages: kept by the service, shown in every tab, and repeated without harm. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { isNotFound } from '../../src/errors.js';
import { startTestService, type TestService } from '../support/service.js';
import { newProfile, openTab, type Tab, until } from '../support/tab.js';

let service: TestService;
const tabs: Tab[] = [];
beforeAll(async () => {
  service = await startTestService();
});
afterEach(() => {
  for (const tab of tabs.splice(0)) tab.close();
});
afterAll(() => service.end());

function open(profile = newProfile(), change: Parameters<typeof openTab>[2] = {}): Tab {
  const tab = openTab(profile, { baseUrl: service.url, inboxIdentifier: service.inboxIdentifier }, change);
  tabs.push(tab);
  return tab;
}

const sent = z.object({ id: z.number() });

/** A visitor who was asked something. */
async function asked(tab: Tab): Promise<number> {
  await tab.chat.send('Ask me');
  const rows = await until(tab.chat.$rows, (all) => all?.[0]?.state === 'sent');
  const conversation = rows?.[0]?.message?.conversation_id;
  const answer = await service.agent('POST', `/api/v1/accounts/1/conversations/${conversation}/messages`, {
    content: 'Which?',
    content_type: 'input_select',
    content_attributes: { items: [{ title: 'A', value: 'a' }] },
  });
  await until(tab.chat.$rows, (all) => all?.length === 2);
  return sent.parse(answer.body).id;
}

const answerIn = (tab: Tab) => tab.chat.$rows.get()?.[1]?.message?.content_attributes.submitted_values;

test('an answer is kept by the service and shown at once; another takes its place, in every tab', async () => {
  const profile = newProfile();
  const tab = open(profile);
  const id = await asked(tab);
  const other = open(profile);
  await until(other.chat.$rows, (all) => all?.length === 2);
  expect(await tab.chat.answer({ id }, [{ title: 'A', value: 'a' }])).toEqual({ ok: true, value: undefined });
  expect(answerIn(tab)).toEqual([{ title: 'A', value: 'a' }]);
  await tab.chat.answer({ id }, [{ title: 'A', value: 'a' }]);
  await tab.chat.answer({ id }, [{ title: 'B', value: 'b' }]);
  expect(answerIn(tab)).toEqual([{ title: 'B', value: 'b' }]);
  const wanted = JSON.stringify([{ title: 'B', value: 'b' }]);
  await until(other.chat.$rows, () => JSON.stringify(answerIn(other)) === wanted);
  const [row] = await service.db.query<{ content_attributes: unknown }>(
    'select content_attributes from messages where id = $1',
    [id],
  );
  expect(row?.content_attributes).toEqual({
    items: [{ title: 'A', value: 'a' }],
    submitted_values: [{ title: 'B', value: 'b' }],
  });
});

test('an answer without a network, to nothing, or of nobody is an error and changes nothing', async () => {
  let down = false;
  const tab = open(newProfile(), {
    fetch: (...request) => (down ? Promise.reject(new TypeError('down')) : fetch(...request)),
  });
  const nobody = await tab.chat.answer({ id: 1 }, []);
  expect(nobody).toEqual({ ok: false, error: { kind: 'gone' } });
  expect(await tab.chat.updateContact({ name: 'Ada' })).toEqual(nobody);
  const id = await asked(tab);
  const missing = await tab.chat.answer({ id: id + 1_000 }, []);
  expect(!missing.ok && isNotFound(missing.error)).toBe(true);
  down = true;
  expect(await tab.chat.answer({ id }, [{ value: 'a' }])).toEqual({ ok: false, error: { kind: 'network' } });
  expect(answerIn(tab)).toBeUndefined();
});

test('an answer goes to the conversation of its question, where the visitor has gone on to another one meanwhile', async () => {
  const tab = open();
  const id = await asked(tab);
  const message = tab.chat.$rows.get()?.[1]?.message;
  if (message?.id !== id) throw new Error('The question is not there.');
  await tab.chat.newConversation();
  await until(tab.chat.$rows, (rows) => rows?.length === 0);
  expect(await tab.chat.answer(message, [{ title: 'A', value: 'a' }])).toEqual({
    ok: true,
    value: undefined,
  });
  await tab.chat.send('Another matter');
  const rows = await until(tab.chat.$rows, (all) => all?.[0]?.state === 'sent');
  expect(rows?.[0]?.message?.conversation_id).not.toBe(message.conversation_id);
  expect(await tab.chat.answer(message, [{ title: 'A', value: 'b' }])).toEqual({
    ok: true,
    value: undefined,
  });
  expect(tab.chat.$rows.get()).toHaveLength(1);
  const [row] = await service.db.query('select content_attributes from messages where id = $1', [id]);
  expect(row).toMatchObject({ content_attributes: { submitted_values: [{ title: 'A', value: 'b' }] } });
});

test('what the visitor says of themselves is the contact’s, and a wrong address is refused', async () => {
  const tab = open();
  await asked(tab);
  expect(await tab.chat.updateContact({ email: 'grace@x.example' })).toEqual({ ok: true, value: undefined });
  const found = await service.db.query('select id from contacts where email = $1', ['grace@x.example']);
  expect(found).toHaveLength(1);
  const refused = await tab.chat.updateContact({ email: 'no address' });
  expect(!refused.ok && refused.error).toMatchObject({ kind: 'http', status: 422 });
});

test('a page that was asked for before an answer and comes after it does not take it back', async () => {
  let holds = false;
  let asks = 0;
  let go = () => {};
  const held = new Promise<void>((resolve) => {
    go = resolve;
  });
  const tab = open(newProfile(), {
    fetch: async (url, init) => {
      const answer = await fetch(url, init);
      if (!holds || init?.method !== 'GET' || !/\/messages(\?|$)/.test(String(url))) return answer;
      asks++;
      await held;
      return answer;
    },
  });
  const id = await asked(tab);
  holds = true;
  tab.fire('online');
  await expect.poll(() => asks).toBe(1);
  await tab.chat.answer({ id }, [{ title: 'A', value: 'a' }]);
  const shown = [answerIn(tab)];
  const stop = tab.chat.$rows.listen(() => shown.push(answerIn(tab)));
  go();
  // The next page is asked for once this one is here.
  await expect
    .poll(() => {
      tab.fire('online');
      return asks;
    })
    .toBeGreaterThan(1);
  stop();
  for (const answer of shown) expect(answer).toEqual([{ title: 'A', value: 'a' }]);
});
