/**
 * A long conversation in a real browser: the reader is never moved, what is new is shown, older history comes in
 * above, every word can be found, and one message more costs what it costs in a short conversation.
 */
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { agent, chat, type Shop, useShop } from '../support/browser.js';
import { type FaultProxy, hold, status } from '../support/fault-proxy.js';
import { drawn, enterThread, pageBack, readerUp, scrollBy, view } from '../support/thread.js';

const { browser, service } = await useShop();
let proxy: FaultProxy;
let shop: Shop;
let conversation: number;

async function enter(count: number, through?: boolean) {
  ({ proxy, shop, conversation } = await enterThread(browser, service, count, through));
}
afterEach(async () => {
  await shop.close();
  await proxy.stop();
});
const rows = () => chat(shop.page).log.getByRole('listitem').count();
const answer = (words: string) => agent(service).answer(conversation, words);
const jump = () => chat(shop.page).window.getByRole('button', { name: /^Jump to latest/ });

const reading = (by: number) => readerUp(shop.page, by);

describe('the reader who has gone up is not moved', () => {
  beforeEach(() => enter(120));

  test('by new messages, by markdown and by somebody who types', async () => {
    const place = await reading(600);
    await answer('Something new');
    await chat(shop.page).bubble('Something new').waitFor({ state: 'attached' });
    await place.stays();
    await answer('- one\n- **two**\n- three\n\n> and a quote');
    await chat(shop.page).log.locator('strong', { hasText: 'two' }).waitFor({ state: 'attached' });
    await place.stays();
    await agent(service).typing(conversation, true);
    await chat(shop.page).log.locator('.typing').waitFor({ state: 'attached' });
    await place.stays();
    await agent(service).typing(conversation, false);
    await chat(shop.page).log.locator('.typing').waitFor({ state: 'detached' });
    await place.stays();
  });

  test('by older pages, at the very top neither', async () => {
    const before = await rows();
    expect(before).toBeLessThan(25);
    const page = hold();
    const undo = proxy.rule(({ path }) => (path.includes('before=') ? page.fault : undefined));
    const place = await reading(20_000);
    await page.caught;
    expect((await view(shop.page)).top).toBe(0);
    await place.stays();
    undo();
    page.release();
    await expect.poll(rows).toBe(before + 20);
    await place.stays();
    // And again, from where they are now.
    const next = await reading(20_000);
    await expect.poll(rows).toBe(before + 40);
    await next.stays();
  });

  test('by a window of another size', async () => {
    const place = await reading(500);
    await shop.page.setViewportSize({ width: 700, height: 500 });
    await place.stays();
    await shop.page.setViewportSize({ width: 420, height: 700 });
    await place.stays();
    await shop.page.setViewportSize({ width: 1280, height: 800 });
    await place.stays();
  });

  test('by a window so much wider that all of it becomes shorter than they are far down', async () => {
    const { page } = shop;
    const width = async () => (await chat(page).window.boundingBox())?.width;
    const larger = page.getByRole('menuitemcheckbox', { name: 'Larger window' });
    await pageBack(page, 100);
    await scrollBy(page, 100_000);
    const narrow = await reading(600);
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await larger.click();
    await expect.poll(width).toBe(720);
    await narrow.stays();
    const wide = await reading(0);
    await larger.click();
    await expect.poll(width).toBe(400);
    await wide.stays();
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 390, height: 844 });
    const upright = await reading(0);
    // The phone is turned on its side.
    await page.setViewportSize({ width: 844, height: 390 });
    await upright.stays();
    expect(await jump().count()).toBe(1);
  });

  test('and who is at the end stays there, through all of it', async () => {
    const end = async () => {
      await drawn(shop.page);
      await expect.poll(async () => (await view(shop.page)).left).toBeLessThanOrEqual(1);
    };
    await end();
    await answer('Something new');
    await chat(shop.page).bubble('Something new').waitFor();
    await end();
    await shop.page.setViewportSize({ width: 420, height: 500 });
    await end();
    await chat(shop.page).field.fill('one\ntwo\nthree\nfour');
    await end();
    expect(await jump().count()).toBe(0);
  });

  test('nor is who writes ever more lines, where a browser leaves the height of a field to us', async () => {
    const { page } = shop;
    await page.addInitScript(() => {
      const { supports } = CSS;
      CSS.supports = (name: string, value?: string) =>
        name !== 'field-sizing' && (value === undefined ? supports(name) : supports(name, value));
    });
    await page.reload();
    await chat(page).bubble('The newest').waitFor();
    await page.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync('textarea { field-sizing: fixed !important }');
      document.querySelector('parley-chat')?.shadowRoot?.adoptedStyleSheets.push(sheet);
    });
    await chat(page).field.focus();
    for (const line of ['one', 'two', 'three', 'four', 'five']) {
      await page.keyboard.insertText(line);
      await page.keyboard.press('Shift+Enter');
      await drawn(page);
      await expect.poll(async () => (await view(page)).left).toBeLessThanOrEqual(1);
    }
    expect(await jump().count()).toBe(0);
    expect((await chat(page).field.boundingBox())?.height).toBeGreaterThan(100);
  });

  test('by a message that comes in the very moment in which they go up and the field grows', async () => {
    const { page } = shop;
    await page.evaluate(() => {
      window.atFrame = () => {
        const root = document.querySelector('parley-chat')?.shadowRoot;
        root?.querySelector<HTMLElement>('.composer')?.style.setProperty('padding-block-end', '60px');
        root?.querySelector('[role=log]')?.scrollBy(0, -800);
        delete window.atFrame;
      };
    });
    await answer('In between');
    await chat(page).bubble('In between').waitFor({ state: 'attached' });
    await drawn(page);
    expect(await page.evaluate(() => typeof window.atFrame)).toBe('undefined');
    expect((await view(page)).left).toBeGreaterThan(700);
    expect(await jump().getAttribute('aria-label')).toBe('Jump to latest, 1 new message');
  });

  test('who goes to the end in the very moment in which something above goes away is there', async () => {
    const { page } = shop;
    const scrolled = await page.evaluateHandle(() => {
      const log = document.querySelector('parley-chat')?.shadowRoot?.querySelector('[role=log]');
      const { text } = Response.prototype;
      const seen = { times: 0 };
      // Of the page after the oldest: with it goes the button above. All of it before a frame says that they scrolled.
      Response.prototype.text = async function () {
        const body = await text.call(this);
        if (body.includes('[]') && this.url.includes('before=')) {
          seen.times++;
          log?.scrollBy(0, 100_000);
        }
        return body;
      };
      return seen;
    });
    await reading(20_000);
    await pageBack(page, Number.POSITIVE_INFINITY);
    await drawn(page);
    expect(await scrolled.evaluate(({ times }) => times)).toBe(1);
    await expect.poll(async () => (await view(page)).left).toBeLessThanOrEqual(1);
    expect(await jump().count()).toBe(0);
  });

  test('what they send themselves leads them to the end, and so does the button, which counts what is new', async () => {
    await reading(800);
    expect(await jump().getAttribute('aria-label')).toBe('Jump to latest');
    await answer('One');
    await answer('Two');
    await expect.poll(() => jump().getAttribute('aria-label')).toBe('Jump to latest, 2 new messages');
    // At the end of the line, where no button of a message lies under it.
    const { x = 0 } = (await jump().boundingBox()) ?? {};
    const { x: left = 0, width = 0 } = (await chat(shop.page).log.boundingBox()) ?? {};
    expect(x).toBeGreaterThan(left + width * 0.8);
    expect(await jump().textContent()).toBe('2');
    await jump().click();
    await jump().waitFor({ state: 'detached' });
    await expect.poll(async () => (await view(shop.page)).left).toBeLessThanOrEqual(1);
    await reading(800);
    await chat(shop.page).say('I am down here');
    await chat(shop.page).bubble('I am down here').waitFor();
    await expect.poll(async () => (await view(shop.page)).left).toBeLessThanOrEqual(1);
    expect(await jump().count()).toBe(0);
  });
});

test('the reader is not moved by a picture above that comes late', async () => {
  await enter(120, false);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await shop.page.route(/\.png/, async (route) => {
    await held;
    await route.continue();
  });
  const form = new FormData();
  const png = await shop.page.screenshot({ clip: { x: 0, y: 0, width: 300, height: 200 } });
  form.append('content', 'A picture');
  form.append('attachments[]', new File([new Uint8Array(png)], 'picture.png', { type: 'image/png' }));
  const { status: answered } = await service.agent(
    'POST',
    `/api/v1/accounts/1/conversations/${conversation}/messages`,
    form,
  );
  expect(answered).toBe(200);
  await chat(shop.page).bubble('A picture').waitFor({ state: 'attached' });
  for (const words of Array.from({ length: 18 }, (_, i) => `Below the picture ${i}`)) await answer(words);
  await chat(shop.page).bubble('Below the picture 17').waitFor();
  // The picture is above what they read.
  const place = await reading(100);
  expect(place.row).toMatch(/^Below/);
  const picture = chat(shop.page).log.locator('.bubble img');
  const loaded = () => picture.evaluate((img) => img instanceof HTMLImageElement && img.naturalWidth > 0);
  expect(await loaded()).toBe(false);
  release();
  await expect.poll(loaded).toBe(true);
  await place.stays();
});

test('a page of history that cannot be had says so, and comes when it is tried again', async () => {
  await enter(200);
  const undo = proxy.rule(({ path, method }) =>
    method === 'GET' && path.includes('before=') ? status(500, { cors: true, forward: false }) : undefined,
  );
  const { log } = chat(shop.page);
  // A page that was on its way already comes through, and the reader, who is kept where they are, goes up again.
  let place = await reading(20_000);
  const refused = log.getByText('Earlier messages could not be loaded.');
  await expect
    .poll(async () => {
      if (await refused.count()) return true;
      place = await reading(20_000);
      return false;
    })
    .toBe(true);
  await place.stays();
  undo();
  const before = await rows();
  await log.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(rows).toBeGreaterThan(before);
  await refused.waitFor({ state: 'detached' });
});

/** How many places of the window's document change by five answers at its end. */
async function touchedBy(page: Page, words: string): Promise<number> {
  const all = Array.from({ length: 6 }, (_, i) => `${words} ${i}`);
  // The first one may open a group, or a list.
  await answer(all.shift() ?? '');
  await chat(page).bubble(`${words} 0`).waitFor();
  await drawn(page);
  const watch = await page.evaluateHandle(() => {
    const root = document.querySelector('parley-chat')?.shadowRoot;
    const seen = { places: 0 };
    const observer = new MutationObserver((changes) => {
      for (const { addedNodes, removedNodes } of changes)
        seen.places += 1 + addedNodes.length + removedNodes.length;
    });
    if (root)
      observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
    return seen;
  });
  // One after the other: those that come in one frame change less.
  for (const one of all) {
    await answer(one);
    await chat(page).bubble(one).waitFor();
  }
  await drawn(page);
  const { places } = await watch.jsonValue();
  expect(places).toBeGreaterThan(0);
  return places;
}

test('far up, everything is found, selected and the same node as before; one message more costs the same', async () => {
  await enter(2_000);
  const { page } = shop;
  expect(await pageBack(page, 100)).toBeLessThan(125);
  const few = await touchedBy(page, 'Few');
  const nodes = await page.evaluateHandle(() => [
    ...(document.querySelector('parley-chat')?.shadowRoot?.querySelectorAll('.row') ?? []),
  ]);
  expect(await pageBack(page, 10_000)).toBeGreaterThan(2_000);
  expect(await nodes.evaluate((rows) => rows.filter((row) => !row.isConnected).length)).toBe(0);
  // Each that the browser passes over by itself costs something in every frame.
  const passedOver = await page.evaluate(() => {
    const root = document.querySelector('parley-chat')?.shadowRoot;
    return [...(root?.querySelectorAll('.thread > section') ?? [])].map((pile) => pile.children.length);
  });
  expect(passedOver.length).toBeLessThanOrEqual(5);
  expect(passedOver.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(40);
  await expect.poll(async () => (await view(page)).left).toBeLessThanOrEqual(1);
  const many = await touchedBy(page, 'Many');
  // Some are announced together. What it takes is for the bench.
  expect(many).toBeLessThanOrEqual(2 * few);

  const found = await page.evaluate(() => {
    const root = document.querySelector('parley-chat')?.shadowRoot;
    const rows = [...(root?.querySelectorAll('.content') ?? [])];
    const [first, last] = [rows[1], rows.at(-1)];
    if (!first || !last) return {};
    const range = document.createRange();
    range.setStart(first, 0);
    range.setEnd(last, last.childNodes.length);
    const selection = getSelection();
    selection?.removeAllRanges();
    selection?.addRange(range);
    const words = range.toString();
    selection?.removeAllRanges();
    // As Ctrl+F does.
    const there = (window as unknown as { find: (text: string) => boolean }).find('Line 1234');
    return {
      first: words.startsWith('Line 1'),
      last: words.endsWith('Many 5'),
      middle: words.includes('Line 1000 '),
      there,
    };
  });
  expect(found).toEqual({ first: true, last: true, middle: true, there: true });
}, 480_000);

test.each([
  [5, 1280],
  [5, 390],
  [2, 1280],
])(
  'what a form of %i fields complains of is seen with its field, and stays where it is read, at %i px',
  async (count, width) => {
    await enter(2);
    const { page } = shop;
    await page.setViewportSize({ width, height: 620 });
    const items = Array.from({ length: count }, (_, i) => ({
      name: `n${i}`,
      label: `Field ${i}`,
      type: 'text',
      required: true,
    }));
    const content = 'Many questions';
    await agent(service).tell(conversation, { content_type: 'form', content, content_attributes: { items } });
    const form = chat(page).bubble(content);
    await form.getByRole('button', { name: 'Send' }).click();
    const first = form.getByLabel('Field 0');
    await expect.poll(() => first.evaluate((one) => one.matches(':focus'))).toBe(true);
    const isInView = () =>
      first.evaluate((one) => {
        const entry = one.parentElement?.getBoundingClientRect();
        const view = one.closest('[role=log]')?.getBoundingClientRect();
        return entry && view && entry.top >= view.top && entry.bottom <= view.bottom;
      });
    await drawn(page);
    expect(await isInView()).toBe(true);
    const { top } = await view(page);
    await answer('Something else meanwhile');
    await chat(page).bubble('Something else meanwhile').waitFor({ state: 'attached' });
    await drawn(page);
    expect([await isInView(), (await view(page)).top]).toEqual([true, top]);
  },
);
