/** The agents' console in a real browser, before a service and a receiver of its own; visitors come to it when asked for. */
import { readFile } from 'node:fs/promises';
import type { Browser, Locator, Page, Route } from 'playwright-core';
import {
  agent,
  axePath,
  chat,
  launchBrowser,
  openShop,
  type Shop,
  type ShopService,
  startShopService,
  type Wishes,
} from './browser.js';
import { type Receiver, startReceiver } from './receiver.js';

export interface Console {
  browser: Browser;
  service: ShopService;
  receiver: Receiver;
  /** axe, to be run in a page. */
  axe: string;
  desk: Page;
  /** A page of the console by its place, once its heading is there. */
  open(place: string, heading: string): Promise<void>;
  /** A visitor who said this, and the console with their conversation before it. */
  talk(words: string): Promise<Shop & { conversation: number }>;
  log(): Locator;
  field(): Locator;
  dialog(): Locator;
  /** Waits until the console says so. */
  done(words: string): Promise<void>;
  /** Through the composer's own dialog. */
  ask(kind: string, words: string, rows?: (box: Locator) => Promise<void>): Promise<void>;
  asked(words: string): Locator;
  /** What live regions say, from the first moment of the pages to come. */
  listen(): Promise<() => Promise<string[]>>;
  end(): Promise<void>;
}

export async function startConsole(wishes: Wishes = {}): Promise<Console> {
  const [browser, service, receiver, axe] = await Promise.all([
    launchBrowser(wishes),
    startShopService({ webhooks: { allowPrivate: true, attempts: 1 } }),
    startReceiver(),
    readFile(axePath, 'utf8'),
  ]);
  const desk = (await openShop(browser, service.consoleUrl)).page;
  const log = () => desk.getByRole('log', { name: 'Conversation' });
  const dialog = () => desk.getByRole('dialog');
  return {
    browser,
    service,
    receiver,
    axe,
    desk,
    async open(place, heading) {
      await desk.goto(`${service.url}/agent/#/${place}`);
      await desk.getByRole('heading', { name: heading, level: 1 }).waitFor();
    },
    async talk(words) {
      const shop = await openShop(browser, `${service.url}/`);
      await chat(shop.page).open();
      await chat(shop.page).say(words);
      const conversation = await agent(service).conversationOf(words);
      await desk.goto(`${service.url}/agent/#/${conversation}`);
      await log().getByText(words, { exact: true }).waitFor();
      return { ...shop, conversation };
    },
    log,
    field: () => desk.getByRole('textbox', { name: 'Reply', exact: true }),
    dialog,
    done: (words) => desk.getByRole('status').getByText(words).waitFor(),
    async ask(kind, words, rows = async () => {}) {
      await desk.getByRole('button', { name: 'Ask the visitor' }).click();
      await dialog().getByRole('radio', { name: kind }).check();
      await dialog().getByLabel('Words').fill(words);
      await rows(dialog());
      await dialog().getByRole('button', { name: 'Send' }).click();
    },
    asked: (words) => log().getByRole('listitem').filter({ hasText: words }),
    async listen() {
      await desk.addInitScript(() => {
        const heard: string[] = [];
        Object.assign(window, { heard });
        new MutationObserver((changes) => {
          for (const { target, addedNodes } of changes) {
            const live = target instanceof Element ? target.closest('[aria-live], [role=log]') : undefined;
            if (!live || live.getAttribute('aria-live') === 'off') continue;
            for (const node of addedNodes) if (node.textContent) heard.push(node.textContent);
          }
        }).observe(document, { childList: true, subtree: true });
      });
      return () => desk.evaluate(() => Object(window).heard);
    },
    async end() {
      await browser.close();
      await service.end();
      await receiver.stop();
    },
  };
}

/** The next thing sent to this conversation does not leave the page before it is let go. */
export async function holdMessageTo(desk: Page, conversation: number): Promise<Promise<Route>[]> {
  let held: ((route: Route) => void) | undefined;
  const left = new Promise<Route>((resolve) => {
    held = resolve;
  });
  await desk.route(`**/conversations/${conversation}/messages`, (route) => {
    if (!held || route.request().method() !== 'POST') return route.fallback();
    held(route);
    held = undefined;
  });
  // In a list, because a promise alone would be waited for here.
  return [left];
}
