/**
 * A real browser before a real service: one Chromium for all files of a worker, a fresh profile for each test. Finds the
 * chat as a visitor does, by role and name, and is the agent's side through the account API. Serves the built files.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core';
import { afterAll, expect } from 'vitest';
import { z } from 'zod';
import type { ServiceOptions } from '../../demo/service/service.js';
import { english as en } from '../../src/text/english.js';
import ar from '../../src/text/locales/ar.js';
import { createSay, type Say } from '../../src/text/text.js';
import { engines, howToGet, switches } from '../system.mjs';
import { type Place, startTestService, type TestService } from './service.js';

const built = (folder: string) => fileURLToPath(new URL(`../../dist/${folder}`, import.meta.url));

export interface Wishes {
  /** Switches of the browser. */
  args?: readonly string[];
  /** What the driver would switch. */
  without?: readonly string[];
  /** What is around its pages, too: notices, sound, what other sites may keep, pages that are gone and come back. */
  whole?: boolean;
}

export function launchBrowser({ args = [], without = [], whole = false }: Wishes = {}): Promise<Browser> {
  const { chromium: all, shell } = engines();
  const executablePath = whole ? all : (shell ?? all);
  if (!executablePath) throw new Error(`The browser tests need Chromium. ${howToGet.chromium}`);
  return chromium.launch({
    executablePath,
    ignoreDefaultArgs: [...without],
    args: [...switches, ...args],
  });
}

/** Those that this worker has started, by whether they are whole. They end with it, because the driver sees to that. */
const running = new Map<boolean, Browser>();

async function share(whole: boolean): Promise<Browser> {
  const known = running.get(whole);
  if (known?.isConnected()) return known;
  const browser = await launchBrowser({ whole });
  running.set(whole, browser);
  return browser;
}

const leave = (browser: Browser) => Promise.all(browser.contexts().map((context) => context.close()));

/** A browser for one test file, which leaves no profile behind. */
export async function useBrowser({ whole = false }: Pick<Wishes, 'whole'> = {}): Promise<Browser> {
  const browser = await share(whole);
  afterAll(() => leave(browser));
  return browser;
}

/** The same, and a service with the built shop that ends with the file. */
export async function useShop({ whole = false }: Pick<Wishes, 'whole'> = {}) {
  const [browser, service] = await Promise.all([share(whole), startShopService()]);
  afterAll(async () => {
    await leave(browser);
    await service.end();
  });
  return { browser, service };
}

export interface ShopService extends TestService {
  /**
   * Another page on the service's own origin, `{{origin}}`, `{{inbox}}` and `{{nonce}}` filled in, with headers of its
   * own. Returns its path.
   */
  page(name: string, html: string, headers?: Record<string, string>): Promise<string>;
  /** Ends and starts again: same data, same port. */
  restart(): Promise<void>;
}

/** A service with the built shop, console and widget. */
export async function startShopService(options: Partial<ServiceOptions> = {}): Promise<ShopService> {
  const pages = await mkdtemp(join(tmpdir(), 'parley-pages-'));
  const all = {
    ...options,
    statics: [
      { path: '/', directory: built('demo/site') },
      { path: '/agent', directory: built('demo/console') },
      { path: '/', directory: built('cdn') },
      { path: '/pages', directory: pages },
    ],
  };
  const headersOf: Record<string, Record<string, string>> = {};
  const start = (place?: Place, port = options.port ?? 0) => startTestService({ ...all, port }, place);
  async function end() {
    await shop.stop();
    await shop.place.remove();
    await rm(pages, { recursive: true, force: true });
  }
  const shop: ShopService = {
    ...(await start()),
    end,
    async page(name, html, headers) {
      await writeFile(join(pages, `${name}.html`), html);
      if (headers) {
        headersOf[`${name}.html`] = headers;
        await writeFile(join(pages, 'headers.json'), JSON.stringify(headersOf));
      }
      return `/pages/${name}.html`;
    },
    async restart() {
      await shop.stop();
      Object.assign(shop, await start(shop.place, shop.port), { end });
    },
  };
  return shop;
}

export const hostPage = (
  baseUrl: string,
  more: { head?: string; body?: string; lang?: string; dir?: string } = {},
): string => `<!doctype html>
<html lang="${more.lang ?? 'en'}" dir="${more.dir ?? 'ltr'}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>A shop</title>
    <link rel="icon" href="data:,">
    ${more.head ?? ''}
    <script async src="{{origin}}/parley.js" data-base-url="${baseUrl}" data-inbox-identifier="{{inbox}}"></script>
  </head>
  <body>${more.body ?? '<main><h1>A shop</h1></main>'}</body>
</html>`;

export interface ShopRequest {
  method: string;
  url: string;
  path: string;
}

/** A fresh profile with one page, and everything the page let out. */
export interface Shop {
  page: Page;
  console: string[];
  errors: string[];
  requests: ShopRequest[];
  /** Addresses of sockets that were opened. */
  sockets: string[];
  /** Violations of the page's policy, as "directive blocked". */
  violations(): Promise<string[]>;
  close(): Promise<void>;
}

declare global {
  interface Window {
    testViolations?: string[];
  }
}

export async function openShop(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Shop> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  context.setDefaultTimeout(30_000);
  await context.addInitScript(() => {
    const seen: string[] = [];
    window.testViolations = seen;
    document.addEventListener('securitypolicyviolation', (event) => {
      seen.push(`${event.effectiveDirective} ${event.blockedURI}`);
    });
  });
  const page = await context.newPage();
  const shop: Shop = {
    page,
    console: [],
    errors: [],
    requests: [],
    sockets: [],
    violations: () => page.evaluate(() => window.testViolations ?? []),
    close: () => context.close(),
  };
  page.on('console', (line) => {
    // Of what could not be loaded the browser says everything but what it was.
    const of = line.text().startsWith('Failed to load') ? ` ${line.location().url}` : '';
    shop.console.push(`${line.type()}: ${line.text()}${of}`);
  });
  page.on('pageerror', (error) => void shop.errors.push(String(error)));
  page.on('websocket', (socket) => void shop.sockets.push(socket.url()));
  page.on('request', (request) => {
    shop.requests.push({
      method: request.method(),
      url: request.url(),
      path: new URL(request.url()).pathname,
    });
  });
  await page.goto(url);
  return shop;
}

export interface ChatLocators {
  host: Locator;
  launcher: Locator;
  /** How many messages have not been seen. */
  badge: Locator;
  window: Locator;
  log: Locator;
  field: Locator;
  send: Locator;
  /** The bubbles that say exactly this. */
  bubble(text: string): Locator;
  open(): Promise<void>;
  close(): Promise<void>;
  say(text: string): Promise<void>;
}

export const english: Say = createSay('en', en);
export const arabic: Say = createSay('ar', ar, en);

/** @param page or a frame in it */
export function chat(page: Pick<Page, 'getByRole' | 'locator'>, say: Say = english): ChatLocators {
  const host = page.locator('parley-chat');
  const window = page.getByRole('dialog', { name: say('window'), exact: true });
  const log = window.getByRole('log', { name: say('transcript') });
  const field = window.getByRole('textbox', { name: say('message') });
  const send = window.getByRole('button', { name: say('send') });
  return {
    host,
    launcher: host.locator('button[part=launcher]'),
    badge: host.locator('.badge'),
    window,
    log,
    field,
    send,
    bubble: (text) =>
      log.getByRole('listitem').filter({ has: page.locator(`p:text-is(${JSON.stringify(text)})`) }),
    async open() {
      await host.locator('button[part=launcher][aria-expanded=false]').click();
      await field.waitFor().catch(async (error: unknown) => {
        throw new Error(`${String(error)}\nWhat is there: ${await host.evaluate(whatIsThere)}`);
      });
    },
    async close() {
      // A modal window has a button of its own and makes the launcher inert.
      const buttons = page.getByRole('button', { name: say('closeChat') });
      await buttons.last().click();
      await window.waitFor({ state: 'hidden' });
    },
    async say(text) {
      await field.fill(text);
      await field.press('Enter');
    },
  };
}

/** Of a window that did not come: whether the press arrived, whether the files did, and what the visitor is told. */
function whatIsThere(host: Element): string {
  const root = host.shadowRoot;
  return JSON.stringify({
    size: [innerWidth, innerHeight],
    hidden: host.hasAttribute('hidden'),
    focus: root?.activeElement?.className ?? document.activeElement?.localName,
    launcher: root?.querySelector('button')?.ariaExpanded,
    told: root?.querySelector('[role=alert]')?.textContent,
    window: root?.querySelector('dialog')?.matches('[open], :popover-open'),
    status: window.parley?.status(),
    files: performance
      .getEntriesByType('resource')
      .map(({ name, duration }) => [name.split('/').at(-1), Math.round(duration)]),
  });
}

const messageSchema = z.object({
  id: z.number(),
  content: z.string().nullable(),
  message_type: z.number(),
  private: z.boolean(),
  attachments: z.array(z.unknown()).optional(),
});
const messagesSchema = z.object({ payload: z.array(messageSchema) });
export type AgentMessage = z.infer<typeof messageSchema>;

/** The agent's side, through the account API. */
export function agent(service: TestService) {
  const path = (conversationId: number) => `/api/v1/accounts/1/conversations/${conversationId}`;
  const post = async (address: string, body: unknown) => {
    const { status } = await service.agent('POST', address, body);
    if (status !== 200) throw new Error(`${address} answered ${status}`);
  };
  const messages = async (conversationId: number): Promise<AgentMessage[]> =>
    messagesSchema.parse((await service.agent('GET', `${path(conversationId)}/messages`)).body).payload;
  const findConversation = async (text: string): Promise<number | undefined> => {
    const [found] = await service.db.query<{ display_id: number }>(
      `select c.display_id from messages m join conversations c on c.id = m.conversation_id
       where m.content = $1 order by m.id limit 1`,
      [text],
    );
    return found?.display_id;
  };
  return {
    /** The number of the conversation in which this was said; waits for it. */
    async conversationOf(text: string): Promise<number> {
      await expect.poll(() => findConversation(text)).toBeDefined();
      return (await findConversation(text)) ?? 0;
    },
    messages,
    contents: async (conversationId: number) => (await messages(conversationId)).map((m) => m.content),
    /** A message of any kind; a form for one with files. */
    tell: (conversationId: number, message: Record<string, unknown> | FormData) =>
      post(`${path(conversationId)}/messages`, message),
    answer: (conversationId: number, content: string) =>
      post(`${path(conversationId)}/messages`, { content, private: false }),
    typing: (conversationId: number, on: boolean) =>
      post(`${path(conversationId)}/toggle_typing_status`, { typing_status: on ? 'on' : 'off' }),
    /** How many rows of the service say this. */
    async count(text: string): Promise<number> {
      const [row] = await service.db.query<{ count: number }>(
        'select count(*) as count from messages where content = $1',
        [text],
      );
      return Number(row?.count ?? 0);
    },
  };
}

export const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

export interface BubbleReport {
  /** How many list items ever said it. */
  nodes: number;
  /** How many of them were taken out. */
  removed: number;
  /** The most at one time. */
  most: number;
}

/** Follows every list item that says this, from before it exists. */
export async function watchBubble(page: Page, text: string): Promise<() => Promise<BubbleReport>> {
  const watch = await page.evaluateHandle((wanted) => {
    const root = document.querySelector('parley-chat')?.shadowRoot;
    if (!root) throw new Error('there is no chat on this page');
    const nodes = new Set<Element>();
    const report = { nodes: 0, removed: 0, most: 0 };
    const look = () => {
      const now = [...root.querySelectorAll('li')].filter(
        (row) => row.querySelector('.content')?.textContent === wanted,
      );
      for (const row of now) nodes.add(row);
      report.nodes = nodes.size;
      report.most = Math.max(report.most, now.length);
    };
    new MutationObserver((changes) => {
      for (const node of changes.flatMap((change) => [...change.removedNodes])) {
        if (!(node instanceof Element)) continue;
        for (const gone of [node, ...node.querySelectorAll('*')]) if (nodes.has(gone)) report.removed++;
      }
      look();
    }).observe(root, { childList: true, subtree: true, characterData: true });
    look();
    return report;
  }, text);
  return () => watch.jsonValue();
}

/** What the bubbles say, from the first to the last. */
export const said = (page: Page, say: Say = english): Promise<string[]> =>
  chat(page, say).log.getByRole('listitem').locator('.content').allTextContents();
