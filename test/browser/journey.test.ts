/** A visitor and an agent, both in a real browser: from the first word through reloads, restarts and refusals. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { agent, chat, openShop, type Shop, said, useShop } from '../support/browser.js';
import { startFaultProxy, status, times } from '../support/fault-proxy.js';

const { browser, service } = await useShop({ whole: true });

const open = async (path = '/'): Promise<Shop> => {
  const shop = await openShop(browser, service.url + path);
  await chat(shop.page).open();
  return shop;
};

/** The agent's console with the conversation in which this was said. */
async function openConsole(words: string): Promise<Page> {
  const { page } = await openShop(browser, service.consoleUrl);
  await page.getByRole('navigation', { name: 'Conversations' }).getByRole('button', { name: words }).click();
  await page.getByRole('log', { name: 'Conversation' }).getByText(words, { exact: true }).waitFor();
  return page;
}
const reply = (desk: Page) => desk.getByRole('textbox', { name: 'Reply' });

test('a first message reaches the console, and its answer comes to the window without being asked for', async () => {
  const shop = await open();
  await chat(shop.page).say('Do you ship to Malta?');
  const desk = await openConsole('Do you ship to Malta?');
  const asks = () =>
    shop.requests.filter(({ method, path }) => method === 'GET' && path.startsWith('/public/')).length;
  const asked: number[] = [];
  const took: number[] = [];
  for (const words of ['We do.', 'In five days.', 'By ship.', 'From Bergen.', 'Anything else?']) {
    await reply(desk).fill(words);
    const [before, startedAt] = [asks(), performance.now()];
    await reply(desk).press('Enter');
    await chat(shop.page).bubble(words).waitFor();
    took.push(Math.round(performance.now() - startedAt));
    asked.push(asks() - before);
  }
  console.info(`agent's Enter to visitor's bubble: ${took.join(', ')} ms`);
  // Not of each, because what a new line makes the chat look up may still be on its way.
  expect(asked.filter((count) => count === 0).length, `requests: ${asked.join(', ')}`).toBeGreaterThan(2);
  // Each sees the other typing.
  await reply(desk).pressSequentially('And');
  await chat(shop.page).log.getByText('Ada is typing…').waitFor({ state: 'attached' });
  await chat(shop.page).field.pressSequentially('Hm');
  await desk.getByRole('status').getByText('is typing').waitFor();
  await desk.context().close();
  await shop.close();
});

test('a reload and a restart of the service lose nothing, and the conversation goes on', async () => {
  const shop = await open();
  await chat(shop.page).say('Before the reload');
  const conversation = await agent(service).conversationOf('Before the reload');
  await agent(service).answer(conversation, 'I am here');
  await chat(shop.page).bubble('I am here').waitFor();
  await chat(shop.page).field.fill('Half a sen');
  await shop.page.reload();
  await chat(shop.page).bubble('I am here').waitFor();
  expect(await said(shop.page)).toEqual(['Before the reload', 'I am here']);
  expect(await chat(shop.page).field.inputValue()).toBe('Half a sen');

  await service.restart();
  await chat(shop.page).say('After the restart');
  await expect.poll(() => agent(service).contents(conversation)).toContain('After the restart');
  await agent(service).answer(conversation, 'Still here');
  await chat(shop.page).bubble('Still here').waitFor();
  const all = ['Before the reload', 'I am here', 'After the restart', 'Still here'];
  expect(await said(shop.page)).toEqual(all);
  expect(await agent(service).contents(conversation)).toEqual(all);
  await shop.page.reload();
  await chat(shop.page).bubble('Still here').waitFor();
  expect(await said(shop.page)).toEqual(all);
  await shop.close();
});

test('first words written offline leave from a later page, though the window was closed there', async () => {
  const shop = await openShop(browser, `${service.url}/`);
  const { page } = shop;
  const context = page.context();
  await chat(page).open();
  // All that shows words and sends them is here.
  await chat(page).log.waitFor();
  const isHere = () => performance.getEntriesByType('resource').some(({ name }) => /\/chat-./.test(name));
  await page.waitForFunction(isHere);
  await expect.poll(() => page.evaluate(() => window.parley?.status().line)).toBe('idle');
  await context.setOffline(true);
  await chat(page).say('From a tunnel');
  // Shown at once, and kept when it is marked: what a page that goes before takes along comes back into the field.
  await page.getByText('Waiting to be sent').waitFor();
  await expect.poll(() => chat(page).field.inputValue()).toBe('');
  await chat(page).close();
  await page.close();
  await context.setOffline(false);
  const next = await context.newPage();
  await next.goto(`${service.url}/`);
  await agent(service).conversationOf('From a tunnel');
  expect(await chat(next).window.count()).toBe(0);
  expect(await agent(service).count('From a tunnel')).toBe(1);
  await shop.close();
});

test('an answer to a closed window is counted on the launcher until it is seen', async () => {
  const shop = await open();
  const { launcher, badge } = chat(shop.page);
  await chat(shop.page).say('I will look in later');
  const conversation = await agent(service).conversationOf('I will look in later');
  await agent(service).answer(conversation, 'Fine');
  await chat(shop.page).bubble('Fine').waitFor();
  await chat(shop.page).close();
  const name = () => launcher.getAttribute('aria-label');
  expect(await name()).toBe('Open chat');
  await agent(service).answer(conversation, 'It is ready');
  await expect.poll(name).toBe('Open chat, 1 new message');
  expect(await badge.textContent()).toBe('1');
  await agent(service).answer(conversation, 'Really');
  await expect.poll(name).toBe('Open chat, 2 new messages');
  // It is still counted on the next page.
  await shop.page.goto(`${service.url}/spa.html`);
  await expect.poll(name).toBe('Open chat, 2 new messages');
  await launcher.click();
  await chat(shop.page).bubble('Really').waitFor();
  expect(await name()).toBe('Close chat');
  await chat(shop.page).close();
  expect(await name()).toBe('Open chat');
  expect(await badge.textContent()).toBe('');
  await shop.close();
});

test('a refused message keeps its words, to be tried again, edited or deleted', async () => {
  const proxy = await startFaultProxy(service.url);
  const shop = await openShop(browser, `${proxy.url}/`);
  const { page } = shop;
  const refused = status(422, { body: { description: 'No', errors: [] } });
  const undo = proxy.rule(({ method, body }) =>
    method === 'POST' && body.includes('refused') ? refused : undefined,
  );
  await chat(page).open();
  for (const words of ['refused first', 'refused second', 'refused third', 'accepted'])
    await chat(page).say(words);
  const button = (words: string, name: string) => chat(page).bubble(words).getByRole('button', { name });
  await button('refused third', 'Delete').waitFor();
  await chat(page).bubble('refused third').getByText('Not delivered').waitFor();
  const conversation = await agent(service).conversationOf('accepted');
  expect(await agent(service).contents(conversation)).toEqual(['accepted']);
  // A refusal and its words outlive the page.
  await page.reload();
  await button('refused first', 'Delete').click();
  await chat(page).bubble('refused first').waitFor({ state: 'detached' });
  await button('refused second', 'Edit').click();
  await chat(page).bubble('refused second').waitFor({ state: 'detached' });
  await expect.poll(() => chat(page).field.inputValue()).toBe('refused second');
  await chat(page).field.fill('');
  undo();
  await button('refused third', 'Try again').click();
  await expect.poll(() => agent(service).contents(conversation)).toEqual(['accepted', 'refused third']);
  await expect.poll(() => said(page)).toEqual(['accepted', 'refused third']);
  await chat(page).bubble('refused third').getByText('Sent', { exact: true }).waitFor();
  await shop.close();
  await proxy.stop();
});

test('a message that the service is too busy for is sent later without a word of worry', async () => {
  const proxy = await startFaultProxy(service.url);
  const shop = await openShop(browser, `${proxy.url}/`);
  proxy.rule(
    times(1, ({ method, path }) =>
      method === 'POST' && path.endsWith('/messages') ? status(429, { retryAfter: '1' }) : undefined,
    ),
  );
  await chat(shop.page).open();
  await chat(shop.page).say('In no hurry');
  await chat(shop.page).bubble('In no hurry').getByText('Sent', { exact: true }).waitFor();
  expect(await agent(service).count('In no hurry')).toBe(1);
  await shop.close();
  await proxy.stop();
});

test('a contact that the service has forgotten is made anew, and the words arrive', async () => {
  const shop = await open();
  await chat(shop.page).say('Remember me');
  await chat(shop.page).bubble('Remember me').getByText('Sent', { exact: true }).waitFor();
  const stored = z.object({ sourceId: z.string() });
  const sourceId = async () =>
    stored.parse(
      JSON.parse(
        (await shop.page.evaluate((key) => localStorage.getItem(key), `parley:${service.url}#demo-inbox`)) ??
          '',
      ),
    ).sourceId;
  const first = await sourceId();
  await service.db.query(
    'delete from contacts where id = (select contact_id from contact_inboxes where source_id = $1)',
    [first],
  );
  await chat(shop.page).say('And now?');
  const conversation = await agent(service).conversationOf('And now?');
  await chat(shop.page).bubble('And now?').getByText('Sent', { exact: true }).waitFor();
  expect(await sourceId()).not.toBe(first);
  await agent(service).answer(conversation, 'Nice to meet you');
  await chat(shop.page).bubble('Nice to meet you').waitFor();
  expect(await agent(service).count('And now?')).toBe(1);

  // The same while nobody looked: the next page finds out.
  await service.db.query(
    'delete from contacts where id = (select contact_id from contact_inboxes where source_id = $1)',
    [await sourceId()],
  );
  await shop.page.reload();
  await chat(shop.page).say('Third time');
  await agent(service).conversationOf('Third time');
  await chat(shop.page).bubble('Third time').getByText('Sent', { exact: true }).waitFor();
  expect(await agent(service).count('Third time')).toBe(1);
  await shop.close();
});

test('a browser that has never heard of its network keeps nobody from writing', async () => {
  const shop = await openShop(browser, service.url);
  await shop.page.context().addInitScript(() => {
    Object.defineProperty(navigator, 'onLine', { value: false });
  });
  await shop.page.reload();
  await chat(shop.page).open();
  await chat(shop.page).say('By a network of our own');
  await agent(service).answer(await agent(service).conversationOf('By a network of our own'), 'It will do');
  await chat(shop.page).bubble('It will do').waitFor();
  expect(shop.errors).toEqual([]);
  await shop.close();
});

const NOT_KEPT = 'Your browser does not let us keep anything: the conversation lasts as long as this page.';

test('a frame on another site, where storage is refused, chats all the same, and says so', async () => {
  // The frame is at 127.0.0.1 and the page around it at localhost: two sites.
  const path = await service.page(
    'around',
    `<!doctype html><title>Around</title><iframe src="${service.url}/" width="900" height="700"></iframe>`,
  );
  const shop = await openShop(browser, service.url.replace('127.0.0.1', 'localhost') + path);
  const inside = chat(shop.page.frameLocator('iframe'));
  await inside.open();
  await inside.say('From another site');
  const conversation = await agent(service).conversationOf('From another site');
  await agent(service).answer(conversation, 'To another site');
  await inside.bubble('To another site').waitFor();
  await inside.window.getByRole('status').getByText(NOT_KEPT).waitFor();
  expect(shop.errors).toEqual([]);
  await shop.close();
});
