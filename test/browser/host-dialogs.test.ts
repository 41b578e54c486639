/** The host page has modal dialogs and focus traps of its own: neither locks the visitor out of the chat. */
import { expect, test } from 'vitest';
import { more, openTagged } from '../support/around.js';
import { agent, chat, openShop, useShop } from '../support/browser.js';

const { browser, service } = await useShop();

test('a page that holds on to the focus lets the visitor write', async () => {
  const shop = await openShop(browser, `${service.url}/`);
  await shop.page.evaluate(() => {
    const trap = document.body.appendChild(document.createElement('div'));
    const button = trap.appendChild(document.createElement('button'));
    button.textContent = 'Trapped';
    document.addEventListener(
      'focusin',
      (event) => {
        if (event.target instanceof Node && !trap.contains(event.target)) button.focus();
      },
      true,
    );
    button.focus();
  });
  await chat(shop.page).open();
  await expect
    .poll(() => shop.page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.tagName))
    .toBe('TEXTAREA');
  await shop.page.keyboard.type('Out of the trap');
  await shop.page.keyboard.press('Enter');
  await agent(service).conversationOf('Out of the trap');
  await chat(shop.page).window.getByRole('button', { name: 'Close chat' }).click();
  await chat(shop.page).window.waitFor({ state: 'hidden' });
  expect([...shop.console, ...shop.errors]).toEqual([]);
  await shop.close();
});

test.each([
  ['closed meanwhile', true],
  ['still open beside it', false],
])('a modal dialog of the page stands above an open chat, and may open it, %s', async (which, closes) => {
  const shop = await openShop(browser, `${service.url}/`);
  const { page } = shop;
  await chat(page).open();
  await page.evaluate(() => {
    const dialog = document.body.appendChild(document.createElement('dialog'));
    const ask = dialog.appendChild(document.createElement('button'));
    ask.textContent = 'Ask us';
    ask.addEventListener('click', () => window.parley?.open());
    dialog.showModal();
  });
  // The page's dialog has the visitor; the chat is behind it and takes no press.
  const covered = await chat(page).field.evaluate((field) => {
    const { x, y, width, height } = field.getBoundingClientRect();
    return document.elementFromPoint(x + width / 2, y + height / 2)?.tagName !== 'PARLEY-CHAT';
  });
  expect(covered).toBe(true);
  if (closes) await page.evaluate(() => window.parley?.close());
  const ask = page.getByRole('button', { name: 'Ask us' });
  await ask.click();
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.tagName))
    .toBe('TEXTAREA');
  await page.keyboard.type(`From the dialog, ${which}`);
  await page.keyboard.press('Enter');
  await agent(service).conversationOf(`From the dialog, ${which}`);
  await page.keyboard.press('Escape');
  await chat(page).window.waitFor({ state: 'hidden' });
  await ask.waitFor();
  expect(await ask.evaluate((button) => button.matches(':focus'))).toBe(true);
  await page.keyboard.press('Escape');
  await ask.waitFor({ state: 'hidden' });
  // Without it, the chat stands beside the page again.
  await chat(page).open();
  expect(await chat(page).window.evaluate((dialog) => dialog.matches(':modal'))).toBe(false);
  expect([...shop.console, ...shop.errors]).toEqual([]);
  await shop.close();
});

test.each(['open', 'closed'] as const)(
  'a modal dialog in a component of the page, whose root is %s, may open it, too',
  async (mode) => {
    const shop = await openShop(browser, `${service.url}/`);
    await shop.page.waitForFunction(() => window.parley !== undefined);
    await shop.page.evaluate((mode) => {
      const component = document.body.appendChild(document.createElement('div'));
      const ask = component.appendChild(document.createElement('button'));
      ask.textContent = 'Ask us';
      ask.addEventListener('click', () => window.parley?.open());
      const dialog = component.attachShadow({ mode }).appendChild(document.createElement('dialog'));
      dialog.append(document.createElement('slot'));
      dialog.showModal();
    }, mode);
    await shop.page.getByRole('button', { name: 'Ask us' }).click();
    await expect
      .poll(() => shop.page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.tagName))
      .toBe('TEXTAREA');
    const words = `From a component that is ${mode}`;
    await shop.page.keyboard.type(words);
    await shop.page.keyboard.press('Enter');
    await agent(service).conversationOf(words);
    await shop.page.keyboard.press('Escape');
    await chat(shop.page).window.waitFor({ state: 'hidden' });
    await shop.page.getByRole('button', { name: 'Ask us' }).click();
    await chat(shop.page).bubble(words).waitFor();
    expect([...shop.console, ...shop.errors]).toEqual([]);
    await shop.close();
  },
);

test('a page whose style sheet hides the chat is not locked by a call that opens it', async () => {
  const head = '<style>parley-chat { display: none !important }</style>';
  const { page, close } = await openTagged(browser, service, 'hidden-by-style', '', {}, { head });
  await page.waitForFunction(() => window.parley !== undefined);
  expect(await page.evaluate(() => window.parley?.open())).toEqual({ ok: true });
  expect(await page.locator('parley-chat dialog:popover-open').count()).toBe(1);
  expect(await page.locator('parley-chat dialog:modal').count()).toBe(0);
  await close();
});

test('Escape in a chat that is a part of a modal dialog of the page closes one thing at a time', async () => {
  const body =
    '<dialog id="help"><h2>Help</h2><div id="chat" style="width:360px;height:480px"></div></dialog>';
  const { page, close } = await openTagged(
    browser,
    service,
    'in-dialog',
    'data-inside="#chat"',
    {},
    { body },
  );
  await chat(page).host.locator('dialog[open]').waitFor({ state: 'attached' });
  await page.evaluate(() => document.querySelector<HTMLDialogElement>('#help')?.showModal());
  const help = page.getByRole('heading', { name: 'Help', exact: true });
  await more(page).click();
  await page.getByRole('menu').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  expect(await help.isVisible()).toBe(true);
  await chat(page).field.press('Escape');
  await help.waitFor({ state: 'hidden' });
  await close();
});

test('the place of the page is kept while the window takes a phone’s view, and a drag in it moves nothing behind', async () => {
  const shop = await openShop(browser, `${service.url}/`, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
  });
  await shop.page.evaluate(() => window.scrollTo(0, 300));
  await chat(shop.page).open();
  await shop.page.mouse.move(195, 20);
  await shop.page.mouse.wheel(0, 400);
  await chat(shop.page).log.hover();
  await shop.page.mouse.wheel(0, 4000);
  await shop.page.mouse.wheel(0, -4000);
  // Two frames, in which a scroll would have been carried out.
  await shop.page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
  expect(await shop.page.evaluate(() => window.scrollY)).toBe(300);
  await chat(shop.page).close();
  expect(await shop.page.evaluate(() => window.scrollY)).toBe(300);
  await shop.close();
});

test.each([
  ['a press that it keeps to itself', true],
  ['a shortcut', false],
])('a page that is gone back to by %s has the focus, and the chat stays beside it', async (_, pressed) => {
  const shop = await openShop(browser, `${service.url}/`);
  const { page } = shop;
  await page.clock.install();
  await page.evaluate(() => {
    const field = document.body.appendChild(document.createElement('input'));
    field.ariaLabel = 'Search the shop';
    Object.assign(field.style, { position: 'fixed', top: '0', left: '0' });
    document.body.addEventListener('pointerdown', (event) => event.stopPropagation());
  });
  await chat(page).open();
  await chat(page).field.fill('To be gone on with');
  await page.clock.fastForward(2_000);
  const field = page.getByRole('textbox', { name: 'Search the shop' });
  if (pressed) await field.click();
  else await field.evaluate((input) => input.focus());
  await page.keyboard.type('lamp');
  expect(await field.inputValue()).toBe('lamp');
  expect(await chat(page).window.evaluate((dialog) => dialog.matches(':modal'))).toBe(false);
  await shop.close();
});
