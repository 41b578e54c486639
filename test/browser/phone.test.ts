/**
 * A phone of 390 by 844: the window fills what the keyboard leaves of the screen, the way back takes the window before
 * the page, and the page behind stays where it was. The visual viewport is one that the test sets.
 */
import type { CDPSession, Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { english as en } from '../../src/text/english.js';
import { agent, chat, hostPage, type Shop, useShop } from '../support/browser.js';
import { HEIGHT, openPhone, setViewOf, type View } from '../support/phone.js';

declare global {
  interface Window {
    /** What the page's own router is told: never more than its own state. */
    testPops?: unknown[];
  }
}

const { browser, service } = await useShop();

let shop: Shop;
let page: Page;
let phone: CDPSession;
beforeEach(async () => {
  shop = await openPhone(browser);
  page = shop.page;
  phone = await page.context().newCDPSession(page);
  await page.addInitScript(() => {
    window.testPops = [];
    addEventListener('popstate', (event) => window.testPops?.push(event.state));
  });
});
afterEach(async () => {
  expect(shop.errors).toEqual([]);
  await shop.close();
});

const body = `<main><h1>A shop</h1>${'<p>Much to read.</p>'.repeat(120)}</main>`;
async function goTo(name: string, attributes = ''): Promise<void> {
  const html = hostPage(service.url, { body }).replace(
    'data-inbox-identifier',
    `${attributes} data-inbox-identifier`,
  );
  await page.goto(service.url + (await service.page(`phone-${name}`, html)));
}
async function open(): Promise<void> {
  await chat(page).launcher.tap();
  await chat(page).field.waitFor();
}
const closed = () => chat(page).window.waitFor({ state: 'hidden' });
// Only after the answer: the way back may end the page that would give it.
const back = () => page.evaluate(() => void setTimeout(() => history.back()));
const scrolled = () => page.evaluate(() => scrollY);
const focused = () =>
  page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.getAttribute('aria-label') ?? '');
const setView = (...view: View) => setViewOf(page, ...view);

/** From where to where it is on the screen. */
async function edges(selector: string): Promise<[top: number, bottom: number]> {
  const box = await chat(page).host.locator(selector).first().boundingBox();
  if (!box) throw new Error(`${selector} is not there`);
  return [Math.round(box.y), Math.round(box.y + box.height)];
}

test('the keyboard comes: the composer stays above it, the header below the top, the newest words between', async () => {
  await goTo('keyboard');
  await open();
  await chat(page).say('Hello from the sofa');
  const conversation = await agent(service).conversationOf('Hello from the sofa');
  await agent(service).answer(conversation, 'Much to say. '.repeat(90).trim());
  await agent(service).answer(conversation, 'The end');
  await chat(page).bubble('The end').waitFor();
  expect(
    [await edges('.header'), await edges('.composer')].map(([top, bottom]) => [top === 0, bottom]),
  ).toEqual([
    [true, expect.any(Number)],
    [false, HEIGHT],
  ]);
  const room = async (top: number, bottom: number) => {
    await expect.poll(async () => (await edges('.composer'))[1]).toBe(bottom);
    expect((await edges('.header'))[0]).toBe(top);
    // The reader at the end stays there.
    const last = chat(page).bubble('The end').locator('.bubble');
    await expect
      .poll(async () => {
        const box = await last.boundingBox();
        return box && box.y >= top && box.y + box.height <= bottom;
      })
      .toBe(true);
    expect((await edges('.transcript'))[1]).toBeLessThanOrEqual((await edges('.composer'))[0]);
  };
  await chat(page).field.tap();
  await setView(508);
  await room(0, 508);
  // As an iPhone does, which pushes the page up as well.
  await setView(508, 180);
  await room(180, 688);
  await chat(page).field.pressSequentially('one\ntwo');
  await chat(page).say('From above the keyboard');
  await agent(service).conversationOf('From above the keyboard');
  await expect.poll(focused).toBe(en.message);
  await setView(HEIGHT);
  await room(0, HEIGHT);
  // Who spreads two fingers sees a part of the window, enlarged, and not a smaller window.
  await setView(HEIGHT / 3, 200, 3);
  await room(0, HEIGHT);
});

test('who chooses files with a finger is told the limits while they choose', async () => {
  await goTo('limits');
  await open();
  const limits = chat(page).window.getByText('Up to 15 files of 40 MB each');
  expect(await limits.count()).toBe(0);
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    chat(page).window.getByRole('button', { name: en.attach }).tap(),
  ]);
  await limits.waitFor();
  await chooser.setFiles({ name: 'chosen.txt', mimeType: 'text/plain', buffer: Buffer.from('x') });
  await chat(page).window.getByRole('list', { name: en.chosenFiles }).getByText('chosen.txt').waitFor();
  expect(await limits.count()).toBe(0);
});

test('the way back closes the window and not the page, which is where it was', async () => {
  await goTo('before');
  await goTo('back');
  await page.evaluate(() => scrollTo(0, 700));
  const address = page.url();
  await open();
  await back();
  await closed();
  expect(page.url()).toBe(address);
  expect(await scrolled()).toBe(700);
  await expect.poll(focused).toBe(en.openChat);
  expect(await page.evaluate(() => [history.state, window.testPops])).toEqual([null, [null]]);
  // Closed by its button, it leaves nothing to go back through.
  await open();
  await chat(page).close();
  await expect.poll(() => page.evaluate(() => history.state)).toBe(null);
  expect(await scrolled()).toBe(700);
  // By a call, too: it goes one step back, and not two.
  await open();
  await page.evaluate(() => window.parley?.close());
  await expect.poll(() => page.evaluate(() => history.state)).toBe(null);
  await expect.poll(() => page.evaluate(() => window.testPops?.length)).toBe(3);
  await open();
  await chat(page).close();
  await expect.poll(() => page.evaluate(() => window.testPops?.length)).toBe(4);
  expect(page.url()).toBe(address);
  await back();
  await expect.poll(() => page.url()).toMatch(/phone-before/);
});

test('the way back takes what lies over the window first, and outlives a reload', async () => {
  await goTo('layers');
  const address = page.url();
  await open();
  await chat(page).window.getByRole('button', { name: en.menu }).tap();
  await page.getByRole('menuitem', { name: en.conversations }).tap();
  const heading = chat(page).window.getByRole('heading', { name: en.conversations });
  await heading.waitFor();
  await back();
  await heading.waitFor({ state: 'detached' });
  await expect.poll(focused).toBe(en.menu);
  // Where a screen lies over the header the window can be closed at once, too.
  await chat(page).window.getByRole('button', { name: en.menu }).tap();
  await page.getByRole('menuitem', { name: en.keep }).tap();
  await chat(page).window.getByRole('heading', { name: en.keep }).waitFor();
  await chat(page).window.locator('.screen').getByRole('button', { name: en.closeChat }).tap();
  await closed();
  await open();
  await page.reload();
  await chat(page).field.waitFor();
  // The window is there again, and no button of it was asked for.
  expect(await focused()).toBe(en.window);
  await back();
  await closed();
  expect(page.url()).toBe(address);
});

test('a page that goes elsewhere while the window is open, or as it closes it, gets there', async () => {
  await goTo('router');
  await open();
  await page.evaluate(() => {
    window.parley?.close();
    history.pushState({ at: 'boots' }, '', '#boots');
  });
  await closed();
  expect(await page.evaluate(() => [location.hash, history.state])).toEqual(['#boots', { at: 'boots' }]);
  await open();
  expect(await page.evaluate(() => history.state)).toEqual({ at: 'boots', parley: true });
  await back();
  await closed();
  expect(await page.evaluate(() => [location.hash, history.state])).toEqual(['#boots', { at: 'boots' }]);
  expect(await page.evaluate(() => window.testPops)).toEqual([{ at: 'boots' }]);
});

test('a finger that drags in the window moves the thread at most, never the page', async () => {
  await goTo('drag');
  const drag = async (y: number, distance: number) => {
    const touch = (
      type: 'touchStart' | 'touchMove' | 'touchEnd',
      ...touchPoints: { x: number; y: number }[]
    ) => phone.send('Input.dispatchTouchEvent', { type, touchPoints });
    await touch('touchStart', { x: 195, y });
    for (let step = 1; step <= 8; step++) await touch('touchMove', { x: 195, y: y + (distance * step) / 8 });
    await touch('touchEnd');
  };
  const middle = async (selector: string) => {
    const [top, bottom] = await edges(selector);
    return Math.round((top + bottom) / 2);
  };
  await page.evaluate(() => scrollTo(0, 700));
  await open();
  await chat(page).say('Drag me');
  const conversation = await agent(service).conversationOf('Drag me');
  await agent(service).answer(conversation, 'Much to say. '.repeat(200).trim());
  await agent(service).answer(conversation, 'The end');
  await chat(page).bubble('The end').waitFor();
  const thread = () => chat(page).log.evaluate((log) => Math.round(log.scrollTop));
  const below = () => chat(page).log.evaluate((log) => log.scrollHeight - log.scrollTop - log.clientHeight);
  await expect.poll(below).toBeLessThanOrEqual(1);
  const end = await thread();
  expect(end).toBeGreaterThan(300);
  for (const selector of ['.header', '.composer']) {
    await drag(await middle(selector), 200);
    await drag(await middle(selector), -200);
    expect([selector, await scrolled()]).toEqual([selector, 700]);
  }
  // On from both ends of the thread.
  await drag(await middle('.transcript'), -250);
  expect(await thread()).toBe(end);
  await drag(await middle('.transcript'), 250);
  await expect.poll(thread).toBeLessThan(end - 100);
  await chat(page).log.evaluate((log) => log.scrollTo({ top: 0, behavior: 'instant' }));
  await drag(await middle('.transcript'), 250);
  await drag(await middle('.transcript'), 250);
  await expect.poll(thread).toBe(0);
  expect(await scrolled()).toBe(700);
  await chat(page).close();
  // The browser is on its way back from our entry, and puts the page where it was then.
  await expect.poll(() => page.evaluate(() => history.state)).toBe(null);
  expect(await scrolled()).toBe(700);
  // Such a finger does move the page where the window is not.
  await drag(600, -400);
  await expect.poll(scrolled).toBeGreaterThan(900);
});

test('nothing that is typed into is below 16 pixels, so that no browser zooms in', async () => {
  const questions = JSON.stringify([
    { name: 'name', required: true },
    { name: 'email', type: 'email' },
    { name: 'topic', label: 'Topic', type: 'select', options: ['Boots', 'Hats'] },
  ]);
  const sizes = () =>
    page.evaluate(() => {
      const root = document.querySelector('parley-chat')?.shadowRoot;
      const fields = root?.querySelectorAll(
        'textarea, select, input:not([type=checkbox], [type=radio], [type=file])',
      );
      return [...(fields ?? [])].map((field) => Number.parseFloat(getComputedStyle(field).fontSize));
    });
  await goTo('asked', `data-pre-chat='${questions}'`);
  await chat(page).launcher.tap();
  await chat(page).window.getByRole('button', { name: en.askGo }).waitFor();
  expect((await sizes()).length).toBeGreaterThanOrEqual(3);
  expect(Math.min(...(await sizes()))).toBeGreaterThanOrEqual(16);

  await chat(page).window.getByRole('textbox', { name: en.askName }).fill('Ada');
  await chat(page).window.getByRole('combobox').selectOption('Hats');
  await chat(page).window.getByRole('button', { name: en.askGo }).tap();
  await chat(page).say('Ask me on the phone');
  const conversation = await agent(service).conversationOf('Ask me on the phone');
  await agent(service).tell(conversation, {
    content_type: 'form',
    content: 'Details',
    content_attributes: {
      items: [
        { name: 'city', label: 'City', type: 'text' },
        { name: 'why', label: 'Why', type: 'text_area' },
        { name: 'size', label: 'Size', type: 'select', options: [{ label: 'M', value: 'm' }] },
      ],
    },
  });
  await agent(service).tell(conversation, { content_type: 'input_email', content: 'Where to write?' });
  await agent(service).tell(conversation, { content_type: 'input_csat', content: 'How was it?' });
  await chat(page).bubble('How was it?').getByTitle(en.rate4, { exact: true }).tap();
  await chat(page).bubble('How was it?').getByRole('textbox').waitFor();
  await chat(page).window.getByRole('button', { name: en.emoji }).tap();
  await chat(page).window.getByRole('searchbox').waitFor();
  expect((await sizes()).length).toBeGreaterThanOrEqual(7);
  expect(Math.min(...(await sizes()))).toBeGreaterThanOrEqual(16);
});

test('under a notch and above a home bar nothing is covered', async () => {
  await phone.send('Emulation.setSafeAreaInsetsOverride', { insets: { top: 59, bottom: 34 } });
  await goTo('notch');
  await open();
  expect((await edges('.header h2'))[0]).toBeGreaterThanOrEqual(59);
  expect((await edges('.composer .field'))[1]).toBeLessThanOrEqual(HEIGHT - 34);
  await chat(page).window.getByRole('button', { name: en.menu }).tap();
  await page.getByRole('menuitem', { name: en.keep }).tap();
  const heading = chat(page).window.getByRole('heading', { name: en.keep });
  await heading.waitFor();
  expect((await heading.boundingBox())?.y).toBeGreaterThanOrEqual(59);
  // On its side.
  await phone.send('Emulation.setSafeAreaInsetsOverride', { insets: { left: 59, right: 59 } });
  await page.setViewportSize({ width: HEIGHT, height: 390 });
  const bar = chat(page).window.locator('.screen').getByRole('button');
  await expect.poll(async () => (await bar.first().boundingBox())?.x).toBeGreaterThanOrEqual(59);
  const last = await bar.and(page.getByRole('button', { name: en.closeChat })).boundingBox();
  expect((last?.x ?? HEIGHT) + (last?.width ?? 0)).toBeLessThanOrEqual(HEIGHT - 59);
});

test('a finger scrolls the emoji, which leave the field in sight; the way back takes them before the window', async () => {
  await goTo('emoji');
  await open();
  await setView(420);
  await chat(page).window.getByRole('button', { name: 'Emoji', exact: true }).tap();
  const grid = chat(page).host.locator('.emoji-grid');
  await grid.waitFor();
  // No keyboard comes up over what is picked from.
  expect(
    await grid.evaluate((element) => element.contains((element.getRootNode() as ShadowRoot).activeElement)),
  ).toBe(true);
  const [top, bottom] = await edges('.emoji-grid');
  expect(bottom - top).toBeGreaterThan(40);
  expect((await edges('.send, .tool:last-child'))[1]).toBeLessThanOrEqual(420);
  const middle = Math.round((top + bottom) / 2);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) =>
    phone.send('Input.dispatchTouchEvent', { type, touchPoints });
  await touch('touchStart', { x: 195, y: middle });
  for (let step = 1; step <= 8; step++) await touch('touchMove', { x: 195, y: middle - 20 * step });
  await touch('touchEnd');
  await expect.poll(() => grid.evaluate((element) => element.scrollTop)).toBeGreaterThan(40);
  expect(await scrolled()).toBe(0);
  await back();
  await grid.waitFor({ state: 'detached' });
  expect(await chat(page).field.isVisible()).toBe(true);
  await back();
  await closed();
});

test('the wheel with its key zooms the page wherever it is turned', async () => {
  await goTo('zoom');
  await open();
  const prevented = (ctrlKey: boolean) =>
    chat(page)
      .host.locator('.header')
      .evaluate(
        (header, ctrlKey) =>
          !header.dispatchEvent(new WheelEvent('wheel', { ctrlKey, bubbles: true, cancelable: true })),
        ctrlKey,
      );
  expect([await prevented(false), await prevented(true)]).toEqual([true, false]);
});

test('a finger beside a message presses no button that it does not see', async () => {
  await page.goto(service.url + (await service.page('phone-copy', hostPage(service.url))));
  await chat(page).open();
  await chat(page).say('Not to be copied');
  await chat(page).bubble('Not to be copied').waitFor();
  const copy = chat(page).window.locator('.copy').first();
  await copy.waitFor({ state: 'attached' });
  const pressed = copy.evaluate(
    (button) =>
      new Promise<boolean>((resolve) =>
        window.addEventListener('click', (event) => resolve(event.composedPath().includes(button)), {
          once: true,
        }),
      ),
  );
  const { x, y, width, height } = (await copy.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.touchscreen.tap(x + width / 2, y + height / 2);
  expect(await pressed).toBe(false);
  // Nor does it come where a finger has been, which a browser takes for a pointer that stays.
  await chat(page).bubble('Not to be copied').hover();
  expect(await copy.evaluate((button) => getComputedStyle(button).opacity)).toBe('0');
});
