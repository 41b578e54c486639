/** Whoever presses twice means what they pressed, and not what has come in its place. */
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  agent,
  chat,
  english,
  launchBrowser,
  openShop,
  type ShopService,
  startShopService,
} from '../support/browser.js';
import { startMs } from '../support/service.js';

let browser: Browser;
let service: ShopService;
beforeAll(async () => {
  [browser, service] = await Promise.all([
    launchBrowser({ args: ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'] }),
    startShopService(),
  ]);
}, startMs);
afterAll(async () => {
  await browser.close();
  await service.end();
});

async function middleOf(what: Locator): Promise<[number, number]> {
  const box = await what.boundingBox();
  if (!box) throw new Error('It is not there.');
  return [box.x + box.width / 2, box.y + box.height / 2];
}

/** As by a hand: the second press is where the first one was, once that has done what it does. */
async function pressTwice({ mouse }: Page, what: Locator, done: () => Promise<unknown>): Promise<void> {
  await mouse.move(...(await middleOf(what)));
  await mouse.down({ clickCount: 1 });
  await mouse.up({ clickCount: 1 });
  await done();
  await mouse.down({ clickCount: 2 });
  await mouse.up({ clickCount: 2 });
}

const control = (page: Page, name: 'record' | 'stopRecording' | 'send') =>
  chat(page).window.getByRole('button', { name: english(name), exact: true });

test('two presses on the launcher open the chat, on Send send, and on Stop stop', async () => {
  const { page, close } = await openShop(browser, `${service.url}/`);
  const { launcher, field, log } = chat(page);
  await launcher.waitFor();
  const isOpen = () => page.evaluate(() => window.parley?.status().open);
  await pressTwice(page, launcher, () => expect.poll(isOpen).toBe(true));
  expect(await isOpen()).toBe(true);
  // What the page does in between is no half of a press.
  await page.evaluate(() => window.parley?.close());
  await pressTwice(page, launcher, () => expect.poll(isOpen).toBe(true));
  await pressTwice(page, launcher, () => expect.poll(isOpen).toBe(false));
  expect(await isOpen()).toBe(false);
  await launcher.click();
  await expect.poll(isOpen).toBe(true);

  await field.fill('Sent by two presses');
  await pressTwice(page, control(page, 'send'), () => control(page, 'record').waitFor());
  await log.getByText('Sent', { exact: true }).waitFor();
  expect(await control(page, 'stopRecording').count()).toBe(0);
  expect(await field.evaluate((element) => element.matches(':focus'))).toBe(true);

  // Pressed twice it records as well, once something else has been pressed.
  await field.click();
  await pressTwice(page, control(page, 'record'), () => control(page, 'stopRecording').waitFor());
  await control(page, 'stopRecording').waitFor();
  await expect.poll(() => chat(page).window.getByRole('timer').innerText()).toContain(':01');
  // The square alone, and not the arrow of Send.
  const before = (element: Element) => getComputedStyle(element, '::before').content;
  expect(await control(page, 'stopRecording').evaluate(before)).toBe('none');
  await pressTwice(page, control(page, 'stopRecording'), () => control(page, 'send').waitFor());
  await chat(page).window.locator('.composer .tray audio').waitFor();
  expect(await log.locator('audio').count()).toBe(0);
  await close();
});

test('two taps on “End chat” ask whether it shall be ended', async () => {
  const context = await browser.newContext({
    hasTouch: true,
    isMobile: true,
    viewport: { width: 390, height: 844 },
  });
  const page = await context.newPage();
  // However slow the machine is, the second tap is soon after the first one.
  await page.addInitScript(() => {
    const { get } = Object.getOwnPropertyDescriptor(Event.prototype, 'timeStamp') ?? {};
    Object.defineProperty(Event.prototype, 'timeStamp', {
      get(this: Event) {
        return get?.call(this) / 60;
      },
    });
  });
  await page.goto(`${service.url}/`);
  const { launcher } = chat(page);
  await launcher.tap();
  await control(page, 'record').waitFor();
  await chat(page).close();
  // The window lies over it by the second tap.
  const [left, top] = await middleOf(launcher);
  await launcher.tap();
  await chat(page).window.waitFor();
  await page.touchscreen.tap(left, top);
  // Where it records there is no field.
  await chat(page).say('Not to be ended by two taps');
  const id = await agent(service).conversationOf('Not to be ended by two taps');
  await chat(page)
    .window.getByRole('button', { name: english('menu'), exact: true })
    .tap();
  const entry = page.getByRole('menuitem', { name: english('endChat') });
  await entry.waitFor();
  const [x, y] = await middleOf(entry.locator('.text'));
  await page.touchscreen.tap(x, y);
  const confirm = chat(page)
    .window.locator('.page')
    .getByRole('button', { name: english('endChat') });
  await confirm.waitFor();
  await page.touchscreen.tap(x, y);
  const statusOf = async () => {
    const { body } = await service.agent('GET', `/api/v1/accounts/1/conversations/${id}`);
    return body;
  };
  await confirm.waitFor();
  expect(await statusOf()).toMatchObject({ status: 'open' });
  // By itself it does what it says.
  await confirm.press('Enter');
  await expect.poll(statusOf).toMatchObject({ status: 'resolved' });
  await context.close();
});

test('files that one visitor has asked for are not in the tray of the next one', async () => {
  const { page, close } = await openShop(browser, `${service.url}/`);
  await chat(page).open();
  await page.evaluate(() => window.parley?.identify({ identifier: 'ada' }));
  await chat(page).say('I am Ada, and have a file');
  await chat(page).log.getByText('Sent', { exact: true }).waitFor();
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    chat(page)
      .window.getByRole('button', { name: english('attach') })
      .click(),
  ]);
  await page.evaluate(async () => {
    await window.parley?.reset();
    await window.parley?.identify({ identifier: 'bob' });
  });
  await expect.poll(() => chat(page).log.getByText('I am Ada').count()).toBe(0);
  const file = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from('x') });
  await chooser.setFiles(file('of-ada.txt'));
  const tray = chat(page).window.locator('.composer .tray');
  const [own] = await Promise.all([
    page.waitForEvent('filechooser'),
    chat(page)
      .window.getByRole('button', { name: english('attach') })
      .click(),
  ]);
  await own.setFiles(file('of-bob.txt'));
  await expect.poll(() => tray.locator('bdi').allInnerTexts()).toEqual(['of-bob.txt']);
  await close();
});
