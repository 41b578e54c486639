/** Bars of the page along its edge: the launcher and the window stand beyond those that the owner has named. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { boxOf, openTagged } from '../support/around.js';
import { chat, hostPage, openShop, useShop } from '../support/browser.js';

const { browser, service } = await useShop();

const bar = (id: string, style: string, more = '') =>
  `<div id="${id}" class="bar" style="position: fixed; inset-inline: 0; ${style}"${more}>A bar</div>`;
const open = (name: string, attributes: string, body: string) =>
  openTagged(browser, service, name, attributes, { reducedMotion: 'reduce' }, { body });

/** How far the launcher's lower edge is from the lower edge of the page. */
const below = async (page: Page) => {
  const { y, height } = await boxOf(page, 'launcher');
  return 800 - Math.round(y + height);
};
const change = (page: Page, id: string, style: Record<string, string>) =>
  page.evaluate(([id, style]) => Object.assign(document.getElementById(id)?.style ?? {}, style), [
    id,
    style,
  ] as const);

test('a cookie banner that comes, grows and goes moves the launcher and the window, and nothing else does', async () => {
  const body = `<main><h1>A shop</h1></main>
    ${bar('cookies', 'bottom: 0; block-size: 90px', ' hidden')}
    <div id="other" style="position: fixed; inset: auto 0 0 0; block-size: 200px">Not named</div>`;
  const shop = await open('cookies', 'data-launcher-avoids="#cookies, .late"', body);
  const { page } = shop;
  await chat(page).launcher.waitFor();
  expect(await below(page)).toBe(20);
  await page.evaluate(() => document.getElementById('cookies')?.removeAttribute('hidden'));
  await expect.poll(() => below(page)).toBe(110);
  await change(page, 'cookies', { blockSize: '140px' });
  await expect.poll(() => below(page)).toBe(160);
  // One more that lies on it, put there later.
  await page.evaluate(() => {
    const late = document.createElement('div');
    late.className = 'late';
    late.style.cssText = 'position: fixed; inset: auto 0 140px 0; height: 30px';
    document.body.append(late);
  });
  await expect.poll(() => below(page)).toBe(190);
  await page.evaluate(() => document.querySelector('.late')?.remove());
  await expect.poll(() => below(page)).toBe(160);

  await chat(page).open();
  await expect.poll(async () => Math.round((await boxOf(page, 'window')).y)).toBeGreaterThan(0);
  const frame = await boxOf(page, 'window');
  expect(Math.round(frame.y + frame.height)).toBe(800 - 160 - 60 - 16);
  await change(page, 'cookies', { display: 'none' });
  await expect.poll(() => below(page)).toBe(20);
  const whole = await boxOf(page, 'window');
  expect(Math.round(whole.y + whole.height)).toBe(800 - 20 - 60 - 16);
  await chat(page).close();

  // What covers half of the page and more leaves no room beyond it.
  await change(page, 'cookies', { display: 'block', blockSize: '600px' });
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  expect(await below(page)).toBe(20);
  await change(page, 'cookies', { blockSize: '90px' });
  await expect.poll(() => below(page)).toBe(110);
  await page.evaluate(() => window.parley?.destroy());
  expect(await chat(page).host.count()).toBe(0);
  expect(shop.console).toEqual([]);
  expect(shop.errors).toEqual([]);
  await shop.close();
});

test('at the top it stands below a bar of the page, on a phone and beside it', async () => {
  const body = `${bar('menu', 'top: 0; block-size: 50px')}<main><h1>A shop</h1></main>`;
  const shop = await open('menu', 'data-position="top-start" data-launcher-avoids=".bar"', body);
  const { page } = shop;
  await chat(page).launcher.waitFor();
  await expect.poll(async () => (await boxOf(page, 'launcher')).y).toBe(70);
  await page.setViewportSize({ width: 390, height: 844 });
  await change(page, 'menu', { blockSize: '80px' });
  await expect.poll(async () => (await boxOf(page, 'launcher')).y).toBe(100);
  // On a phone the window is the whole page.
  await chat(page).open();
  expect(await boxOf(page, 'window')).toMatchObject({ x: 0, y: 0, width: 390, height: 844 });
  await shop.close();
});

test('a bar that slides in and one that the reader scrolls to are met as well', async () => {
  const body = `<main style="block-size: 3000px"><h1>A shop</h1></main>
    <footer style="block-size: 100px">The end</footer>
    ${bar('slides', 'bottom: 0; block-size: 60px; transform: translateY(100%); transition: transform 0.1s')}`;
  const shop = await open('slides', 'data-launcher-avoids="#slides, footer"', body);
  const { page } = shop;
  await chat(page).launcher.waitFor();
  expect(await below(page)).toBe(20);
  await change(page, 'slides', { transform: 'none' });
  await expect.poll(() => below(page)).toBe(80);
  await change(page, 'slides', { transform: 'translateY(100%)' });
  await expect.poll(() => below(page)).toBe(20);
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await expect.poll(() => below(page)).toBeGreaterThan(100);
  await page.evaluate(() => scrollTo(0, 0));
  await expect.poll(() => below(page)).toBe(20);
  await shop.close();
});

test('by itself it stands beyond what the page fixes there, whatever that is called and wherever it lies', async () => {
  const body = `<main style="block-size: 3000px"><h1>A shop</h1></main>
    ${bar('veil', 'bottom: 0; block-size: 70px; pointer-events: none')}
    <div id="consent"></div><dialog id="asks">A question</dialog>
    <a id="top" href="#" style="position: fixed; inset-inline-end: 20px; inset-block-end: 150px; padding: 8px" hidden>Up</a>`;
  const shop = await open('auto', 'data-launcher-avoids="auto"', body);
  const { page } = shop;
  await chat(page).launcher.waitFor();
  expect(await below(page)).toBe(20);
  // As consent tools do: in a root of their own, of an element without a size, in a frame that takes no press.
  await page.evaluate(() => {
    const root = document.getElementById('consent')?.attachShadow({ mode: 'open' });
    document.getElementById('consent')?.setAttribute('class', 'ready');
    const frame = document.createElement('div');
    frame.style.cssText = 'position: fixed; inset: auto 0 0 0; pointer-events: none; padding-bottom: 10px';
    const banner = document.createElement('div');
    banner.style.cssText = 'pointer-events: auto; height: 100px';
    frame.append(banner);
    // Once its words have come.
    requestAnimationFrame(() => requestAnimationFrame(() => root?.append(frame)));
  });
  await expect.poll(() => below(page)).toBe(130);
  // It closes itself, and comes again.
  const shown = (display: string) =>
    page.evaluate((display) => {
      const frame = document.getElementById('consent')?.shadowRoot?.querySelector('div');
      if (frame) frame.style.display = display;
    }, display);
  await shown('none');
  await expect.poll(() => below(page)).toBe(20);
  await shown('block');
  await expect.poll(() => below(page)).toBe(130);
  // Just beyond the banner stands something else.
  await page.evaluate(() => document.getElementById('top')?.removeAttribute('hidden'));
  await expect.poll(() => below(page)).toBeGreaterThan(180);
  const raised = await below(page);
  // Beside a modal dialog nothing of the page takes a press, and all of it is there.
  await page.evaluate(() => document.querySelector('dialog')?.showModal());
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  expect(await below(page)).toBe(raised);
  await page.evaluate(() => document.querySelector('dialog')?.close());
  await page.evaluate(() => document.getElementById('consent')?.remove());
  await expect.poll(() => below(page)).toBe(20);
  // What covers all of the page leaves no room beside it.
  await change(page, 'top', { inset: '0', display: 'block' });
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  expect(await below(page)).toBe(20);
  await change(page, 'top', { display: 'none' });
  // A bar that gets its looks when its files come.
  await page.evaluate(() => {
    const late = document.createElement('div');
    late.className = 'styled-late';
    const styles = document.createElement('link');
    styles.rel = 'stylesheet';
    styles.href = `data:text/css,${encodeURIComponent('.styled-late { position: fixed; inset: auto 0 0 0; height: 80px }')}`;
    document.body.append(late, styles);
  });
  await expect.poll(() => below(page)).toBe(100);
  expect(shop.console).toEqual([]);
  await shop.close();
});

test('a drawer of the page is not climbed row by row, and on a phone the launcher comes down after the chat was open', async () => {
  const rows = Array.from({ length: 12 }, (_, n) => `<div style="block-size: 90px">Row ${n}</div>`).join('');
  const body = `<main><h1>A shop</h1></main>${bar('cookies', 'bottom: 0; block-size: 90px')}
    <div id="drawer" style="position: fixed; inset: 0; pointer-events: none" hidden>
      <div style="block-size: 100%; pointer-events: auto; overflow: hidden">${rows}</div>
    </div>`;
  const shop = await open('drawer', 'data-launcher-avoids="auto"', body);
  const { page } = shop;
  await chat(page).launcher.waitFor();
  await expect.poll(() => below(page)).toBe(110);
  await page.evaluate(() => document.getElementById('drawer')?.removeAttribute('hidden'));
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  expect(await below(page)).toBe(110);
  await page.evaluate(() => document.getElementById('drawer')?.remove());
  await page.setViewportSize({ width: 390, height: 800 });
  await chat(page).open();
  await chat(page).close();
  await expect.poll(() => below(page)).toBe(110);
  await page.evaluate(() => document.getElementById('cookies')?.remove());
  await expect.poll(() => below(page)).toBe(20);
  await shop.close();
});

test('by itself it leaves what is modal by the page’s own making, which may ask for the chat, and comes back after it', async () => {
  const body = `<main><h1>A shop</h1></main>
    <div id="drawer" role="dialog" aria-modal="true" style="position: fixed; inset: 0 -320px 0 auto; inline-size: 300px">A drawer</div>
    <div id="asks" role="dialog" aria-modal="true" hidden>
      <div style="position: fixed; inset: 0; background: #0008"></div>
      <div style="position: fixed; inset: auto 0 0 0; block-size: 400px; background: #fff">
        <button onclick="parley.open()">Ask us</button>
      </div>
    </div>`;
  const shop = await open('modal', 'data-launcher-avoids="auto"', body);
  const { page } = shop;
  await chat(page).launcher.waitFor();
  const hide = (id: string, hidden: boolean) =>
    page.evaluate(([id, hidden]) => document.getElementById(id)?.toggleAttribute('hidden', hidden), [
      id,
      hidden,
    ] as const);
  await hide('asks', false);
  await chat(page).launcher.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Ask us' }).click();
  await chat(page).field.waitFor();
  await chat(page).close();
  await chat(page).launcher.waitFor({ state: 'hidden' });
  await hide('asks', true);
  await chat(page).launcher.waitFor();
  expect(await below(page)).toBe(20);
  // In a root of its own, as components have it, and slid in and out, which nobody outside of it hears.
  await page.evaluate(() => {
    const app = document.querySelector('main')?.appendChild(document.createElement('div'));
    const root = app?.appendChild(document.createElement('x-modal')).attachShadow({ mode: 'open' });
    const styles = document.createElement('style');
    styles.textContent = `
      div { position: fixed; inset: 0; transition: transform 0.3s }
      .out { transform: translateX(100%) }
      [data-shown=no] { display: none }`;
    const modal = document.createElement('div');
    modal.ariaModal = 'true';
    modal.className = 'out';
    root?.append(styles, modal);
  });
  const change = (name: string, value: string) =>
    page.evaluate(
      ([name, value]) =>
        document.querySelector('x-modal')?.shadowRoot?.querySelector('div')?.setAttribute(name, value),
      [name, value] as const,
    );
  for (const [name, shown, gone] of [
    ['class', '', 'out'],
    // Of which nobody is told at all.
    ['data-shown', 'yes', 'no'],
  ] as const) {
    await change(name, shown);
    if (name === 'data-shown') await change('class', '');
    await chat(page).launcher.waitFor({ state: 'hidden' });
    await change(name, gone);
    await chat(page).launcher.waitFor();
  }
  expect(shop.console).toEqual([]);
  await shop.close();
});

test('whoever asks for the chat in a modal of the page’s own making is told where it does not come', async () => {
  const body = `<div role="dialog" aria-modal="true" style="position: fixed; inset: 10%">
    <button onclick="parley.open()">Ask us</button></div>`;
  const shop = await open('modal-in-vain', 'data-launcher-avoids="auto"', body);
  const { page } = shop;
  await chat(page).launcher.waitFor({ state: 'hidden' });
  await page.route(/\/app-[\w-]+\.js/, (route) => route.abort());
  await page.getByRole('button', { name: 'Ask us' }).click();
  await page.locator('parley-chat').getByRole('alert').waitFor();
  await shop.close();
});

test('a selector that is none is named, and the launcher stands where it would', async () => {
  const shop = await open('none', 'data-launcher-avoids="#("', '<main><h1>A shop</h1></main>');
  await chat(shop.page).launcher.waitFor();
  expect(await below(shop.page)).toBe(20);
  await expect
    .poll(() => shop.console)
    .toEqual([
      'warning: Parley: data-launcher-avoids must be "auto" or a selector of bars of your page, like "#cookie-bar, .app-bar".',
    ]);
  await shop.close();
});

test('in a page without a doctype the launcher stands just beyond a bar, too, however long the page is', async () => {
  const body = `<main style="height: 5000px">A shop</main>${bar('cookies', 'bottom: 0; height: 90px')}`;
  const html = hostPage(service.url, { body })
    .replace('<!doctype html>', '')
    .replace('data-inbox', 'data-launcher-avoids="#cookies" data-inbox');
  const shop = await openShop(browser, service.url + (await service.page('no-doctype', html)));
  expect(await shop.page.evaluate(() => document.compatMode)).toBe('BackCompat');
  await chat(shop.page).launcher.waitFor();
  await expect.poll(() => below(shop.page)).toBe(110);
  await shop.close();
});
