/** chat.html on a phone: as it is, as an owner builds it, and in an app. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { chatPage } from '../../src/page/html.js';
import { type App, type Shape, wrapInApp } from './app.js';
import { openShop, type Shop, type ShopService } from './browser.js';

export const INBOX = 'demo-inbox';
export const query = `inbox-identifier=${INBOX}`;
export const phone: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  isMobile: true,
  hasTouch: true,
  reducedMotion: 'reduce',
};

/** chat.html with nothing around it. */
export const openChatPage = (
  browser: Browser,
  service: ShopService,
  asked = query,
  options: BrowserContextOptions = phone,
): Promise<Shop> => openShop(browser, `${service.url}/chat.html?${asked}`, options);

/** What the address says of those that the page cannot see, or that are in many web views. */
const bridges: Partial<Record<Shape, string>> = {
  'Android, a port': '&bridge=port',
  'React Native': '&bridge=app',
  'Flutter, a handler': '&bridge=app',
};

/** @returns opens chat.html in an app of this shape */
export const startInApp =
  (browser: Browser, service: ShopService) =>
  async (
    shape: Shape,
    asked = query,
    before: (page: Page, app: App) => void = () => {},
    path = '/chat.html',
  ) => {
    const shop = await openShop(browser, 'about:blank', phone);
    const app = await wrapInApp(shop.page, shape);
    before(shop.page, app);
    await shop.page.goto(`${service.url}${path}?${asked}${bridges[shape] ?? ''}`);
    return { shop, app, page: shop.page };
  };

/** As an owner builds it, with the files of the build that is tested. */
export function ownPage(owned: Parameters<typeof chatPage>[3]): string {
  const cdn = join(import.meta.dirname, '../../dist/cdn/assets');
  const fileOf = (ending: string) => {
    const name = readdirSync(cdn).find((file) => file.startsWith('page-') && file.endsWith(ending)) ?? '';
    return { place: `/assets/${name}`, content: readFileSync(join(cdn, name)) };
  };
  const template = readFileSync(join(import.meta.dirname, '../../src/page/chat.html'), 'utf8');
  return chatPage(template, fileOf('.js'), fileOf('.css'), owned);
}

/** Nothing was printed, nothing thrown, no policy violated. */
export async function quiet(shop: Shop): Promise<void> {
  expect(await shop.violations()).toEqual([]);
  expect([...shop.console, ...shop.errors]).toEqual([]);
}
