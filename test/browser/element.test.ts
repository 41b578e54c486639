/** `<parley-chat>` written in HTML, by the script for it, on a page that has the tag, too. */
import { expect, test } from 'vitest';
import type { ParleyChatElement } from '../../src/embed/element.js';
import { agent, chat, hostPage, openShop, useShop } from '../support/browser.js';
import { holdFiles } from '../support/held-files.js';

const { browser, service } = await useShop();

test('a written chat is its own host, follows its attributes, and leaves the other one alone', async () => {
  const written = `<main><h1>A shop</h1>
    <parley-chat id="mine" class="mine" style="--parley-offset-x: 7px" base-url="${service.url}" inbox-identifier="{{inbox}}" inline
      data-title="Here in the page"></parley-chat></main>`;
  const shop = await openShop(
    browser,
    service.url +
      (await service.page(
        'element',
        hostPage(service.url, {
          head: `<script async src="{{origin}}/parley.element.js"></script>
            <style>.mine { --parley-accent: #b00020; height: 30rem }</style>`,
          body: written,
        }),
      )),
  );
  const { page } = shop;
  const mine = page.locator('#mine');
  const field = mine.getByRole('textbox', { name: 'Message' });
  await field.waitFor();
  await page.locator('html > parley-chat').waitFor({ state: 'attached' });
  expect(await chat(page).host.count()).toBe(2);
  const owned = (selector: string) =>
    page.locator(selector).evaluate((element) => 'chat' in element && typeof element.chat);
  expect(await owned('#mine')).toBe('object');
  expect(await owned('html > parley-chat')).toBe('undefined');

  expect(await mine.getAttribute('style')).toBe('--parley-offset-x: 7px');
  // It lies where it was written, in the colour that the page gave it.
  const [place, window] = await Promise.all([mine.boundingBox(), mine.getByRole('dialog').boundingBox()]);
  expect(window?.y).toBeGreaterThanOrEqual((place?.y ?? 0) - 1);
  await field.fill('From the page');
  await field.press('Enter');
  const conversation = await agent(service).conversationOf('From the page');
  await agent(service).answer(conversation, 'To the page');
  await mine.getByText('To the page', { exact: true }).waitFor();
  const colour = () =>
    mine
      .locator('.mine .bubble')
      .first()
      .evaluate((element) => getComputedStyle(element).backgroundColor);
  expect(await colour()).toBe('rgb(176, 0, 32)');

  // The other one works as ever.
  await page.locator('html > parley-chat button[part=launcher]').click();
  await page.locator('html > parley-chat').getByRole('textbox', { name: 'Message' }).waitFor();
  expect(await chat(page).host.count()).toBe(2);

  await mine.evaluate((element) => element.setAttribute('data-title', 'There'));
  await mine.getByRole('heading', { name: 'There' }).waitFor();
  await mine.getByText('To the page', { exact: true }).waitFor();
  expect(await mine.getByRole('dialog').count()).toBe(1);
  expect([...shop.console, ...shop.errors]).toEqual([]);

  // A wrong attribute is said, and put right.
  await mine.evaluate((element) => element.setAttribute('base-url', 'support'));
  await expect.poll(() => shop.console.join()).toMatch(/Parley: data-base-url with https:/);
  await mine.getByRole('dialog').waitFor({ state: 'detached' });
  await mine.evaluate((element, url) => element.setAttribute('base-url', url), service.url);
  await field.waitFor();

  // Moved it stays, taken away it ends, and comes back whole.
  await page.evaluate(() => {
    const element = document.querySelector('#mine');
    if (element) document.body.prepend(element);
  });
  await mine.getByText('To the page', { exact: true }).waitFor();
  const element = await page.evaluateHandle(() => {
    const mine = document.querySelector<ParleyChatElement>('#mine');
    mine?.remove();
    return mine;
  });
  expect(await element.evaluate((gone) => [gone?.chat, gone?.shadowRoot?.childElementCount])).toEqual([
    undefined,
    0,
  ]);
  // Kept aside by the page in between, as frameworks do.
  await element.evaluate(async (back) => {
    const aside = document.createDocumentFragment();
    if (back) document.querySelector('main')?.append(back);
    await Promise.resolve();
    if (back) aside.append(back);
    await new Promise(requestAnimationFrame);
    document.querySelector('main')?.append(aside);
  });
  await mine.getByText('To the page', { exact: true }).waitFor();
  expect(await mine.getByRole('dialog').count()).toBe(1);
  expect(shop.console).toHaveLength(1);
  expect(shop.errors).toEqual([]);
  await shop.close();
});

test('a dialog of the page that hides what stands beside it does not begin the chat anew, and a corner can change', async () => {
  const path = await service.page(
    'element-corner',
    `<!doctype html><html lang="en"><head><title>A page</title><link rel="icon" href="data:,">
      <script async src="{{origin}}/parley.element.js"></script></head><body>
      <parley-chat base-url="${service.url}" inbox-identifier="{{inbox}}" position="bottom-start"></parley-chat></body></html>`,
  );
  const shop = await openShop(browser, service.url + path);
  const { page } = shop;
  const launcher = chat(page).launcher;
  await launcher.waitFor();
  const mine = page.locator('parley-chat');
  const same = () =>
    mine.evaluate((element) => {
      const { chat } = element as unknown as { chat: object };
      const before: unknown = Reflect.get(window, 'before');
      Reflect.set(window, 'before', chat);
      return before === chat;
    });
  await same();
  await mine.evaluate((element) => {
    element.setAttribute('data-aria-hidden', 'true');
    element.setAttribute('aria-hidden', 'true');
    element.toggleAttribute('inert', true);
  });
  expect(await same()).toBe(true);
  await mine.evaluate((element) => {
    for (const name of ['data-aria-hidden', 'aria-hidden', 'inert']) element.removeAttribute(name);
  });
  const left = async () => ((await launcher.boundingBox())?.x ?? 0) < 640;
  await expect.poll(left).toBe(true);
  await mine.evaluate((element) => element.setAttribute('position', 'bottom-end'));
  await expect.poll(left).toBe(false);
  expect(await same()).toBe(false);
  await mine.evaluate((element) => element.removeAttribute('position'));
  await launcher.waitFor();
  expect(await mine.evaluate((element) => Object.keys(element.dataset))).toEqual([]);
  await shop.close();
});

test.each([
  [1280, ':popover-open'],
  [390, ':modal'],
] as const)('moved on a page of %i pixels, an open window stays open', async (width, shown) => {
  const path = await service.page(
    'element-moved',
    `<!doctype html><html lang="en"><head><title>A page</title><link rel="icon" href="data:,">
      <script async src="{{origin}}/parley.element.js"></script></head><body><main><input aria-label="Of the page"></main>
      <footer></footer><parley-chat base-url="${service.url}" inbox-identifier="{{inbox}}"></parley-chat></body></html>`,
  );
  const shop = await openShop(browser, service.url + path, { viewport: { width, height: 800 } });
  const { page } = shop;
  await chat(page).open();
  await chat(page).field.fill('Half a word');
  const move = (way: 'append' | 'moveBefore') =>
    page.evaluate(
      ([way, shown]) => {
        const element = document.querySelector('parley-chat');
        const to = document.querySelector(element?.parentElement?.localName === 'footer' ? 'main' : 'footer');
        const dialog = element?.shadowRoot?.querySelector('dialog');
        if (!element || !to || !dialog) throw new Error('there is no chat on this page');
        if (way === 'append') to.append(element);
        else Reflect.get(to, way).call(to, element, null);
        return dialog.matches(shown);
      },
      [way, shown] as const,
    );
  const focused = () => page.evaluate(() => document.activeElement?.localName);
  if (width === 1280) await page.getByRole('textbox', { name: 'Of the page' }).click();
  expect(await move('append')).toBe(true);
  // Beside the page the focus is the page's as before.
  if (width === 1280) expect(await focused()).toBe('input');
  expect(await chat(page).field.inputValue()).toBe('Half a word');
  // Whoever is moved without being taken away keeps the focus, too.
  await chat(page).field.focus();
  expect(await move('moveBefore')).toBe(true);
  expect(await focused()).toBe('parley-chat');
  await chat(page).field.press('Escape');
  await chat(page).window.waitFor({ state: 'hidden' });
  // And a closed one stays closed.
  expect(await move('append')).toBe(false);
  await chat(page).open();
  await chat(page).say(`Said at ${width} pixels`);
  await agent(service).conversationOf(`Said at ${width} pixels`);
  expect([...shop.console, ...shop.errors]).toEqual([]);
  await shop.close();
});

test('a page that swaps its body takes the written chats of the old one away', async () => {
  const path = await service.page(
    'element-swap',
    `<!doctype html><html lang="en"><head><title>A page</title><link rel="icon" href="data:,">
      <script async src="{{origin}}/parley.element.js"></script></head><body>
      <parley-chat base-url="${service.url}" inbox-identifier="{{inbox}}"></parley-chat></body></html>`,
  );
  const shop = await openShop(browser, service.url + path);
  const { page } = shop;
  await chat(page).open();
  await chat(page).field.waitFor();
  const first = await page.evaluateHandle(() => document.querySelector<ParleyChatElement>('parley-chat'));
  for (let visit = 0; visit < 3; visit++) {
    await page.evaluate(() => {
      const next = document.createElement('body');
      const { attributes } = document.querySelector('parley-chat') ?? {};
      const written = document.createElement('parley-chat');
      for (const { name, value } of attributes ?? []) written.setAttribute(name, value);
      next.append(written);
      document.body.replaceWith(next);
    });
    await chat(page).launcher.waitFor();
  }
  await expect.poll(() => page.locator('parley-chat').count()).toBe(1);
  expect(await page.locator('body > parley-chat').count()).toBe(1);
  expect(await first.evaluate((gone) => [gone?.isConnected, gone?.chat])).toEqual([false, undefined]);
  // Left open, it is so on the next page.
  await chat(page).field.waitFor();
  await chat(page).close();
  expect([...shop.console, ...shop.errors]).toEqual([]);
  await shop.close();
});

test('what a page may not keep outlives a change of options: the conversation, the words and the files in the field', async () => {
  const shop = await openShop(
    browser,
    service.url +
      (await service.page(
        'element-memory',
        `<!doctype html><html lang="en"><title>A shop</title><link rel="icon" href="data:,">
          <script async src="{{origin}}/parley.element.js"></script>
          <parley-chat base-url="${service.url}" inbox-identifier="{{inbox}}" storage="memory" consent="call"></parley-chat></html>`,
      )),
  );
  const { page } = shop;
  await chat(page).open();
  await chat(page).say('Nowhere to keep it');
  const conversation = await agent(service).conversationOf('Nowhere to keep it');
  await chat(page).field.fill('Half a sentence');
  await page.locator('parley-chat input[type=file]').setInputFiles({
    name: 'invoice.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('Seven'),
  });
  await page.getByText('invoice.txt', { exact: true }).waitFor();
  await chat(page).host.evaluate((element) => element.setAttribute('title', 'Another title'));
  await page.getByText('invoice.txt', { exact: true }).waitFor({ state: 'detached' });
  await chat(page).open();
  await page.getByRole('heading', { name: 'Another title' }).waitFor();
  await chat(page).bubble('Nowhere to keep it').waitFor();
  expect(await chat(page).field.inputValue()).toBe('Half a sentence');
  await page.getByText('invoice.txt', { exact: true }).waitFor();
  await chat(page).field.press('Enter');
  expect(await agent(service).conversationOf('Half a sentence')).toBe(conversation);
  expect(await page.evaluate(() => [localStorage.length, sessionStorage.length])).toEqual([0, 0]);
  expect([...shop.console, ...shop.errors]).toEqual([]);
  await shop.close();
});

test('before there is leave, and where an option is wrong, nothing is there to press; what was destroyed comes back once', async () => {
  const path = await service.page(
    'element-leave',
    `<!doctype html><html lang="en"><head><title>A page</title><link rel="icon" href="data:,">
      <script async src="{{origin}}/parley.element.js"></script></head><body>
      <parley-chat base-url="${service.url}" inbox-identifier="{{inbox}}" connect="allow" storage="memory"></parley-chat></body></html>`,
  );
  const shop = await openShop(browser, service.url + path);
  const { page } = shop;
  const mine = chat(page).host;
  const call = (what: 'show' | 'hide' | 'destroy') =>
    mine.evaluate((element, what) => {
      if ('chat' in element) (element as ParleyChatElement).chat?.[what]();
    }, what);
  await page.waitForFunction(() => document.querySelector('parley-chat')?.shadowRoot?.childElementCount);
  expect(await chat(page).launcher.isVisible()).toBe(false);
  // A page that shows its chat has not asked the visitor.
  await call('hide');
  await call('show');
  expect(await chat(page).launcher.isVisible()).toBe(false);
  await mine.evaluate((element) => (element as ParleyChatElement).chat?.allow('memory'));
  await chat(page).launcher.waitFor();
  await call('hide');
  await chat(page).launcher.waitFor({ state: 'hidden' });
  await call('show');
  await chat(page).launcher.waitFor();

  await mine.evaluate((element) => element.setAttribute('base-url', 'support'));
  await chat(page).launcher.waitFor({ state: 'hidden' });
  await expect.poll(() => shop.console.length).toBe(1);
  await mine.evaluate((element, url) => {
    element.removeAttribute('connect');
    element.setAttribute('base-url', url);
  }, service.url);
  await chat(page).launcher.waitFor();

  const element = await mine.elementHandle();
  await call('destroy');
  await mine.waitFor({ state: 'detached' });
  await element?.evaluate((back) => document.body.append(back));
  await chat(page).launcher.waitFor();
  expect(await mine.evaluate((back) => back.shadowRoot?.querySelectorAll('[part=launcher]').length)).toBe(1);
  expect(shop.console).toHaveLength(1);
  expect(shop.errors).toEqual([]);
  await shop.close();
});

const written = (name: string, more = '') =>
  service
    .page(
      name,
      `<!doctype html><html lang="en"><title>A shop</title><link rel="icon" href="data:,">
      <script async src="{{origin}}/parley.element.js"></script>
      <parley-chat base-url="${service.url}" inbox-identifier="{{inbox}}" ${more}></parley-chat></html>`,
    )
    .then((path) => openShop(browser, service.url + path));

test('a program that writes an element has its chat at once, and none after its end', async () => {
  const shop = await written('element-at-once');
  const { page } = shop;
  const found = await page.evaluate(async () => {
    await customElements.whenDefined('parley-chat');
    const [first] = document.querySelectorAll('parley-chat');
    const made = document.createElement('parley-chat');
    for (const { name, value } of first?.attributes ?? []) made.setAttribute(name, value);
    const aside = made.chat;
    document.body.append(made);
    const { chat } = made;
    await Promise.resolve();
    const later = made.chat;
    chat?.destroy();
    const over = made.chat;
    await Promise.resolve();
    document.body.append(made);
    return [!!first?.chat, aside, !!chat, chat === later, over, !!made.chat && made.chat !== chat];
  });
  expect(found).toEqual([true, undefined, true, true, undefined, true]);
  expect([...shop.console, ...shop.errors]).toEqual([]);
  await shop.close();
});

test('what was typed before there was a field outlives a change of options, behind what stood there', async () => {
  const shop = await written('element-typed');
  const { page } = shop;
  await chat(page).open();
  await chat(page).field.fill('From before: ');
  await chat(page).close();
  const files = await holdFiles(page, '**/{assets,again}/*.js');
  await page.reload();
  await chat(page).launcher.focus();
  await page.keyboard.press('Enter');
  await page.locator('parley-chat button[aria-busy]').waitFor();
  await page.keyboard.type('is the lamp');
  await page.keyboard.press('Enter');
  await page.keyboard.type('in stock?');
  await chat(page).host.evaluate((element) => element.setAttribute('title', 'Another title'));
  await page.locator('parley-chat button[aria-busy]').waitFor({ state: 'detached' });
  await files.release();
  await chat(page).open();
  await page.getByRole('heading', { name: 'Another title' }).waitFor();
  await expect.poll(() => chat(page).field.inputValue()).toBe('From before: is the lamp\nin stock?');
  // And not once more.
  await chat(page).field.fill('Something else');
  await chat(page).host.evaluate((element) => element.setAttribute('title', 'One more'));
  await page.getByRole('heading', { name: 'One more' }).waitFor();
  await expect.poll(() => chat(page).field.inputValue()).toBe('Something else');
  expect([...shop.console, ...shop.errors]).toEqual([]);
  await shop.close();
});
