/** The framed page of the playground: it follows the options, and whoever sets them stays where they are. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { agent, chat, openShop, useShop } from '../support/browser.js';

const slowMs = 30_000;

const { browser, service } = await useShop();

const frame = (page: Page) => page.frameLocator('iframe');
const field = (page: Page, option: string) => page.locator(`[data-option="${option}"] input[type=text]`);
const isFocused = (page: Page, option: string) =>
  field(page, option).evaluate((element) => element === document.activeElement);

async function openPlayground(hash: string) {
  const shop = await openShop(browser, `${service.url}/playground${hash}`);
  const { page } = shop;
  const { launcher, window } = chat(frame(page));
  await launcher.waitFor({ timeout: slowMs });
  return { ...shop, launcher, window };
}

test.each(['phone', 'desktop'])(
  'what is typed into an option stays in it while the open chat comes anew, framed as on a %s',
  async (width) => {
    const { page, window, errors, close } = await openPlayground(`#width=${width}`);
    await page.getByRole('button', { name: 'Open or close' }).click();
    // Opened by a press, it takes the focus.
    const message = window.getByRole('textbox', { name: 'Message' });
    await expect.poll(() => message.evaluate((element) => element.matches(':focus'))).toBe(true);
    await page.locator('summary', { hasText: 'Words' }).click();
    await field(page, 'title').focus();
    await page.keyboard.type('Ask us');
    await frame(page).getByText('Ask us', { exact: true }).waitFor({ timeout: slowMs });
    await expect
      .poll(() => page.locator('iframe').evaluate((element: HTMLElement) => element.inert))
      .toBe(false);
    await page.keyboard.type(' anything');
    await page.keyboard.press('Enter');
    expect(await field(page, 'title').inputValue()).toBe('Ask us anything');
    await frame(page).getByText('Ask us anything', { exact: true }).waitFor({ timeout: slowMs });
    await expect
      .poll(() => page.locator('iframe').evaluate((element: HTMLElement) => element.inert))
      .toBe(false);
    expect(await isFocused(page, 'title')).toBe(true);
    expect(await window.isVisible()).toBe(true);
    // Beside the page where there is room, and the page goes on.
    expect(await window.evaluate((dialog) => dialog.matches(':modal'))).toBe(width === 'phone');
    expect(await message.inputValue()).toBe('');
    // And the framed page can be used.
    await message.fill(`Framed as on a ${width}`);
    await page.keyboard.press('Enter');
    await agent(service).conversationOf(`Framed as on a ${width}`);
    expect(errors).toEqual([]);
    await close();
  },
);

test('whoever has written already sees what a new visitor sees at one press', async () => {
  const { page, window, close } = await openPlayground('#greeting=Welcome+here');
  await page.getByRole('button', { name: 'Open or close' }).click();
  await frame(page).getByText('Welcome here').waitFor();
  await window.getByRole('textbox', { name: 'Message' }).fill('I am no stranger');
  await page.keyboard.press('Enter');
  await agent(service).conversationOf('I am no stranger');
  await frame(page).getByText('I am no stranger').waitFor();
  await page.getByRole('button', { name: 'As a new visitor' }).click();
  await frame(page).getByText('I am no stranger').waitFor({ state: 'detached' });
  await frame(page).getByText('Welcome here').waitFor({ timeout: slowMs });
  expect(await window.isVisible()).toBe(true);
  await close();
});

test('what keeps the chat from the framed page is said, and what is wrong stands before whoever follows a link', async () => {
  const shop = await openShop(browser, `${service.url}/playground#pages=/help/*&maxFiles=99`);
  const { page } = shop;
  const hint = page.getByRole('region', { name: 'Preview' }).getByRole('status');
  await page.locator('[data-option="maxFiles"] .problem').waitFor();
  await expect.poll(() => hint.innerText()).toContain('1 option is not obeyed');
  await field(page, 'maxFiles').fill('9');
  await expect
    .poll(() => hint.innerText())
    .toContain('the path of the framed page is /playground-preview.html');
  await page.getByText('When', { exact: true }).click();
  await field(page, 'pages').fill('/playground*');
  await chat(frame(page)).launcher.waitFor({ timeout: slowMs });
  expect(await hint.innerText()).toContain('#help');
  await shop.close();
});

test('an address of the script that leads nowhere is told, and what was copied is not said of another text', async () => {
  const { page, close } = await openPlayground('');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const files = page.getByLabel('Where parley.js is');
  for (const wrong of ['cdn.example.com/parley.js', '', 'javascript:alert(1)']) {
    await files.fill(wrong);
    await page.getByText('Begin it with https://').waitFor();
    expect(await files.getAttribute('aria-invalid')).toBe('true');
  }
  await files.fill('//cdn.example.com/parley.js');
  await page.getByText('Begin it with https://').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Copy The tag' }).click();
  const take = page.getByRole('region', { name: 'What to copy' });
  await take.getByText('Copied').waitFor();
  await page.getByRole('tab', { name: 'npm' }).click();
  await page.getByRole('region', { name: 'The program' }).waitFor();
  expect(await take.getByText('Copied').count()).toBe(0);

  // Spaces around an address are no part of it, here as in the chat.
  await field(page, 'baseUrl').fill(' https://support.example.com ');
  await page.getByRole('tab', { name: 'Security policy' }).click();
  await take.getByText('connect-src https://support.example.com wss://support.example.com').waitFor();
  await close();
});

test('the chosen tab is told from the others where the system chooses the colours', async () => {
  const { page, close } = await openPlayground('');
  await page.emulateMedia({ forcedColors: 'active' });
  const edges = await page
    .getByRole('tab')
    .evaluateAll((tabs) => tabs.map((tab) => getComputedStyle(tab).borderBlockEndColor));
  const ground = await page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement('p'));
    probe.style.color = 'Canvas';
    return getComputedStyle(probe).color;
  });
  expect(edges.map((edge) => edge === ground)).toEqual([false, true, true]);
  await close();
});

test('without scripts the gallery says what it needs, and a state that is none keeps the way back', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${service.url}/gallery`);
  await page.locator('noscript p').waitFor();
  await context.close();
  const shop = await openShop(browser, `${service.url}/gallery-state?state=nothing`);
  await shop.page.getByRole('alert').getByText('nothing').waitFor();
  await shop.page.getByRole('link', { name: 'All states' }).click();
  await shop.page.getByRole('heading', { name: 'Every state of the chat' }).waitFor();
  await shop.close();
});
