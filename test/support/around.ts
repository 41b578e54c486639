/** What a visitor does around the thread, by role and name: the menu and its items, words that are sent, the focus. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { agent, chat, hostPage, openShop, type Shop, type ShopService } from './browser.js';

/** A shop of its own with more on the tag. */
export async function openTagged(
  browser: Browser,
  service: ShopService,
  name: string,
  attributes = '',
  options: BrowserContextOptions = {},
  host: Parameters<typeof hostPage>[1] = {},
): Promise<Shop> {
  const html = hostPage(service.url, host).replace(
    'data-inbox-identifier',
    `${attributes} data-inbox-identifier`,
  );
  return openShop(browser, service.url + (await service.page(name, html)), options);
}
export const boxOf = async (page: Page, what: 'launcher' | 'window') => {
  const box = await chat(page)[what].boundingBox();
  if (!box) throw new Error(`there is no ${what} to see`);
  return box;
};

export const more = (page: Page) => chat(page).window.getByRole('button', { name: /^More/ });
export const item = (page: Page, name: string) => page.getByRole('menuitem', { name });
export const focused = (page: Page) =>
  page.evaluate(() => {
    const active = document.activeElement?.shadowRoot?.activeElement;
    return active?.getAttribute('aria-label') ?? active?.textContent ?? '';
  });
export async function pick(page: Page, name: string) {
  await more(page).click();
  await item(page, name).click();
}
export async function say(service: ShopService, page: Page, words: string): Promise<number> {
  await chat(page).say(words);
  const conversation = await agent(service).conversationOf(words);
  await chat(page).bubble(words).getByText('Sent', { exact: true }).waitFor();
  return conversation;
}

/** Goes on in a field of the page, by a press. @returns whether the focus is still there */
export async function goElsewhere(page: Page): Promise<() => Promise<boolean>> {
  await page.evaluate(() => {
    const search = document.createElement('input');
    search.id = 'elsewhere';
    document.body.prepend(search);
  });
  await page.locator('#elsewhere').click();
  return () => page.evaluate(() => document.activeElement?.id === 'elsewhere');
}

/** Hidden, as a tab behind another one is. */
export const setHidden = (page: Page, hidden: boolean) =>
  page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', {
      configurable: true,
      get: () => (value ? 'hidden' : 'visible'),
    });
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => value });
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);

/** For the pages that come after: what they would draw while they are hidden they draw when they are seen again. */
export const drawLate = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const late = new Map<number, FrameRequestCallback>();
    const draw = window.requestAnimationFrame.bind(window);
    const cancel = window.cancelAnimationFrame.bind(window);
    window.requestAnimationFrame = (work) => {
      const frame = draw((now) => {
        if (document.hidden) late.set(frame, work);
        else work(now);
      });
      return frame;
    };
    window.cancelAnimationFrame = (frame) => {
      late.delete(frame);
      cancel(frame);
    };
    document.addEventListener('visibilitychange', () => {
      if (document.hidden) return;
      for (const work of late.values()) draw(work);
      late.clear();
    });
  });
