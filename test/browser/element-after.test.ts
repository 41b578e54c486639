/** A written chat after another one in the same element: what was said to the one before is not said to it. */
import { expect, test } from 'vitest';
import { agent, chat, openShop, useShop } from '../support/browser.js';

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

test('a written chat that a router keeps over a visit is the same one, with the leave that it was given', async () => {
  const shop = await openShop(
    browser,
    service.url +
      (await service.page(
        'element-kept',
        `<!doctype html><html lang="en"><title>A shop</title><link rel="icon" href="data:,">
          <script async src="{{origin}}/parley.element.js"></script><body>
          <parley-chat base-url="${service.url}" inbox-identifier="{{inbox}}" storage="memory" connect="allow"
            inline="false"></parley-chat></body></html>`,
      )),
  );
  const { page } = shop;
  const handle = await page.waitForFunction(() => document.querySelector('parley-chat')?.chat);
  await handle.evaluate((one) => one?.allow('memory'));
  // The word is what frameworks make of a no: there is a button.
  await chat(page).open();
  await chat(page).say('Kept over a visit');
  await agent(service).conversationOf('Kept over a visit');
  // As Turbo does it: the new body takes its place, and what is kept goes into it some promises later.
  await page.evaluate(async () => {
    const kept = document.querySelector('parley-chat');
    const next = document.createElement('body');
    const place = next.appendChild(document.createElement('meta'));
    kept?.replaceWith(document.createElement('meta'));
    document.body.replaceWith(next);
    for (let step = 0; step < 3; step++) await Promise.resolve();
    if (kept) place.replaceWith(kept);
  });
  await chat(page).bubble('Kept over a visit').waitFor();
  expect(await handle.evaluate((one) => document.querySelector('parley-chat')?.chat === one)).toBe(true);
  expect([...shop.console, ...shop.errors]).toEqual([]);
  await shop.close();
});
