/** What axe finds (nothing) in every state, scheme, direction and width; and the way of a visitor without a mouse. */
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pick, say } from '../support/around.js';
import { agent, arabic, chat, english, openShop, said, useShop } from '../support/browser.js';
import { type FaultProxy, startFaultProxy, status } from '../support/fault-proxy.js';
import { png } from '../support/media.js';
import { objections } from '../support/objections.js';

const { browser, service } = await useShop();
let proxy: FaultProxy;
beforeEach(async () => {
  proxy = await startFaultProxy(service.url);
});
afterEach(() => proxy.stop());

const WIDTHS = [390, 1280];

test.each([
  ['left-to-right', '/', 'Good evening', 'A refused message', english],
  ['right-to-left', '/rtl.html', 'مساء الخير', 'رسالة مرفوضة', arabic],
])('axe finds nothing in any state of a %s page', async (_, path, words, unwanted, say) => {
  const shop = await openShop(browser, proxy.url + path);
  const { page } = shop;
  proxy.rule(({ method, body }) => (method === 'POST' && body.includes(unwanted) ? status(422) : undefined));
  await chat(page, say).launcher.waitFor();
  const all = await objections(page, 'closed', 'document', WIDTHS);

  await chat(page, say).open();
  await chat(page, say).log.getByRole('heading').waitFor();
  all.push(...(await objections(page, 'open', 'document', WIDTHS)));

  await chat(page, say).say(words);
  const conversation = await agent(service).conversationOf(words);
  await agent(service).answer(conversation, 'Good evening to you');
  await chat(page, say).bubble('Good evening to you').waitFor();
  await agent(service).typing(conversation, true);
  await chat(page, say)
    .log.getByText(say('typing', { name: 'Ada' }))
    .waitFor({ state: 'attached' });
  await chat(page, say).field.fill('A draft');
  all.push(...(await objections(page, 'conversing', 'document', WIDTHS)));

  await chat(page, say).say(unwanted);
  await chat(page, say)
    .bubble(unwanted)
    .getByRole('button', { name: say('retry') })
    .waitFor();
  all.push(...(await objections(page, 'failed', 'document', WIDTHS)));

  await page.context().setOffline(true);
  await chat(page, say).say('Later');
  await chat(page, say).window.getByRole('status').getByText(say('offline')).waitFor();
  all.push(...(await objections(page, 'offline', 'document', WIDTHS)));
  expect(all).toEqual([]);
  await shop.close();
});

test('the whole way is open to a keyboard', async () => {
  const { page, close } = await openShop(browser, `${proxy.url}/`);
  const { launcher, field, window } = chat(page);
  const focused = () =>
    page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.ariaLabel ?? '');
  await launcher.waitFor();
  for (let step = 0; step < 60 && (await focused()) !== 'Open chat'; step++) await page.keyboard.press('Tab');
  expect(await focused()).toBe('Open chat');
  expect(await launcher.getAttribute('aria-expanded')).toBe('false');
  await page.keyboard.press('Enter');
  await field.waitFor();
  expect(await launcher.getAttribute('aria-expanded')).toBe('true');
  expect(await focused()).toBe('Message');
  await page.keyboard.type('Typed');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('without a mouse');
  expect(await field.inputValue()).toBe('Typed\nwithout a mouse');
  await page.keyboard.press('Enter');
  await agent(service).conversationOf('Typed\nwithout a mouse');
  expect(await field.inputValue()).toBe('');
  expect(await focused()).toBe('Message');
  await page.keyboard.press('Escape');
  await window.waitFor({ state: 'hidden' });
  expect(await focused()).toBe('Open chat');
  expect(await launcher.getAttribute('aria-expanded')).toBe('false');
  await page.keyboard.press('Space');
  await expect.poll(focused).toBe('Message');
  await close();
});

test('on a narrow screen the window is modal: the keyboard stays in it until Escape', async () => {
  const { page, close } = await openShop(browser, `${proxy.url}/`, { viewport: { width: 390, height: 800 } });
  await chat(page).open();
  const inside = () =>
    page.evaluate(() => {
      const active = document.activeElement?.shadowRoot?.activeElement;
      return active?.closest('dialog') ? 'inside' : (document.activeElement?.tagName ?? 'nothing');
    });
  const seen = new Set<string>();
  for (let step = 0; step < 12; step++) {
    await page.keyboard.press('Tab');
    seen.add(await inside());
  }
  // Between two rounds the keyboard passes the browser itself, which shows as the body.
  expect([...seen].filter((where) => where !== 'BODY')).toEqual(['inside']);
  await chat(page).field.focus();
  await page.keyboard.press('Escape');
  await chat(page).window.waitFor({ state: 'hidden' });
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.ariaLabel))
    .toBe('Open chat');
  await close();
});

test('Enter that ends a composition of an input method does not send', async () => {
  const { page, close } = await openShop(browser, `${proxy.url}/`);
  await chat(page).open();
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Input.imeSetComposition', { text: 'にほん', selectionStart: 3, selectionEnd: 3 });
  await expect.poll(() => chat(page).field.inputValue()).toBe('にほん');
  const keys = await chat(page).field.evaluateHandle((field) => {
    const composing: boolean[] = [];
    field.addEventListener('keydown', (event) =>
      composing.push(event instanceof KeyboardEvent && event.isComposing),
    );
    return composing;
  });
  await page.keyboard.press('Enter');
  expect(await keys.jsonValue()).toEqual([true]);
  await devtools.send('Input.insertText', { text: '日本' });
  await expect.poll(() => chat(page).field.inputValue()).toMatch(/日本/);
  expect(await said(page)).toEqual([]);
  await chat(page).field.fill('日本');
  await page.keyboard.press('Enter');
  await agent(service).conversationOf('日本');
  expect(
    proxy.requests.filter(({ path, method }) => method === 'POST' && path.endsWith('/messages')),
  ).toHaveLength(1);
  await close();
});

/** All that a screen reader is told to say, on each page that comes after, in its order. */
async function ear(page: Page): Promise<string[]> {
  const heard: string[] = [];
  await page.exposeFunction('testHear', (words: string) => void heard.push(words));
  await page.addInitScript(() => {
    const { attachShadow } = Element.prototype;
    Element.prototype.attachShadow = function (given) {
      const root = attachShadow.call(this, given);
      new MutationObserver((changes) => {
        const regions = new Set<Element>();
        for (const { target, addedNodes } of changes) {
          const around = target instanceof Element ? target : target.parentElement;
          const region = around?.closest('[aria-live=polite]');
          if (region) regions.add(region);
          for (const node of addedNodes)
            if (node instanceof Element)
              for (const inner of node.querySelectorAll('[aria-live=polite]')) regions.add(inner);
        }
        for (const { textContent } of regions) if (textContent) Reflect.get(window, 'testHear')(textContent);
      }).observe(root, { childList: true, characterData: true, subtree: true });
      return root;
    };
  });
  return heard;
}

test('a screen reader hears each answer once, and nothing of history', async () => {
  const { page, close } = await openShop(browser, 'about:blank');
  const all = await ear(page);
  // What has taken a while says first that it has to wait.
  const heard = () => all.filter((words) => words !== english('waiting'));
  await page.goto(`${proxy.url}/`);
  await chat(page).open();
  await chat(page).log.waitFor();
  await chat(page).say('Speak up');
  await expect.poll(heard).toEqual(['Sent']);
  const conversation = await agent(service).conversationOf('Speak up');
  await agent(service).answer(conversation, 'Loud and clear');
  await expect.poll(heard).toEqual(['Sent', 'Ada: Loud and clear']);
  await page.reload();
  await chat(page).bubble('Loud and clear').waitFor();
  for (const words of ['Again', 'And again']) {
    await agent(service).answer(conversation, words);
    await expect.poll(() => heard().at(-1)).toBe(`Ada: ${words}`);
  }
  expect(heard()).toEqual(['Sent', 'Ada: Loud and clear', 'Ada: Again', 'Ada: And again']);
  await close();
});

test('what comes while a screen or a picture covers the thread is heard as well', async () => {
  const { page, errors, close } = await openShop(browser, `${service.url}/`);
  await chat(page).open();
  await chat(page).say('I look around');
  const conversation = await agent(service).conversationOf('I look around');
  const form = new FormData();
  form.append('content', 'A picture');
  form.append('attachments[]', new File([png(64, 40, [40, 120, 220])], 'sea.png'));
  await agent(service).tell(conversation, form);
  const devtools = await page.context().newCDPSession(page);
  /** What stands in the tree that a screen reader is given: nothing of what is inert. */
  const audible = async (words: string) => {
    const { nodes } = await devtools.send('Accessibility.getFullAXTree');
    return nodes.filter(({ ignored, name }) => !ignored && name?.value === words).length;
  };
  const heard = async (words: string) => {
    await agent(service).answer(conversation, words);
    await expect.poll(() => audible(`Ada: ${words}`)).toBeGreaterThan(0);
  };
  // Until what draws it has come, the link leads to the file.
  const picture = chat(page).window.getByRole('link', { name: 'sea.png' });
  await picture.filter({ has: page.locator('img') }).click();
  const lightbox = page.locator('parley-chat dialog.lightbox');
  await lightbox.waitFor();
  await heard('Beside the picture');
  await page.keyboard.press('Escape');
  await lightbox.waitFor({ state: 'detached' });

  await pick(page, 'What we keep');
  await chat(page).window.getByRole('heading', { name: 'What we keep' }).waitFor();
  await heard('Behind the screen');
  expect(errors).toEqual([]);
  await close();
});

test('a file that is too large for what lies between is heard of, and nobody is told to shorten words', async () => {
  const { page, close } = await openShop(browser, `${proxy.url}/`);
  const { window, log } = chat(page);
  await chat(page).open();
  await chat(page).say('A photo follows');
  await agent(service).conversationOf('A photo follows');
  proxy.rule(({ method, path }) =>
    method === 'POST' && path.endsWith('/messages') ? status(413) : undefined,
  );
  const photo = { name: 'photo.png', mimeType: 'image/png', buffer: png(64, 40, [40, 120, 220]) };
  await window.locator('input[type=file]').setInputFiles(photo);
  await window.getByRole('list', { name: 'Files to be sent' }).waitFor();
  await window.getByRole('button', { name: english('send') }).click();
  await log.getByText(english('filesTooLarge')).waitFor();
  // The same files once more would be refused once more.
  expect(await log.locator('.refused').getByRole('button').allTextContents()).toEqual([
    english('edit'),
    english('discard'),
  ]);
  const spoken = window.locator('[aria-live=polite]').getByText('Not delivered: Picture');
  await spoken.waitFor({ state: 'attached' });
  await close();
});

test('what a screen covers of the line is told anew once it is seen, and when the window is opened again', async () => {
  const { page, close } = await openShop(browser, `${service.url}/`);
  await chat(page).open();
  await say(service, page, 'Before the tunnel');
  await pick(page, 'What we keep');
  await chat(page).window.getByRole('heading', { name: 'What we keep' }).waitFor();
  await page.context().setOffline(true);
  const line = chat(page).window.locator('.status p', { hasText: english('offline') });
  await line.waitFor({ state: 'attached' });
  const mark = () => line.evaluate((element) => element.setAttribute('data-told', ''));
  const told = () => line.getAttribute('data-told').then((value) => value === null);
  await mark();
  await chat(page)
    .window.getByRole('button', { name: english('back') })
    .click();
  await expect.poll(told).toBe(true);
  await mark();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await chat(page).window.waitFor({ state: 'hidden' });
  await chat(page).open();
  await expect.poll(told).toBe(true);
  await close();
});
