/** A phone of 390 by 844 whose visual viewport is one that the test sets. It knows nothing of the chat. */
import type { Browser, Page } from 'playwright-core';
import { openShop, type Shop } from './browser.js';

export const HEIGHT = 844;

export type View = [height: number, offsetTop?: number, scale?: number];

declare global {
  interface Window {
    testView?: (...view: View) => void;
  }
}

/** A page that is empty as yet. */
export async function openPhone(browser: Browser): Promise<Shop> {
  const shop = await openShop(browser, 'about:blank', {
    viewport: { width: 390, height: HEIGHT },
    isMobile: true,
    hasTouch: true,
    reducedMotion: 'reduce',
  });
  await shop.page.addInitScript((height) => {
    const view = Object.assign(new EventTarget(), {
      height,
      width: 390,
      offsetTop: 0,
      offsetLeft: 0,
      scale: 1,
    });
    Object.defineProperty(window, 'visualViewport', { get: () => view });
    window.testView = (height, offsetTop = 0, scale = 1) => {
      Object.assign(view, { height, offsetTop, scale });
      view.dispatchEvent(new Event('resize'));
      view.dispatchEvent(new Event('scroll'));
    };
  }, HEIGHT);
  return shop;
}

/** As a keyboard does that comes, goes, or pushes the page up. */
export const setViewOf = (page: Page, ...view: View) =>
  page.evaluate((view) => window.testView?.(...view), view);
