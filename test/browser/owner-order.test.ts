/** Calls of the page that follow each other at once are carried out in their order. */
import { expect, test } from 'vitest';
import { agent, chat, openShop, useShop } from '../support/browser.js';

const { browser, service } = await useShop();

const whose = (words: string) =>
  service.db.query(
    `select c.identifier from messages m join conversations v on v.id = m.conversation_id
     join contacts c on c.id = v.contact_id where m.content = $1`,
    [words],
  );

test('words that the page sends before it names somebody else are of whoever was there, also while the chat loads', async () => {
  const { page, close } = await openShop(browser, `${service.url}/`);
  await page.waitForFunction(() => window.parley !== undefined);
  // The engine is not there yet.
  const first = await page.evaluate(async () => {
    const { parley } = window;
    return Promise.all([
      parley?.identify({ identifier: 'vera' }),
      parley?.send('First, says Vera'),
      parley?.identify({ identifier: 'olga' }),
      parley?.send('First, says Olga'),
    ]);
  });
  expect(first.map((outcome) => outcome?.ok)).toEqual([true, true, true, true]);
  await expect.poll(() => whose('First, says Olga')).toEqual([{ identifier: 'olga' }]);
  await agent(service).conversationOf('First, says Olga');
  const next = await page.evaluate(async () => {
    const { parley } = window;
    return Promise.all([
      parley?.send('Goodbye, says Olga'),
      parley?.reset(),
      parley?.send('Hello, says nobody'),
    ]);
  });
  expect(next.map((outcome) => outcome?.ok)).toEqual([true, true, true]);
  await expect.poll(() => whose('Hello, says nobody')).toEqual([{ identifier: null }]);
  // What has not left in time goes with whom it is of, and to nobody else.
  for (const [words, identifier] of [
    ['First, says Vera', 'vera'],
    ['Goodbye, says Olga', 'olga'],
  ] as const)
    expect([[], [{ identifier }]]).toContainEqual(await whose(words));
  await close();
});

test('a draft that is put there after somebody has left is there', async () => {
  const { page, close } = await openShop(browser, `${service.url}/`);
  await page.waitForFunction(() => window.parley !== undefined);
  for (const after of ['reset', 'identify'] as const) {
    const told = await page.evaluate((after) => {
      const { parley } = window;
      return Promise.all([
        parley?.send(`Left by ${after}`),
        after === 'reset' ? parley?.reset() : parley?.identify({ identifier: 'paul' }),
        parley?.draft(`For whoever comes after ${after}`),
      ]);
    }, after);
    expect(told.map((outcome) => outcome?.ok)).toEqual([true, true, true]);
    await page.evaluate(() => window.parley?.open());
    await expect.poll(() => chat(page).field.inputValue()).toContain(`For whoever comes after ${after}`);
  }
  await close();
});
