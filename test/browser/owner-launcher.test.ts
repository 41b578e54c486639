import { expect, test } from 'vitest';
import { boxOf, openTagged } from '../support/around.js';
import { chat, hostPage, openShop, useShop } from '../support/browser.js';
import { prototype16 } from '../support/hostile/old-libraries.js';

const { browser, service } = await useShop();

const open = (name: string, attributes: string, body = '<main><h1>A shop</h1></main>') =>
  openTagged(browser, service, name, attributes, { reducedMotion: 'reduce' }, { body });

test('the launcher has words and another drawing, which step back for the way out', async () => {
  const shop = await open('label', 'data-launcher-label="Need help?" data-launcher-icon="question"');
  const { page } = shop;
  const button = page.getByRole('button', { name: 'Need help?', exact: true });
  await button.waitFor();
  expect((await boxOf(page, 'launcher')).width).toBeGreaterThan(100);
  expect(await chat(page).launcher.locator('svg path').getAttribute('d')).toMatch(/^M8\.5 9a/);
  await button.click();
  await chat(page).field.waitFor();
  expect(await chat(page).launcher.getAttribute('aria-label')).toBe('Close chat');
  expect((await boxOf(page, 'launcher')).width).toBe(60);
  // The buttons of the window keep theirs.
  for (const name of ['More', 'Emoji']) {
    const opens = chat(page).window.getByRole('button', { name, exact: true });
    await opens.click();
    await expect.poll(() => opens.getAttribute('aria-expanded')).toBe('true');
    expect(await opens.locator('svg').isVisible()).toBe(true);
    await page.keyboard.press('Escape');
  }
  await chat(page).close();
  await button.waitFor();
  await shop.close();
});

test('many words on the launcher keep off both edges of a narrow screen, and are written in their own direction', async () => {
  const shop = await openTagged(
    browser,
    service,
    'many-words',
    'data-launcher-label="Need help with your order?"',
    { viewport: { width: 320, height: 568 } },
    { body: '<script>document.documentElement.dir = "rtl"</script>' },
  );
  const { page } = shop;
  await page.getByRole('button', { name: 'Need help with your order?', exact: true }).waitFor();
  const { x, width } = await boxOf(page, 'launcher');
  expect(x).toBeGreaterThanOrEqual(20);
  expect(x + width).toBeLessThanOrEqual(300);
  const label = chat(page).launcher.locator('.label');
  expect(await label.evaluate((words) => getComputedStyle(words).direction)).toBe('ltr');
  await shop.close();
});

test('a picture of the owner’s stands on the launcher once it is there; where it does not come the drawing stands', async () => {
  const shop = await open('picture', 'data-launcher-image="/art/skerry-bowls.jpg" data-launcher-icon="mail"');
  const { launcher } = chat(shop.page);
  const picture = launcher.locator('img');
  await picture.waitFor();
  // The button is called what it was called, and the picture is no more than a drawing.
  expect(await shop.page.getByRole('button', { name: 'Open chat', exact: true }).count()).toBe(1);
  expect(await picture.evaluate((one: HTMLImageElement) => one.complete && one.naturalWidth > 0)).toBe(true);
  expect(await launcher.locator('svg').isVisible()).toBe(false);
  const { width, height } = await boxOf(shop.page, 'launcher');
  expect([width, height]).toEqual([60, 60]);
  await launcher.click();
  await chat(shop.page).field.waitFor();
  await expect.poll(() => picture.isVisible()).toBe(false);
  await shop.close();

  const lost = await open('lost', 'data-launcher-image="/nothing-there.png" data-launcher-icon="mail"');
  const answered = lost.page.waitForResponse(/nothing-there/);
  await lost.page.reload();
  await chat(lost.page).launcher.locator('svg').waitFor();
  expect((await answered).status()).toBe(404);
  expect(await chat(lost.page).launcher.locator('img').count()).toBe(0);
  await lost.close();
});

test('a button of the page opens and closes the chat, and gets the focus back', async () => {
  const shop = await open('own', 'data-launcher="#help"', '<main><button id="help">Help</button></main>');
  const { page } = shop;
  const own = page.getByRole('button', { name: 'Help', exact: true });
  await expect.poll(() => own.getAttribute('aria-expanded')).toBe('false');
  expect(await chat(page).launcher.isVisible()).toBe(false);
  await own.press('Enter');
  await chat(page).field.waitFor();
  expect(await own.getAttribute('aria-expanded')).toBe('true');
  // There is nothing below the window to leave room for.
  const { y, height } = await boxOf(page, 'window');
  expect(Math.round(y + height)).toBe(780);
  await page.keyboard.press('Escape');
  await chat(page).window.waitFor({ state: 'hidden' });
  expect(await own.evaluate((button) => button === document.activeElement)).toBe(true);
  await page.evaluate(() => window.parley?.destroy());
  expect(await own.getAttribute('aria-expanded')).toBeNull();
  await own.click();
  expect(await chat(page).host.count()).toBe(0);
  await shop.close();
});

test('a button of the page that is drawn later or anew says whether the chat is open, and then what it said before', async () => {
  const shop = await open(
    'own-anew',
    'data-launcher=".help"',
    '<main><button class="help">Help</button></main>',
  );
  const { page } = shop;
  await expect
    .poll(() => page.getByRole('button', { name: 'Help' }).getAttribute('aria-expanded'))
    .toBe('false');
  await page.getByRole('button', { name: 'Help' }).click();
  await chat(page).field.waitFor();
  await page.evaluate(() => {
    const main = document.querySelector('main');
    if (main) main.innerHTML = '<button class="help" aria-expanded="false" aria-controls="x">Ask us</button>';
  });
  const own = page.getByRole('button', { name: 'Ask us' });
  await expect.poll(() => own.getAttribute('aria-expanded')).toBe('true');
  await page.evaluate(() => window.parley?.destroy());
  expect(await own.getAttribute('aria-expanded')).toBe('false');
  await shop.close();
});

test('without a launcher a call opens the chat, and the focus goes back to where it was', async () => {
  const body = '<main><button onclick="parley.open()">Ask us</button></main>';
  const shop = await open('bare', 'data-launcher="hidden"', body);
  const { page } = shop;
  await page.waitForFunction(() => window.parley !== undefined);
  expect(await page.evaluate(() => window.parley?.open())).toEqual({ ok: true });
  await chat(page).field.waitFor();
  expect(await chat(page).launcher.isVisible()).toBe(false);
  await page.keyboard.press('Escape');
  await chat(page).window.waitFor({ state: 'hidden' });
  const button = page.getByRole('button', { name: 'Ask us' });
  await button.press('Enter');
  await expect.poll(() => chat(page).field.evaluate((field) => field.matches(':focus'))).toBe(true);
  await page.keyboard.press('Escape');
  await chat(page).window.waitFor({ state: 'hidden' });
  expect(await button.evaluate((one) => one === document.activeElement)).toBe(true);
  await shop.close();
});

test.each(['.help', 'main .help, #write'])(
  'of several buttons of the page, %s, the one that was pressed gets the focus back',
  async (selector) => {
    const body =
      '<main><a class="help" href="#top" hidden>Help</a><button class="help">Help</button></main><footer><button class="help" id="write">Write to us</button></footer>';
    const shop = await open(`several-${selector.length}`, `data-launcher="${selector}"`, body);
    const { page } = shop;
    const own = page.getByRole('button', { name: 'Write to us' });
    await expect.poll(() => own.getAttribute('aria-expanded')).toBe('false');
    await own.click();
    await chat(page).field.waitFor();
    await page.keyboard.press('Escape');
    await chat(page).window.waitFor({ state: 'hidden' });
    expect(await own.evaluate((button) => button === document.activeElement)).toBe(true);
    await shop.close();
  },
);

test.each([
  ['a launcher in another corner', 'data-position="top-start"', 'stage', 'launcher'],
  ['a window in the page', 'data-inside="#place"', 'stage', 'field'],
  ['a window in the page', 'data-inside="#place"', 'app', 'field'],
] as const)(
  '%s comes, with %s, when the file %s did not come at first',
  async (_, attributes, file, what) => {
    const path = `late-${file}-${what}`;
    const shop = await openShop(browser, `${service.url}/`, { reducedMotion: 'reduce' });
    const { page } = shop;
    let asked = 0;
    await page.route(`**/{assets,again}/${file}-*.js*`, (route) =>
      asked++ ? route.continue() : route.abort(),
    );
    const written = hostPage(service.url, {
      body: '<main><div id="place" style="block-size: 30rem"></div></main>',
    }).replace('data-inbox-identifier', `${attributes} data-inbox-identifier`);
    await page.goto(service.url + (await service.page(path, written)));
    await expect.poll(() => asked).toBeGreaterThan(1);
    await chat(page)[what].waitFor();
    if (what === 'field') await page.getByRole('button', { name: 'More' }).waitFor();
    await shop.close();
  },
);

test.each([
  [
    'launcher="#help["',
    'data-launcher must be "button", "hidden" or a selector of your own button, like "#help".',
  ],
  ['inside="#chat["', 'data-inside must be a selector of an element, like "#chat", or the element itself.'],
])('a wrong option leaves the launcher where it is without it: data-%s', async (attribute, sentence) => {
  const shop = await open(`left-out-${attribute.slice(0, 6)}`, `data-${attribute}`);
  await chat(shop.page).launcher.waitFor();
  await chat(shop.page).open();
  expect((await boxOf(shop.page, 'launcher')).x).toBe(1280 - 20 - 60);
  await expect.poll(() => shop.console).toEqual([`warning: Parley: ${sentence}`]);
  await shop.close();
});

test('a window in the page comes with its place, on a page whose library removes nothing that is nowhere', async () => {
  const head = `<script>${prototype16}</script>`;
  const shop = await openTagged(browser, service, 'late-place', 'data-inside="#here, #late"', {}, { head });
  const { page } = shop;
  await page.waitForLoadState('networkidle');
  // Until then nobody sees it, nor pays for it, whatever is called.
  const refused = { ok: false, error: { kind: 'hidden' } };
  expect(await page.evaluate(() => window.parley?.open())).toMatchObject(refused);
  expect(await page.evaluate(() => window.parley?.status())).toMatchObject({ open: false, line: 'idle' });
  expect(shop.requests.filter(({ path }) => /\/(?:app|chat|thread)-/.test(path))).toEqual([]);
  await page.evaluate(() => {
    const place = document.createElement('div');
    place.id = 'late';
    place.style.blockSize = '30rem';
    document.body.append(place);
  });
  await chat(page).field.waitFor();
  expect([...shop.console, ...shop.errors]).toEqual([]);
  await shop.close();
});

test('on paper there is no launcher', async () => {
  const shop = await open('paper', '');
  const { launcher } = chat(shop.page);
  await launcher.waitFor();
  await shop.page.emulateMedia({ media: 'print' });
  expect(await launcher.isVisible()).toBe(false);
  await shop.page.emulateMedia({ media: 'screen' });
  expect(await launcher.isVisible()).toBe(true);
  await shop.close();
});
