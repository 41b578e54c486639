/** What has the focus and goes away: no key of the visitor may go to the page behind. And what is not theirs to reach. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { focused, more, openTagged, pick, say } from '../support/around.js';
import { agent, chat, openShop, useShop } from '../support/browser.js';
import { holdFiles } from '../support/held-files.js';
import { drawn } from '../support/thread.js';

const { browser, service } = await useShop();

const button = (page: Page, name: string) => chat(page).window.getByRole('button', { name, exact: true });
/** What has this role and the focus. */
const held = (page: Page, role: 'searchbox' | 'menuitem') =>
  chat(page).window.getByRole(role).and(page.locator(':focus'));
/** Of what has the focus: its role or its element. */
const holder = (page: Page) =>
  page.evaluate(() => {
    const active = document.activeElement?.shadowRoot?.activeElement;
    return active?.getAttribute('role') ?? active?.localName ?? 'the page';
  });

test('words that wait can be taken back, and the focus goes to the field; deleted, it stays in the window', async () => {
  const { page, close } = await openShop(browser, `${service.url}/`);
  await chat(page).open();
  await say(service, page, 'Before the tunnel');
  await page.context().setOffline(true);
  await chat(page).say('In the tunnel');
  await button(page, 'Edit').press('Enter');
  await expect.poll(() => chat(page).field.inputValue()).toBe('In the tunnel');
  expect(await focused(page)).toBe('Message');
  await chat(page).field.press('Enter');
  await button(page, 'Delete').press('Enter');
  await chat(page).bubble('In the tunnel').waitFor({ state: 'detached' });
  await expect.poll(() => holder(page)).toBe('log');
  await page.keyboard.press('Escape');
  await chat(page).window.waitFor({ state: 'hidden' });
  await close();
});

test('the menu has the keyboard before it is drawn: a quick key is for it', async () => {
  const { page, close } = await openShop(browser, `${service.url}/`);
  await chat(page).open();
  // Its file is here from now on.
  await more(page).press('Enter');
  await held(page, 'menuitem').waitFor();
  await page.keyboard.press('Escape');
  await held(page, 'menuitem').waitFor({ state: 'detached' });
  await more(page).evaluate(async (dots) => {
    if (dots instanceof HTMLElement) dots.click();
    await new Promise<void>((done) => queueMicrotask(done));
    Reflect.set(window, 'roleThen', document.activeElement?.shadowRoot?.activeElement?.getAttribute('role'));
  });
  expect(await page.evaluate(() => Reflect.get(window, 'roleThen'))).toBe('menuitem');
  await close();
});

test('where “Try again” has brought the conversations, the focus goes to their heading', async () => {
  const { page, close } = await openShop(browser, `${service.url}/`);
  await chat(page).open();
  await say(service, page, 'One of several');
  await page.route('**/conversations', (route) => route.abort());
  await pick(page, 'Conversations');
  const again = button(page, 'Try again');
  await again.waitFor();
  await page.unroute('**/conversations');
  await page.keyboard.press('Tab');
  await expect.poll(() => focused(page)).toBe('Try again');
  await page.keyboard.press('Enter');
  await again.waitFor({ state: 'detached' });
  await expect.poll(() => holder(page)).toBe('h2');
  expect(await focused(page)).toBe('Conversations');
  await page.keyboard.press('Tab');
  expect(await focused(page)).toMatch(/One of several/);
  await close();
});

test('at words that are shown in full the focus goes to those that were not shown', async () => {
  const { page, close } = await openShop(browser, `${service.url}/`);
  await chat(page).open();
  const conversation = await say(service, page, 'Tell me all');
  await agent(service).answer(conversation, 'Much to say. '.repeat(300).trim());
  await button(page, 'Show all').press('Enter');
  await button(page, 'Show all').waitFor({ state: 'detached' });
  await expect.poll(() => holder(page)).toBe('p');
  // They are read from where they begin, though nothing stands below them.
  await drawn(page);
  const [part, log] = await Promise.all(
    [chat(page).log.locator('.part:focus'), chat(page).log].map((one) => one.boundingBox()),
  );
  expect(part?.y).toBeGreaterThan(log?.y ?? 0);
  expect((part?.y ?? 0) + (part?.height ?? 0)).toBeGreaterThan((log?.y ?? 0) + (log?.height ?? 0));
  await button(page, 'Jump to latest').waitFor();
  expect(await chat(page).log.locator('.part:focus').count()).toBe(1);
  await page.keyboard.press('Escape');
  await chat(page).window.waitFor({ state: 'hidden' });
  await close();
});

test('who has gone elsewhere is left there', async () => {
  const { page, close } = await openShop(browser, `${service.url}/`);
  await chat(page).open();
  // All that sends is here by now.
  await say(service, page, 'Before the cellar');
  await page.context().setOffline(true);
  await chat(page).say('Never mind');
  await button(page, 'Delete').waitFor();
  await button(page, 'Delete').focus();
  await page.mouse.click(5, 5);
  expect(await holder(page)).toBe('the page');
  await page.evaluate(() => {
    const root = document.querySelector('parley-chat')?.shadowRoot;
    const all = [...(root?.querySelectorAll<HTMLElement>('.refused button') ?? [])];
    all.at(-1)?.click();
  });
  await chat(page).bubble('Never mind').waitFor({ state: 'detached' });
  expect(await holder(page)).toBe('the page');
  await close();
});

test.each([
  // Here is no microphone: the recorder comes, says so and goes.
  ['Record a voice message', 'parts', (page: Page) => chat(page).window.getByText(/^We cannot hear you/)],
  ['Emoji', 'emoji', (page: Page) => held(page, 'searchbox')],
  ['More', 'more', (page: Page) => held(page, 'menuitem')],
])(
  '%s that comes late leaves whoever writes by then alone, and comes when it is pressed again',
  async (name, file, coming) => {
    const { page, close } = await openShop(browser, `${service.url}/`);
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(new RegExp(`/(?:assets|again)/${file}-`), async (route) => {
      await released;
      await route.continue();
    });
    await chat(page).open();
    const asked = page.waitForRequest(new RegExp(`/(?:assets|again)/${file}-`));
    await button(page, name).click();
    await chat(page).field.click();
    await page.keyboard.type('Still wri');
    const address = (await asked).url();
    release();
    // It is here, and whoever has waited for it has heard.
    await page.evaluate(`import('${address}').then(() => {})`);
    await drawn(page);
    await drawn(page);
    expect(await focused(page)).toBe('Message');
    await page.keyboard.type('ting');
    expect(await chat(page).field.inputValue()).toBe('Still writing');
    await page.keyboard.press('Enter');
    await chat(page).bubble('Still writing').waitFor();
    await button(page, name).click();
    await coming(page).waitFor();
    await close();
  },
);

test('who goes on writing while the menu is on its way loses no letter of it', async () => {
  const { page, close } = await openShop(browser, `${service.url}/`);
  await page.route(/\/assets\/more-/, () => {});
  await chat(page).open();
  await chat(page).field.focus();
  // As a finger presses it, which leaves the focus in the field.
  await button(page, 'More').evaluate((more: HTMLElement) => more.click());
  await chat(page).window.getByRole('button', { name: 'More', expanded: true }).waitFor();
  await page.keyboard.type('Still writing');
  expect(await chat(page).field.inputValue()).toBe('Still writing');
  await chat(page).window.getByRole('button', { name: 'More', expanded: false }).waitFor();
  await close();
});

test('a window whose launcher is the page’s can be closed by a press; on paper there is only the page', async () => {
  const { page, close } = await openTagged(browser, service, 'bare', 'data-launcher="hidden"');
  await page.evaluate(() => window.parley?.open());
  await chat(page).field.waitFor();
  const visibility = () =>
    chat(page)
      .host.locator('dialog')
      .evaluate((dialog) => getComputedStyle(dialog).visibility);
  await chat(page).log.waitFor();
  expect(await visibility()).toBe('visible');
  await page.emulateMedia({ media: 'print' });
  expect(await visibility()).toBe('hidden');
  await page.emulateMedia({ media: null });
  await chat(page).window.getByRole('button', { name: 'Close chat', exact: true }).click();
  await chat(page).window.waitFor({ state: 'hidden' });
  await close();
});

test('the focus goes back to what opened it: a button of the page, if it can take it, or the launcher', async () => {
  const body = '<main><button onclick="parley.open()">Ask us</button></main>';
  const { page, close } = await openTagged(browser, service, 'opener', '', {}, { body });
  const own = page.getByRole('button', { name: 'Ask us' });
  const leave = async () => {
    await expect.poll(() => focused(page)).toBe('Message');
    await page.keyboard.press('Escape');
    await chat(page).window.waitFor({ state: 'hidden' });
  };
  const hasFocus = (button: typeof own) => button.evaluate((one) => one.matches(':focus'));
  // What is here already takes the focus from nothing but the button.
  await chat(page).open();
  await leave();
  for (const modal of [false, true]) {
    await page.setViewportSize(modal ? { width: 390, height: 844 } : { width: 1280, height: 800 });
    await own.press('Enter');
    await leave();
    expect(await hasFocus(own)).toBe(true);
    await chat(page).launcher.press('Enter');
    await leave();
    expect(await hasFocus(chat(page).launcher)).toBe(true);
  }
  await own.press('Enter');
  await own.evaluate((one) => one.toggleAttribute('disabled'));
  await leave();
  expect(await hasFocus(chat(page).launcher)).toBe(true);
  await own.evaluate((one) => one.toggleAttribute('disabled'));
  await own.press('Enter');
  await own.evaluate((one) => one.remove());
  await leave();
  expect(await hasFocus(chat(page).launcher)).toBe(true);
  await close();
});

test('Escape closes a window that lies over what of the page has the focus, which keeps it; elsewhere it does not', async () => {
  const at = (id: string, place: string) =>
    `<button id="${id}" style="position:fixed;inline-size:80px;block-size:30px;${place}">${id}</button>`;
  const body =
    at('below', 'inset-block-end:300px;inset-inline-end:100px') + at('beside', 'inset:0 auto auto 0');
  const { page, close } = await openTagged(browser, service, 'uncover', '', {}, { body });
  await chat(page).open();
  await chat(page).log.waitFor();
  const hasFocus = (id: string) => page.locator(`#${id}`).evaluate((one) => one.matches(':focus'));
  await page.locator('#beside').click();
  await page.keyboard.press('Escape');
  await page.locator('#below').focus();
  // A menu of the page over it is seen.
  await page.evaluate(() => {
    const menu = document.createElement('div');
    menu.id = 'menu';
    menu.popover = 'manual';
    menu.style.cssText =
      'margin:0;border:0;padding:0;inset:auto 60px 260px auto;inline-size:200px;block-size:150px';
    menu.innerHTML = '<button>Menu</button>';
    document.body.append(menu);
    menu.showPopover();
    menu.querySelector('button')?.focus();
  });
  await page.keyboard.press('Escape');
  await drawn(page);
  expect(await chat(page).window.isVisible()).toBe(true);
  expect(await chat(page).window.evaluate((dialog) => dialog.matches(':popover-open'))).toBe(true);
  await page.evaluate(() => document.querySelector('#menu')?.remove());
  await page.locator('#below').focus();
  await page.evaluate(() => {
    const own = (event: Event) => event.preventDefault();
    document.querySelector('#below')?.addEventListener('keydown', own, { once: true });
  });
  // The page has had its own use for it.
  await page.keyboard.press('Escape');
  await drawn(page);
  expect(await chat(page).window.isVisible()).toBe(true);
  await page.keyboard.press('Escape');
  await chat(page).window.waitFor({ state: 'hidden' });
  expect(await hasFocus('below')).toBe(true);

  await chat(page).open();
  await chat(page).launcher.focus();
  await page.keyboard.press('Escape');
  await chat(page).window.waitFor({ state: 'hidden' });
  expect(await chat(page).launcher.evaluate((button) => button.matches(':focus'))).toBe(true);
  await close();
});

test('in a part of the page Escape at what stands before it closes nothing', async () => {
  const body =
    '<div id="here" style="block-size:600px"></div><button id="own" style="position:fixed;z-index:-1;inset:200px auto auto 200px">Own</button>';
  const { page, close } = await openTagged(
    browser,
    service,
    'uncover-not',
    'data-inside="#here"',
    {},
    { body },
  );
  await chat(page).log.waitFor();
  await page.locator('#own').focus();
  await page.keyboard.press('Escape');
  await drawn(page);
  expect(await chat(page).field.isVisible()).toBe(true);
  expect(await page.evaluate(() => window.parley?.status().open)).toBe(true);
  await close();
});

test('the focus goes back to the page’s button where the questions came late, and there is no other', async () => {
  const body = '<main><button onclick="parley.open()">Ask us</button></main>';
  const tag = `data-launcher="hidden" data-pre-chat='[{"name":"order"}]'`;
  const { page, close } = await openTagged(browser, service, 'late-opener', tag, {}, { body });
  // What the owner's file does with the page's launcher it has done by then.
  await chat(page).host.and(page.locator('[data-bare]')).waitFor({ state: 'attached' });
  const files = await holdFiles(page, '**/{assets,again}/{app,kit}-*.js*');
  const own = page.getByRole('button', { name: 'Ask us' });
  await own.press('Enter');
  await expect.poll(files.count).toBeGreaterThan(0);
  await files.release();
  await page.getByRole('textbox', { name: 'order' }).waitFor();
  await page.keyboard.press('Escape');
  await chat(page).window.waitFor({ state: 'hidden' });
  await expect.poll(() => own.evaluate((one) => one.matches(':focus'))).toBe(true);
  await close();
});

test.each([
  ['a call', '', 'onclick="parley.open()"'],
  ['the tag', 'data-launcher="#ask"', 'id="ask"'],
])('who has read on since the chat was opened by %s stays there when it closes', async (by, tag, button) => {
  const body = `<main><button ${button}>Ask us</button>${'<p>Much to read.</p>'.repeat(120)}</main>`;
  const { page, close } = await openTagged(browser, service, `read-on-${by.length}`, tag, {}, { body });
  const own = page.getByRole('button', { name: 'Ask us' });
  await page.waitForFunction(() => window.parley !== undefined);
  if (tag) await expect.poll(() => own.getAttribute('aria-expanded')).toBe('false');
  // What is here already takes the focus from nothing but the button.
  await page.evaluate(() => window.parley?.open());
  await chat(page).field.waitFor();
  await page.evaluate(() => window.parley?.close());
  await own.press('Enter');
  await expect.poll(() => focused(page)).toBe('Message');
  await page.mouse.move(100, 400);
  await page.mouse.wheel(0, 1_500);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(1_500);
  await page.keyboard.press('Escape');
  await chat(page).window.waitFor({ state: 'hidden' });
  await expect.poll(() => own.evaluate((one) => one.matches(':focus'))).toBe(true);
  await drawn(page);
  expect(await page.evaluate(() => scrollY)).toBe(1_500);
  await close();
});

test('Tab leads out of the menu to where it leads from the button of the menu', async () => {
  const { page, close } = await openShop(browser, `${service.url}/`);
  await chat(page).open();
  // Until it has come there is one stop less.
  await chat(page).log.waitFor();
  const menuButton = button(page, 'More');
  for (const key of ['Tab', 'Shift+Tab']) {
    await menuButton.focus();
    await page.keyboard.press(key);
    const beside = await focused(page);
    expect(beside).not.toBe('More');
    await menuButton.press('Enter');
    await held(page, 'menuitem').waitFor();
    await page.keyboard.press(key);
    await chat(page).window.getByRole('menu').waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toBe(beside);
  }
  await close();
});

test('the menu goes when the focus goes elsewhere in the window', async () => {
  const { page, close } = await openShop(browser, `${service.url}/`);
  await chat(page).open();
  await button(page, 'More').press('Enter');
  await held(page, 'menuitem').waitFor();
  // A press between its items gives the focus to the window around it, as Safari does at a press on its button.
  await chat(page).window.getByRole('menu').getByRole('separator').first().click();
  await drawn(page);
  expect(await chat(page).window.getByRole('menu').count()).toBe(1);
  // As a screen reader moves it.
  await chat(page).field.focus();
  await chat(page).window.getByRole('menu').waitFor({ state: 'detached' });
  expect(await focused(page)).toBe('Message');
  await close();
});
