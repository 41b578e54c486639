/** The columns of the agents' console, one at a time where there is no room: what is read, and where the keyboard is. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { agent, openShop } from '../support/browser.js';
import { type Console, startConsole } from '../support/console.js';
import { gate } from '../support/gate.js';
import { startMs } from '../support/service.js';

let here: Console;
beforeAll(async () => {
  here = await startConsole();
}, startMs);
afterAll(() => here.end());

const account = '/api/v1/accounts/1';

const logOf = (page: Page) => page.getByRole('log', { name: 'Conversation' });

async function narrow(width: number, conversation: number, height = 800) {
  const shop = await openShop(here.browser, here.service.consoleUrl, { viewport: { width, height } });
  await shop.page.goto(`${here.service.url}/agent/#/${conversation}`);
  // A frame after it is drawn the thread takes the focus, and a key that comes before that goes with it.
  await hasFocus(shop.page.locator(width < 760 ? '#thread-title' : '#reply'));
  return shop;
}

const hasFocus = (place: Locator) =>
  expect.poll(() => place.evaluate((element) => element === document.activeElement)).toBe(true);

test('a conversation that opens late takes no focus from who types elsewhere', async () => {
  const { desk } = here;
  const { conversation, close } = await here.talk('I come late');
  // Resolved ones are not in the list, nor among those that are counted.
  await here.service.agent('POST', `${account}/conversations/${conversation}/toggle_status`, {
    status: 'resolved',
  });
  await here.open('contacts', 'Contacts');
  const held = gate();
  const address = new RegExp(`/conversations/${conversation}$`);
  await desk.route(address, async (route) => {
    await held.opened;
    await route.continue();
  });
  await desk.goto(`${here.service.url}/agent/#/${conversation}`);
  await desk.reload();
  await desk.getByRole('heading', { name: 'Opening the conversation …' }).waitFor();
  const search = desk.getByRole('searchbox', { name: 'Search conversations' });
  await search.pressSequentially('refund of');
  held.open();
  await here.log().getByText('I come late', { exact: true }).waitFor();
  await desk.keyboard.type(' yesterday');
  expect(await search.inputValue()).toBe('refund of yesterday');
  expect(await here.field().inputValue()).toBe('');
  await desk.unroute(address);
  await search.fill('');

  // Nobody types: it is what was asked for.
  await desk.reload();
  await hasFocus(here.field());
  await close();
});

test('what comes while the details lie over the thread is not marked as seen', async () => {
  const { conversation, close } = await here.talk('Am I seen?');
  const { page, close: leave } = await narrow(1000, conversation);
  await logOf(page).getByText('Am I seen?', { exact: true }).waitFor();
  const seen: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/update_last_seen')) seen.push(request.url());
  });
  await page.getByRole('button', { name: 'Details' }).press('Enter');
  await hasFocus(page.getByRole('heading', { name: 'Visitor', exact: true }));
  await here.open('contacts', 'Contacts');
  const before = seen.length;
  await agent(here.service).tell(conversation, { content: 'Not yet', message_type: 'incoming' });
  const row = page
    .getByRole('navigation', { name: 'Conversations' })
    .getByRole('button', { name: 'Not yet' });
  await row.getByText('1 unread').waitFor();
  expect(seen).toHaveLength(before);
  await page.getByRole('button', { name: 'Back to messages' }).press('Enter');
  await row.getByText('unread').waitFor({ state: 'detached' });
  await expect.poll(() => seen.length).toBeGreaterThan(before);
  await hasFocus(page.getByRole('button', { name: 'Details' }));
  await leave();
  await close();
});

test('what fails while the details lie over the thread is said at the foot of the page', async () => {
  const { conversation, close } = await here.talk('Am I answered?');
  const { page, close: leave } = await narrow(1000, conversation);
  const sending = gate();
  await page.route(`**/conversations/${conversation}/messages`, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    await sending.opened;
    await route.abort();
  });
  const field = page.getByRole('textbox', { name: 'Reply', exact: true });
  await field.fill('Lost meanwhile');
  await field.press('Enter');
  await logOf(page).getByText('Lost meanwhile').waitFor();
  await page.getByRole('button', { name: 'Details' }).press('Enter');
  await hasFocus(page.getByRole('heading', { name: 'Visitor', exact: true }));
  sending.open();
  const waits = page.getByRole('status').getByText('It waits in the conversation');
  await waits.waitFor();
  // The way back is that button, too.
  await page.getByRole('button', { name: 'Show it' }).press('Enter');
  await logOf(page).getByText('Lost meanwhile').waitFor();
  await waits.waitFor({ state: 'detached' });
  await leave();
  await close();
});

test('on a phone the way back from a conversation leads to it in the list', async () => {
  const { conversation, close } = await here.talk('There and back');
  const { page, close: leave } = await narrow(390, conversation);
  await logOf(page).getByText('There and back', { exact: true }).waitFor();
  // The list is asked for by itself, and may come after the thread.
  await page.locator(`#conversation-${conversation}`).waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Back to conversations' }).press('Enter');
  await hasFocus(
    page.getByRole('navigation', { name: 'Conversations' }).getByRole('button', { name: 'There and back' }),
  );
  await leave();
  await close();
});

test('a conversation that cannot be opened says so, gives back what waits in it, and lets go', async () => {
  const { conversation, close } = await here.talk('Soon gone');
  const { page, close: leave } = await narrow(390, conversation);
  await logOf(page).getByText('Soon gone', { exact: true }).waitFor();
  await page.route(`**/conversations/${conversation}/messages`, (route) =>
    route.request().method() === 'POST' ? route.abort() : route.fallback(),
  );
  const field = page.getByRole('textbox', { name: 'Reply', exact: true });
  await field.fill('Too late');
  await field.press('Enter');
  await logOf(page).getByText('The reply was not sent').waitFor();
  // The agent is in its inbox no more.
  await page.route(new RegExp(`/conversations/${conversation}(/messages)?$`), (route) =>
    route.fulfill({ status: 404, json: { error: 'Resource could not be found' } }),
  );
  await page.route(/\/conversations\?/, (route) => route.fulfill({ json: { data: { payload: [] } } }));
  await page.reload();
  const heading = page.getByRole('heading', { name: 'The conversation could not be opened' });
  await heading.waitFor();
  await page.getByText('Too late').waitFor();
  await page.getByRole('button', { name: 'Discard' }).press('Enter');
  await page.getByText('Too late').waitFor({ state: 'detached' });
  await hasFocus(heading);
  await page.getByRole('button', { name: 'Back to conversations' }).press('Enter');
  await page.getByRole('searchbox', { name: 'Search conversations' }).waitFor();
  expect(await page.getByText('It waits in the conversation').count()).toBe(0);
  await leave();
  await close();
});

/** How many pixels of its height are seen, whatever clips it. */
const seenOf = (place: Locator) =>
  place.evaluate(
    (element) =>
      new Promise<number>((resolve) => {
        new IntersectionObserver(([entry], observer) => {
          observer.disconnect();
          resolve(entry?.intersectionRect.height ?? 0);
        }).observe(element);
      }),
  );

test('at 400 % zoom the list, the messages and the field can each be seen', async () => {
  const { conversation, close } = await here.talk('Do you see me?');
  for (let n = 1; n <= 9; n += 1) await agent(here.service).tell(conversation, { content: `Said ${n}` });
  const { page, close: leave } = await narrow(320, conversation, 256);
  await logOf(page).getByText('Said 9').waitFor();
  await page.getByRole('button', { name: 'Back to conversations' }).click();
  const row = page.getByRole('navigation', { name: 'Conversations' }).getByRole('button', { name: 'Said 9' });
  await row.scrollIntoViewIfNeeded();
  expect(await seenOf(row)).toBeGreaterThan(50);
  await row.click();
  await expect.poll(() => seenOf(logOf(page))).toBeGreaterThan(100);
  expect(await seenOf(logOf(page).getByText('Said 9'))).toBeGreaterThan(15);
  const field = page.getByRole('textbox', { name: 'Reply', exact: true });
  await field.click();
  expect(await seenOf(field)).toBeGreaterThan(40);
  await field.fill('I do');
  await field.press('Enter');
  const said = logOf(page).getByText('I do', { exact: true });
  await said.scrollIntoViewIfNeeded();
  expect(await seenOf(said)).toBeGreaterThan(15);
  await page.getByRole('button', { name: 'Ask the visitor' }).click();
  const words = page.getByRole('dialog').getByLabel('Words');
  await words.click();
  expect(await seenOf(words)).toBeGreaterThan(30);
  await leave();
  await close();
});

test('a menu has the keyboard before it is drawn', async () => {
  const { close } = await here.talk('Keys that are quick');
  const role = await here.desk.getByRole('button', { name: 'Put aside' }).evaluate(async (button) => {
    if (button instanceof HTMLElement) button.click();
    await new Promise<void>((done) => queueMicrotask(done));
    return document.activeElement?.getAttribute('role');
  });
  expect(role).toBe('menuitem');
  await close();
});

test('a menu is no higher than the window', async () => {
  const { conversation, close } = await here.talk('Put me aside');
  for (const width of [1000, 390]) {
    const { page, close: leave } = await narrow(width, conversation, 300);
    await page.getByRole('button', { name: 'Put aside' }).press('Enter');
    await page.keyboard.press('End');
    const last = page.getByRole('menuitem').last();
    await hasFocus(last);
    expect(await seenOf(last)).toBeGreaterThan(20);
    await leave();
  }
  await close();
});

test('nothing lies below a page, at any height: what is for ears alone makes none longer', async () => {
  const { conversation, close } = await here.talk('How long is a page?');
  for (const [width, height] of [
    [320, 256],
    [640, 400],
    [1280, 500],
  ] as const) {
    const { page, close: leave } = await narrow(width, conversation, height);
    await logOf(page).getByText('How long is a page?', { exact: true }).waitFor();
    const places = ['', 'contacts', 'reports', 'settings/inboxes', String(conversation)];
    for (const place of places) {
      await page.goto(`${here.service.url}/agent/#/${place}`);
      if (place === 'reports')
        await page.getByRole('figure', { name: 'Measurements a day' }).first().waitFor({ state: 'attached' });
      const below = () => page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
      expect(await below(), `${width} × ${height}, #/${place}`).toBe(0);
    }
    await leave();
  }
  await close();
});

test('beside the thread stands what is known of the visitor, as it is now, whole, and in its own direction', async () => {
  const { conversation, close } = await here.talk('The visitor who is known');
  const { body } = await here.service.agent('GET', `${account}/conversations/${conversation}`);
  const { meta } = z.object({ meta: z.object({ sender: z.object({ id: z.number() }) }) }).parse(body);
  const contact = `${account}/contacts/${meta.sender.id}`;
  for (const [name, key, type] of [
    ['Which tier', 'tier', 'text'],
    ['Is member', 'is_member', 'checkbox'],
    ['Street', 'street', 'text'],
    ['Session', 'session', 'text'],
  ])
    await here.service.agent('POST', `${account}/custom_attribute_definitions`, {
      attribute_display_name: name,
      attribute_key: key,
      attribute_display_type: type,
      attribute_model: 'contact_attribute',
    });
  await here.desk.reload();
  const details = here.desk.getByRole('region', { name: 'Visitor' });
  const told = (name: string) =>
    details
      .getByRole('term')
      .filter({ hasText: new RegExp(`^${name}$`) })
      .locator('xpath=following-sibling::dd');
  await details.waitFor();
  expect(await told('Identifier').count()).toBe(0);
  expect(await told('Which tier').count()).toBe(0);
  const long = 'long-as-a-key-'.repeat(15);
  await here.service.agent('PUT', contact, {
    identifier: 'shop-7',
    custom_attributes: { tier: 'Gold', is_member: true, street: 'شارع المصابيح ١٢', session: long },
  });
  await expect.poll(() => told('Which tier').textContent()).toBe('Gold');
  expect(await told('Identifier').textContent()).toBe('shop-7');
  expect(await told('Is member').textContent()).toBe('Yes');
  expect(await told('Session').textContent()).toBe(long);
  expect(await told('Street').evaluate((value) => getComputedStyle(value).direction)).toBe('rtl');
  expect(await details.evaluate((pane) => pane.scrollWidth - pane.clientWidth)).toBe(0);
  await here.service.agent('PUT', contact, { custom_attributes: { tier: 'Silver' } });
  await expect.poll(() => told('Which tier').textContent()).toBe('Silver');
  await here.service.agent('POST', `${contact}/destroy_custom_attributes`, { custom_attributes: ['tier'] });
  await told('Which tier').waitFor({ state: 'detached' });
  expect(await told('Is member').textContent()).toBe('Yes');
  await close();
});

test('a name that is one long word pushes nothing off the page, on a phone and on a desk', async () => {
  const { conversation, close } = await here.talk('Call me by all of it');
  const long = 'wordwordwo'.repeat(21);
  const { body } = await here.service.agent('GET', `${account}/conversations/${conversation}`);
  const { meta } = z.object({ meta: z.object({ sender: z.object({ id: z.number() }) }) }).parse(body);
  const agents = `${account}/agents`;
  const made = await here.service.agent('POST', agents, {
    name: long.slice(0, 100),
    email: 'long@demo.example',
    role: 'agent',
  });
  const { id } = z.object({ id: z.number() }).parse(made.body);
  for (const [method, path, fields] of [
    ['PUT', `${account}/contacts/${meta.sender.id}`, { name: long }],
    ['POST', `${account}/conversations/${conversation}/assignments`, { assignee_id: id }],
    ['POST', `${account}/canned_responses`, { short_code: long, content: 'Words' }],
    ['POST', `${account}/labels`, { title: long.slice(0, 60) }],
  ] as const) {
    const { status } = await here.service.agent(method, path, fields);
    expect(status, path).toBe(200);
  }
  await agent(here.service).tell(conversation, { content: 'Said', private: false });
  const found: string[] = [];
  for (const width of [390, 1280]) {
    const { page: desk, close: leave } = await narrow(width, conversation);
    await logOf(desk).getByText('Call me by all of it').waitFor();
    await desk.getByRole('button', { name: 'Quote “Call me by all of it”' }).click();
    const off = async (where: string) => {
      found.push(...(await offPage(desk)).map((one) => `${where}, ${width} px: ${one}`));
    };
    await off('the thread');
    await desk.getByRole('button', { name: 'Canned answers' }).click();
    await desk.getByRole('dialog').getByRole('option').first().waitFor();
    await off('canned answers');
    await desk.keyboard.press('Escape');
    await desk.route('**/messages', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.fallback(),
    );
    await desk.getByRole('textbox', { name: 'Reply', exact: true }).fill('Lost');
    await desk.getByRole('textbox', { name: 'Reply', exact: true }).press('Enter');
    await logOf(desk).getByText('The reply was not sent').waitFor();
    await desk.evaluate((hash) => {
      location.hash = hash;
    }, `#/${conversation}/details`);
    await desk.getByRole('heading', { name: 'Visitor', level: 2 }).waitFor();
    await off('the details');
    for (const [place, heading] of [
      ['', 'Parley console'],
      [`contacts/${meta.sender.id}`, long],
      ['settings/canned', 'Canned answers'],
      ['settings/agents', 'Agents'],
    ] as const) {
      await desk.evaluate((hash) => {
        location.hash = hash;
      }, `#/${place}`);
      await desk.getByRole('heading', { name: heading, level: 1 }).waitFor({ state: 'attached' });
      await desk.getByRole('status').getByText('It waits in the conversation with').waitFor();
      await off(`#/${place}`);
    }
    await leave();
  }
  expect(found).toEqual([]);
  await close();
});

/** What can be pressed or filled in and is, with a part of it, beyond the page or the pane around it. */
const offPage = (page: Page) =>
  page.evaluate(() => {
    const panes = [...document.querySelectorAll('.log, .details, .scroller, dialog')];
    const wide = panes.filter((pane) => pane.scrollWidth > pane.clientWidth);
    const controls = [...document.querySelectorAll('a, button, select, input:not([type=radio]), textarea')];
    const off = controls.filter((one) => {
      const { left, right, width } = one.getBoundingClientRect();
      return one.checkVisibility() && width > 1 && (left < -1 || right > innerWidth + 1);
    });
    return [...wide, ...off].map((one) => `${one.className} ${one.textContent?.slice(0, 30)}`);
  });
