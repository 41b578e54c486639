/** What readers of screens are told of the window, in a real Chromium, by its own tree of what is accessible. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { english as en } from '../../src/text/english.js';
import { item, more, openTagged, pick, say } from '../support/around.js';
import { agent, chat, useShop } from '../support/browser.js';
import { gate } from '../support/gate.js';
import { enterThread } from '../support/thread.js';

const { browser, service } = await useShop();

const treeSchema = z.object({
  nodes: z.array(
    z.object({
      role: z.object({ value: z.unknown() }).optional(),
      name: z.object({ value: z.unknown() }).optional(),
      properties: z.array(z.object({ name: z.string(), value: z.object({ value: z.unknown() }) })).optional(),
    }),
  ),
});
const nodes = async (page: Page, role: string) => {
  const session = await page.context().newCDPSession(page);
  const { nodes } = treeSchema.parse(await session.send('Accessibility.getFullAXTree'));
  return nodes.filter((node) => node.role?.value === role);
};
const modal = async (page: Page) =>
  (await nodes(page, 'dialog')).map(
    ({ properties }) => properties?.find(({ name }) => name === 'modal')?.value.value,
  );

test('beside the page the window is a dialog that keeps nobody in it, and on a phone one that does', async () => {
  const { page, close } = await openTagged(browser, service, 'heard-modal', '', {
    viewport: { width: 1280, height: 800 },
  });
  await chat(page).open();
  expect(await modal(page)).toEqual([false]);
  await page.setViewportSize({ width: 390, height: 700 });
  await expect.poll(() => modal(page)).toEqual([true]);
  await close();
});

test('where the window is a part of the page nothing beside it is a place to go to', async () => {
  const { page, close } = await openTagged(
    browser,
    service,
    'heard-inside',
    'data-inside="#here"',
    {},
    {
      body: '<div id="here" style="height: 500px"></div>',
    },
  );
  await chat(page).field.waitFor();
  expect((await nodes(page, 'region')).map(({ name }) => name?.value)).toEqual([]);
  await close();
});

test('what the owner wrote into questions is in the language of the page, and what we add in that of the chat', async () => {
  const questions = JSON.stringify([
    { name: 'size', type: 'select', label: 'Your shoe size', options: ['Small', 'Large'] },
  ]);
  const { page, close } = await openTagged(
    browser,
    service,
    'heard-languages',
    `data-locale="ar" data-pre-chat='${questions}'`,
  );
  await page.locator('parley-chat button[part=launcher]').click();
  const spoken = (what: string) =>
    page
      .locator(`parley-chat ${what}`)
      .evaluateAll((all) => all.map((one) => [one.textContent, one.closest<HTMLElement>('[lang]')?.lang]));
  await page.locator('parley-chat .questions select').waitFor();
  // A language that is slow in coming is not waited for.
  await expect.poll(async () => (await spoken('.questions label'))[0]?.[1]).toBe('ar');
  expect(await spoken('.questions label span')).toEqual([['Your shoe size', 'en']]);
  expect((await spoken('.questions option')).map(([, lang]) => lang)).toEqual(['ar', 'en', 'en']);
  await close();
});

test('a saved conversation is told of once, whatever is opened and left meanwhile', async () => {
  const { page, close } = await openTagged(browser, service, 'heard-once');
  await chat(page).open();
  await say(service, page, 'Keep this');
  await page.evaluate(() => {
    const told: string[] = [];
    Object.assign(window, { told });
    const root = document.querySelector('parley-chat')?.shadowRoot;
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        for (const node of addedNodes) if (/\.txt/.test(node.textContent ?? '')) told.push('saved');
    }).observe(root?.querySelector('.root') ?? document, { childList: true, subtree: true });
  });
  const told = () => page.evaluate(() => Reflect.get(window, 'told'));
  await pick(page, en.saveText);
  await expect.poll(told).toEqual(['saved']);
  for (let round = 0; round < 2; round++) {
    await pick(page, en.keep);
    await chat(page).window.getByRole('heading', { name: en.keep }).waitFor();
    await page.keyboard.press('Escape');
    await more(page).click();
    await item(page, en.keep).waitFor();
    await page.keyboard.press('Escape');
  }
  expect(await told()).toEqual(['saved']);
  await close();
});

test('earlier messages that were asked for are told of as they are fetched', async () => {
  const { shop, proxy } = await enterThread(browser, service, 60);
  const { page, close } = shop;
  const held = gate();
  await page.route(/\/messages\?before=/, async (route) => {
    await held.opened;
    await route.continue();
  });
  const button = chat(page).window.getByRole('button', { name: en.older });
  await button.focus();
  await page.keyboard.press('Enter');
  const status = chat(page).window.getByRole('status').getByText(en.olderLoading);
  await status.waitFor({ state: 'attached' });
  held.open();
  await status.waitFor({ state: 'detached' });
  await close();
  await proxy.stop();
});

test('a failure stays until the visitor goes on, and at least for ten seconds; the rest goes by itself', async () => {
  const { page, close } = await openTagged(browser, service, 'heard-failure');
  await chat(page).open();
  await say(service, page, 'Keep this, too');
  await page.clock.install();
  const failure = chat(page).window.getByRole('alert').getByText(en.partNotLoaded);
  await page.route(/\/(?:assets|again)\/more-/, (route) => route.abort());
  await more(page).click();
  await failure.waitFor();
  await page.clock.fastForward(5_000);
  await chat(page).field.fill('Meanwhile');
  await failure.waitFor();
  await page.clock.fastForward(60_000);
  await failure.waitFor();
  await chat(page).field.fill('And on');
  await failure.waitFor({ state: 'detached' });
  await page.unroute(/\/(?:assets|again)\/more-/);
  await pick(page, en.saveText);
  const done = chat(page).window.getByRole('status').getByText(/\.txt/);
  await done.waitFor();
  await page.clock.fastForward(11_000);
  await done.waitFor({ state: 'detached' });
  await close();
});

test('answers are not read before there is something to read them in', async () => {
  const shop = await openTagged(browser, service, 'heard-late');
  const { page, close } = shop;
  await chat(page).open();
  const conversation = await say(service, page, 'Is anybody reading?');
  await chat(page).close();
  await agent(service).answer(conversation, 'I was not seen');
  await page.reload();
  const held = gate();
  await page.route(/\/assets\/(?:again\/)?thread-/, async (route) => {
    await held.opened;
    await route.continue();
  });
  const seen: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/update_last_seen')) seen.push(request.url());
  });
  await chat(page).open();
  await expect.poll(() => page.evaluate(() => window.parley?.status().line)).toBe('live');
  await expect.poll(() => page.evaluate(() => window.parley?.unread())).toBe(1);
  expect(seen).toEqual([]);
  held.open();
  await chat(page).bubble('I was not seen').waitFor();
  await expect.poll(() => page.evaluate(() => window.parley?.unread())).toBe(0);
  await expect.poll(() => seen.length).toBe(1);
  await close();
});
