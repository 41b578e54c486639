/** The visitor is quicker than the network: the press and the first words are not lost. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openTagged, setHidden } from '../support/around.js';
import { agent, arabic, chat, english, hostPage, openShop, useShop } from '../support/browser.js';
import { holdFiles } from '../support/held-files.js';
import { objections } from '../support/objections.js';

const { browser, service } = await useShop();

declare global {
  interface Window {
    heldField: HTMLTextAreaElement;
    blurs: string[];
    shortcuts: string[];
  }
}

const sentence = (page: Page) => page.getByText('The chat did not load. Please try again.');

test.each([
  ['pressed with the mouse', (page: Page) => chat(page).launcher.click()],
  [
    'pressed with the keyboard',
    async (page: Page) => {
      await chat(page).launcher.focus();
      await page.keyboard.press('Enter');
    },
  ],
])('a launcher %s before the code is there takes the first words', async (_, press) => {
  const shop = await openShop(browser, `${service.url}/`);
  const files = await holdFiles(shop.page, '**/{assets,again}/*.js');
  await chat(shop.page).launcher.waitFor();
  await press(shop.page);
  await expect.poll(() => files.count()).toBeGreaterThan(0);
  // From then on keys are caught: at once after a key, a tenth of a second after a mouse.
  await shop.page.locator('parley-chat button[aria-busy]').waitFor();
  // A page with shortcuts of its own sees no field where they are typed.
  await shop.page.evaluate(() => {
    window.shortcuts = [];
    for (const type of ['keydown', 'keypress', 'keyup'])
      document.addEventListener(type, () => window.shortcuts.push(type));
  });
  await shop.page.keyboard.type('Is the lamp');
  expect(await shop.page.evaluate(() => window.shortcuts)).toEqual([]);
  // As Safari tells of the Enter that ends a composition.
  const left = await shop.page.evaluate(() =>
    document
      .querySelector('parley-chat')
      ?.shadowRoot?.activeElement?.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true, cancelable: true }),
      ),
  );
  expect(left).toBe(true);
  await files.release();
  await chat(shop.page).field.waitFor();
  await expect.poll(() => chat(shop.page).field.inputValue()).toBe('Is the lamp');
  await shop.page.keyboard.type(' in stock?');
  await shop.page.keyboard.press('Enter');
  await agent(service).conversationOf('Is the lamp in stock?');
  expect(shop.errors).toEqual([]);
  await shop.close();
});

/** The field as the visitor holds it: the very element, its caret, its place. */
const held = (page: Page) =>
  page.evaluate(async () => {
    const { shadowRoot } = document.querySelector('parley-chat') ?? {};
    // What is taken out while it moves, such as a clock that has become a mark, ends its motion early.
    await Promise.allSettled(shadowRoot?.getAnimations().map(({ finished }) => finished) ?? []);
    const field = shadowRoot?.querySelector('textarea');
    const { x, y, width } = field?.getBoundingClientRect() ?? { x: 0, y: 0, width: 0 };
    return {
      isSame: field !== undefined && field === window.heldField,
      hasFocus: field !== undefined && field === shadowRoot?.activeElement,
      caret: field?.selectionStart,
      x,
      y,
      width,
    };
  });

test('the window is there before its code, and takes the field over as it is being typed into', async () => {
  const shop = await openShop(browser, `${service.url}/`);
  const files = await holdFiles(shop.page, '**/{assets,again}/{app,kit}-*.js');
  await chat(shop.page).open();
  await shop.page.getByRole('heading', { name: 'Chat with us' }).waitFor();
  await shop.page.evaluate(() => {
    const field = document.querySelector('parley-chat')?.shadowRoot?.querySelector('textarea');
    if (field) window.heldField = field;
    field?.addEventListener('blur', () => window.blurs.push('blur'));
    window.blurs = [];
  });
  await shop.page.keyboard.type('First');
  await shop.page.keyboard.press('Enter');
  await shop.page.keyboard.type(', then second');
  await shop.page.keyboard.press('ArrowLeft');
  const before = await held(shop.page);
  expect(before).toMatchObject({ isSame: true, hasFocus: true });
  expect(before.width).toBeGreaterThan(100);
  await files.release();
  await shop.page.getByRole('button', { name: 'More' }).waitFor();
  await agent(service).conversationOf('First');
  // What was sent has left the field, and what came after it has stayed, with everything else.
  await expect.poll(() => chat(shop.page).field.inputValue()).toBe(', then second');
  const after = await held(shop.page);
  expect(after).toMatchObject({
    isSame: true,
    hasFocus: true,
    x: before.x,
    y: before.y,
    width: before.width,
  });
  expect(await shop.page.evaluate(() => window.blurs)).toEqual([]);
  // Nobody hears a press twice.
  await chat(shop.page).field.press('Enter');
  await agent(service).conversationOf(', then second');
  await chat(shop.page).bubble(', then second').waitFor();
  expect(await chat(shop.page).bubble(', then second').count()).toBe(1);
  expect(shop.errors).toEqual([]);
  await shop.close();
});

test('nothing in the window before its code is without a name, and what is named late can be found then', async () => {
  const shop = await openShop(browser, `${service.url}/`);
  const files = await holdFiles(shop.page, '**/{assets,again}/{app,kit}-*.js');
  const widget = `document.querySelector('parley-chat')`;
  await chat(shop.page).open();
  expect(await objections(shop.page, 'before its code', widget)).toEqual([]);
  await files.release();
  await shop.page.getByRole('button', { name: 'Emoji' }).waitFor();
  await shop.page.getByRole('button', { name: 'Attach files' }).waitFor();
  expect(await objections(shop.page, 'with its code', widget)).toEqual([]);
  await shop.close();
});

test('a window whose code cannot be fetched closes again, says so, and keeps the words', async () => {
  const shop = await openShop(browser, `${service.url}/`);
  const other = await shop.page.context().newPage();
  await other.goto(`${service.url}/`);
  await chat(other).open();
  await other.getByRole('button', { name: 'More' }).waitFor();
  const files = await holdFiles(shop.page, '**/{assets,again}/{app,kit}-*.js');
  await chat(shop.page).open();
  await shop.page.keyboard.type('Do not lose this');
  await expect.poll(() => files.count()).toBeGreaterThan(0);
  await files.fail();
  await sentence(shop.page).waitFor();
  await chat(shop.page).field.waitFor({ state: 'hidden' });
  // The other tab has all its files, and is not closed for that: it has heard of what was kept since.
  await other.evaluate(() => {
    addEventListener('storage', ({ key }) => {
      if (key === 'later') document.title = key;
    });
  });
  await shop.page.evaluate(() => localStorage.setItem('later', ''));
  await expect.poll(() => other.title()).toBe('later');
  expect(await chat(other).field.isVisible()).toBe(true);
  await files.release();
  await chat(shop.page).open();
  expect(await sentence(shop.page).count()).toBe(0);
  expect(await chat(shop.page).field.inputValue()).toBe('Do not lose this');
  await shop.page.getByRole('button', { name: 'More' }).waitFor();
  await shop.page.keyboard.press('Enter');
  await agent(service).conversationOf('Do not lose this');
  await shop.close();
});

test('Escape and the launcher close a window that has no code yet, and it stays closed', async () => {
  const shop = await openShop(browser, `${service.url}/`);
  const files = await holdFiles(shop.page, '**/{assets,again}/{app,kit}-*.js');
  await chat(shop.page).open();
  await shop.page.keyboard.press('Escape');
  await expect.poll(() => chat(shop.page).field.isVisible()).toBe(false);
  await files.release();
  await shop.page.waitForFunction(() =>
    document.querySelector('parley-chat')?.shadowRoot?.querySelector('.menu-button'),
  );
  expect(await chat(shop.page).field.isVisible()).toBe(false);
  await chat(shop.page).open();
  expect(await held(shop.page)).toMatchObject({ hasFocus: true });
  await shop.close();
});

test.each([
  ['the files of the window', '', '**/{assets,again}/stage-*.js*'],
  ['those of its questions', `data-pre-chat='[{"name":"order"}]'`, '**/{assets,again}/{app,kit}-*.js*'],
])('who has gone on in the page while %s are on their way stays there', async (what, tag, late) => {
  const body = '<main><input id="search" aria-label="Search"></main>';
  const open = () => openTagged(browser, service, `gone-on-${what.length}`, tag, {}, { body });
  for (const comes of [true, false]) {
    const { page, close } = await open();
    const files = await holdFiles(page, late);
    await chat(page).launcher.press('Enter');
    await expect.poll(() => files.count()).toBeGreaterThan(0);
    await page.locator('parley-chat button[aria-busy]').waitFor();
    await page.keyboard.type('Hello');
    await page.locator('#search').click();
    await page.keyboard.type('bo');
    if (comes) {
      await files.release();
      await chat(page).window.getByRole('button', { name: 'More' }).waitFor();
    } else {
      await files.fail();
      await sentence(page).waitFor();
    }
    await page.keyboard.type('ots');
    expect(await page.locator('#search').inputValue()).toBe('boots');
    if (comes && !tag) expect(await chat(page).field.inputValue()).toBe('Hello');
    await close();
  }
});

test('a window that opens by itself leaves the focus in the page', async () => {
  const shop = await openShop(browser, `${service.url}/`);
  await chat(shop.page).open();
  await shop.page.getByRole('button', { name: 'More' }).waitFor();
  await shop.page.addInitScript(() =>
    addEventListener('DOMContentLoaded', () => {
      const search = document.body.appendChild(document.createElement('input'));
      search.id = 'search';
      search.focus();
    }),
  );
  await shop.page.reload();
  await shop.page.getByRole('button', { name: 'More' }).waitFor();
  expect(await shop.page.evaluate(() => document.activeElement?.id)).toBe('search');
  await shop.close();
});

test('before the words of another language are here none are written, and what is heard says that it is English', async () => {
  const shop = await openShop(browser, `${service.url}/rtl.html`);
  const files = await holdFiles(shop.page, '**/{assets,again}/{app,kit}-*.js');
  await chat(shop.page).launcher.click();
  const field = chat(shop.page).host.locator('form.composer textarea');
  await field.waitFor();
  expect(await field.getAttribute('lang')).toBe('en');
  expect((await field.getAttribute('placeholder'))?.trim()).toBe('');
  const root = chat(shop.page).host.locator('dialog > .root');
  expect(await root.getAttribute('dir')).toBe('rtl');
  expect((await root.innerText()).trim()).toBe('');
  await shop.page.keyboard.type('مرحبا');
  await files.release();
  const inArabic = chat(shop.page, arabic);
  await inArabic.window.getByRole('heading', { name: arabic('title') }).waitFor();
  expect(await inArabic.field.inputValue()).toBe('مرحبا');
  expect(await inArabic.field.getAttribute('lang')).toBe(null);
  await shop.close();
});

test('a pointer that comes near has the frame made, which nobody sees, keeps or hears of before the press', async () => {
  const shop = await openShop(browser, `${service.url}/`);
  const { page } = shop;
  const api = () => shop.requests.filter(({ path }) => path.startsWith('/public/'));
  await chat(page).launcher.hover();
  const field = page.locator('parley-chat textarea');
  await field.waitFor({ state: 'attached' });
  expect(await field.isVisible()).toBe(false);
  expect(await page.evaluate(() => [window.parley?.status().open, localStorage.length])).toEqual([false, 0]);
  const same = await field.elementHandle();
  await chat(page).launcher.click();
  await expect.poll(() => same?.evaluate((one) => one.matches(':focus'))).toBe(true);
  await chat(page).log.waitFor();
  expect(await same?.evaluate((one) => one.isConnected)).toBe(true);
  await expect.poll(() => api().length).toBeGreaterThan(0);

  const other = await openShop(browser, `${service.url}/`);
  await chat(other.page).launcher.hover();
  await other.page.locator('parley-chat textarea').waitFor({ state: 'attached' });
  expect(other.requests.filter(({ path }) => path.startsWith('/public/'))).toEqual([]);
  await other.page.evaluate(() => window.parley?.destroy());
  expect(await chat(other.page).host.count()).toBe(0);
  expect([...shop.errors, ...other.errors, ...other.console]).toEqual([]);
  await other.close();
  await shop.close();
});

test('the engine is on its way while the window still is', async () => {
  const shop = await openShop(browser, `${service.url}/`);
  const files = await holdFiles(shop.page, '**/{assets,again}/{app,kit}-*.js');
  const asked = () => shop.requests.filter(({ path }) => path.startsWith('/assets/chat-')).length;
  await chat(shop.page).launcher.waitFor();
  expect(asked()).toBe(0);
  await chat(shop.page).launcher.click();
  await expect.poll(asked).toBe(1);
  expect(await chat(shop.page).log.count()).toBe(0);
  await files.release();
  await chat(shop.page).log.waitFor();
  expect(asked()).toBe(1);
  expect(shop.errors).toEqual([]);
  await shop.close();
});

test('words sent before the engine is there are sent when it comes', async () => {
  const shop = await openShop(browser, `${service.url}/`);
  const files = await holdFiles(shop.page, '**/{assets,again}/chat-*.js');
  await chat(shop.page).open();
  await expect.poll(() => files.count()).toBeGreaterThan(0);
  await chat(shop.page).field.fill('Anybody there?');
  await chat(shop.page).field.press('Enter');
  await files.release();
  await agent(service).conversationOf('Anybody there?');
  await expect.poll(() => chat(shop.page).field.inputValue()).toBe('');
  await chat(shop.page).bubble('Anybody there?').waitFor();
  await shop.close();
});

test('an engine that did not come is asked for once the line is back or the page is seen again, and not later', async () => {
  const shop = await openShop(browser, `${service.url}/`);
  const { page } = shop;
  const files = await holdFiles(page, '**/{assets,again}/chat-*.js*');
  await chat(page).open();
  await chat(page).say('Is the line back?');
  await expect.poll(files.count).toBe(1);
  const fail = async () => {
    await files.abort();
    await chat(page)
      .window.getByRole('status')
      .filter({ hasText: english('down') })
      .waitFor();
  };
  await fail();
  // Each time it would wait for five seconds more by itself.
  for (let i = 0; i < 3; i++) {
    await page.context().setOffline(true);
    await page.context().setOffline(false);
    await expect.poll(files.count, { timeout: 4_000 }).toBe(1);
    await fail();
  }
  await setHidden(page, true);
  await setHidden(page, false);
  await expect.poll(files.count, { timeout: 4_000 }).toBe(1);
  await files.release();
  await agent(service).conversationOf('Is the line back?');
  await shop.close();
});

test.each(['bottom-end', 'bottom-start', 'top-end', 'top-start'])(
  'what is said of files that do not come can be read at %s, too',
  async (position) => {
    const head = '<style>html { direction: rtl }</style>';
    const tag = `data-position="${position}" data-inbox-identifier`;
    const html = hostPage(service.url, { head }).replace('data-inbox-identifier', tag);
    const shop = await openShop(browser, service.url + (await service.page(position, html)));
    await shop.page.setViewportSize({ width: 320, height: 568 });
    await chat(shop.page).launcher.waitFor();
    await shop.page.route('**/{assets,again}/{app,kit}-*.js*', (route) => route.abort());
    await chat(shop.page).launcher.click();
    await sentence(shop.page).waitFor();
    const [words, button] = await Promise.all([
      sentence(shop.page).boundingBox(),
      chat(shop.page).launcher.boundingBox(),
    ]);
    if (!words || !button) throw new Error('one of them is not to be seen');
    expect(words.x).toBeGreaterThanOrEqual(0);
    expect(words.x + words.width).toBeLessThanOrEqual(320);
    if (position.startsWith('top')) expect(words.y).toBeGreaterThanOrEqual(button.y + button.height);
    else expect(words.y + words.height).toBeLessThanOrEqual(button.y);
    // Leaves the page dark, where the system's colours are other ones.
    expect(await objections(shop.page, position, `document.querySelector('parley-chat')`)).toEqual([]);
    const [ink, paper] = await sentence(shop.page).evaluate((words) => {
      const { color, backgroundColor } = getComputedStyle(words);
      return [color, backgroundColor];
    });
    expect([ink, paper]).toEqual(['rgb(255, 255, 255)', 'rgb(18, 18, 18)']);
    await shop.close();
  },
);

test('a code that cannot be fetched leaves a launcher that can be pressed again', async () => {
  const shop = await openShop(browser, `${service.url}/`);
  await chat(shop.page).launcher.waitFor();
  await shop.page.route('**/{assets,again}/*.js*', (route) => route.abort());
  await chat(shop.page).launcher.click();
  await sentence(shop.page).waitFor();
  await shop.page.unroute('**/{assets,again}/*.js*');
  await chat(shop.page).launcher.click();
  await chat(shop.page).field.waitFor();
  await chat(shop.page).say('Second try');
  await agent(service).conversationOf('Second try');
  await shop.close();
});

test('where the window cannot be made, as where a test has half a browser, a press says so and nothing is thrown', async () => {
  const shop = await openTagged(
    browser,
    service,
    'half',
    '',
    {},
    { head: '<script>delete Window.prototype.matchMedia; delete window.matchMedia;</script>' },
  );
  await chat(shop.page).launcher.hover();
  await chat(shop.page).launcher.click();
  await sentence(shop.page).waitFor();
  const said = await shop.page.evaluate(() => window.parley?.open());
  expect(said).toMatchObject({ ok: false, error: { kind: 'notLoaded' } });
  expect(shop.errors).toEqual([]);
  await shop.close();
});
