/** What visitors do with the words that stand there: see that they were seen, copy them, print them. */
import { readFile } from 'node:fs/promises';
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { english as en } from '../../src/text/english.js';
import { focused, item, more, openTagged, pick } from '../support/around.js';
import { agent, chat, hostPage, openShop, type Shop, useShop } from '../support/browser.js';
import type { FaultProxy } from '../support/fault-proxy.js';
import { objections } from '../support/objections.js';
import { enterThread, pageBack } from '../support/thread.js';

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

test('that our words were seen is said once, at the newest that was', async () => {
  await enter(4);
  const { log } = chat(shop.page);
  await chat(shop.page).say('Do you see this?');
  await chat(shop.page).bubble('Do you see this?').getByText('Sent', { exact: true }).waitFor();
  expect(await log.getByText('Seen', { exact: true }).count()).toBe(0);
  const seen = await service.agent(
    'POST',
    `/api/v1/accounts/1/conversations/${conversation}/update_last_seen`,
    {},
  );
  expect(seen.status).toBe(200);
  // The next frame that tells of the conversation tells of it.
  await agent(service).typing(conversation, true);
  await chat(shop.page).bubble('Do you see this?').getByText('Seen', { exact: true }).waitFor();
  // The service tells seconds.
  const second = () => Math.floor(Date.now() / 1000);
  const seenAt = second();
  await expect.poll(second).toBeGreaterThan(seenAt);
  await chat(shop.page).say('And this?');
  await chat(shop.page).bubble('And this?').getByText('Sent', { exact: true }).waitFor();
  expect(await log.locator('.state').allTextContents()).toEqual(['Seen', 'Sent']);
  // Who comes back asks.
  await service.agent('POST', `/api/v1/accounts/1/conversations/${conversation}/update_last_seen`, {});
  await shop.page.reload();
  await chat(shop.page).bubble('And this?').getByText('Seen', { exact: true }).waitFor();
  expect(await log.locator('.state').allTextContents()).toEqual(['Seen']);
});

test('a message is copied with the mouse and with the keyboard', async () => {
  await enter(4);
  const { page } = shop;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await agent(service).answer(conversation, 'Use **this** code: `A-1`');
  await chat(page).log.locator('strong', { hasText: 'this' }).waitFor();
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await chat(page).log.focus();
  await page.keyboard.press('Tab');
  const about = () => chat(page).log.locator('.copy:focus').getAttribute('aria-description');
  expect(await about()).toBe('Ada: Use this code: A-1');
  await page.keyboard.press('Enter');
  await expect.poll(clipboard).toBe('Use this code: A-1');
  // Told, and no more once the button is left.
  const told = chat(page).window.locator('.scroll-area [role=status]');
  await expect.poll(() => told.textContent()).toBe(en.copied);
  await page.keyboard.press('ArrowUp');
  expect(await told.textContent()).toBe('');
  await page.keyboard.press('Enter');
  await expect.poll(clipboard).toBe('The newest');
  const first = chat(page)
    .log.getByRole('listitem')
    .filter({ hasText: /Line 1\b/ });
  await first.hover();
  await first.getByRole('button', { name: 'Copy message' }).click();
  await expect.poll(clipboard).toMatch(/^Line 1\b/);
  await first.getByRole('button', { name: 'Copied' }).waitFor();
  await chat(page).field.hover();
  await first.getByRole('button', { name: 'Copy message' }).waitFor();
});

test('a table is one, moves under the keys where it is wider than its bubble, and is copied as lines', async () => {
  await enter(4);
  const { page } = shop;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.setViewportSize({ width: 320, height: 640 });
  const sizes = [
    '| Lamp | Height | Diameter | Weight | Cable length |',
    '| :--- | ---: | ---: | ---: | ---: |',
    '| Fjord | 320 mm | 410 mm | 2.4 kg | 3,000 mm |',
    '| *Tide* | 540 mm | 260 mm | 1.9 kg | 1,800 mm |',
  ];
  await agent(service).answer(conversation, sizes.join('\n'));
  const { log } = chat(page);
  const table = log.getByRole('figure', { name: 'Lamp, Height, Diameter, Weight, Cable length' });
  await table.waitFor();
  expect(await table.getByRole('columnheader').count()).toBe(5);
  expect(await table.getByRole('row').count()).toBe(3);
  await log.focus();
  await expect
    .poll(async () => {
      await page.keyboard.press('Tab');
      return table.evaluate((figure) => figure.matches(':focus'));
    })
    .toBe(true);
  const places = () =>
    table.evaluate((figure) => ({
      table: figure.scrollLeft,
      others: [scrollX, figure.closest('[role=log]')?.scrollLeft, figure.closest('.bubble')?.scrollLeft],
    }));
  expect((await places()).table).toBe(0);
  await page.keyboard.press('ArrowRight');
  await expect.poll(async () => (await places()).table).toBeGreaterThan(0);
  expect((await places()).others).toEqual([0, 0, 0]);
  const bubble = log.locator('.theirs .bubble').filter({ has: page.getByRole('figure') });
  await bubble.hover();
  await bubble.locator('..').getByRole('button', { name: en.copy }).click();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toBe(
      [
        'Lamp | Height | Diameter | Weight | Cable length',
        'Fjord | 320 mm | 410 mm | 2.4 kg | 3,000 mm',
        'Tide | 540 mm | 260 mm | 1.9 kg | 1,800 mm',
      ].join('\n'),
    );
});

test('a message is copied in a frame, too, to which the page around it has not lent the clipboard', async () => {
  await enter(4);
  const around = `<!doctype html><title>Around</title><iframe src="${service.url}/" width="900" height="700"></iframe>`;
  const path = await service.page('around-a-copy', around);
  await shop.page.goto(service.url.replace('127.0.0.1', 'localhost') + path);
  const inside = chat(shop.page.frameLocator('iframe'));
  await inside.open();
  await inside.say('Keep these words');
  const row = inside.log.getByRole('listitem').filter({ hasText: 'Keep these words' });
  await row.getByText('Sent', { exact: true }).waitFor();
  await row.hover();
  await row.getByRole('button', { name: en.copy }).click();
  await row.getByRole('button', { name: en.copied }).waitFor();
  await inside.field.press('Control+V');
  expect(await inside.field.inputValue()).toBe('Keep these words');
});

test('what would print the page around the conversation, or cannot print, does not offer it, nor notices where there are none', async () => {
  const phone =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
  const desk = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)';
  const safari = 'Version/18.1 Safari/605.1.15';
  await enter(4);
  for (const [userAgent, hasTouch, print, notices] of [
    [undefined, false, 1, 1],
    [`${phone} CriOS/142.0 Mobile/15E148 Safari/604.1`, true, 0, 0],
    [`${phone} Version/18.1 EdgiOS/142.0 Mobile/15E148 Safari/604.1`, true, 0, 0],
    [`${phone} Mobile/15E148 Instagram 361.0.0.35.82`, true, 0, 0],
    [`${phone} Version/18.1 Mobile/15E148 Safari/604.1`, true, 1, 0],
    // An iPad, in an app and in its own browser; a Mac.
    [desk, true, 0, 0],
    [`${desk} ${safari}`, true, 1, 0],
    [`${desk} ${safari}`, false, 1, 1],
  ] as const) {
    const { page, close } = await openTagged(browser, service, 'printed', '', {
      ...(userAgent && { userAgent }),
      hasTouch,
    });
    await chat(page).open();
    await chat(page).say('Something to print');
    await more(page).click();
    await item(page, en.keep).waitFor();
    const offered = [
      await item(page, en.print).count(),
      await page.getByRole('menuitemcheckbox', { name: en.notifyOn }).count(),
    ];
    expect(offered, userAgent).toEqual([print, notices]);
    await close();
  }
});

test('whoever points at a message reads when it was said, and that of its own row after older ones have come', async () => {
  await enter(90);
  const { page } = shop;
  const pointed = async (words: RegExp) => {
    const line = chat(page).log.locator('.row', { hasText: words }).locator('.line');
    await line.hover();
    const at = await line.locator('xpath=..').locator('time').getAttribute('datetime');
    const wanted = await page.evaluate(
      (time) => new Date(time).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' }),
      at ?? '',
    );
    await expect.poll(() => line.getAttribute('title')).toBe(wanted);
  };
  await pointed(/Line 90\b/);
  await pageBack(page, 60);
  await pointed(/Line 89\b/);
  await pointed(/Line 50\b/);
});

test('a row of plain words is a few nodes and no drawing: thousands of drawings would be paid for in every frame', async () => {
  await enter(40);
  const { page } = shop;
  await pageBack(page, 40);
  const { nodes, drawings } = await chat(page).log.evaluate((log) => {
    // But those that say which day it is: after midnight there are two of them.
    const rows = [...log.querySelectorAll('.row:not(:has(.day))')].filter((row) =>
      row.textContent?.includes('Line '),
    );
    const walk = rows.map((row) => {
      const walker = document.createTreeWalker(row);
      let count = 1;
      while (walker.nextNode()) count++;
      return count;
    });
    return {
      nodes: Math.max(...walk),
      drawings: rows.reduce((sum, row) => sum + row.querySelectorAll('svg:not(.state svg)').length, 0),
    };
  });
  expect(drawings).toBe(0);
  // With a name, a face and a time.
  expect(nodes).toBeGreaterThan(0);
  expect(nodes).toBeLessThanOrEqual(19);
});

test('the conversation is printed alone, in a frame that goes, on a page with a strict policy too', async () => {
  await enter(30);
  const { page } = shop;
  const head = `<meta http-equiv="content-security-policy" content="style-src 'self'">
    <script>
      // What a printer gets.
      const { append } = Element.prototype;
      Element.prototype.append = function (...nodes) {
        append.apply(this, nodes);
        const view = nodes[0]?.contentWindow;
        if (view) view.print = () => {
          const [item] = view.document.querySelectorAll('li');
          window.printed = { words: view.document.body.textContent, list: view.getComputedStyle(item).listStyleType };
          view.dispatchEvent(new Event('afterprint'));
        };
      };
    </script>`;
  const html = hostPage(proxy.url, { head, body: '<p>A page</p>' }).replace('{{origin}}', '');
  await page.goto(proxy.url + (await service.page('print', html)));
  await chat(page).bubble('The newest').waitFor();
  await chat(page).window.getByRole('button', { name: /^More/ }).click();
  await page.getByRole('menuitem', { name: 'Print' }).click();
  const handle = await page.waitForFunction(() => Reflect.get(window, 'printed') as unknown);
  const { words, list } = printedSchema.parse(await handle.jsonValue());
  expect(list).toBe('none');
  for (const said of ['Hello from visitor', 'Line 1 and', 'Line 30 and', 'The newest'])
    expect(words).toContain(said);
  expect(words).not.toContain('A page');
  const frames = () =>
    page.evaluate(
      () =>
        [document, document.querySelector('parley-chat')?.shadowRoot].flatMap((root) => [
          ...(root?.querySelectorAll('iframe') ?? []),
        ]).length,
    );
  await expect.poll(frames).toBe(0);
  // The frame has had the focus and is gone: the keys reach the window again.
  expect(await focused(page)).toBe('More');
  expect(shop.errors).toEqual([]);
  expect(await shop.violations()).toEqual([]);
});

test('how far a copy has come is said in passing, and its name at the end; nobody is interrupted', async () => {
  await enter(30);
  const { page } = shop;
  await page.goto(proxy.url + (await service.page('copy', hostPage(proxy.url).replace('{{origin}}', ''))));
  await chat(page).bubble('The newest').waitFor();
  await page.evaluate(() => {
    const root = document.querySelector('parley-chat')?.shadowRoot;
    const heard: Record<string, string[]> = { status: [], alert: [] };
    Object.assign(window, { heard });
    if (root)
      new MutationObserver((changes) => {
        for (const { target } of changes) {
          const region = (target instanceof Element ? target : target.parentElement)?.closest('.status');
          const list = heard[region?.role ?? ''];
          const words = region?.textContent;
          if (words && words !== list?.at(-1)) list?.push(words);
        }
      }).observe(root, { childList: true, subtree: true, characterData: true });
  });
  const download = page.waitForEvent('download');
  await pick(page, 'Save as text');
  const name = (await download).suggestedFilename();
  await chat(page).window.getByRole('status').getByText(name).waitFor();
  const heard = z
    .object({ status: z.array(z.string()), alert: z.array(z.string()) })
    .parse(await page.evaluate(() => Reflect.get(window, 'heard') as unknown));
  expect(heard.status.at(-1)).toBe(`✓ ${name}`);
  const passing = heard.status.slice(0, -1);
  expect(passing.length).toBeGreaterThan(0);
  // Said again each three seconds.
  for (const words of passing) expect(words).toMatch(/^Getting the whole .* \d+ messages/);
  expect(passing[0]).toMatch(/ 2\d messages/);
  expect(heard.alert).toEqual([]);
});

test('what is saved as a web page has one banner, and fits a phone', async () => {
  await enter(3);
  const { page } = shop;
  const html = hostPage(proxy.url).replace('{{origin}}', '');
  const named = html.replace('data-inbox-identifier', 'data-title="Lamps" data-inbox-identifier');
  await page.goto(proxy.url + (await service.page('keep', named)));
  await chat(page).bubble('The newest').waitFor();
  const download = page.waitForEvent('download');
  await pick(page, 'Save as web page');
  const words = await readFile((await (await download).path()) ?? '', 'utf8');
  const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
  const saved = await openShop(browser, service.url + (await service.page('saved', words)), phone);
  await saved.page.getByText('The newest').waitFor();
  expect(await saved.page.title()).toMatch(/^Conversation \d+, Lamps, 127\.0\.0\.1$/);
  expect(await saved.page.getByRole('banner').count()).toBe(1);
  expect(await saved.page.evaluate(() => innerWidth)).toBe(390);
  expect(await objections(saved.page, 'saved')).toEqual([]);
  await saved.close();
});

const printedSchema = z.object({ words: z.string(), list: z.string() });

test('what is cut out of the field is no matter of the page', async () => {
  const { page, close } = await openShop(browser, `${service.url}/`);
  await page.evaluate(() => {
    const heard: string[] = [];
    Object.assign(window, { heard });
    for (const type of ['copy', 'cut', 'paste']) document.addEventListener(type, () => heard.push(type));
  });
  await chat(page).open();
  await chat(page).field.fill('Not for the page');
  for (const key of ['a', 'c', 'x']) await page.keyboard.press(`ControlOrMeta+${key}`);
  await expect.poll(() => chat(page).field.inputValue()).toBe('');
  await page.keyboard.press('ControlOrMeta+v');
  await expect.poll(() => chat(page).field.inputValue()).toBe('Not for the page');
  expect(await page.evaluate(() => Reflect.get(window, 'heard'))).toEqual([]);
  await close();
});
