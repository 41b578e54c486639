/** A written chat after another one in the same element: what was said to the one before is not said to it. */
import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { agent, chat, openShop, useShop } from '../support/browser.js';
import { holdFiles } from '../support/held-files.js';

const { browser, service } = await useShop();

const written = async (name: string) =>
  openShop(
    browser,
    service.url +
      (await service.page(
        name,
        `<!doctype html><html lang="en"><title>A shop</title><link rel="icon" href="data:,">
          <script async src="{{origin}}/parley.element.js"></script>
          <parley-chat base-url="${service.url}" inbox-identifier="{{inbox}}"></parley-chat></html>`,
      )),
  );

test('a chat that has given way to another ends, hides and shows that one no more', async () => {
  const shop = await written('element-stale');
  const { page } = shop;
  await chat(page).launcher.waitFor();
  const host = await chat(page).host.elementHandle();
  const handle = await page.evaluateHandle(() => document.querySelector('parley-chat')?.chat);
  await chat(page).host.evaluate((element) => element.setAttribute('title', 'Another title'));
  await page.waitForFunction((old) => document.querySelector('parley-chat')?.chat !== old, handle);
  await chat(page).launcher.waitFor();
  await handle.evaluate((old) => old?.hide());
  await handle.evaluate((old) => old?.destroy());
  expect(await page.evaluate((one) => document.querySelector('parley-chat') === one, host)).toBe(true);
  expect(await chat(page).launcher.isVisible()).toBe(true);
  await chat(page).open();
  await chat(page).say('To the one that is here');
  await agent(service).conversationOf('To the one that is here');
  // The one that is here is still the element’s own: it ends with it.
  await page.evaluate(() => document.querySelector('parley-chat')?.remove());
  await chat(page).host.waitFor({ state: 'detached' });
  expect([...shop.console, ...shop.errors]).toEqual([]);
  await shop.close();
});

test('who has left while somebody else was being named is not named again by the next chat', async () => {
  const shop = await written('element-left');
  const { page } = shop;
  const [inbox] = await service.db.query<{ hmac_token: string }>(
    'select hmac_token from inboxes where id = 1',
  );
  const named = (identifier: string) =>
    page.evaluate((who) => document.querySelector('parley-chat')?.chat?.identify(who), {
      identifier,
      hash: createHmac('sha256', inbox?.hmac_token ?? '')
        .update(identifier)
        .digest('hex'),
    });
  expect(await named('ada-who-left')).toEqual({ ok: true });
  await chat(page).open();
  await chat(page).say('Of Ada alone');
  await agent(service).conversationOf('Of Ada alone');
  const other = await page.context().newPage();
  await other.goto(page.url());
  await chat(other).bubble('Of Ada alone').waitFor();
  const held = await holdFiles(page, '**/contacts/*');
  const naming = named('bob-who-comes');
  await expect.poll(held.count).toBeGreaterThan(0);
  await other.evaluate(() => document.querySelector('parley-chat')?.chat?.reset());
  expect(await naming).toMatchObject({ ok: false, error: { kind: 'gone' } });
  await held.release();
  await chat(page).host.evaluate((element) => element.setAttribute('title', 'Another title'));
  await page.getByRole('heading', { name: 'Another title' }).waitFor();
  await chat(page).log.waitFor();
  await chat(page).say('Of nobody by name');
  await agent(service).conversationOf('Of nobody by name');
  const whose = await service.db.query(
    `select c.identifier from messages m join conversations v on v.id = m.conversation_id
     join contacts c on c.id = v.contact_id where m.content = 'Of nobody by name'`,
  );
  expect(whose).toEqual([{ identifier: null }]);
  await shop.close();
});

test('colours that a call has given to a chat do not dress the next one in its element', async () => {
  const shop = await written('element-dressed');
  const { page } = shop;
  await chat(page).launcher.waitFor();
  const style = () => chat(page).host.getAttribute('style');
  const before = (await style()) ?? '';
  await page.evaluate(() =>
    document.querySelector('parley-chat')?.chat?.setTheme({ surface: '#111111', radius: '0px' }),
  );
  expect(await style()).toContain('#111111');
  const element = await page.evaluateHandle(() => document.querySelector('parley-chat'));
  await element.evaluate((one) => one?.remove());
  await expect.poll(() => element.evaluate((one) => one?.chat === undefined)).toBe(true);
  await element.evaluate((one) => one && document.body.append(one));
  await chat(page).launcher.waitFor();
  expect((await style()) ?? '').toBe(before);
  await shop.close();
});

test('a no in the word that frameworks make of it is no place in the page: there is a button', async () => {
  const shop = await openShop(
    browser,
    service.url +
      (await service.page(
        'element-no',
        `<!doctype html><html lang="en"><title>A shop</title><link rel="icon" href="data:,">
          <script async src="{{origin}}/parley.element.js"></script>
          <parley-chat base-url="${service.url}" inbox-identifier="{{inbox}}" inline="false"></parley-chat></html>`,
      )),
  );
  await chat(shop.page).launcher.click();
  await chat(shop.page).field.waitFor();
  expect([...shop.console, ...shop.errors]).toEqual([]);
  await shop.close();
});

test('a page that brings back a body of before has the written chat of it again, in its place', async () => {
  const shop = await written('element-back');
  const { page } = shop;
  await chat(page).open();
  await chat(page).say('Before the other page');
  await chat(page).bubble('Before the other page').waitFor();
  const places = await page.evaluate(async () => {
    const { body } = document;
    const next = document.createElement('body');
    const task = () => new Promise((done) => setTimeout(done));
    const found: unknown[] = [];
    for (const shown of [next, body, next, body]) {
      document.body.replaceWith(shown);
      await task();
      found.push([
        document.querySelectorAll('parley-chat').length,
        body.querySelectorAll('parley-chat').length,
      ]);
    }
    return found;
  });
  expect(places).toEqual([
    [0, 1],
    [1, 1],
    [0, 1],
    [1, 1],
  ]);
  await chat(page).bubble('Before the other page').waitFor();
  expect([...shop.console, ...shop.errors]).toEqual([]);
  await shop.close();
});
