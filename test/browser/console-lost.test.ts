/** Answers, frames and pages that are lost around what an agent sends, in a real browser before a real service. */
import type { Page, Request } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agent, openShop } from '../support/browser.js';
import { type Console, startConsole } from '../support/console.js';
import { gate } from '../support/gate.js';
import { graceToken, letGraceIn } from '../support/grace.js';
import { startMs } from '../support/service.js';
import { inside } from '../support/talk.js';

let here: Console;
beforeAll(async () => {
  here = await startConsole();
}, startMs);
afterAll(() => here.end());

const account = '/api/v1/accounts/1';

/**
 * Comes anew with its line up, when what is said is heard. History is asked for once more at that moment: it has been
 * answered by then, so what is said after this is in none of the answers that are on their way.
 */
async function comeAnew(desk: Page) {
  const underWay = new Set<Request>();
  const asked = (request: Request) => {
    if (request.method() === 'GET' && /\/messages(\?|$)/.test(request.url())) underWay.add(request);
  };
  const answered = (request: Request) => void underWay.delete(request);
  desk.on('request', asked);
  desk.on('requestfinished', answered);
  desk.on('requestfailed', answered);
  await desk.reload();
  await desk.getByText(/^Live, signed in as/).waitFor();
  await expect.poll(() => underWay.size).toBe(0);
  desk.off('request', asked);
  desk.off('requestfinished', answered);
  desk.off('requestfailed', answered);
}

test('a reply whose answer was lost is not said to be unsent once history has told of it', async () => {
  // 1. The reply is stored, and its answer lost. 2. No frame tells of it. 3. History does, on the way back.
  const { desk } = here;
  let isDeaf = false;
  await desk.routeWebSocket(/\/cable/, (socket) => {
    const service = socket.connectToServer();
    service.onMessage((frame) => {
      // The line itself stays: that it is lost would be said in place of what waits.
      if (!isDeaf || /"type":"ping"/.test(String(frame))) socket.send(frame);
    });
  });
  const { conversation, close } = await here.talk('Is it sent?');
  await comeAnew(desk);
  await here.log().getByText('Is it sent?', { exact: true }).waitFor();
  isDeaf = true;
  await desk.route(`**/conversations/${conversation}/messages`, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    await route.fetch();
    await route.abort();
  });
  await here.field().fill('It was sent');
  await here.field().press('Enter');
  await here.log().getByText('The reply was not sent').waitFor();
  const waits = desk.getByRole('status').getByText('It waits in the conversation');
  const leave = async () => {
    await desk.getByRole('link', { name: 'Contacts' }).click();
    await desk.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor();
  };
  await leave();
  await desk.getByRole('button', { name: 'Show it' }).click();
  await here.log().getByText('It was sent').waitFor();
  await here.log().getByText('The reply was not sent').waitFor({ state: 'detached' });
  await leave();
  await waits.waitFor({ state: 'detached' });
  expect(await desk.evaluate(() => sessionStorage.getItem('parley-console:outbox'))).toBe('[]');
  expect(await agent(here.service).count('It was sent')).toBe(1);
  isDeaf = false;
  await close();
});

test('an answer that is given while the line is down is unread once it is up', async () => {
  const { desk } = here;
  let isDown = false;
  let cut = () => {};
  await desk.routeWebSocket(/\/cable/, (socket) => {
    if (isDown) return void socket.close();
    socket.connectToServer();
    cut = () => void socket.close();
  });
  const { page, conversation, close } = await here.talk('Ask me, then leave');
  await comeAnew(desk);
  const question = {
    content: 'Which topic?',
    content_type: 'input_select',
    content_attributes: { items: ['Billing', 'Delivery'].map((title) => ({ title, value: title })) },
  };
  await agent(here.service).tell(conversation, question);
  await here.log().getByText('Which topic?').waitFor();
  await desk.getByRole('link', { name: 'Contacts' }).click();
  await expect.poll(() => desk.title()).toBe('Contacts – Parley console');
  isDown = true;
  cut();
  await inside(page, 'Which topic?').getByRole('button', { name: 'Delivery' }).click();
  await inside(page, 'Which topic?').getByText('Delivery (Your answer)').waitFor();
  isDown = false;
  await expect.poll(() => desk.title()).toBe('(1) Contacts – Parley console');
  await desk.getByRole('link', { name: /Inbox/ }).click();
  await desk.getByRole('button', { name: 'Answered: Delivery' }).click();
  await expect.poll(() => desk.title()).toBe('Parley console');
  await close();
});

test('words that are sent outlive the page', async () => {
  const { conversation, close } = await here.talk('Who sends and leaves?');
  const { page, close: leave } = await openShop(here.browser, here.service.consoleUrl);
  await page.goto(`${here.service.url}/agent/#/${conversation}`);
  const field = page.getByRole('textbox', { name: 'Reply', exact: true });
  await field.fill('Sent in going');
  // Whatever leaves with the page without being kept alive is cut off before it has left.
  const sent = page.waitForRequest(
    (request) => request.method() === 'POST' && /messages$/.test(request.url()),
  );
  await page.evaluate(() => {
    const given = window.fetch;
    window.fetch = (input, init) => {
      if (init?.method === 'POST') Reflect.set(window, 'testKept', init.keepalive);
      return given(input, init);
    };
  });
  await field.press('Enter');
  await sent;
  expect(await page.evaluate(() => Reflect.get(window, 'testKept'))).toBe(true);
  await leave();
  await close();
});

test('a page with something unsent asks before it goes, and else lets go', async () => {
  const { conversation, close } = await here.talk('Do you stay?');
  const { page, close: leave } = await openShop(here.browser, here.service.consoleUrl);
  await page.goto(`${here.service.url}/agent/#/${conversation}`);
  const log = page.getByRole('log', { name: 'Conversation' });
  const field = page.getByRole('textbox', { name: 'Reply', exact: true });
  await log.getByText('Do you stay?').waitFor();
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    void dialog.accept();
  });
  const reload = async () => {
    await page.reload();
    await log.getByText('Do you stay?').waitFor();
  };
  await field.fill('A draft is kept');
  await reload();
  expect(asked).toEqual([]);

  await page.getByLabel('Files', { exact: true }).setInputFiles({
    name: 'attached.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('Attached'),
  });
  await page.getByText('attached.txt', { exact: true }).waitFor();
  await reload();
  expect(asked).toEqual(['beforeunload']);

  const messages = `**/conversations/${conversation}/messages`;
  // History is asked for by the same address, and once more when the line is up.
  await page.route(messages, (route) =>
    route.request().method() === 'POST' ? route.abort() : route.fallback(),
  );
  await field.fill('Not sent yet');
  await field.press('Enter');
  await log.getByRole('button', { name: 'Discard' }).waitFor();
  await reload();
  expect(asked).toEqual(['beforeunload', 'beforeunload']);
  await log.getByRole('button', { name: 'Discard' }).click();
  await log.getByText('Not sent yet').waitFor({ state: 'detached' });
  await reload();
  expect(asked).toHaveLength(2);
  await leave();
  await close();
});

test('a line that never comes up is told of', async () => {
  const { page, close } = await openShop(here.browser, 'about:blank');
  await page.addInitScript(() => {
    // Where the first of them finds nobody, it is never opened.
    const Given = window.WebSocket;
    window.WebSocket = class extends Given {
      constructor(url: string | URL, protocols?: string | string[]) {
        super(Reflect.get(window, 'testLine') ? url : new URL('/nowhere', url), protocols);
      }
    };
  });
  await page.goto(here.service.consoleUrl);
  const paused = page.getByRole('status').getByText('Live updates are paused. Reconnecting …');
  await paused.waitFor();
  await page.evaluate(() => Reflect.set(window, 'testLine', true));
  await paused.waitFor({ state: 'detached' });
  await close();
});

test('an agent whose page is hidden for long is there by the pings of the line', async () => {
  const { page, close } = await openShop(here.browser, 'about:blank');
  await page.addInitScript(() => {
    // The timers of such a page come once a minute; here, never.
    Reflect.set(window, 'setInterval', () => 0);
    const now = performance.now.bind(performance);
    performance.now = () => now() + Number(Reflect.get(window, 'testSkippedMs') ?? 0);
  });
  let beats = 0;
  page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => {
      if (String(payload).includes('update_presence')) beats += 1;
    }),
  );
  await page.goto(here.service.consoleUrl);
  await page.getByText(/^Live, signed in as/).waitFor();
  expect(beats).toBe(0);
  for (const times of [1, 2]) {
    await page.evaluate((ms) => Reflect.set(window, 'testSkippedMs', ms), times * 15_000);
    await expect.poll(() => beats).toBe(times);
  }
  await close();
});

test('who signs out while the line is being opened is not on it once it is up', async () => {
  const { page, requests, close } = await openShop(here.browser, 'about:blank');
  const held = gate();
  let isGone = false;
  await page.routeWebSocket(/\/cable/, async (socket) => {
    await held.opened;
    const service = socket.connectToServer();
    socket.onClose(() => {
      isGone = true;
      void service.close();
    });
  });
  await page.goto(here.service.consoleUrl);
  await page.getByText('signed in as Ada').waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Access token').waitFor();
  const before = requests.length;
  held.open();
  await expect.poll(() => isGone).toBe(true);
  expect(requests.slice(before)).toEqual([]);
  await close();
});

test('an old message that is changed before it was loaded leaves no hole in the thread', async () => {
  const { desk } = here;
  const { conversation, close } = await here.talk('Said 0');
  for (let n = 1; n <= 30; n += 1) await agent(here.service).tell(conversation, { content: `Said ${n}` });
  await comeAnew(desk);
  await here.log().getByText('Said 30', { exact: true }).waitFor();
  const first = await here.service.db.query<{ id: number }>('select id from messages where content = $1', [
    'Said 1',
  ]);
  const deleted = await here.service.agent(
    'DELETE',
    `${account}/conversations/${conversation}/messages/${first[0]?.id}`,
  );
  expect(deleted.status).toBe(200);
  // What was told before this has come before it.
  await agent(here.service).tell(conversation, { content: 'Said 31' });
  await here.log().getByText('Said 31', { exact: true }).waitFor();
  const earlier = desk.getByRole('button', { name: 'Load earlier' });
  await earlier.click();
  // The button has other words as long as they are on their way.
  await here.log().getByText('Said 0', { exact: true }).waitFor();
  for (const n of [0, 2, 5, 10, 11, 30])
    expect(await here.log().getByText(`Said ${n}`, { exact: true }).count(), `Said ${n}`).toBe(1);
  expect(await here.log().getByText('Said 1', { exact: true }).count()).toBe(0);
  await close();
});

test('a late refusal of who was here before does not throw out who came after', async () => {
  const { desk } = here;
  await letGraceIn(here.service);
  await desk.goto(here.service.consoleUrl);
  await desk.getByText('signed in as Ada').waitFor();
  const held = gate();
  const contacts = /\/accounts\/1\/contacts\?/;
  await desk.route(
    contacts,
    async (route) => {
      await held.opened;
      await route.fulfill({ status: 401, json: { error: 'Invalid access token' } });
    },
    { times: 1 },
  );
  const asked = desk.waitForRequest(contacts);
  await desk.getByRole('link', { name: 'Contacts' }).click();
  const refused = desk.waitForResponse((response) => response.status() === 401);
  await asked;
  await desk.evaluate((token) => {
    location.hash = `token=${token}`;
  }, graceToken);
  await desk.getByText('signed in as Grace').waitFor();
  held.open();
  await (await refused).finished();
  await desk.getByRole('link', { name: 'Contacts' }).click();
  await desk.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor();
  expect(await desk.getByLabel('Access token').count()).toBe(0);
  await desk.goto(here.service.consoleUrl);
  await desk.getByText('signed in as Ada').waitFor();
});

test('what was refused with the token, and what waited behind it, is told as it is', async () => {
  const { conversation, close } = await here.talk('Are you still here?');
  const { page, close: leave } = await openShop(here.browser, here.service.consoleUrl);
  const come = () => page.goto(`${here.service.url}/agent/#/${conversation}`);
  await come();
  const log = page.getByRole('log', { name: 'Conversation' });
  const field = page.getByRole('textbox', { name: 'Reply', exact: true });
  const held = gate();
  const messages = `**/conversations/${conversation}/messages`;
  await page.route(messages, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    await held.opened;
    await route.fulfill({ status: 401, json: { error: 'Invalid access token' } });
  });
  await field.fill('Refused');
  await field.press('Enter');
  await page.getByLabel('Files', { exact: true }).setInputFiles({
    name: 'behind.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('Behind'),
  });
  await field.fill('Behind it');
  await field.press('Enter');
  await log.getByText('Behind it').waitFor();
  held.open();
  await page.getByText('This access token is no longer accepted.').waitFor();
  await page.unroute(messages);

  await page.goto(here.service.consoleUrl);
  await page.getByText('signed in as Ada').waitFor();
  await come();
  const bubble = (words: string) => log.getByRole('listitem').filter({ hasText: words });
  await bubble('Refused').getByText('The reply was not sent: Invalid access token.').waitFor();
  await bubble('Behind it').getByText('You were signed out before it was sent.').waitFor();
  expect(await page.evaluate(() => sessionStorage.getItem('parley-console:outbox'))).not.toContain(
    '"uncertain":true',
  );
  await bubble('Behind it').getByRole('button', { name: 'Try again' }).click();
  await bubble('Behind it').getByText('The files are here no more.').waitFor();
  await bubble('Refused').getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => agent(here.service).count('Refused')).toBe(1);
  await leave();
  await close();
});
